"""The checks of saved trees: the rows are those of the command line's JSON Lines."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Set

import pytest

import baseref

FIXTURES = Path(__file__).parents[2] / "fixtures"
AUDIT = FIXTURES / "audit"
MOVES = FIXTURES / "move"

of_the_command_line = pytest.mark.skipif(
    "BASEREF" not in os.environ, reason="needs the command line"
)


def printed(*arguments: object) -> Dict[str, List[Dict[str, Any]]]:
    """What the command line prints in JSON Lines, by type."""
    command = [os.environ["BASEREF"], *map(str, arguments), "-f", "jsonl"]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    assert run.returncode in (0, 1, 3), run.stderr
    lines: Dict[str, List[Dict[str, Any]]] = {}
    for line in run.stdout.splitlines():
        row = json.loads(line)
        lines.setdefault(row["type"], []).append(row)
    return lines


def assert_same(records: baseref.Records, lines: List[Dict[str, Any]]) -> None:
    rows = [row._asdict() for row in records]
    assert len(rows) == len(lines)
    for row, line in zip(rows, lines):
        # Absent and null are both null.
        assert row == {name: line.get(name) for name in row}
        assert set(line) - set(row) == {"v", "type"}


def assert_numbers(records: baseref.Records, lines: Dict[str, List[Dict[str, Any]]]) -> None:
    summary = dict(records.summary or {})
    del summary["lines"]
    assert [summary] == lines["summary"]


@of_the_command_line
@pytest.mark.parametrize(
    "options, typed",
    [
        ({"level": "note"}, ["--level", "note"]),
        ({"level": "note", "include": "html", "exclude": ["#", "http"]},
         ["--level", "note", "--include", "html", "--exclude", "#", "--exclude", "http"]),
        ({"glob": ["a-*", "!*base*"], "hosting": "netlify", "resolver": "whatwg"},
         ["--glob", "a-*", "--glob", "!*base*", "--hosting", "netlify", "--resolver", "whatwg"]),
        ({"rule": {"target/*": "note"}, "allow": "syntax/*", "links": "all", "level": "note"},
         ["--rule", "target/*=note", "--allow", "syntax/*", "--links", "all", "--level", "note"]),
        ({"url_map": {AUDIT: "http://h/a/"}, "url_alias": {"http://www.h/a/": "http://h/a/"}},
         ["--url-map", f"{AUDIT}=http://h/a/", "--url-alias", "http://www.h/a/=http://h/a/"]),
    ],
)  # fmt: skip
def test_an_audit_gives_what_the_command_line_gives(
    options: Dict[str, Any], typed: List[str]
) -> None:
    found = baseref.audit(AUDIT, with_links=True, jobs=2, batch_bytes=5000, **options)
    lines = printed("audit", AUDIT, "--with-links", *typed)
    assert_same(found, lines.get("finding", []))
    assert_numbers(found, lines)
    assert found.links is not None
    assert_same(found.links, lines["link"])
    assert len(lines["link"]) > 10


def crawl(folder: Path) -> Path:
    """A WARC of one page, whose index beside it has two more."""
    page = b"<a href=b><a href=/C/><a href=d><a href=http://y.org/e>"
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
    fields = (
        "WARC/1.1",
        "WARC-Type: response",
        "WARC-Target-URI: http://x.org/a",
        "WARC-Date: 2024-03-01T10:00:00Z",
        "Content-Type: application/http",
        f"Content-Length: {len(block)}",
    )
    head = "".join(f"{field}\r\n" for field in fields) + "\r\n"
    (folder / "crawl.warc").write_bytes(head.encode() + block + b"\r\n\r\n")
    lines = [
        f'org,x)/{name} 20240301100000 {{"url": "http://x.org/{name}", "status": "200"}}\n'
        for name in "bc"
    ]
    (folder / "others.cdxj").write_text("".join(lines))
    return folder / "crawl.warc"


@of_the_command_line
@pytest.mark.parametrize(
    ("options", "missing"),
    [
        ({}, {"/C/", "b", "d"}),
        ({"cdx": "others.cdxj"}, {"d"}),
        ({"cdx": ["others.cdxj"], "url_match": "exact"}, {"/C/", "d"}),
        ({"scope": ["prefix=http://x.org/d", "prefix=http://y.org/"]}, {"d", "http://y.org/e"}),
        ({"scope": "pages"}, set()),
    ],
)
def test_a_crawl_is_judged_as_on_the_command_line(
    options: Dict[str, Any], missing: Set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = crawl(tmp_path)
    monkeypatch.chdir(tmp_path)
    found = baseref.audit(path, level="warning", **options)
    typed = [
        f"--{name.replace('_', '-')}={value}"
        for name, values in options.items()
        for value in ([values] if isinstance(values, str) else values)
    ]
    lines = printed("audit", path, "--level", "warning", *typed)
    assert_same(found, lines.get("finding", []))
    assert {finding.raw for finding in found} == missing


def keywords(arguments: List[str]) -> Dict[str, Any]:
    """Arguments of the command line as keywords."""
    asked: Dict[str, Any] = {}
    for argument in arguments:
        option, _, value = argument.partition("=")
        name = option[2:].replace("-", "_")
        if not argument.startswith("--"):
            asked["dir"] = argument
        elif name in ("rule", "move"):
            key, _, of_key = value.partition("=")
            asked.setdefault(name, {})[key] = of_key
        elif name in ("also_old", "redirects", "urls", "allow"):
            asked.setdefault(name, []).append(value)
        else:
            asked["from_" if name == "from" else name] = value or True
    return asked


@of_the_command_line
@pytest.mark.parametrize("name", sorted(path.name for path in MOVES.iterdir()))
def test_a_move_gives_what_the_command_line_gives(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(MOVES / name)
    arguments = ["--level=note", *Path("arguments").read_text().split()]
    lines = printed("verify-move", *arguments)
    moved = baseref.verify_move(**keywords(arguments), on_error="collect")
    assert_same(moved, lines.get("finding", []))
    assert_numbers(moved, lines)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<a href=none.html>x</a><a href=page.html>y</a>")
    (site / "page.html").write_text("<p>z")
    (site / "alone.html").write_text("<p>z")
    return site


def test_what_cannot_be_asked_is_a_value_error_at_once(site: Path) -> None:
    wrong: List[Dict[str, Any]] = [
        {"hosting": "nobody"},
        {"level": "grave"},
        {"links": "images"},
        {"include": "("},
        {"exclude": ["a", "["]},
        {"glob": "a["},
        {"dir": "maybe"},
        {"case": "maybe"},
        {"scope": "prefix="},
        {"url_match": "near"},
        {"cdx": site / "none.cdx"},
        {"resolver": "rfc1"},
        {"encoding": "klingon"},
        {"url_map": {site: "http://a/"}, "url_alias": {"http://b/": "http://c/"}},
        {"config": site / "none.toml"},
        {"baseline": site / "none.json"},
    ]
    for options in wrong:
        with pytest.raises(ValueError):
            baseref.audit(site, **options)
    with pytest.raises(ValueError, match="nothing moves"):
        baseref.verify_move(site, from_="http://a/", to="http://a/")
    with pytest.raises(ValueError, match="redirects"):
        baseref.verify_move(site, from_="http://a/", to="http://b/", redirects=site / "redirects")


def test_findings_are_read_anew_and_have_a_schema(site: Path) -> None:
    found = baseref.audit(site, dictionaries=True)
    assert found.summary is None and found.links is None
    assert [finding.raw for finding in found] == ["none.html"]
    (site / "none.html").write_text("")
    assert list(found) == []
    assert found.summary is not None and found.summary["links"] == 2
    assert "lines" in found.summary
    assert repr(found) == "<baseref.Records: findings>"


def test_the_day_is_that_of_source_date_epoch(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "baseref.toml"
    config.write_text('[[allow]]\nrule = "target/*"\nreason = "r"\nexpires = 2001-01-01\n')
    found = baseref.audit(site, config=config)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert list(found) == []
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    assert "target/missing-file" in [finding.rule for finding in found]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "today")
    with pytest.raises(ValueError, match="SOURCE_DATE_EPOCH"):
        baseref.audit(site)


def test_files_that_nothing_leads_to_are_listed(site: Path) -> None:
    found = baseref.audit([site], unreferenced=True)
    list(found)
    assert found.summary is not None
    lines = found.summary["lines"]
    assert [line for line in lines if "alone.html" in line] and not str(lines).count("page.html")


def test_findings_are_arrow(site: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    found = baseref.audit(site, with_links=True)
    table = pyarrow.table(found)
    assert table["rule"].to_pylist() == ["target/missing-file"]
    assert str(table.schema.field("line").type) == "int64"
    links = pyarrow.table(found.links)
    assert links["class"].to_pylist() == ["missing", "ok"]
    moved = pyarrow.table(baseref.verify_move(site, from_="http://a/b/", to="http://c/"))
    assert "expected" in moved.column_names and "expected" not in table.column_names


def test_what_cannot_be_read_in_a_tree_that_moves_is_collected(site: Path) -> None:
    (site / "cut.warc.gz").write_bytes(b"\x1f\x8b\x08\0\0\0\0\0\0\0")
    moved = baseref.verify_move(site, from_="http://a/", to="http://b/", on_error="collect")
    list(moved)
    assert [error.doc.endswith("cut.warc.gz") for error in moved.errors] == [True]
    with pytest.raises(baseref.ReadError):
        list(baseref.verify_move(site, from_="http://a/", to="http://b/", on_error="raise"))


def test_missing_tree_raises_what_a_missing_file_of_links_does(tmp_path: Path) -> None:
    missing = tmp_path / "none"
    with pytest.raises(FileNotFoundError) as of_links:
        baseref.links(missing)
    for check in (lambda: baseref.audit(missing), lambda: baseref.verify_move(missing, to="http://a/")):
        with pytest.raises(FileNotFoundError) as of_check:
            check()
        assert type(of_check.value) is type(of_links.value)
        assert of_check.value.filename == str(missing)
