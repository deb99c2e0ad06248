"""The data source in the real engine, started once."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from typing import Any, Dict, Iterator

import pytest

ray = pytest.importorskip("ray")

import baseref.ray  # noqa: E402
import failing  # noqa: E402
import mistyped  # noqa: E402
import snippets  # noqa: E402
from conftest import comparable, record  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    failing.advertise(tmp_path_factory.mktemp("failing"))
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def test_storage_that_fails_loses_no_row(tmp_path: Path) -> None:
    (tmp_path / "marks").mkdir()
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "page.html").write_text("<a href=http://h/>x</a>" * 100)

    def load(mode: str) -> Any:
        given = {"root": str(tmp_path / "crawl"), "mark": str(tmp_path / "marks")}
        options = {**given, "way": mode, "after": 100}
        return baseref.ray.read_links("failing://", storage_options=options)

    assert load("once").count() == load("never").count() == 100
    with pytest.raises(Exception, match="does not answer"):
        load("always").count()


@pytest.mark.parametrize("table", ["bases", "errors", "all"])
def test_every_table_is_whole_or_fails(tmp_path: Path, table: Any) -> None:
    (tmp_path / "marks").mkdir()
    (tmp_path / "crawl").mkdir()
    for number in range(3):
        page = f"<a href=http://h{number}/>x</a>" * 100
        (tmp_path / "crawl" / f"{number}.html").write_text(page)
    (tmp_path / "crawl" / "cut.warc").write_bytes(record(1) + record(2)[:-30])

    def load(mode: str) -> Any:
        given = {"root": str(tmp_path / "crawl"), "mark": str(tmp_path / "marks")}
        options = {**given, "way": mode, "after": 50}
        links = baseref.ray.read_links("failing://", table=table, storage_options=options)
        return sorted(map(str, links.take_all()))

    expected = load("never")
    assert len(expected) == {"bases": 5, "errors": 1, "all": 304}[table]
    assert load("once") == expected
    for mode in ("always", "short"):
        with pytest.raises(Exception, match="does not answer|ended after"):
            load(mode)


def test_columns_of_a_dataset_are_named() -> None:
    page = b"<a href=http://a/>b</a>"
    files = ray.data.from_items([{"bytes": page, "path": "x.html", "size": 3}])
    for arguments, word in [
        (("byte",), "no column `byte`"), (("bytes", "pth"), "no column `pth`"),
        (("size",), "the column `size` holds no bytes"), (("bytes", "size"), "the column `size` holds no text"),
    ]:  # fmt: skip
        links = files.map_batches(baseref.ray.LinksOfBytes(*arguments), batch_format="pyarrow")
        with pytest.raises(Exception, match=word):
            links.take_all()


def test_mistyped_paths_and_options_fail_with_their_names(tmp_path: Path) -> None:
    folder = mistyped.make(tmp_path)
    for written, word in mistyped.paths(folder):
        with pytest.raises((OSError, ValueError), match=re.escape(word)):
            baseref.ray.read_links(written)
    for _, options, word in [*mistyped.OPTIONS, *mistyped.OF_ENGINES]:
        with pytest.raises((TypeError, ValueError), match=word):
            baseref.ray.read_links(folder, **options)
    with pytest.raises(TypeError, match="ray_remote_args: "):
        baseref.ray.read_links(folder, ray_remote_args="x")  # type: ignore[arg-type]


def test_an_empty_folder_is_an_empty_table(tmp_path: Path) -> None:
    empty = baseref.ray.read_links(tmp_path)
    assert empty.count() == 0 and "url" in empty.schema().names


@pytest.mark.parametrize("most", [3000, 2**27])
def test_rows_are_those_of_the_command_line(folder: Path, expected: Any, most: int) -> None:
    links = baseref.ray.read_links(str(folder), links="all", max_split_bytes=most)
    assert comparable(links.take_all()) == expected


def test_a_damaged_file_is_a_row_of_the_errors(folder: Path) -> None:
    errors = baseref.ray.read_links(str(folder), table="errors").take_all()
    assert errors and all("damaged.warc.gz" in row["doc"] for row in errors)


def test_a_dataset_of_bytes_is_mapped(folder: Path) -> None:
    files = ray.data.read_binary_files(str(folder / "page.html"), include_paths=True)
    links = files.map_batches(
        baseref.ray.LinksOfBytes("bytes", "path"), batch_format="pyarrow"
    )
    assert [row["url"] for row in links.take_all()] == ["http://p/q/r"]


def test_a_task_that_was_killed_gives_the_same_rows(
    folder: Path, expected: Any, tmp_path: Path
) -> None:
    killed = str(tmp_path / "killed")

    def die_once(table: Any) -> Any:
        try:
            os.close(os.open(killed, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return table
        os.kill(os.getpid(), signal.SIGKILL)

    links = baseref.ray.read_links(str(folder), links="all")
    survived = links.map_batches(die_once, batch_format="pyarrow")
    assert comparable(survived.take_all()) == expected
    assert os.path.exists(killed)


def test_the_examples_of_the_manual_run(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<a href=http://a/>b</a>")
    (snippet,) = snippets.of("python.md", "Ray")
    snippet = snippet.replace("s3://bucket/crawl/", f"file://{folder}/")
    known: Dict[str, Any] = {"ray": ray, "baseref": baseref}
    crawl = snippet.partition("pages = ")[0]
    exec(crawl, known)
    assert known["links"].count() > 300 and known["errors"].count() > 0
    exec(snippet.replace('"pages/"', repr(str(tmp_path))), known)
    assert [row["url"] for row in known["links"].take_all()] == ["http://a/"]


def test_bases_and_audits_are_tables(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<base href=http://a/><a href=none.html>x</a>")
    bases = baseref.ray.read_links(tmp_path, table="bases").take_all()
    assert [row["base"] for row in bases] == ["http://a/"]
    found = baseref.ray.read_links(
        tmp_path, table="audit", url_map={tmp_path: "http://a/"}, level="error"
    )
    assert [row["rule"] for row in found.take_all()] == ["target/missing-file"]
    with pytest.raises(ValueError, match="no option `url`"):
        baseref.ray.read_links(tmp_path, table="audit", url="http://a/")
