"""Nothing that an input can hold ends the interpreter, or raises anything but what is documented."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Iterator, List

import pytest

import baseref
from conftest import message, multipart, record

try:
    import pyarrow
except ImportError:
    pyarrow = None

FIXTURES = Path(__file__).parents[2] / "fixtures"


def fixtures() -> List[Path]:
    return sorted(path for path in FIXTURES.rglob("*") if path.is_file())


def read(source: bytes, name: str = "input") -> None:
    """Reads in every way; a fault in a reader, a panic, would be an error of that kind."""
    for records in (
        baseref.links(source, name=name, links="all", comments=True, on_error="collect"),
        baseref.bases(source, name=name, on_error="collect"),
    ):
        count = sum(1 for _ in records)
        assert [str(error) for error in records.errors if error.kind == "fault"] == []
        if pyarrow:
            table = pyarrow.table(records)
            table.validate(full=True)
            assert table.num_rows == count
    try:
        splits = baseref.splits(source, max(1, len(source) // 3), name=name)
    except baseref.ReadError as error:
        assert error.kind != "fault", error
        return
    assert splits[0].start == 0 and splits[-1].end == len(source)
    for split in splits:
        ranged = baseref.links(source, name=name, range=split, on_error="collect")
        for _ in ranged:
            pass
        assert [str(error) for error in ranged.errors if error.kind == "fault"] == []


def mutations(source: bytes, chance: random.Random) -> Iterator[bytes]:
    """The source damaged: bytes flipped, a piece cut out, a piece doubled, the end cut off."""
    if not source:
        return
    flipped = bytearray(source)
    for _ in range(1 + len(source) // 200):
        flipped[chance.randrange(len(source))] = chance.randrange(256)
    yield bytes(flipped)
    start, end = sorted(chance.randrange(len(source) + 1) for _ in range(2))
    yield source[:start] + source[end:]
    yield source[:end] + source[start:]
    yield source[:start]


def test_fixtures_and_their_damaged_forms_do_no_harm() -> None:
    chance = random.Random(20)
    paths = fixtures()
    assert len(paths) > 100
    for path in paths:
        source = path.read_bytes()
        read(source, path.name)
        for damaged in mutations(source, chance):
            read(damaged, path.name)


@pytest.mark.parametrize("kind", ["mbox", "warc", "warc.gz", "html"])
def test_damaged_containers_do_no_harm(kind: str) -> None:
    chance = random.Random(21)
    records = [record(number) for number in range(20)]
    whole = {
        "mbox": "".join([message(1), multipart(2), message(3)] * 5).encode(),
        "warc": b"".join(records),
        "warc.gz": b"".join(map(gzip.compress, records)),
        "html": b"<base href=http://a/><table><a href=b>c<td><svg><a href=d>" * 50,
    }[kind]
    for _ in range(25):
        for damaged in mutations(whole, chance):
            read(damaged, f"input.{kind}")


def test_what_is_deep_or_long_is_read_to_a_limit() -> None:
    deep = b"<div>" * 100_000 + b"<a href=http://x/>y</a>"
    assert len(list(baseref.links(deep, on_error="collect"))) == 1
    nested = b"<iframe srcdoc='" * 1000
    read(nested)
    read(b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\nContent-Type: multipart/mixed; boundary=b\n\n" * 5000)
    bomb = gzip.compress(gzip.compress(bytes(50_000_000)))
    read(bomb, "bomb.warc.gz")


def test_damaged_trees_are_checked_without_harm(tmp_path: Path) -> None:
    chance = random.Random(22)
    for path in (path for path in fixtures() if path.parent.name in ("audit", "html", "tree")):
        source = path.read_bytes()
        for number, damaged in enumerate(mutations(source, chance)):
            (tmp_path / f"{number}-{path.name}").write_bytes(damaged)
    found = baseref.audit(tmp_path, level="note", with_links=True)
    assert found.links is not None
    assert [finding.message for finding in found if "fault in baseref" in finding.message] == []
    assert sum(1 for _ in found.links) > 100
    moved = baseref.verify_move(
        tmp_path, from_="http://a/", to="http://b/c/", level="note", on_error="collect"
    )
    assert sum(1 for _ in moved) > 10
    assert [str(error) for error in moved.errors if error.kind == "fault"] == []
