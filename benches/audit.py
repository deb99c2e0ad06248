#!/usr/bin/env python3
"""Runs `baseref audit` and other checkers over one tree, by turns.

    benches/audit.py BASEREF FOLDER [ROUNDS]
    benches/audit.py --generate DOCUMENTS LINKS FOLDER

The first prints what `benches/commands.py` prints: CPU time, its multiple of what reading every
link takes (`baseref links --links all`), wall time, peak memory, lines written. The second makes a
site of so many documents with so many links each, in folders of a hundred, the same every time; it
says how many of the links lead nowhere.
"""

import random
import sys
from pathlib import Path

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


def main():
    if sys.argv[1] == "--generate":
        return generate(int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
    baseref, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
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
