#!/usr/bin/env python3
"""Runs `baseref audit` and other checkers over one tree, by turns.

    benches/audit.py BASEREF FOLDER [ROUNDS]
    benches/audit.py BASEREF ARCHIVE [ROUNDS]
    benches/audit.py --generate DOCUMENTS LINKS FOLDER
    benches/audit.py --archive FOLDER FILE.warc.gz [GIGABYTES [MEDIA]]

The first prints what `benches/commands.py` prints: CPU time, its multiple of what reading every
link takes (`baseref links --links all`), wall time, peak memory, lines written. An archive (WARC, plain
or packed) is compared with `baseref links --links all -f jsonl`. `--generate` makes a
site of so many documents with so many links each, in folders of a hundred, the same every time; it
says how many of the links lead nowhere. `--archive` writes the files of a folder as records of an archive,
each a gzip member, as crawlers do; of so many gigabytes, on one host after the other, if they are given, and
with images that do not compress as that share of the bytes.
"""

import gzip
import mimetypes
import random
import sys
from pathlib import Path
from urllib.parse import quote

from commands import compare

IDS = 20
BROKEN = 1000


def page(number, documents, links, chance):
    """A page, and how many of its links lead to no file and to no element."""
    lines = [f"<!DOCTYPE html>\n<meta charset=utf-8>\n<title>Page {number}</title>",
             '<link rel=stylesheet href="/style.css">\n<h1 id=top-of-page>A page</h1>']
    files = fragments = 0
    for place in range(links - 1):
        if place % (links // IDS + 1) == 0:
            lines.append(f'<h2 id="part-{place}">Part {place}</h2>')
        other = chance.randrange(documents)
        target = f"/{other // 100:04}/{other:06}.html"
        if number // 100 == other // 100 or place % 3 == 0:
            target = f"../{other // 100:04}/{other:06}.html"
        fate = chance.randrange(BROKEN)
        if fate == 0:
            target, files = target.replace(".html", ".htm"), files + 1
        elif fate == 1:
            target, fragments = f"{target}#gone", fragments + 1
        elif place % 2:
            target += "#part-0"
        lines.append(f'<p>Some words, then <a class="ref" href="{target}">page {other}</a>, and more.</p>')
    return "\n".join(lines), files, fragments


def generate(documents, links, folder):
    chance = random.Random(1808)
    folder.mkdir(parents=True)
    (folder / "style.css").write_text("p { margin: 0 }\n")
    files = fragments = 0
    for number in range(documents):
        text, *broken = page(number, documents, links, chance)
        path = folder / f"{number // 100:04}" / f"{number:06}.html"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        files, fragments = files + broken[0], fragments + broken[1]
    print(f"{documents * links} links, of which {files} lead to no file and {fragments} to no element")


def record(url, media, body):
    """A record of a response."""
    block = f"HTTP/1.1 200 OK\r\nContent-Type: {media}\r\n\r\n".encode() + body
    heading = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
        "WARC-Date: 2024-03-01T10:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return heading.encode() + block + b"\r\n\r\n"


def archive(folder, file, size, share):
    """Writes an archive of so many bytes, or of each file once."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    chance = random.Random(1808)
    written = [0, 0]
    records = rounds = 0
    with file.open("wb") as out:
        while not rounds or sum(written) < size:
            rounds += 1
            host = f"https://archive{rounds}.example"
            for path in files:
                url = f"{host}/{quote(str(path.relative_to(folder)))}"
                media = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
                written[0] += out.write(gzip.compress(record(url, media, path.read_bytes()), 6))
                records += 1
                while written[1] < share * sum(written):
                    image = chance.randbytes(min(400_000, int(chance.lognormvariate(9.6, 1.1))))
                    url = f"{host}/media/{records}.jpg"
                    written[1] += out.write(gzip.compress(record(url, "image/jpeg", image), 0))
                    records += 1
                if rounds > 1 and sum(written) >= size:
                    break
    print(f"{records} records, {rounds} hosts, {sum(written)} bytes")


def of_archive(baseref, file, rounds):
    links = [baseref, "links", "--links", "all", "-f", "jsonl"]
    audit = [baseref, "audit", "--config", "/dev/null", file]
    return compare(
        str(file),
        {
            "baseref links --links all -f jsonl -j1": [*links, "-j1", file],
            "baseref links --links all -f jsonl -j2": [*links, "-j2", file],
            "baseref audit -j1": [*audit, "-j1"],
            "baseref audit -j2": [*audit, "-j2"],
        },
        rounds,
    )


def main():
    if sys.argv[1] == "--generate":
        return generate(int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
    if sys.argv[1] == "--archive":
        size, share = [*map(float, sys.argv[4:]), 0, 0][:2]
        return archive(Path(sys.argv[2]), Path(sys.argv[3]), int(size * 1e9), share)
    baseref, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    if folder.is_file():
        return of_archive(baseref, folder, rounds)
    audit = [baseref, "audit", "--config", "/dev/null", folder]
    return compare(
        str(folder),
        {
            "baseref links --links all -j1": [baseref, "links", "--links", "all", "-j1", folder],
            "baseref audit -j1": [*audit, "-j1"],
            "baseref audit -j2": [*audit, "-j2"],
            "hyperlink --check-anchors": ["hyperlink", "-j", "1", "--check-anchors", folder],
            "lychee --offline": [
                "lychee", "--offline", "--include-fragments", "--no-progress", "--root-dir", folder,
                folder,
            ],
        },
        rounds,
    )


main()
