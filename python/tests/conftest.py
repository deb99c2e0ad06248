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


def multipart(number: int) -> str:
    """A message with two pages in it, one of them in an `iframe` of the other."""
    outer = f"<a href=http://m{number}/>x</a><iframe srcdoc='<a href=http://n{number}/>y</a>'>"
    parts = "".join(f"--b\nContent-Type: text/html\n\n{outer}\n" for _ in range(2))
    head = f"{FROM}From: a\nSubject: m{number}\nContent-Type: multipart/mixed; boundary=b\n\n"
    return f"{head}{parts}--b--\n\n"


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
    messages = [message(number) for number in range(30)]
    messages += [multipart(number) for number in range(10)]
    (folder / "box.mbox").write_text("".join(messages))
    below = folder / "below" / "it"
    below.mkdir(parents=True)
    (below / "one.eml").write_text(multipart(99).split("\n", 1)[1])
    records = [record(number) for number in range(40)]
    (folder / "plain.warc").write_bytes(b"".join(records))
    (folder / "by-record.warc.gz").write_bytes(b"".join(map(gzip.compress, records)))
    (folder / "whole.warc.gz").write_bytes(gzip.compress(b"".join(records)))
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\0")
    cut_off = gzip.compress(record(1)) + gzip.compress(record(2))[:-60]
    (folder / "damaged.warc.gz").write_bytes(cut_off)
    return folder


Key = Tuple[str, int, str, int]


def key(row: Dict[str, Any]) -> Key:
    """(input, entity_offset, section, seq) of a row."""
    doc = row["doc"]
    # `box.mbox#7/1.2!srcdoc1` of a whole input, `box.mbox@1234/1.2!srcdoc1` of a split.
    for mark in ("#", "@"):
        head, found, tail = doc.rpartition(mark)
        number = tail.split("/")[0].split("!")[0]
        if found and number.isdigit():
            return (head, row["entity_offset"], tail[len(number) :], row["seq"])
    return (doc, row["entity_offset"], "", row["seq"])


def comparable(rows: List[Dict[str, Any]]) -> Dict[Key, Tuple[Any, ...]]:
    names = ("element", "attr", "class", "text", "raw", "url", "error", "base", "base_source")
    found = {key(row): tuple(row[name] for name in names) for row in rows}
    assert len(found) == len(rows), "two rows have the same key"
    return found


@pytest.fixture(scope="session")
def expected(folder: Path) -> Dict[Key, Tuple[Any, ...]]:
    """The rows of the command line."""
    import baseref

    names = ",".join(baseref.LINK_SCHEMA.names)
    command = [os.environ["BASEREF"], "links", "--links", "all", "-f", "jsonl"]
    run = subprocess.run(
        [*command, "--fields", names, str(folder)], stdout=subprocess.PIPE, check=False
    )
    assert run.returncode == 3, "the damaged file is reported"
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(rows) > 300
    return comparable(rows)
