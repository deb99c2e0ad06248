"""A folder of mixed inputs, and the links that the command line finds in it."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest

FROM = "From a@b Fri Jan 27 10:00:00 2017\n"


def message(number: int) -> str:
    body = f'<base href="http://h{number}/a/"><a href="b">c</a><img src="d">'
    return f"{FROM}From: a\nSubject: {number}\nContent-Type: text/html\n\n{body}\n\n"


def record(number: int) -> bytes:
    page = f'<a href="x{number}">y</a><a href="/z">&auml;</a>'.encode()
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://w{number}/p/\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "page.html").write_text('<base href="http://p/q/"><a href="r">s</a>')
    (folder / "box.mbox").write_text("".join(message(number) for number in range(40)))
    records = [record(number) for number in range(40)]
    (folder / "plain.warc").write_bytes(b"".join(records))
    (folder / "by-record.warc.gz").write_bytes(b"".join(map(gzip.compress, records)))
    (folder / "whole.warc.gz").write_bytes(gzip.compress(b"".join(records)))
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\0")
    damaged = bytearray(gzip.compress(record(1)) + gzip.compress(record(2)))
    damaged[len(gzip.compress(record(1))) // 2] ^= 0xFF
    (folder / "damaged.warc.gz").write_bytes(bytes(damaged))
    return folder


Key = Tuple[str, int, str, int]


def key(row: Dict[str, Any]) -> Key:
    """(input, entity_offset, section, seq) of a row."""
    doc = row["doc"]
    input_name, section = doc, ""
    for end in ("#", "@"):
        head, mark, tail = doc.rpartition(end)
        if mark and tail.split("/")[0].split("!")[0].isdigit():
            input_name, section = head, "/".join(tail.split("/")[1:])
            break
    return (input_name, row["entity_offset"], section, row["seq"])


def comparable(rows: List[Dict[str, Any]]) -> Dict[Key, Tuple[Any, ...]]:
    names = ("element", "attr", "class", "text", "raw", "url", "error", "base", "base_source")
    found = {key(row): tuple(row[name] for name in names) for row in rows}
    assert len(found) == len(rows), "two rows have the same key"
    return found


@pytest.fixture(scope="session")
def expected(folder: Path) -> Dict[Key, Tuple[Any, ...]]:
    """The rows of the command line, each with its offset from the package."""
    import baseref

    binary = os.environ["BASEREF"]
    command = [binary, "links", "--links", "all", "-f", "jsonl", str(folder)]
    run = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    assert run.returncode == 3, "the damaged file is reported"
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(rows) > 300
    found = [
        link._asdict()
        for link in baseref.links(folder, links="all", on_error="collect", jobs=2)
    ]
    assert len(found) == len(rows)
    for row, link in zip(rows, found):
        for name in link:
            if name != "entity_offset":
                assert link[name] == row.get(name), name
    return comparable(found)
