#!/usr/bin/env python3
"""Holds baseref against Python's email package on a corpus of mail.

    tests/mail_parts.py BASEREF CORPUS

Runs `BASEREF base -f jsonl` over every file below CORPUS and asserts that it ends with exit
code 0 or 3 and reports no fault of its own, and that each text/html or application/xhtml+xml
part that Python finds is found, by message and section. CORPUS/SOURCES.tsv names the files; a
file that it names and that is not there fails the run.
"""

import csv
import email
import json
import mailbox
import subprocess
import sys
from pathlib import Path

# Parts that Python finds and baseref rightly does not, by the end of the file's name.
EXCEPTIONS = {}

# Fewer parts mean that the corpus is not what it was, or that the comparison sees nothing.
FEWEST_PARTS = 140

HTML = {"text/html", "application/xhtml+xml"}
MESSAGES = {"message/rfc822", "message/global", "message/news"}


def sections(message):
    """The sections of the HTML parts of a message (RFC 3501 section 6.4.5), as Python sees it."""
    # Each entry: an entity, its section, and whether it is a message or a part of one.
    pending = [(message, (), True)]
    while pending:
        entity, section, is_message = pending.pop()
        kind = entity.get_content_type()
        if entity.get_content_maintype() == "multipart":
            if entity.is_multipart():
                for number, part in enumerate(entity.get_payload(), 1):
                    pending.append((part, (*section, number), False))
            continue
        if is_message:
            section = (*section, 1)
        if kind in MESSAGES and entity.is_multipart():
            pending.append((entity.get_payload(0), section, True))
        elif kind in HTML:
            yield "/" + ".".join(map(str, section))


def is_mailbox(data):
    first = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    return first.startswith(b"From ") and not first[5:].lstrip(b" \t").startswith(b":")


def expected(path):
    """What Python finds in a file: `#2/1.1` in a mailbox, `/1.1` in a message."""
    data = path.read_bytes()
    if not is_mailbox(data):
        return set(sections(email.message_from_bytes(data)))
    messages = mailbox.mbox(path, create=False)
    return {
        f"#{number}{section}"
        for number, key in enumerate(messages.iterkeys(), 1)
        for section in sections(email.message_from_bytes(messages.get_bytes(key)))
    }


def found(baseref, path):
    """What baseref finds in a file, or why its run is not as it must be."""
    run = subprocess.run(
        [baseref, "base", "-f", "jsonl", path], capture_output=True, timeout=120, check=False
    )
    errors = run.stderr.decode("utf-8", "replace")
    if run.returncode not in (0, 3):
        return None, f"exit code {run.returncode}: {errors.strip()}"
    if "fault in baseref" in errors or "panicked" in errors:
        return None, errors.strip()
    records = [json.loads(line) for line in run.stdout.splitlines()]
    return {record["doc"].removeprefix(str(path)) for record in records}, None


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    baseref, corpus = sys.argv[1], Path(sys.argv[2])
    with open(corpus / "SOURCES.tsv", encoding="utf-8", newline="") as table:
        rows = csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
        named = {corpus / row["local_file"] for row in rows}
    failures = [f"{path}: not there" for path in sorted(named) if not path.is_file()]
    parts = 0
    unused = set(EXCEPTIONS)
    files = sorted(path for path in corpus.rglob("*") if path.is_file())
    for path in files:
        have, reason = found(baseref, path)
        if reason is not None:
            failures.append(f"{path}: {reason}")
            continue
        want = expected(path)
        parts += len(want)
        missing = want - have
        for name, (excused, _) in EXCEPTIONS.items():
            if str(path).endswith(name) and missing == excused:
                unused.discard(name)
                missing = set()
        if missing:
            failures.append(f"{path}: not found: {' '.join(sorted(missing))}")
    failures += [f"{name}: the exception is no longer needed" for name in sorted(unused)]
    if parts < FEWEST_PARTS:
        failures.append(f"{corpus}: {parts} HTML parts, and not {FEWEST_PARTS} or more")
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{len(files)} files, {parts} HTML parts by Python's count, {len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
