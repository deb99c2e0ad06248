"""CPU seconds from a WARC to its links, three ways and on the same generated archive, in one run.

python bench.py BASEREF_BINARY [PAGES]: needs warcio, lxml, fastwarc, selectolax and pyarrow.
"""

from __future__ import annotations

import gzip
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Dict, Tuple
from urllib.parse import urljoin


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


def write(path: Path, pages: int, compressed: bool) -> None:
    chance = random.Random(1)
    with open(path, "wb") as file:
        for number in range(pages):
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page(chance)
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
    chance = random.Random(2)
    with open(path, "wb") as file:
        for number in range(mails):
            head = (
                "From a@b Fri Jan 27 10:00:00 2017\nFrom: a@b\nTo: c@d\n"
                f"Subject: {number}\nContent-Type: text/html; charset=utf-8\n\n"
            )
            file.write(head.encode() + page(chance) + b"\n\n")


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
        done = subprocess.run([binary, "links", "-j1", "-f", form, path], stdout=subprocess.PIPE)
        return done.stdout.count(b"\n")

    return run


def cpu(work: Callable[[str], int], path: str) -> Tuple[int, float, float]:
    """What the work counted, its CPU seconds and its peak memory in MB, in a process of its own."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(write, str(work(path)).encode())
        os._exit(0)
    before = time.perf_counter()
    _, status, usage = os.wait4(pid, 0)
    del before
    os.close(write)
    counted = os.read(read, 64)
    os.close(read)
    if status:
        raise SystemExit(f"failed: {status}")
    return int(counted), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    binary = sys.argv[1]
    pages = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    resource.getrusage(resource.RUSAGE_SELF)
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
        for path in (plain, packed, mailbox):
            size = (mailbox if path == mailbox else plain).stat().st_size / 1e6
            for name, work in ways.items():
                if path == mailbox and "baseref" not in name:
                    continue
                count, seconds, peak = cpu(work, str(path))
                rate = size / seconds
                print(f"| {path.name} | {name} | {count} | {seconds:.2f} | {rate:.0f} | {peak:.0f} |", flush=True)


if __name__ == "__main__":
    main()
