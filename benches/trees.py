#!/usr/bin/env python3
"""Runs `baseref audit` and `hyperlink --check-anchors` over trees, by turns.

    benches/trees.py BASEREF [--rounds N] [--instructions | --calls] [--debian] [FOLDER ...]

Prints, for each tree, its files and pages, the CPU time of the best round of each program with one job,
and baseref's as a multiple of hyperlink's. `--debian` installs packages of documentation and takes
their folders. In place of the rounds, `--instructions` counts with callgrind (Debian's `valgrind`): the
same on a busy machine, but forty times as slow. `--calls` counts system calls with `strace`.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from commands import run

# Packages, and the folder of each below /usr/share.
DEBIAN = {
    "apache2-doc": "doc/apache2-doc/manual",
    "autoconf-doc": "doc/autoconf",
    "docbook-xsl-doc-html": "doc/docbook-xsl-doc-html/doc",
    "exim4-doc-html": "doc/exim4-doc-html/spec_html",
    "gnuplot-doc": "doc/gnuplot/htmldocs",
    "kicad-doc-en": "doc/kicad/help",
    "libboost-doc": "doc/libboost*-doc",
    "libcommons-lang3-java-doc": "doc/libcommons-lang3-java/api",
    "libeigen3-doc": "doc/libeigen3-dev/html",
    "libghc-lens-doc": "doc/libghc-lens-doc/html",
    "libgtk-3-doc": "gtk-doc/html/gtk3",
    "lilypond-doc-html": "doc/lilypond/html",
    "mkdocs-doc": "doc/mkdocs/html",
    "postgresql-doc": "doc/postgresql-doc-*/html",
    "python-django-doc": "doc/python-django-doc/html",
    "python3-doc": "doc/python3.*/html",
    "sqlite3-doc": "doc/sqlite3",
    "yard-doc": "doc/yard/doc",
}


def debian():
    """The folders of the packages, which are installed first."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *DEBIAN]
    subprocess.run(install, check=True, env=environment, stdout=subprocess.DEVNULL)
    found = [sorted(Path("/usr/share").glob(folder)) for folder in DEBIAN.values()]
    return [folders[-1] for folders in found if folders]


def seconds(commands, rounds):
    """The CPU seconds of the best round of each command, by turns."""
    found = [[run(command)[0] for command in commands] for _ in range(rounds)]
    return [min(each) for each in zip(*found)]


def instructions(commands):
    """The instructions of each command, in millions."""
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    counts = []
    for command in commands:
        done = subprocess.run([*tool, *command], capture_output=True, check=False)
        counts.append(int(re.search(rb"Collected : (\d+)", done.stderr)[1]) / 1e6)
    return counts


def calls(commands):
    """The system calls of each command, in all its threads."""
    counts = []
    for command in commands:
        with tempfile.NamedTemporaryFile() as out:
            tool = ["strace", "-f", "-c", "-U", "calls,name", "-o", out.name]
            subprocess.run([*tool, *command], capture_output=True, check=False)
            counts.append(int(re.search(rb"(\d+) total", out.read())[1]))
    return counts


def main():
    words = sys.argv[1:]
    rounds = int(words.pop(words.index("--rounds") + 1)) if "--rounds" in words else 5
    trees = debian() if "--debian" in words else []
    baseref, *folders = [word for word in words if not word.startswith("--")]
    if "--instructions" in words:
        unit, digits, count = "M instructions", 3, instructions
    elif "--calls" in words:
        unit, digits, count = "system calls", 0, calls
    else:
        unit, digits, count = "CPU s", 3, lambda commands: seconds(commands, rounds)
    print(f"{'tree':44} {'files':>6} {'pages':>6} {'baseref':>9} {'hyperlink':>9} {'ratio':>6}   {unit}")
    for folder in [*trees, *map(Path, folders)]:
        files = [path for path in folder.rglob("*") if path.is_file()]
        pages = sum(path.suffix in (".html", ".htm") for path in files)
        commands = [
            [str(Path(baseref).resolve()), "audit", "--config", "/dev/null", "-j1", str(folder)],
            ["hyperlink", "-j1", "--check-anchors", str(folder)],
        ]
        ours, theirs = count(commands)
        figures = f"{ours:9.{digits}f} {theirs:9.{digits}f} {ours / theirs:6.2f}"
        print(f"{str(folder)[-44:]:44} {len(files):6} {pages:6} {figures}", flush=True)


main()
