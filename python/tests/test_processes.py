"""Readings and processes: forks, fresh interpreters, and interrupts by the user."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import subprocess
import sys
import textwrap
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, List, Tuple

import pytest

import baseref
from conftest import message

BOX = "".join(message(number) for number in range(200)).encode()


def urls(range: Any) -> List[Any]:
    """What a process of a pool reads."""
    return [link.url for link in baseref.links(BOX, range=range, links="all")]


@pytest.mark.parametrize("way", ["fork", "spawn", "forkserver"])
def test_processes_of_a_pool_read_the_splits(way: Any) -> None:
    if way not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {way} here")
    whole = urls(None)
    splits = baseref.splits(BOX, 5000)
    assert len(splits) > 3
    reading = iter(baseref.links(BOX, batch_bytes=1))
    next(reading)
    with ProcessPoolExecutor(2, multiprocessing.get_context(way)) as pool:
        found = [url for some in pool.map(urls, splits) for url in some]
    assert found == whole
    assert next(reading).url, "the reading goes on where it was begun"


def of_child(code: Any) -> Tuple[int, bytes]:
    """The exit code of a fork that runs the code, and what it wrote."""
    end, start = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(end)
        status = 1
        try:
            os.write(start, code())
            status = 0
        finally:
            os._exit(status)
    os.close(start)
    with os.fdopen(end, "rb") as pipe:
        written = pipe.read()
    return os.waitpid(child, 0)[1], written


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs forks")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_fork_reads_anew_and_does_not_wait_for_its_parent() -> None:
    links = baseref.links(BOX, batch_bytes=1)
    reading = iter(links)
    first = next(reading)

    def go_on() -> bytes:
        try:
            list(reading)
        except RuntimeError as error:
            return str(error).encode()
        return b"no error"

    def anew() -> bytes:
        return str(len(list(links))).encode()

    status, said = of_child(go_on)
    assert status == 0 and b"another process" in said
    status, said = of_child(anew)
    assert status == 0 and int(said) == 200
    assert len([first, *reading]) == 200


def test_rows_splits_and_errors_pickle(tmp_path: Path) -> None:
    rows = list(baseref.links(BOX, links="all"))
    assert pickle.loads(pickle.dumps(rows)) == rows
    splits = baseref.splits(BOX, 5000)
    again = pickle.loads(pickle.dumps(splits))
    assert again == splits and [split.line for split in again] == [split.line for split in splits]
    damaged = baseref.links(b"WARC/1.0\r\nWARC-Type: response\r\n", name="a.warc", on_error="collect")
    list(damaged)
    (error,) = damaged.errors
    loaded = pickle.loads(pickle.dumps(error))
    assert (str(loaded), loaded.kind, loaded.is_loss) == (str(error), error.kind, error.is_loss)


# A file object that waits for ever once it has delivered; the interrupt comes meanwhile.
STUCK = """
    import io, os, signal, sys, threading
    import baseref

    # Whatever the tests themselves were started with: a shell in the background ignores it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    class Stuck(io.RawIOBase):
        size = 1000
        def read(self, size=-1):
            if size == 0:
                return b""
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
            threading.Event().wait()

    links = baseref.links(Stuck(), on_error="collect")

    def table():
        # Consumers of Arrow raise their own exception, and the interrupt comes right after it.
        import pyarrow
        try:
            pyarrow.table(links)
        except OSError:
            threading.Event().wait(60)

    try:
        {consume}
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    # The thread that waits is not waited for.
    os._exit(0)
"""


@pytest.mark.parametrize(
    "consumer, consume",
    [
        ("baseref", "list(links)"),
        ("pyarrow", "table()"),
        ("pyarrow", "links.to_arrow()"),
        ("pandas", "links.to_pandas()"),
        ("polars", "links.to_polars()"),
    ],
)
def test_an_interrupt_ends_any_way_to_read_a_file_that_does_not_answer(
    consumer: str, consume: str
) -> None:
    pytest.importorskip(consumer)
    script = textwrap.dedent(STUCK).format(consume=consume)
    run = subprocess.run(
        [sys.executable, "-c", script], stdin=subprocess.DEVNULL, capture_output=True, timeout=100, check=False
    )
    assert run.stdout == b"interrupted\n", run.stderr.decode()
