"""The inputs at paths, for engines: local ones and those with a scheme, listed and opened."""

from __future__ import annotations

import os
from typing import Any, BinaryIO, Iterator, List, NamedTuple, Sequence, Tuple

from . import ReadError, Split, splits

MAX_SPLIT_BYTES = 128 * 1024 * 1024


class Task(NamedTuple):
    """An input, or a split of one, that one task reads. Pickles."""

    path: str
    split: Split
    # The user named it; a file found in a directory is left alone if it is of no known format.
    named: bool


def has_scheme(path: str) -> bool:
    """Whether the path is a URL for fsspec: ``s3a://bucket/key``, but not ``C:\\``."""
    scheme, mark, _ = path.partition("://")
    return bool(mark) and scheme.isalnum()


Named = Tuple[str, bool]


def expand(paths: Sequence[str]) -> List[Named]:
    """The files at the paths, with patterns and directories expanded, in order of names.

    Each with whether it was named, rather than found in a directory.
    """
    found: List[Named] = []
    for path in paths:
        found.extend(_remote(path) if has_scheme(path) else _local(path))
    return found


def _local(path: str) -> List[Named]:
    import glob

    matches = sorted(glob.glob(path, recursive=True)) if glob.has_magic(path) else [path]
    if not matches:
        raise FileNotFoundError(f"no file matches {path}")
    files: List[Named] = []
    for match in matches:
        if not os.path.isdir(match):
            files.append((match, True))
            continue
        for folder, folders, names in os.walk(match):
            # Hidden ones can only hold mail (Maildir++), as on the command line.
            folders[:] = sorted(name for name in folders if _is_entered(folder, name))
            files.extend((os.path.join(folder, name), False) for name in sorted(names))
    return files


def _is_entered(folder: str, name: str) -> bool:
    return not name.startswith(".") or os.path.isdir(os.path.join(folder, name, "cur"))


def _remote(path: str) -> List[Named]:
    fs, root = _filesystem(path)
    matches = sorted(fs.glob(root)) if _has_magic(root) else [root]
    if not matches:
        raise FileNotFoundError(f"no file matches {path}")
    files: List[Named] = []
    for match in matches:
        if fs.isdir(match):
            files.extend((file, False) for file in sorted(fs.find(match)))
        else:
            files.append((match, True))
    scheme = path.partition("://")[0]
    # File systems return paths without the scheme: `/a` of `file://`, `bucket/a` of `s3://`.
    return [(f if has_scheme(f) else f"{scheme}://{f}", named) for f, named in files]


def _has_magic(path: str) -> bool:
    return any(mark in path for mark in "*?[")


def _filesystem(path: str) -> Tuple[Any, str]:
    try:
        import fsspec
    except ImportError as error:
        raise ImportError("paths with a scheme need fsspec: pip install baseref[fsspec]") from error
    # Hadoop's names for S3.
    scheme, _, rest = path.partition("://")
    name = "s3" if scheme in ("s3a", "s3n") else scheme
    fs, root = fsspec.core.url_to_fs(f"{name}://{rest}")
    return fs, root


def open_input(path: str) -> BinaryIO:
    """The file, opened seekable."""
    if not has_scheme(path):
        return open(path, "rb")
    fs, root = _filesystem(path)
    file: BinaryIO = fs.open(root, "rb")
    return file


def plan(paths: Sequence[str], max_bytes: int, input: str = "auto") -> Iterator[Task]:
    """One task per file, or per split of a large one.

    A file that cannot be opened here is left to its task, which reports it.
    """
    everything = Split(0, 2**63 - 1)
    for path, named in expand(paths):
        try:
            with open_input(path) as file:
                size = file.seek(0, os.SEEK_END)
                if size <= max_bytes or max_bytes <= 0:
                    yield Task(path, everything, named)
                    continue
                for split in splits(file, max_bytes, input=input, name=path):
                    yield Task(path, split, named)
        except (OSError, ReadError):
            yield Task(path, everything, named)
