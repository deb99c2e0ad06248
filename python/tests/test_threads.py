"""Everything shared by threads that do not wait for each other: all rows, or an exception."""

from __future__ import annotations

import io
import pickle
import sys
import threading
from pathlib import Path
from typing import Any, Callable, List, Optional

import pytest

import baseref
from conftest import message, record

BOX = "".join(message(number) for number in range(300)).encode()
ARCHIVE = b"".join(record(number) for number in range(300))
THREADS = 8


def together(*calls: Callable[[], Any]) -> List[Any]:
    """What the calls return, each made by a thread of its own, all at once."""
    ready = threading.Barrier(len(calls))
    results: List[Any] = [None] * len(calls)

    def run(number: int) -> None:
        ready.wait(timeout=60)
        try:
            results[number] = calls[number]()
        except Exception as error:
            results[number] = error

    threads = [threading.Thread(target=run, args=[number]) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def urls(links: Any) -> List[Optional[str]]:
    return [link.url for link in links]


def test_the_package_needs_no_global_lock() -> None:
    if not hasattr(sys, "_is_gil_enabled") or "free-threading" not in sys.version:
        pytest.skip("an interpreter with the global lock")
    assert not sys._is_gil_enabled(), "importing the package turned it on"


def test_one_request_at_a_time_has_all_rows() -> None:
    links = baseref.links(BOX, batch_bytes=1000)
    expected = urls(links)
    for found in together(*[lambda: urls(links)] * THREADS):
        if isinstance(found, Exception):
            assert isinstance(found, RuntimeError) and "another thread" in str(found)
        else:
            assert found == expected
    assert urls(links) == expected


def test_one_iterator_gives_each_row_once() -> None:
    rows = iter(baseref.links(BOX, batch_bytes=1000))
    expected = sorted(urls(baseref.links(BOX)))  # type: ignore[type-var]

    def take() -> List[str]:
        found = []
        while True:
            try:
                found.append(next(rows).url)
            except StopIteration:
                return found
            except RuntimeError as error:
                # Somebody else is taking one.
                assert "another thread" in str(error)

    found = together(*[take] * THREADS)
    assert sorted(url for some in found for url in some) == expected


def test_readings_of_their_own_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "plain.warc"
    path.write_bytes(ARCHIVE)
    expected = urls(baseref.links(path))
    spans = baseref.splits(ARCHIVE, 5000)

    def of_splits() -> List[Any]:
        return [url for span in baseref.splits(path, 5000) for url in urls(baseref.links(path, range=span))]

    def of_threads() -> List[Any]:
        return urls(baseref.links(path, jobs=3))

    def resolved() -> Any:
        return baseref.resolve([f"http://w{number}/p/" for number in range(500)], [f"x{n}" for n in range(500)])

    calls: List[Callable[[], Any]] = [
        lambda: urls(baseref.links(path)),
        of_splits,
        of_threads,
        lambda: urls(pickle.loads(pickle.dumps(list(baseref.links(path))))),
        resolved,
        lambda: baseref.splits(ARCHIVE, 5000),
        lambda: [base.doc for base in baseref.bases(path)],
        lambda: baseref.link_schema(["url", "line"]).types,
    ]
    found = together(*calls, *calls)
    assert found[:8] == found[8:]
    assert found[:4] == [expected] * 4
    assert found[4][7] == "http://w7/p/x7"
    assert found[5] == spans
    assert len(found[6]) == 300 and found[7] == {"url": "utf8", "line": "int64"}


def test_one_file_object_is_read_by_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "box.mbox"
    path.write_bytes(BOX * 20)
    expected = urls(baseref.links(path))
    with open(path, "rb") as file:
        links = baseref.links(file)
        alike = together(*[lambda: urls(links)] * THREADS)
    for found in alike:
        assert found == expected or isinstance(found, (OSError, RuntimeError)), found
    assert expected in alike


def test_what_is_said_of_a_reading_is_there_meanwhile() -> None:
    damaged = baseref.links(ARCHIVE[:-10] + b"\n\nx" * 100, name="w.warc", on_error="collect")
    told: List[int] = []
    counted = baseref.links(BOX, progress=lambda documents, rows, read: told.append(rows))

    def watch() -> None:
        for _ in range(2000):
            seen = damaged.unread, damaged.errors, damaged.without_html, damaged.summary
            assert seen[0] <= 1000 and repr(counted) and counted.unread == 0

    found = together(lambda: urls(damaged), watch, watch, lambda: urls(counted))
    assert not [error for error in found if isinstance(error, Exception)]
    assert len(found[0]) > 500 and told[-1] == len(found[3]) == 300


def test_checks_of_one_tree_do_not_mix(tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"{number}.html").write_text(f"<a href=none{number}.html>x</a>")
    found = baseref.audit(tmp_path)

    def rules() -> List[Any]:
        return [(finding.doc, finding.raw) for finding in baseref.audit(tmp_path)]

    results = together(*[rules] * 4)
    assert all(result == results[0] and len(result) == 40 for result in results)
    assert len(list(found)) == 40


def test_tables_of_arrow_do_not_mix() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    expected = pyarrow.table(baseref.links(ARCHIVE, name="w.warc"))

    def table() -> Any:
        return pyarrow.table(baseref.links(io.BytesIO(ARCHIVE), name="w.warc", batch_bytes=5000))

    for found in together(*[table] * THREADS):
        assert found.combine_chunks().equals(expected.combine_chunks())
    one = baseref.links(ARCHIVE, name="w.warc", batch_bytes=5000)
    for found in together(*[lambda: pyarrow.table(one)] * THREADS):
        if isinstance(found, Exception):
            assert "another thread" in str(found)
        else:
            assert found.num_rows == expected.num_rows
