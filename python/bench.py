"""CPU seconds from a WARC to its links, three ways and on the same generated archive, in one run.

python bench.py BASEREF_BINARY [PAGES [GB]]: needs warcio, lxml, fastwarc, selectolax and
pyarrow; with pyspark and Java it measures Spark too. With GB, a WARC of that size is read
besides, for the memory that it takes.
"""

from __future__ import annotations

import ctypes
import gzip
import os
import random
import resource
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple
from urllib.parse import urljoin

# Beside this script lie the sources of the package; what is measured is the one installed.
sys.path.remove(str(Path(__file__).resolve().parent))


def page(chance: random.Random) -> bytes:
    """A page of about 40 KB: text, some 120 links, the markup of a common site."""
    words = ["lorem", "ipsum", "dolor", "sit", "amet", "consetetur", "sadipscing", "elitr"]
    parts = ["<!DOCTYPE html><html><head><title>t</title><style>p{margin:0}</style></head><body>"]
    for number in range(120):
        text = " ".join(chance.choices(words, k=40))
        parts.append(
            f'<div class="card c{number % 7}"><p>{text}</p>'
            f'<a class="more" href="../item/{chance.randrange(10**6)}?from={number}">more</a></div>'
        )
    return "".join(parts).encode()


def different_pages(pages: int) -> List[bytes]:
    """At most 500 different ones: more take longer to make than to read."""
    chance = random.Random(1)
    return [page(chance) for _ in range(min(pages, 500))]


def write(path: Path, pages: int, compressed: bool) -> None:
    known = different_pages(pages)
    with open(path, "wb") as file:
        for number in range(pages):
            html = known[number % len(known)]
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html
            head = (
                "WARC/1.0\r\nWARC-Type: response\r\n"
                f"WARC-Target-URI: http://host{number % 100}/dir/page{number}.html\r\n"
                f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012}>\r\n"
                "WARC-Date: 2026-01-01T00:00:00Z\r\n"
                "Content-Type: application/http; msgtype=response\r\n"
                f"Content-Length: {len(block)}\r\n\r\n"
            )
            record = head.encode() + block + b"\r\n\r\n"
            file.write(gzip.compress(record, 6) if compressed else record)


def write_mailbox(path: Path, mails: int) -> None:
    known = different_pages(mails)
    with open(path, "wb") as file:
        for number in range(mails):
            head = (
                "From a@b Fri Jan 27 10:00:00 2017\nFrom: a@b\nTo: c@d\n"
                f"Subject: {number}\nContent-Base: http://host{number % 100}/dir/\n"
                "Content-Type: text/html; charset=utf-8\n\n"
            )
            file.write(head.encode() + known[number % len(known)] + b"\n\n")


def by_warcio(path: str) -> int:
    from lxml import html
    from warcio.archiveiterator import ArchiveIterator

    count = 0
    with open(path, "rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type == "response":
                url = record.rec_headers.get_header("WARC-Target-URI")
                tree = html.fromstring(record.content_stream().read())
                count += sum(1 for link in tree.xpath("//a/@href") if urljoin(url, link))
    return count


def by_fastwarc(path: str) -> int:
    from fastwarc.warc import ArchiveIterator, WarcRecordType
    from selectolax.lexbor import LexborHTMLParser

    count = 0
    with open(path, "rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response):
            url = record.headers["WARC-Target-URI"]
            tree = LexborHTMLParser(record.reader.read())
            for node in tree.css("a[href]"):
                count += bool(urljoin(url, node.attributes["href"]))
    return count


def by_wheel(path: str) -> int:
    import pyarrow

    import baseref

    return sum(batch.num_rows for batch in pyarrow.RecordBatchReader.from_stream(baseref.links(path)))


def by_wheel_urls(path: str) -> int:
    import pyarrow

    import baseref

    links = baseref.links(path, fields=["url"])
    return sum(batch.num_rows for batch in pyarrow.RecordBatchReader.from_stream(links))


def command(binary: str, form: str) -> Callable[[str], int]:
    def run(path: str) -> int:
        links = [binary, "links", "-j1", "-f", form, path]
        with subprocess.Popen(links, stdout=subprocess.PIPE) as printed:
            counted = subprocess.run(["wc", "-l"], stdin=printed.stdout, stdout=subprocess.PIPE)
        return int(counted.stdout)

    return run


def by_spark(path: str) -> int:
    """One task in one worker; what it counted, and what it took in memory at most, goes to the
    file `SPARK_TASK`."""
    from pyspark.sql import SparkSession

    import baseref.spark

    class Reader(baseref.spark.LinksReader):
        def read(self, partition: Any) -> Iterator[Any]:
            count = 0
            for batch in super().read(partition):
                count += batch.num_rows
                yield batch
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            Path(os.environ["SPARK_TASK"]).write_text(f"{count} {peak / 1024}")

    class Source(baseref.spark.LinksSource):
        def reader(self, schema: Any) -> Any:
            return Reader(schema, dict(self.options))

    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    spark = session.config("spark.log.level", "ERROR").getOrCreate()
    spark.dataSource.register(Source)
    links = spark.read.format("baseref").option("maxSplitBytes", "0").load(path)
    links.write.format("noop").mode("append").save()
    spark.stop()
    return int(Path(os.environ["SPARK_TASK"]).read_text().split()[0])


def adopt_orphans() -> None:
    """What the processes started and left behind is waited for too (Linux)."""
    set_child_subreaper = 36
    ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)


def cpu(work: Callable[[str], int], path: str) -> Tuple[int, float, float]:
    """What the work counted, its CPU seconds with those of all processes that it started, and the
    peak memory of the largest one in MB."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        os.write(write, str(work(path)).encode())
        os._exit(0)
    os.close(write)
    seconds, peak, failed = 0.0, 0.0, False
    while True:
        try:
            ended, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            break
        seconds += usage.ru_utime + usage.ru_stime
        peak = max(peak, usage.ru_maxrss / 1024)
        failed |= ended == pid and status != 0
    counted = os.read(read, 64)
    os.close(read)
    if failed:
        raise SystemExit("failed")
    return int(counted), seconds, peak


class Spark:
    """One task of Spark, without what Spark's start takes."""

    def __init__(self, folder: Path) -> None:
        self.task = folder / "task"
        os.environ.update(SPARK_TASK=str(self.task), PYSPARK_PYTHON=sys.executable)
        empty = folder / "empty.html"
        empty.write_text("<p>")
        _, self.start, _ = cpu(by_spark, str(empty))
        self.name = f"Spark, one task (less {self.start:.1f} s of Spark's start)"

    def measure(self, path: Path) -> Tuple[int, float, float]:
        """As `cpu`, but the peak is that of the Python worker that read."""
        count, seconds, _ = cpu(by_spark, str(path))
        return count, seconds - self.start, float(self.task.read_text().split()[1])


def row(path: Path, name: str, measured: Tuple[int, float, float], size: float) -> None:
    count, seconds, peak = measured
    rate = size / seconds
    print(f"| {path.name} | {name} | {count} | {seconds:.2f} | {rate:.0f} | {peak:.0f} |", flush=True)


def main() -> None:
    binary = sys.argv[1]
    pages = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    adopt_orphans()
    with tempfile.TemporaryDirectory() as folder:
        plain, packed = Path(folder, "a.warc"), Path(folder, "a.warc.gz")
        mailbox = Path(folder, "a.mbox")
        write(plain, pages, False)
        write(packed, pages, True)
        write_mailbox(mailbox, pages)
        ways: Dict[str, Callable[[str], int]] = {
            "warcio + lxml": by_warcio,
            "FastWARC + selectolax": by_fastwarc,
            "baseref, wheel to Arrow": by_wheel,
            "baseref, wheel, url alone": by_wheel_urls,
            "baseref -f jsonl": command(binary, "jsonl"),
            "baseref -f url": command(binary, "url"),
        }
        print("| input | way | links | CPU s | MB/s of plain bytes | MB peak |\n|---|---|--:|--:|--:|--:|")
        nothing = Path(folder, "nothing.html")
        nothing.write_text("<p>")
        row(nothing, "baseref, wheel: the start of Python and pyarrow", cpu(by_wheel, str(nothing)), 0)
        for path in (plain, packed, mailbox):
            size = (mailbox if path == mailbox else plain).stat().st_size / 1e6
            for name, work in ways.items():
                if path != mailbox or "baseref" in name:
                    row(path, name, cpu(work, str(path)), size)
        spark = Spark(Path(folder)) if find_spec("pyspark") else None
        if spark:
            row(packed, spark.name, spark.measure(packed), plain.stat().st_size / 1e6)
        if len(sys.argv) > 3:
            large = Path(folder, "large.warc")
            write(large, int(float(sys.argv[3]) * 1e9 / len(different_pages(1)[0])), False)
            size = large.stat().st_size / 1e6
            row(large, "baseref, wheel to Arrow", cpu(by_wheel, str(large)), size)
            if spark:
                row(large, spark.name, spark.measure(large), size)


if __name__ == "__main__":
    main()
