#!/usr/bin/env python3
"""CPU seconds of reading links row by row in Python, next to the same links as an Arrow table.

    benches/rows.py PAGES        # needs the wheel and pyarrow

Reads all links of a folder with one job, each way three times, and prints the least.
"""

import resource
import sys
from typing import Callable

import baseref
import pyarrow


def links() -> "baseref.Records":
    return baseref.links(sys.argv[1], links="all", on_error="collect")


def table() -> int:
    return pyarrow.RecordBatchReader.from_stream(links()).read_all().num_rows


def rows() -> int:
    return sum(1 for _ in links())


def five_columns() -> int:
    return sum((row.doc, row.element, row.text, row.raw, row.line) is not None for row in links())


def dictionaries() -> int:
    return sum(bool(row._asdict()) for row in links())


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def show(name: str, read: Callable[[], int]) -> None:
    least, number = float("inf"), 0
    for _ in range(3):
        before = cpu_seconds()
        number = read()
        least = min(least, cpu_seconds() - before)
    print(f"{name:20} {least:6.2f} s, {number:,} links", flush=True)


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    show("table", table)
    show("rows", rows)
    show("rows, five columns", five_columns)
    show("rows, _asdict", dictionaries)


main()
