#!/usr/bin/env python3
"""Renews the table of public suffixes.

    crates/suffixes/renew.py public_suffix_list.dat

The file is <https://publicsuffix.org/list/public_suffix_list.dat>. `cargo test -p baseref-suffixes` then compares the
table with the crate psl, which has to be of the same week.
"""

import sys
from pathlib import Path

TABLE = Path(__file__).parent / "src/public_suffix_list.txt"


def entry(rule: str, is_private: bool) -> tuple[str, str]:
    """The name of a rule, and its letter in the table."""
    letter = "p" if is_private else "i"
    if rule.startswith("*."):
        return rule[2:], letter.upper()
    if rule.startswith("!"):
        return rule[1:], "!"
    return rule, letter


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    table: dict[bytes, str] = {}
    is_private = False
    for line in Path(sys.argv[1]).read_text("utf-8").splitlines():
        rule = line.split(" ")[0]
        if line.startswith("//"):
            is_private = is_private or "===BEGIN PRIVATE DOMAINS===" in line
        elif rule:
            name, letter = entry(rule, is_private)
            for form in {name.encode(), name.encode("idna")}:
                table[form] = table.get(form, "") + letter
    lines = [b"%s %s\n" % (name, table[name].encode()) for name in sorted(table)]
    TABLE.write_bytes(b"".join(lines))


main()
