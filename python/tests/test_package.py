"""The package by itself: sources, options, errors, splits, and the consumers of Arrow."""

from __future__ import annotations

import doctest
import gzip
import io
import random
import threading
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest

import baseref
from conftest import message, record

PAGE = b'<base href="http://a/b/c"><a href="../x">up</a>'


def urls(source: Any, **options: Any) -> List[Any]:
    return [link.url for link in baseref.links(source, **options)]


def test_docstrings_run() -> None:
    assert doctest.testmod(baseref).failed == 0
    assert doctest.testmod(baseref).attempted > 5


def test_every_kind_of_source_gives_the_same(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(PAGE)

    class Unseekable(io.RawIOBase):
        def __init__(self) -> None:
            self.left = PAGE

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            length = min(len(buffer), 7)
            some, self.left = self.left[:length], self.left[length:]
            buffer[: len(some)] = some
            return len(some)

    with open(path, "rb") as file:
        for source in (path, str(path), PAGE, io.BytesIO(PAGE), file, Unseekable()):
            assert urls(source) == ["http://a/x"], source


def test_a_missing_file_and_a_wrong_source_are_exceptions_at_once(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        baseref.links(tmp_path / "none.html")
    with pytest.raises(TypeError):
        baseref.links(io.StringIO("<p>"))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        baseref.links(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        {"links": "images"},
        {"fields": ["nothing"]},
        {"resolver": "rfc1"},
        {"input": "pdf"},
        {"on_error": "ignore"},
        {"encoding": "klingon"},
        {"url": "/relative"},
        {"saved_from": "maybe"},
    ],
)
def test_a_wrong_option_is_a_value_error(wrong: Dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        baseref.links(PAGE, **wrong)


def test_a_file_object_that_raises_ends_the_reading_with_its_exception() -> None:
    class Broken(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            if size:
                raise RuntimeError("the wire was cut")
            return b""

    for on_error in ("collect", "warn", "raise"):
        with pytest.raises(RuntimeError, match="the wire was cut"):
            urls(Broken(), on_error=on_error, name="s")


def test_what_cannot_be_read_is_collected_warned_of_or_raised() -> None:
    cut = gzip.compress(record(1)) + gzip.compress(record(2))[:-9]
    links = baseref.links(cut, name="w", on_error="collect")
    assert len(list(links)) >= 2
    (error,) = links.errors
    assert error.doc.startswith("w") and error.kind == "damaged"
    assert "cut off" in error.reason
    with pytest.warns(baseref.ReadWarning, match="cut off"):
        urls(cut)
    with pytest.raises(baseref.ReadError, match="cut off"):
        urls(cut, on_error="raise")


def test_a_panic_becomes_an_exception() -> None:
    with pytest.raises(baseref.ReadError, match="on request") as caught:
        baseref._baseref._panic()
    assert caught.value.kind == "fault"


def test_columns_are_chosen_and_rows_convert() -> None:
    (link,) = baseref.links(PAGE, fields=["url", "byte", "line"])
    assert link._asdict() == {"url": "http://a/x", "byte": [35, 39], "line": 1}
    with pytest.raises(AttributeError):
        link.base
    (link,) = baseref.links(PAGE, fields="+entity_offset", dictionaries=True)
    assert (link.element, link.entity_offset) == ("a", 0)
    assert baseref.LINK_SCHEMA.names[-1] == "entity_offset"
    assert set(baseref.LINK_SCHEMA.types.values()) == {"utf8", "int64", "list(int64)"}


def test_threads_change_nothing_and_leave_the_interpreter_free() -> None:
    mailbox = "".join(message(number) for number in range(500)).encode()
    one = [link._asdict() for link in baseref.links(mailbox, links="all")]
    assert len(one) == 1500
    for jobs in (2, 4, 0):
        many = baseref.links(mailbox, links="all", jobs=jobs, batch_bytes=10_000)
        assert [link._asdict() for link in many] == one
    results: List[Any] = []
    threads = [
        threading.Thread(target=lambda: results.append(urls(io.BytesIO(mailbox))))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [urls(mailbox)] * 4


def test_a_stream_that_is_not_read_to_its_end_ends_its_threads() -> None:
    before = threading.active_count()
    for _ in range(20):
        links = iter(baseref.links(io.BytesIO(message(1).encode() * 5000), batch_bytes=1))
        next(links)
        del links
    assert threading.active_count() == before


Found = List[Tuple[Any, ...]]


def found(source: bytes, **options: Any) -> Found:
    fields = ["entity_offset", "seq", "raw", "url", "base", "line", "byte"]
    records = baseref.links(source, links="all", fields=fields, **options)
    return [tuple(str(value) for value in link._asdict().values()) for link in records]


@pytest.mark.parametrize("kind", ["mbox", "warc", "warc.gz"])
def test_any_division_gives_every_link_once(kind: str) -> None:
    if kind == "mbox":
        source = "".join(message(number) for number in range(30)).encode()
    else:
        parts = [record(number) for number in range(30)]
        source = b"".join(map(gzip.compress, parts) if kind == "warc.gz" else parts)
    whole = found(source)
    chance = random.Random(7)
    for _ in range(20):
        cuts = sorted(chance.randrange(len(source)) for _ in range(5))
        ranges = list(zip([0, *cuts], [*cuts, len(source)]))
        assert sum((found(source, range=span) for span in ranges), []) == whole
    splits = baseref.splits(source, 500)
    assert len(splits) > 3
    assert sum((found(source, range=split) for split in splits), []) == whole
    for split in splits[1:]:
        for link in baseref.links(source, range=split, name="box"):
            assert link.doc.startswith(f"box@{link.entity_offset}")
            assert split.start <= link.entity_offset < split.end


def test_consumers_of_arrow_take_the_stream() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    links = baseref.links(PAGE)
    table = pyarrow.table(links)
    assert table.column("url").to_pylist() == ["http://a/x"]
    assert table.schema.field("seq").type == pyarrow.int64()
    assert table.schema.field("url").type == pyarrow.string()
    assert pyarrow.schema(baseref.LINK_SCHEMA) == table.schema
    # Each consumer reads the source anew.
    assert pyarrow.table(links) == table


def test_parquet(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    import pyarrow.parquet

    path = tmp_path / "links.parquet"
    assert baseref.links(PAGE).to_parquet(path) == 1
    assert pyarrow.parquet.read_table(path).column("url").to_pylist() == ["http://a/x"]
    assert [file.name for file in tmp_path.iterdir()] == ["links.parquet"]


@pytest.mark.parametrize("options", [{}, {"fields": ["url"]}, {"dictionaries": True}])
def test_a_parquet_file_has_the_rows_of_the_records_and_statistics_where_they_help(
    tmp_path: Path, options: Any
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    box = "".join(message(number) for number in range(100)).encode()
    path = tmp_path / "links.parquet"
    links = baseref.links(box, links="all", batch_bytes=1000, **options)
    expected = pyarrow.table(links)
    assert links.to_parquet(path) == len(expected) == 300
    file = pyarrow.parquet.ParquetFile(path)
    assert file.read().to_pydict() == expected.to_pydict()
    group = file.metadata.row_group(0)
    columns = [group.column(number) for number in range(group.num_columns)]
    counted = {column.path_in_schema for column in columns if column.is_stats_set}
    assert "url" not in counted and ("doc" in counted or "fields" in options)


def test_polars_and_duckdb_take_the_stream() -> None:
    polars = pytest.importorskip("polars")
    duckdb = pytest.importorskip("duckdb")
    links = baseref.links(PAGE)
    assert polars.DataFrame(links)["url"].to_list() == ["http://a/x"]
    assert polars.from_arrow(links).struct.field("url").to_list() == ["http://a/x"]
    assert duckdb.sql("select url from links").fetchall() == [("http://a/x",)]


def test_a_file_object_feeds_a_consumer_that_holds_the_interpreter() -> None:
    polars = pytest.importorskip("polars")
    mailbox = io.BytesIO("".join(message(number) for number in range(2000)).encode())
    assert len(polars.DataFrame(baseref.links(mailbox, batch_bytes=5000))) == 2000


def test_resolving() -> None:
    assert baseref.resolve(None, "../g") is None
    assert baseref.resolve("", ["http://a/b", "c"]) == ["http://a/b", None]
    with pytest.raises(ValueError):
        baseref.resolve("http://a/", "b", rules="none")


def test_rows_are_equal_hashable_shown_and_pickled() -> None:
    import pickle

    (one,) = baseref.links(PAGE, fields=["url", "byte"])
    (other,) = baseref.links(PAGE, fields=["url", "byte"])
    (less,) = baseref.links(PAGE, fields=["url"])
    assert one == other and one != less and one != "http://a/x"
    assert len({one, other, less}) == 2
    assert repr(one) == "Row(url='http://a/x', byte=[35, 39])"
    again = pickle.loads(pickle.dumps(one))
    assert again == one and again.byte == [35, 39] and repr(again) == repr(one)
    with pytest.raises(AttributeError):
        again.base


def test_records_become_tables() -> None:
    links = baseref.links(PAGE)
    pytest.importorskip("pyarrow")
    assert links.to_arrow()["url"].to_pylist() == ["http://a/x"]
    pytest.importorskip("pandas")
    assert list(links.to_pandas()["url"]) == ["http://a/x"]
    pytest.importorskip("polars")
    assert links.to_polars()["url"].to_list() == ["http://a/x"]


def test_the_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    assert baseref.__version__ == version("baseref")


def test_what_a_limit_costs_is_counted_as_on_the_command_line() -> None:
    deep = "".join(f"--{n}\nContent-Type: multipart/mixed; boundary={n + 1}\n\n" for n in range(300))
    mail = f"Content-Type: multipart/mixed; boundary=0\n\n{deep}".encode()
    links = baseref.links(mail, input="eml", on_error="collect")
    list(links)
    assert links.unread > 0 and links.unread == sum(error.is_loss for error in links.errors)


@pytest.mark.parametrize("typed, read", [("LinkField", baseref.links), ("BaseField", baseref.bases)])
def test_the_types_know_the_columns(typed: str, read: Any) -> None:
    from typing import get_args

    with pytest.raises(ValueError) as caught:
        read(PAGE, fields="nothing")
    known = str(caught.value).partition("is not one of ")[2].split(", ")
    assert list(get_args(getattr(baseref, typed))) == known
