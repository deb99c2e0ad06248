#!/usr/bin/env python3
"""Runs `baseref verify-move` over a site that was rebuilt at a new address.

    benches/moves.py --generate DOCUMENTS LINKS FOLDER
    benches/moves.py BASEREF FOLDER [ROUNDS]

The first makes the old site (FOLDER/old), its successor (FOLDER/new), in which one page in a hundred
is gone and some links differ, and a redirect rule for each old page (FOLDER/redirects.csv), the same
every time. The second prints what `benches/commands.py` prints, for the move alone, with the rules,
with the successor, and with both.
"""

import random
import sys
from pathlib import Path

from commands import compare

OLD = "https://old.example.com/"
NEW = "https://www.example.com/docs/"
EACH = 100


def name(number):
    return f"{number // EACH:04}/page-{number:06}.html"


def is_gone(number):
    return number % EACH == 7


def link(documents, place, is_new, chance):
    """An anchor; `None` where the new site has left it out."""
    other, fate = chance.randrange(documents), chance.randrange(1000)
    site, root = (NEW, "/docs/") if is_new else (OLD, "/")
    target = f"../{name(other)}"
    if fate < 10:
        target = target.replace(".html", ".htm")
    elif fate < 30:
        target = site + name(other)
    elif fate < 40:
        target = root + name(other)
    elif fate < 60:
        target = f"https://other.example.net/x/{other}"
    elif fate < 200:
        target += "#part-10"
    elif is_new and fate == 500:
        target = "../gone.html"
    elif is_new and fate == 501:
        return None
    elif is_new and fate == 502:
        target = f"../{name((other + 1) % documents)}"
    return f'<p>Some words, then <a class="ref" href="{target}">page {other} by {place}</a>, and more.</p>'


def page(number, documents, links, is_new):
    chance = random.Random(number)
    title = " new" if is_new and number % 50 == 0 else ""
    lines = [
        f"<!DOCTYPE html>\n<meta charset=utf-8>\n<title>Page {number}{title}</title>",
        f'<link rel=canonical href="{NEW if is_new else OLD}{name(number)}">',
        "<h1 id=top-of-page>A page</h1>",
    ]
    for place in range(links):
        if place % 10 == 0:
            other = "x" if is_new and number % 40 == 0 and place == 10 else ""
            lines.append(f'<h2 id="part-{place}{other}">Part {place}</h2>')
        lines.append(link(documents, place, is_new, chance))
    return "\n".join(line for line in lines if line is not None)


def generate(documents, links, folder):
    rules = ["old_url,new_url"]
    for number in range(documents):
        for side in ("old", "new"):
            if side == "new" and is_gone(number):
                continue
            path = folder / side / name(number)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(page(number, documents, links, side == "new"))
        rules.append(f"{OLD}{name(number)},{NEW}{name(number - is_gone(number))}")
    (folder / "redirects.csv").write_text("\n".join(rules) + "\n")


def main():
    if sys.argv[1] == "--generate":
        return generate(int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
    baseref, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    move = [baseref, "verify-move", "-j1", "--config", "/dev/null", "--from", OLD, "--to", NEW]
    move += ["-fjsonl", "--no-group", "--level", "note", folder / "old"]
    rules = ["--redirects", f"csv:{folder / 'redirects.csv'}"]
    successor = ["--new-tree", folder / "new"]
    return compare(
        str(folder),
        {
            "verify-move": move,
            "verify-move --redirects": [*move, *rules],
            "verify-move --new-tree": [*move, *successor],
            "verify-move --redirects --new-tree": [*move, *rules, *successor],
        },
        rounds,
    )


main()
