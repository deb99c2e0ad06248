"""The work on files as tasks for engines: large files are split, small ones packed together."""

from __future__ import annotations

import os
import re
from typing import Any, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import Split, splits
from ._listing import Found, Path, StorageOptions, find, has_scheme, local, open_input, parallel

MAX_SPLIT_BYTES = 128 * 1024 * 1024
"""A larger file is divided, if its format allows."""

TARGET_BYTES = 64 * 1024 * 1024
"""Smaller files are packed together up to this size."""

# What it costs to open a file, in bytes read meanwhile.
_OPENING = 64 * 1024

# Few small files are still read by several tasks.
_TASKS = 16

# The end of a file whose size may have grown.
_END = 2**63 - 1

# Archives that are compressed record by record, as all crawlers do, can be cut anywhere. One that is
# not is read by the task with its first byte; the others find nothing.
_CUT_ANYWHERE = re.compile(r"\.(warc|arc|wat|wet)\.gz$", re.IGNORECASE)

# Formats that are never divided.
_WHOLE = re.compile(
    r"\.(html?|xhtml|xht|svg|css|eml|emlx|mht|mhtml|zip|epub|maff|har|webarchive)(\.gz)?$",
    re.IGNORECASE,
)


class Piece(NamedTuple):
    """A file, or a split of one. Pickles."""

    path: str
    split: Split
    # The user named it; a file found in a directory is left alone if it is of no known format.
    named: bool
    # The size of the whole file, if the storage tells.
    size: Optional[int]


class Task(NamedTuple):
    """What one task reads, in order. Pickles."""

    pieces: Tuple[Piece, ...]
    storage: Optional[StorageOptions]


def plan(
    paths: Union[Path, Sequence[Path]],
    *,
    max_split_bytes: int = MAX_SPLIT_BYTES,
    target_bytes: int = TARGET_BYTES,
    input: Any = "auto",
    storage: Optional[StorageOptions] = None,
) -> List[Task]:
    """The tasks for the files at the paths.

    Files are opened here only if they are large and their names do not tell how to divide them.
    """
    files = find(paths, storage)

    known = [_by_name(file, max_split_bytes, input) for file in files]
    unknown = [file for file, pieces in zip(files, known) if pieces is None]

    def divide(file: Found) -> List[Piece]:
        return _by_content(file, max_split_bytes, input, storage)

    divided = iter(parallel(divide, unknown))
    pieces = [piece for some in known for piece in (next(divided) if some is None else some)]
    return [Task(tuple(group), storage) for group in _packed(pieces, target_bytes)]


def of_files(paths: Sequence[str], storage: Optional[StorageOptions]) -> Task:
    """The task that reads these files, each as a whole; none is looked for here."""
    return Task(tuple(Piece(path, Split(0, _END), True, None) for path in paths), storage)


def whole(paths: Union[Path, Sequence[Path]]) -> Task:
    """The task that reads whole trees together. They are local: an audit walks them."""
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    names = [local(os.fspath(path)) for path in given]
    for name in names:
        if has_scheme(name):
            raise ValueError(f"an audit reads local folders, not {name}")
        os.stat(name)
    return Task(tuple(Piece(name, Split(0, _END), True, None) for name in names), None)


def _whole_file(file: Found) -> List[Piece]:
    return [Piece(file.name, Split(0, _END), file.named, file.size)]


def _by_name(file: Found, most: int, input: Any) -> Optional[List[Piece]]:
    """The pieces of a file, if its size and name are enough to tell."""
    if most <= 0 or file.size is not None and file.size <= most:
        return _whole_file(file)
    if file.size is not None and input in ("auto", "warc", "arc"):
        if _CUT_ANYWHERE.search(file.name):
            starts = range(0, file.size, most)
            ends = [*starts[1:], _END]
            return [
                Piece(file.name, Split(start, end), file.named, file.size)
                for start, end in zip(starts, ends)
            ]
    return _whole_file(file) if input == "auto" and _WHOLE.search(file.name) else None


def _by_content(
    file: Found, most: int, input: Any, storage: Optional[StorageOptions]
) -> List[Piece]:
    """The pieces of a file, which is opened."""
    try:
        with open_input(file.name, storage) as opened:
            found = splits(opened, most, input=input, name=file.name)
    except Exception:
        # Its task meets the same, and reports it or is tried again.
        return _whole_file(file)
    return [Piece(file.name, split, file.named, file.size) for split in found]


def _packed(pieces: Sequence[Piece], target: int) -> Iterator[List[Piece]]:
    """Consecutive pieces, in groups of about ``target`` bytes; by default in several groups."""
    sizes = [_cost(piece) for piece in pieces]
    if target > 0:
        target = min(target, max(1, sum(sizes) // _TASKS))
    group: List[Piece] = []
    packed = 0
    for piece, size in zip(pieces, sizes):
        if group and packed + size > target:
            yield group
            group, packed = [], 0
        group.append(piece)
        packed += size
    if group:
        yield group


def _cost(piece: Piece) -> int:
    start, end = piece.split
    if end == _END:
        # A file of unknown size may be of any.
        end = MAX_SPLIT_BYTES if piece.size is None else piece.size
    return _OPENING + max(0, end - start)
