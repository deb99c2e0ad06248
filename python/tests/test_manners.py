"""What a package of Python is expected to do besides its work: logs, progress, notebooks."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, List, Tuple

import pytest

import baseref
from conftest import message, record

TWO_BASES = b"<base href=http://a/><base href=http://b/><a href=x>y</a>"


def warc(kind: str, media: str, block: str) -> bytes:
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://w/\r\n"
    return f"{head}Content-Type: {media}\r\nContent-Length: {len(block)}\r\n\r\n{block}\r\n\r\n".encode()


def test_notes_are_logged_for_those_who_listen(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "baseref"):
        list(baseref.links(TWO_BASES, name="p.html"))
    assert caplog.messages == []
    with caplog.at_level(logging.INFO, "baseref"):
        rows = list(baseref.links(TWO_BASES, name="p.html"))
    assert len(rows) == 1
    (logged,) = caplog.records
    assert logged.getMessage().startswith("p.html: base-repeated: ")
    assert (logged.levelname, logged.name) == ("INFO", "baseref")


@pytest.mark.parametrize(
    "archive, said",
    [
        (warc("conversion", "text/plain", "words") * 3, "3 text extracted from a page (WET)"),
        (warc("metadata", "application/json", "{}") * 2, "2 metadata extracted from a page (WAT)"),
    ],
    ids=["wet", "wat"],
)
def test_the_files_beside_a_crawl_say_what_they_are(
    archive: bytes, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "baseref"):
        found = baseref.links(archive)
        assert list(found) == []
    assert found.without_html == int(said.split(" ")[0])
    assert any(said in text for text in caplog.messages), caplog.messages


def test_progress_is_told_up_to_the_whole() -> None:
    told: List[Tuple[int, int, int]] = []
    box = "".join(message(number) for number in range(20000)).encode()
    links = baseref.links(
        box, links="all", progress=lambda *numbers: told.append(numbers), jobs=2
    )
    rows = list(links)
    assert len(told) > 2
    assert told == sorted(told)
    documents, last_rows, read = told[-1]
    assert (documents, last_rows) == (20000, len(rows))
    # The lines between messages are in none.
    assert len(box) // 2 < read <= len(box)
    told.clear()
    list(baseref.bases(box[:1000], progress=lambda *numbers: told.append(numbers)))
    assert len(told) == 1, "a short reading tells its end"


def test_an_exception_of_the_progress_ends_the_reading() -> None:
    def stop(*numbers: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        list(baseref.links(message(1).encode(), progress=stop))


def test_a_notebook_shows_the_first_rows_as_text() -> None:
    page = b"<a href='http://a/?<script>'>&lt;b&gt;</a>" + b"<a href=http://b/>x</a>" * 50
    told: List[Any] = []
    links = baseref.links(page, fields=["url", "text"], progress=lambda *all: told.append(all))
    shown: str = links._repr_html_()
    assert "<th>url</th><th>text</th>" in shown
    assert "<td>&lt;b&gt;</td>" in shown and "<script" not in shown
    assert shown.count("<tr>") == 11 and "more" in shown
    assert told == [], "a preview tells nobody"


def test_a_preview_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<a href=http://a/>x</a>")
    (tmp_path / "cut.warc").write_bytes(record(1)[:-30])
    links = baseref.links(tmp_path, on_error="collect")
    list(links)
    found = links.errors
    assert found
    links._repr_html_()
    assert [str(error) for error in links.errors] == [str(error) for error in found]
    refused = baseref.links(tmp_path, on_error="raise")
    assert "http://a/" in refused._repr_html_(), "what can be shown is"


def test_a_preview_reads_no_file_object_and_judges_no_tree(tmp_path: Path) -> None:
    import gzip

    (tmp_path / "page.html.gz").write_bytes(gzip.compress(b"<a href=http://a/>x</a>"))

    class Stream:
        """Can be read once."""

        def __init__(self) -> None:
            self.left = b"<a href=http://a/>x</a>"

        def read(self, size: int = -1) -> bytes:
            size = len(self.left) if size < 0 else size
            left, self.left = self.left[:size], self.left[size:]
            return left

    links = baseref.links(Stream(), fields="url", name="p.html")  # type: ignore[arg-type]
    assert "not read yet" in links._repr_html_()
    assert [link.url for link in links] == ["http://a/"]
    assert "not read yet" in baseref.audit(tmp_path)._repr_html_()


def test_references_resolve_in_pairs() -> None:
    assert baseref.resolve(["http://a/b/", None, "", "http://c/"], ["x", "y", "z", None]) == [
        "http://a/b/x",
        None,
        None,
        None,
    ]
    assert baseref.resolve(["http://a/", "http://b/"], "x") == ["http://a/x", "http://b/x"]
    assert baseref.resolve(None, ["http://a/", "x"]) == ["http://a/", None]
    with pytest.raises(ValueError, match="2 bases for 3 references"):
        baseref.resolve(["http://a/", "http://b/"], ["x", "y", "z"])


def test_columns_of_arrow_resolve_to_one() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    bases = pyarrow.array(["http://a/b/", "http://c/", None])
    refs = pyarrow.chunked_array([["x", None], ["http://d/"]])
    found = baseref.resolve(bases, refs)
    assert found.equals(pyarrow.array(["http://a/b/x", None, "http://d/"]))
    assert baseref.resolve("http://a/", refs).to_pylist() == ["http://a/x", None, "http://d/"]
    polars = pytest.importorskip("polars")
    series = polars.Series(["x", "y"])
    assert baseref.resolve("http://a/", series).to_pylist() == ["http://a/x", "http://a/y"]
