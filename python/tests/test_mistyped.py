"""Paths and options mistyped in many ways: a message that names them, never an empty table."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Dict, List

import pytest

import baseref
import mistyped

PAGE = b"<a href=http://a/>b</a>"
HAS_ARROW = find_spec("pyarrow") is not None
HAS_FSSPEC = find_spec("fsspec") is not None


@pytest.mark.parametrize(
    "source",
    [
        "none.html", "*.html", "a.html,b.html", "{a,b}.html", "~/no-such", "", "none/",
        "file:///no/such", "s3://bucket/key", "hdfs://host/x", "http://host/x", Path("none"),
    ],
)  # fmt: skip
def test_the_wheel_takes_one_path_and_names_it(
    source: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for read in (baseref.links, baseref.bases, lambda source: baseref.splits(source, 100)):
        with pytest.raises(FileNotFoundError) as caught:
            read(source)
        assert caught.value.errno == 2
        assert caught.value.filename == str(source)
        # Word for word what Python's own functions say.
        assert str(caught.value) == f"[Errno 2] No such file or directory: {str(source)!r}"


def test_what_is_no_path_is_named(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(PAGE)
    with pytest.raises(NotADirectoryError, match="page.html/x"):
        baseref.links(tmp_path / "page.html" / "x")
    with pytest.raises(ValueError, match="a.*b"):
        baseref.links("a\0b")
    for source in (3, None, ["page.html"], [("page.html",)], {"page.html"}):
        with pytest.raises(TypeError, match=f"not {type(source).__name__}"):
            baseref.links(source)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="directory"):
        baseref.links(tmp_path, range=(0, 1)).__iter__()
    with pytest.raises(OSError, match=re.escape(str(tmp_path))):
        baseref.splits(tmp_path, 100)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that cannot be read")
def test_a_file_that_cannot_be_read_is_an_os_error(tmp_path: Path) -> None:
    unreadable = tmp_path / "page.html"
    unreadable.symlink_to("/proc/self/mem")
    for source in (unreadable, tmp_path):
        with pytest.raises(OSError) as caught:
            list(baseref.links(source, on_error="collect"))
        assert caught.value.errno is not None
        assert caught.value.filename == str(unreadable)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_file_that_must_not_be_read_is_a_permission_error(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(PAGE)
    (tmp_path / "page.html").chmod(0)
    with pytest.raises(PermissionError, match="page.html"):
        list(baseref.links(tmp_path / "page.html"))


@pytest.mark.parametrize("_, wrong, word", mistyped.OPTIONS)
def test_a_wrong_option_of_the_wheel_is_named(_: Any, wrong: Dict[str, Any], word: str) -> None:
    with pytest.raises((TypeError, ValueError), match=word):
        baseref.links(PAGE, **wrong)


@pytest.mark.parametrize(
    "wrong, word",
    [
        *mistyped.OF_A_WRONG_TYPE,
        ({"range": 5}, "range: "),
        ({"range": (5, 1)}, "range: 5 is after 1"),
        ({"range": (-1, 1)}, "range: "),
        ({"range": ("a", "b")}, "range: "),
        ({"progress": 5}, "progress: "),
        ({"name": 5}, "name: "),
    ],
)
def test_a_wrong_type_names_the_option(wrong: Dict[str, Any], word: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{word}"):
        baseref.links(PAGE, **wrong)


def test_a_wrong_type_names_the_option_of_a_check(tmp_path: Path) -> None:
    wrong: List[Dict[str, Any]] = [
        {"hosting": 3}, {"with_links": "yes"}, {"index": [3]}, {"url_map": [("a", "b")]},
        {"level": 3}, {"jobs": -1}, {"rule": "x=off"}, {"config": 3},
        {"hosting": "Netlify"}, {"hosting": ""}, {"index": 3}, {"index": b"a"}, {"ext": [None]},
        {"dir": "no"}, {"case": "both"}, {"links": "al"}, {"resolver": "rfc"}, {"input": "htm"},
        {"encoding": "klingon"}, {"glob": [3]}, {"glob": None}, {"include": 3}, {"include": [None]},
        {"exclude": b"a"}, {"scope": None}, {"scope": [3]}, {"url_match": "exactly"}, {"url_match": 3},
        {"cdx": None}, {"cdx": [3]}, {"redirects": 3}, {"redirects": [None]}, {"level": "Error"},
        {"rule": {"x": None}}, {"rule": {3: "off"}}, {"allow": None}, {"allow": [3]},
        {"url_map": {"a": 3}}, {"url_alias": {3: "http://a/"}}, {"url_alias": "http://a/"},
        {"with_links": 1}, {"unreferenced": "no"}, {"jobs": "2"}, {"batch_bytes": -1},
    ]  # fmt: skip
    for options in wrong:
        ((name, value),) = options.items()
        with pytest.raises((TypeError, ValueError)) as caught:
            baseref.audit(tmp_path, **options)
        said = str(caught.value)
        # What the command says itself names the value.
        assert said.startswith(f"{name}: ") or isinstance(value, str) and f"`{value}`" in said, said
    with pytest.raises(TypeError, match="^to: "):
        baseref.verify_move(tmp_path, to=3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="^from: "):
        baseref.verify_move(tmp_path, from_=3, to="http://a/")  # type: ignore[arg-type]


needs_arrow = pytest.mark.skipif(not HAS_ARROW, reason="engines have pyarrow")


@needs_arrow
def test_a_wrong_path_of_an_engine_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from baseref._inputs import plan

    folder = mistyped.make(tmp_path)
    monkeypatch.chdir(tmp_path / "empty")
    for written, word in mistyped.paths(folder, HAS_FSSPEC):
        if "://" in written and not written.startswith("file:") and not HAS_FSSPEC:
            continue
        with pytest.raises((OSError, ValueError), match=re.escape(word)):
            plan(written)
    none: List[Any] = []
    with open(folder / "a" / "1.html", "rb") as opened:
        for wrong in (5, True, None, none, {}, [none], [f"{folder}/a", None], [b"a\0b"], opened):
            with pytest.raises((TypeError, ValueError), match="path"):
                plan(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="empty"):
        plan([f"{folder}/a", ""])
    with pytest.raises(FileNotFoundError, match="none"):
        plan(os.fsencode(folder / "none"))  # type: ignore[arg-type]
    for wrong in ("a\0b",):
        with pytest.raises((TypeError, ValueError), match="path"):
            plan(wrong)  # type: ignore[arg-type]
    assert plan(tmp_path / "empty") == []


@needs_arrow
def test_a_wrong_option_of_an_engine_is_named() -> None:
    from baseref._tables import checked

    for _, wrong, word in mistyped.OPTIONS:
        with pytest.raises((TypeError, ValueError), match=word):
            checked("links", wrong)
    for wrong, word in mistyped.OF_A_WRONG_TYPE:
        with pytest.raises((TypeError, ValueError), match=word):
            checked("links", wrong)


@needs_arrow
def test_each_file_of_a_pattern_is_read_once(tmp_path: Path) -> None:
    from baseref._inputs import plan

    folder = mistyped.make(tmp_path)
    names = ["1.html", "2.html", "3.html"]

    def found(path: str) -> List[str]:
        return [Path(piece.path).name for task in plan(path) for piece in task.pieces]

    for pattern in ("**", "*", "[ab]*", "**/*"):
        assert found(f"{folder}/{pattern}") == names, pattern
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for name in ("a/1.html", "a/b/2.html", "3.html"):
        memory.pipe(f"/once/{name}", PAGE)
    for pattern in ("**", "*"):
        assert sorted(found(f"memory://once/{pattern}")) == names, pattern


@needs_arrow
def test_what_a_file_system_says_is_said_of_its_path() -> None:
    fsspec = pytest.importorskip("fsspec")
    from baseref._inputs import plan

    class Silent(fsspec.AbstractFileSystem):  # type: ignore[misc]
        """Says what is wrong, but not of what, as clients of object stores do."""

        protocol = "silent"

        def info(self, path: str, **more: Any) -> Any:
            raise {"os": OSError("no route"), "own": RuntimeError("no credentials")}[path]

    fsspec.register_implementation("silent", Silent, clobber=True)
    fsspec.register_implementation(
        "lacking", "no_such_package.FileSystem", errtxt="install no_such_package", clobber=True
    )
    with pytest.raises(OSError, match="no route.*silent://os"):
        plan("silent://os")
    with pytest.raises(OSError, match="no credentials.*silent://own"):
        plan("silent://own")
    with pytest.raises(ImportError, match="lacking://bucket.*install no_such_package"):
        plan("lacking://bucket/key")
    with pytest.raises(FileNotFoundError, match="MEMORY://none"):
        plan("MEMORY://none")
