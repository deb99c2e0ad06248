"""Errors and warnings for anything that cannot be read."""

from __future__ import annotations

from typing import Optional

# Nothing is lost with these.
_REMARKS = ("repaired", "unrecognised", "passed-over", "guessed", "symlink-loop")


class ReadError(Exception):
    """An input, or a part of one, that cannot be read. The rest is still read.

    ``doc`` says where, ``kind`` which kind of trouble (``io``, ``format``, ``limit``,
    ``damaged``, ``repaired``, ``fault``...), ``reason`` the particulars, ``line`` the line in
    the file, from 1, where that is known, ``errno`` the number of an error of the operating system.
    """

    def __init__(
        self,
        doc: str,
        kind: str,
        reason: str,
        line: Optional[int] = None,
        errno: Optional[int] = None,
    ) -> None:
        super().__init__(doc, kind, reason, line, errno)
        self.doc = doc
        self.kind = kind
        self.reason = reason
        self.line = line
        self.errno = errno

    @property
    def is_loss(self) -> bool:
        """Whether something was not read: the command line would end with exit code 3."""
        return self.kind not in _REMARKS

    def __str__(self) -> str:
        line = "" if self.line is None else f":{self.line}"
        return f"{self.doc}{line}: {self.reason}"


class ReadWarning(UserWarning):
    """Something could not be read; the rest was."""
