#!/usr/bin/env python3
"""Counts the instructions of whole commands with callgrind: unlike times, they are the same on a busy machine.

    benches/instructions.py BASEREF PAGES

Prints millions of instructions, with one job: of a start (`--version`, one page of 58 bytes), and of the pages
of a folder, for each output format also above `-f url`. Needs valgrind.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = '<!doctype html><a href="x.html">x</a><p>Some text here</p>'


def count(baseref, *arguments):
    """The instructions of a run, in millions."""
    with tempfile.NamedTemporaryFile() as out:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", baseref, *arguments]
        run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if not found:
        sys.exit(f"{' '.join(command)}:\n{run.stderr}")
    return int(found[1]) / 1e6


def show(name, millions, above=None):
    more = f"  {millions - above:8.1f} above url" if above is not None else ""
    print(f"{name:36} {millions:9.2f}{more}", flush=True)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    baseref, pages = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        page.write_text(PAGE)
        show("--version", count(baseref, "--version"))
        show("links, one page", count(baseref, "links", "-j1", page))
        show("links --links all, one page", count(baseref, "links", "--links", "all", "-j1", page))
    url = count(baseref, "links", "--links", "all", "-j1", pages)
    show("links --links all", url)
    for form in ["jsonl", "csv", "tsv"]:
        millions = count(baseref, "links", "--links", "all", "-f", form, "-j1", pages)
        show(f"links --links all -f {form}", millions, url)


main()
