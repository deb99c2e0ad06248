#!/usr/bin/env python3
"""What a crawl costs, from compressed archives to tables: crawl.py BASEREF_BINARY PAGES [FILES [MB]]

Makes FILES archives (4) of MB (64) of plain bytes each from the pages of a folder (see corpus.sh),
compressed record by record, in which every tenth record repeats an earlier one, and beside each what a
crawl publishes as its WAT. Then it measures the CPU time, user and system, of each way to the
links, the best of three runs, each in its own process; how fast a folder is planned; what a task costs that fails in
the middle and is tried again; and how long Spark takes for many small pages. Every way must count the same links.

Needs the wheel and pyarrow; fastwarc, selectolax, isal, deflate and pyspark are measured where installed.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sys
import tempfile
import time
import zlib
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Callable, Dict, List
from urllib.parse import urljoin

BENCH = Path(__file__).resolve().parents[1] / "python" / "bench.py"

# It takes away its own folder, where the sources of the package are.
sys.path.insert(0, str(BENCH.parent))
spec = spec_from_file_location("bench", BENCH)
assert spec and spec.loader
bench = module_from_spec(spec)
spec.loader.exec_module(bench)

MEGABYTE = 1_000_000
# The best of these counts.
ROUNDS = 3
# Every tenth record is one that came before.
REPEATED = 10
# Of small pages, for engines.
SMALL = 10_000
# In bytes; no smaller page is left out.
SMALL_PAGE = 20_000


def record(kind: str, media: str, url: str, block: bytes) -> bytes:
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n"
        "WARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"Content-Type: {media}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def metadata(links: List[Dict[str, Any]]) -> bytes:
    """The envelope of a WAT, as far as links are concerned."""
    html = {"Links": links}
    response = {"HTML-Metadata": html, "Response-Message": {"Status": "200"}}
    envelope = {"Payload-Metadata": {"HTTP-Response-Metadata": response}, "WARC-Header-Length": "1"}
    return json.dumps({"Envelope": envelope}).encode()


class Crawl:
    """The archives, and what is in them."""

    def __init__(self, folder: Path, pages: Path, files: int, size: int) -> None:
        import baseref

        self.folder, self.plain, self.repeated, self.records = folder, 0, 0, 0
        (folder / "warc").mkdir()
        (folder / "wat").mkdir()
        (folder / "sizes").mkdir()
        known = [page.read_bytes() for page in sorted(pages.iterdir())]
        told: List[bytes] = []
        for page in known:
            links = baseref.links(page, fields=["raw", "text"], on_error="collect")
            told.append(
                metadata([{"path": "A@/href", "url": link.raw, "text": link.text} for link in links])
            )
        number = 0
        for file in range(files):
            warc, wat, sizes, written = [], [], [], 0
            while written < size:
                number += 1
                is_repeated = number % REPEATED == 0
                page = (number - REPEATED // 2 if is_repeated else number) % len(known)
                url = f"http://host{page % 100}/dir/page{page}.html"
                head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
                made = record("response", "application/http; msgtype=response", url, head + known[page])
                written += len(made)
                self.repeated += is_repeated
                warc.append(gzip.compress(made, 6))
                sizes.append((len(warc[-1]), len(made)))
                wat.append(gzip.compress(record("metadata", "application/json", url, told[page]), 6))
            self.plain += written
            self.records += len(warc)
            name = f"{file:05}.warc.gz"
            (folder / "warc" / name).write_bytes(b"".join(warc))
            (folder / "sizes" / name).write_text(json.dumps(sizes))
            (folder / "wat" / f"{file:05}.warc.wat.gz").write_bytes(b"".join(wat))

    def files(self, kind: str) -> List[Path]:
        return sorted((self.folder / kind).iterdir())

    def stored(self, kind: str) -> int:
        return sum(file.stat().st_size for file in self.files(kind))


Way = Callable[[str], int]


def of_all(one: Callable[[str], int]) -> Way:
    """A way for a file, for all of a folder."""
    return lambda folder: sum(one(str(file)) for file in sorted(Path(folder).iterdir()))


def inflated_by(decompress: Callable[[Any, int], Any]) -> Way:
    """Bytes, member by member; how long each is stored and plain is known."""

    def run(folder: str) -> int:
        inflated = 0
        for file in sorted(Path(folder).iterdir()):
            members = memoryview(file.read_bytes())
            at = 0
            for stored, plain in json.loads((file.parents[1] / "sizes" / file.name).read_text()):
                inflated += len(decompress(members[at : at + stored], plain))
                at += stored
        return inflated

    return run


def to_arrow(fields: Any) -> Way:
    def run(folder: str) -> int:
        import pyarrow

        import baseref

        links = baseref.links(folder, fields=fields, on_error="collect")
        return sum(batch.num_rows for batch in pyarrow.RecordBatchReader.from_stream(links))

    return run


def to_parquet(fields: Any, **options: Any) -> Way:
    def run(folder: str) -> int:
        import baseref

        with tempfile.TemporaryDirectory() as out:
            path = os.path.join(out, "links.parquet")
            links = baseref.links(folder, fields=fields, on_error="collect", **options)
            rows = links.to_parquet(path)
            print(f"(Parquet: {os.path.getsize(path) / MEGABYTE:.1f} MB)", file=sys.stderr)
            return rows

    return run


def by_wat(path: str) -> int:
    """The anchors that a WAT lists, resolved."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    count = 0
    with open(path, "rb") as file:
        for found in ArchiveIterator(file, record_types=WarcRecordType.metadata):
            url = found.headers["WARC-Target-URI"]
            envelope = json.loads(found.reader.read())["Envelope"]
            response = envelope["Payload-Metadata"]["HTTP-Response-Metadata"]
            for link in response["HTML-Metadata"]["Links"]:
                count += bool(urljoin(url, link["url"]))
    return count


def planned(folder: str) -> int:
    from baseref._inputs import plan

    return len(plan(folder))


class Storage:
    """A file of a storage, which may fail once, in the middle."""

    def __init__(self, path: Path, fails: bool) -> None:
        self.path, self.fails = path, fails
        self.size = path.stat().st_size

    def open(self) -> "Storage":
        self.file = open(self.path, "rb")
        return self

    def read(self, size: int = -1) -> bytes:
        if self.fails and self.file.tell() > self.size // 2:
            self.fails = False
            raise TimeoutError("the storage does not answer")
        return self.file.read(size)


def from_storage(fails: bool) -> Way:
    """A task for each file; one that fails is tried again."""

    def run(folder: str) -> int:
        import pyarrow

        import baseref

        count = 0
        for path in sorted(Path(folder).iterdir()):
            file = Storage(path, fails)
            while True:
                links: Any = baseref.links(file.open(), name=path.name, on_error="collect")  # type: ignore[arg-type]
                try:
                    batches = pyarrow.RecordBatchReader.from_stream(links)
                    found = sum(batch.num_rows for batch in batches)
                    break
                except OSError:
                    continue
            count += found
        return count

    return run


def by_spark(folder: str) -> int:
    """Spark's start, and all columns of the links: they reach the JVM as rows, and are counted there."""
    from pyspark.sql import SparkSession

    import baseref.spark

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.log.level", "ERROR").getOrCreate()
    baseref.spark.register(session)
    counted = int(session.read.format("baseref").load(folder).selectExpr("count(struct(*))").first()[0])
    session.stop()
    return counted


def small_pages(pages: Path, folder: Path) -> None:
    """How long many small pages take in Spark, beside its start and the wheel alone."""
    few, many = folder / "one-page", folder / "small-pages"
    few.mkdir()
    many.mkdir()
    small = [page for page in sorted(pages.iterdir()) if page.stat().st_size < SMALL_PAGE]
    for number in range(SMALL):
        shutil.copyfile(small[number % len(small)], many / f"{number:05}.html")
    shutil.copyfile(small[0], few / "page.html")

    def seconds(way: Way, path: Path) -> Any:
        def run() -> Any:
            begin = time.perf_counter()
            counted, _, _ = bench.cpu(way, str(path))
            return time.perf_counter() - begin, counted

        return min(run() for _ in range(ROUNDS))

    alone, links = seconds(to_arrow(None), many)
    start, _ = seconds(by_spark, few)
    spark, counted = seconds(by_spark, many)
    if counted != links:
        raise SystemExit(f"Spark counts {counted} links, the wheel {links}")
    print(
        f"{SMALL} pages, {sum(page.stat().st_size for page in many.iterdir()) / MEGABYTE:.0f} MB, {links} links: "
        f"the wheel alone {alone:.1f} s, Spark {spark:.1f} s of which its start {start:.1f} s: "
        f"{spark / (alone + start):.2f} x"
    )


def main() -> None:
    binary, pages = sys.argv[1], Path(sys.argv[2])
    files = int(sys.argv[3]) if len(sys.argv) > 3 else 4
    size = int(float(sys.argv[4]) * MEGABYTE) if len(sys.argv) > 4 else 64 * MEGABYTE
    bench.adopt_orphans()
    with tempfile.TemporaryDirectory() as folder:
        crawl = Crawl(Path(folder), pages, files, size)
        warc, wat = str(crawl.folder / "warc"), str(crawl.folder / "wat")
        print(
            f"{files} archives, {crawl.records} records ({crawl.repeated} of them repeated), "
            f"{crawl.plain / MEGABYTE:.0f} MB plain, {crawl.stored('warc') / MEGABYTE:.0f} MB stored; "
            f"WAT {crawl.stored('wat') / MEGABYTE:.0f} MB stored\n"
        )
        print("| way | counted | CPU s | per GB plain | per GB stored |\n|---|--:|--:|--:|--:|")

        def row(name: str, way: Way, path: str = warc) -> float:
            # What else runs on the machine makes a run slower, never faster.
            counted, seconds, _ = min((bench.cpu(way, path) for _ in range(ROUNDS)), key=lambda r: r[1])
            gigabytes = crawl.plain / 1e9, crawl.stored(Path(path).name) / 1e9
            rates = " | ".join(f"{seconds / each:.1f}" for each in gigabytes)
            print(f"| {name} | {counted} | {seconds:.2f} | {rates} |", flush=True)
            return float(seconds)

        row("inflating alone, zlib", inflated_by(lambda member, _: zlib.decompress(member, 31)))
        if find_spec("isal"):
            from isal import isal_zlib

            isal = inflated_by(lambda member, _: isal_zlib.decompress(member, 31))
            row("inflating alone, ISA-L", isal)
        if find_spec("deflate"):
            import deflate

            known = inflated_by(lambda member, size: deflate.gzip_decompress(member, size))
            row("inflating alone, libdeflate", known)
        all_columns = row("wheel to Arrow, 20 columns", to_arrow(None))
        row("wheel to Arrow, `url` alone", to_arrow(["url"]))
        written = row("wheel to Parquet, 20 columns", to_parquet(None))
        row("wheel to Parquet, `doc` and `url`", to_parquet(["doc", "url"]))
        row("`baseref links -f jsonl \\| wc -l`", of_all(bench.command(binary, "jsonl")))
        stored = row("wheel to Arrow, from file objects", from_storage(fails=False))
        retried = row("the same, each task fails once in the middle", from_storage(fails=True))
        if find_spec("fastwarc") and find_spec("selectolax"):
            row("FastWARC + selectolax, URLs alone", of_all(bench.by_fastwarc))
            row("the WAT: FastWARC + json, URLs alone", of_all(by_wat), wat)
        print(f"\nParquet: {written / all_columns:.2f} x Arrow; a retry: {retried / stored:.2f} x")
        many = Path(folder, "many")
        many.mkdir()
        for number in range(10_000):
            os.link(crawl.files("warc")[0], many / f"{number:05}.warc.gz")
        tasks, seconds, _ = bench.cpu(planned, str(many))
        print(f"planning 10,000 files: {tasks} tasks, {seconds:.2f} s with the start of Python")
        if find_spec("pyspark"):
            small_pages(pages, Path(folder))


if __name__ == "__main__":
    main()
