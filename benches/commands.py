#!/usr/bin/env python3
"""Runs baseref's command and those of other tools over the same pages, by turns.

    benches/commands.py BASEREF FOLDER [ROUNDS]

Prints, for each tool that is installed, the CPU time of its best round (user and system, of all
its processes), that as a multiple of baseref's with one job, its peak memory, and how many lines
it wrote: the tools do not all do the same. Those that read one file at a time get the largest
page alone, and are compared with baseref on that.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LXML = """
import sys
import lxml.html
for path in sys.argv[1:]:
    document = lxml.html.parse(path)
    for element, attribute, link, position in document.getroot().iterlinks():
        print(link)
"""


def run(command):
    """CPU seconds, wall seconds, peak memory in MB and lines written."""
    with tempfile.TemporaryFile() as output:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        output.seek(0)
        lines = sum(block.count(b"\n") for block in iter(lambda: output.read(1 << 20), b""))
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, lines


def compare(title, commands, rounds):
    found = {}
    for _ in range(rounds):
        for name, command in commands.items():
            if shutil.which(command[0]):
                found.setdefault(name, []).append(run([str(word) for word in command]))
    best = {name: min(results) for name, results in found.items()}
    unit = next(iter(best.values()))[0]
    print(f"{title}\n{'':34} {'CPU s':>8} {'ratio':>7} {'wall s':>8} {'MB':>6} {'lines':>9}")
    for name, (cpu, wall, memory, lines) in best.items():
        print(f"{name:34} {cpu:8.3f} {cpu / unit:7.1f} {wall:8.3f} {memory:6.0f} {lines:9}")
    for name in commands.keys() - best.keys():
        print(f"{name:34} is not installed")


def main():
    baseref, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    pages = sorted(path for path in folder.rglob("*.htm*") if path.is_file())
    largest = max(pages, key=lambda path: path.stat().st_size)
    size = sum(path.stat().st_size for path in pages) / 1e6
    links = [baseref, "links", "--links", "all", "-u", "http://example.org/"]
    compare(
        f"{len(pages)} pages, {size:.1f} MB",
        {
            "baseref -j1": [*links, "-j1", folder],
            "baseref -j2": [*links, "-j2", folder],
            "baseref -j1, JSON Lines": [*links, "-j1", "-f", "jsonl", folder],
            "baseref -j2, JSON Lines": [*links, "-j2", "-f", "jsonl", folder],
            "hyperlink": ["hyperlink", "-j", "1", folder],
            "lychee --dump": [
                "lychee", "--dump", "--no-progress", "--base-url",
                "http://example.org/", folder,
            ],
            "lxml": [sys.executable, "-c", LXML, *pages],
        },
        rounds,
    )
    compare(
        f"\n{largest.name}, {largest.stat().st_size / 1e6:.1f} MB",
        {
            "baseref -j1": [*links, "-j1", largest],
            "lychee --dump": [
                "lychee", "--dump", "--no-progress", "--base-url",
                "http://example.org/", largest,
            ],
            "htmlq -a href a": ["htmlq", "-f", largest, "-a", "href", "a"],
            "hxwls": ["hxwls", largest],
            "lynx -dump -listonly": ["lynx", "-dump", "-listonly", "-nonumbers", largest],
            "lxml": [sys.executable, "-c", LXML, largest],
        },
        rounds,
    )


if __name__ == "__main__":
    main()
