"""Paths as users of engines write them."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any, List

import pytest

pytest.importorskip("pyarrow")

from baseref import Split, _inputs  # noqa: E402
from baseref._inputs import plan  # noqa: E402
from baseref._tables import checked  # noqa: E402
from conftest import message  # noqa: E402


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a/1.html", "a/2.html", "b/3.html", "b/.hidden/4.html", "c,d.html", "e[1].html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("<a href=http://a/>b</a>")
    (tmp_path / "empty").mkdir()
    return tmp_path


def names(*paths: Any) -> List[str]:
    tasks = plan(paths[0] if len(paths) == 1 else list(paths))
    return [Path(piece.path).name for task in tasks for piece in task.pieces]


def test_every_way_to_write_paths_is_known(folder: Path) -> None:
    at = str(folder)
    assert names(folder / "a") == ["1.html", "2.html"]
    assert names(f"{at}/a", folder / "b") == ["1.html", "2.html", "3.html"]
    assert names(f"{at}/a,{at}/b") == ["1.html", "2.html", "3.html"]
    assert names(f"{at}/{{a,b}}/*.html") == ["1.html", "2.html", "3.html"]
    assert names(f"{at}/{{a/{{1,2}},b/3}}.html") == ["1.html", "2.html", "3.html"]
    assert names(f"{at}/**/[23].html") == ["2.html", "3.html"]
    for scheme in ("file:", "file://", "file://localhost", "FILE://"):
        assert names(f"{scheme}{at}/a") == ["1.html", "2.html"], scheme
    # What is there is meant, whatever its name looks like.
    assert names(folder / "c,d.html") == ["c,d.html"]
    assert names(folder / "e[1].html") == ["e[1].html"]
    assert names(folder / "empty") == []


@pytest.mark.parametrize(
    "wrong",
    ["none", "none/*.html", "a/1.html,none.html", "{a,none}", "a/1.htm", "*.warc", "a/1.html/x"],
)
def test_a_wrong_path_is_an_error_with_its_name(folder: Path, wrong: str) -> None:
    paths = ",".join(f"{folder}/{one}" for one in wrong.split(",")) if wrong[0] != "{" else ""
    with pytest.raises(OSError, match="none|1.htm|warc|x") as caught:
        plan(paths or f"{folder}/{wrong}")
    assert str(folder) in str(caught.value)


@pytest.mark.parametrize("wrong", ["", " ", [], "a,,b", "unknown://a/b"])
def test_what_is_no_path_is_a_value_error(wrong: Any) -> None:
    with pytest.raises(ValueError):
        plan(wrong)


def test_paths_with_schemes_are_listed_without_opening(folder: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for number in range(3):
        memory.pipe(f"/crawl/{number}.warc.gz", b"x" * 1000)
    memory.pipe("/crawl/below/4.html", b"<p>")
    tasks = plan("memory://crawl/*.warc.gz", max_split_bytes=400)
    pieces = [piece for task in tasks for piece in task.pieces]
    assert [piece.path for piece in pieces[::3]] == [f"memory://crawl/{n}.warc.gz" for n in range(3)]
    # Their name says that they can be cut anywhere.
    assert [piece.split for piece in pieces[:3]] == [(0, 400), (400, 800), (800, 2**63 - 1)]
    (task,) = plan("memory:///crawl/below/")
    assert [(piece.path, piece.size, piece.named) for piece in task.pieces] == [
        ("memory:///crawl/below/4.html", 3, False)
    ]
    for missing in ("memory://crawl/none", "memory://crawl/*.arc"):
        with pytest.raises(FileNotFoundError, match="crawl"):
            plan(missing)


def test_a_crawl_is_planned_by_one_listing() -> None:
    fsspec = pytest.importorskip("fsspec")
    files = {f"/crawl/{number:05}.warc.gz": 10**9 for number in range(90_000)}
    calls: List[str] = []

    class Crawl(fsspec.AbstractFileSystem):  # type: ignore[misc]
        """As many archives as a month of a large crawl has, none of which is there to be opened."""

        protocol = "crawl"

        def info(self, path: str, **more: Any) -> Any:
            calls.append(path)
            return {"name": path, "size": 0, "type": "directory"}

        def find(self, path: str, detail: bool = False, **more: Any) -> Any:
            calls.append(path)
            return {name: {"size": size, "type": "file"} for name, size in files.items()}

        def open(self, path: str, *given: Any, **more: Any) -> Any:
            raise AssertionError(f"{path} is opened")

    fsspec.register_implementation("crawl", Crawl, clobber=True)
    tasks = plan("crawl:///crawl", max_split_bytes=2**30)
    assert len(calls) == 2
    pieces = [piece for task in tasks for piece in task.pieces]
    assert [piece.path for piece in pieces] == [f"crawl://{name}" for name in files]
    assert len(tasks) == 90_000
    divided = plan("crawl:///crawl", max_split_bytes=2**28)
    assert len(divided) == 4 * 90_000


def test_files_that_must_be_opened_are_opened_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):
        (tmp_path / f"{number:02}.mbox").write_text(message(1) * 20)
    # Nobody goes on before this many are open.
    together = threading.Barrier(8)

    def open_input(path: str, storage: Any) -> Any:
        together.wait(timeout=60)
        return open(path, "rb")

    monkeypatch.setattr(_inputs, "open_input", open_input)
    tasks = plan(tmp_path, max_split_bytes=1000, target_bytes=0)
    assert len(tasks) > 80, "each is divided"


def test_small_files_are_packed_by_bytes(tmp_path: Path) -> None:
    for number in range(200):
        (tmp_path / f"{number:03}.html").write_bytes(b"<p>" * 100)
    tasks = plan(tmp_path)
    assert 10 < len(tasks) <= 20
    pieces = [piece for task in tasks for piece in task.pieces]
    assert [piece.path for piece in pieces] == sorted(map(str, tmp_path.iterdir()))
    assert all(piece.split == (0, 2**63 - 1) for piece in pieces)
    assert len(plan(tmp_path, target_bytes=0)) == 200


def test_only_large_files_of_unknown_layout_are_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.html", "b.warc.gz", "c.warc", "d.zip"):
        (tmp_path / name).write_bytes(b"x" * 1000)
    opened: List[str] = []

    def open_input(path: str, storage: Any) -> Any:
        opened.append(Path(path).name)
        return open(path, "rb")

    monkeypatch.setattr(_inputs, "open_input", open_input)
    plan(tmp_path, max_split_bytes=5000)
    assert opened == []
    plan(tmp_path, max_split_bytes=500)
    assert opened == ["c.warc"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"lonks": "all"}, {"links": "al"}, {"fields": "urll"}, {"resolver": "rfc1"},
        {"input": "pdf"}, {"saved_from": "yes"}, {"encoding": "klingon"}, {"on_error": "ignore"},
        {"range": (0, 1)}, {"name": "x"}, {"url": "relative"},
    ],
)  # fmt: skip
def test_a_misspelt_option_is_a_value_error(wrong: Any) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        checked("links", wrong)


def test_a_split_is_a_pair() -> None:
    assert Split(1, 2) == (1, 2)
