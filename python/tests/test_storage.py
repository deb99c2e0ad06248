"""Storage that fails: rows are those of the input, or there is an exception."""

from __future__ import annotations

import gzip
import io
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any, List

import pytest

import baseref
from conftest import message, record

pytest.importorskip("fsspec")

import failing  # noqa: E402
from baseref._inputs import plan  # noqa: E402
from baseref._tables import batches  # noqa: E402

KINDS = ["records.warc.gz", "plain.warc", "box.mbox", "page.html"]


def content(name: str) -> bytes:
    records = [record(number) for number in range(20)]
    return {
        "records.warc.gz": b"".join(map(gzip.compress, records)),
        "plain.warc": b"".join(records),
        "box.mbox": "".join(message(number) for number in range(20)).encode(),
        "page.html": b"<a href=http://a/>b</a>" * 50,
    }[name]


def rows(source: Any, **options: Any) -> List[Any]:
    return [link._asdict() for link in baseref.links(source, name="x", **options)]


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("mode", ["always", "short"])
@pytest.mark.parametrize("on_error", ["collect", "warn", "raise"])
def test_a_file_object_that_fails_anywhere_raises(
    tmp_path: Path, name: str, mode: str, on_error: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content(name))
    size = path.stat().st_size
    for after in (0, 1, size // 3, size - 1):
        expected = TimeoutError if mode == "always" else OSError
        with pytest.raises(expected) as caught:
            rows(failing.file(path, mode, after), on_error=on_error)
        assert caught.value.errno is not None
        assert caught.value.filename


@pytest.mark.parametrize("name", KINDS)
def test_any_exception_of_a_file_object_is_raised_as_it_is(tmp_path: Path, name: str) -> None:
    class Broken(io.RawIOBase):
        def __init__(self) -> None:
            self.given = False

        def read(self, size: int = -1) -> bytes:
            if size and self.given:
                raise ConnectionError("reset by peer")
            self.given = self.given or bool(size)
            return content(name)[:200] if size else b""

    links = baseref.links(Broken(), on_error="collect")
    with pytest.raises(ConnectionError, match="reset by peer"):
        list(links)
    assert isinstance(links._failure, ConnectionError)


def test_consumers_of_arrow_raise_an_os_error(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    path = tmp_path / "records.warc.gz"
    path.write_bytes(content(path.name))
    with pytest.raises(OSError):
        pyarrow.table(baseref.links(failing.file(path, "always", 500), on_error="collect"))
    records = baseref.links(failing.file(path, "always", 500), on_error="collect")
    with pytest.raises(TimeoutError):
        records.to_arrow()
    with pytest.raises(TimeoutError):
        records.to_parquet(tmp_path / "links.parquet")
    assert not (tmp_path / "links.parquet").exists()


def rows_of(consumer: str, source: Any) -> int:
    """The number of links that a consumer of Arrow takes."""
    links = baseref.links(source, name="x", on_error="collect")
    if consumer == "pandas":
        return len(links.to_pandas())
    if consumer == "polars":
        return len(links.to_polars())
    if consumer == "polars scan":
        return len(baseref.scan_polars(source, name="x", on_error="collect").collect())
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.register("found", links)
    ((number,),) = connection.sql("select count(url) from found").fetchall()
    return int(number)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("consumer", ["pandas", "polars", "polars scan", "duckdb"])
def test_every_consumer_has_all_rows_or_an_exception(
    tmp_path: Path, consumer: str, name: str
) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip(consumer.split(" ")[0])
    path = tmp_path / name
    path.write_bytes(content(name))
    size = path.stat().st_size
    expected = len(rows(path.read_bytes()))
    assert rows_of(consumer, failing.file(path, "slow")) == expected
    for mode in ("always", "short"):
        for after in (0, size // 3, size - 1):
            with pytest.raises(Exception, match="(?i)does not answer|ended after|error"):
                rows_of(consumer, failing.file(path, mode, after))
    marks = tmp_path / "marks"
    marks.mkdir()
    with pytest.raises(Exception, match="(?i)does not answer|error"):
        rows_of(consumer, failing.file(path, "once", size // 2, marks))
    assert rows_of(consumer, failing.file(path, "once", size // 2, marks)) == expected


def test_slow_storage_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "plain.warc"
    path.write_bytes(content(path.name))
    assert rows(failing.file(path, "slow")) == rows(path.read_bytes())


def test_raise_is_for_losses_and_the_rest_is_remarks() -> None:
    repaired = content("plain.warc").replace(b"WARC-Type: response", b"WARC-Type: metadata", 1)
    repaired = repaired.replace(b"Content-Length: ", b"Content-Length: 1", 1)
    links = baseref.links(repaired, name="w.warc", on_error="raise")
    assert len(list(links)) > 10
    assert [error.kind for error in links.errors] == ["repaired"] and links.unread == 0
    assert not links.errors[0].is_loss
    cut = baseref.links(content("records.warc.gz")[:-9], name="w.warc.gz", on_error="raise")
    with pytest.raises(baseref.ReadError) as caught:
        list(cut)
    assert caught.value.is_loss and caught.value.kind == "damaged"


def test_an_interrupt_ends_a_slow_read() -> None:
    class Stuck(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            if size:
                stopped.wait(30)
            return b""

    stopped = threading.Event()
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    begin = time.monotonic()
    # Whatever the tests themselves were started with: a shell in the background ignores it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            list(baseref.links(Stuck()))
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - begin < 25, "not when the file object returns"
    stopped.set()


def test_records_are_read_by_one_thread_at_a_time() -> None:
    links = baseref.links(content("box.mbox"), batch_bytes=1)
    reading = iter(links)
    next(reading)
    caught: List[BaseException] = []

    def read() -> None:
        try:
            list(links)
        except RuntimeError as error:
            caught.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
    assert len(caught) == 1 and "another thread" in str(caught[0])
    del reading
    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
    assert len(caught) == 1, "nobody else is reading any more"


def test_the_splits_of_a_plain_archive_are_read_once(tmp_path: Path) -> None:
    path = tmp_path / "big.warc"
    page = b"<a href=x>y</a>" * 3000
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
    head = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n" % len(block)
    path.write_bytes((head + block + b"\r\n\r\n") * 700)
    size = path.stat().st_size
    planning = failing.file(path, "never")
    splits = baseref.splits(planning, 8 * 1024 * 1024)
    assert len(splits) > 3 and planning.read_in_all <= 1.1 * size
    read = 0
    for split in splits:
        file = failing.file(path, "never")
        for _ in baseref.links(file, fields=["seq"], range=split):
            pass
        read += file.read_in_all
    assert read <= 1.1 * size


@pytest.fixture
def storage(tmp_path: Path) -> Any:
    pytest.importorskip("pyarrow")
    failing.register()
    (tmp_path / "marks").mkdir()
    crawl = tmp_path / "crawl"
    crawl.mkdir()
    for name in KINDS:
        (crawl / name).write_bytes(content(name))

    def options(mode: str, after: int = 0) -> Any:
        root, mark = str(crawl), str(tmp_path / "marks")
        return {"root": root, "way": mode, "after": after, "mark": mark}

    return options


def test_a_task_fails_with_its_storage_and_succeeds_once_that_does(storage: Any) -> None:
    def read(mode: str) -> int:
        tasks = plan("failing://", storage=storage(mode, 100))
        return sum(len(batch) for task in tasks for batch in batches(task, "links", {}))

    expected = read("never")
    assert expected > 50
    for _ in KINDS:
        with pytest.raises(TimeoutError):
            read("once")
    assert read("once") == expected
    for mode in ("always", "short"):
        with pytest.raises(OSError):
            read(mode)


def test_links_and_errors_come_from_one_reading(storage: Any, tmp_path: Path) -> None:
    damaged = tmp_path / "crawl" / "damaged.warc.gz"
    damaged.write_bytes(content("records.warc.gz")[:-9])
    tasks = plan(tmp_path / "crawl")
    found = [row for task in tasks for batch in batches(task, "all", {}) for row in batch.to_pylist()]
    errors = [row for row in found if row["unread_kind"] is not None]
    assert [(row["unread_kind"], row["url"]) for row in errors] == [("damaged", None)]
    links = [row for task in tasks for batch in batches(task, "links", {}) for row in batch.to_pylist()]
    assert len(links) == len(found) - 1 > 50
    alone = [row for task in tasks for batch in batches(task, "errors", {}) for row in batch.to_pylist()]
    assert [(row["doc"], row["kind"]) for row in alone] == [(errors[0]["doc"], "damaged")]
    with pytest.raises(baseref.ReadError):
        for task in tasks:
            list(batches(task, "links", {"on_error": "raise"}))
