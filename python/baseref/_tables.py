"""What one task of an engine reads: links, bases, what could not be read, or an audit."""

from __future__ import annotations

import os
import sys
from itertools import groupby, repeat
from typing import Any, Dict, Iterator, List, Literal, Optional, Sequence, Tuple, Union

from . import ReadError, Records, _baseref, _options, audit, link_schema
from ._consumers import raising
from ._inputs import Piece, Task, plan, whole
from ._listing import Path, StorageOptions, has_scheme, local, open_input

Table = Literal["links", "bases", "errors", "all", "audit"]

TABLES = ("links", "bases", "errors", "all", "audit")

ERROR_FIELDS = ("doc", "kind", "line", "reason")

UNREAD_FIELDS = ("unread_kind", "unread_line", "unread_reason")
"""The columns of the table ``all`` that only its rows about errors have."""

OPTIONS = (
    "links fields comments unwrap_archive url saved_from resolver strict input encoding "
    "url_map jobs on_error batch_bytes".split()
)
"""The options of `baseref.links` that an engine takes."""

# Those of them that are about links alone.
_OF_LINKS = ("links", "comments", "unwrap_archive")

AUDIT_OPTIONS = (
    "url_map url_alias hosting index ext dir case links resolver input encoding glob include "
    "exclude level rule allow config baseline baseline_strict jobs batch_bytes".split()
)
"""The options of `baseref.audit` that an engine takes."""

# The types of Arrow for a column of these; one without values has none of its own.
_TYPES = {
    "bytes": ("binary", "large_binary", "fixed_size_binary", "binary_view", "null"),
    "text": ("string", "large_string", "string_view", "null"),
}

# Small batches are joined up to this size.
_JOINED = 4 * 1024 * 1024


def checked(table: str, options: Dict[str, Any], more: Sequence[str] = ()) -> Dict[str, Any]:
    """The options, if there are such options and their values are possible."""
    if not isinstance(table, str) or table not in TABLES:
        raise ValueError(f"table: `{table}` is not one of {', '.join(TABLES)}")
    known = [*_known(table), *more]
    for name in options:
        if name not in known:
            raise ValueError(f"no option `{name}`; there are {', '.join(known)}")
    if table != "audit":
        # Reads nothing, but looks at each of them.
        _opened(table, b"", {"on_error": "collect", **options})
    return options


def _known(table: str) -> List[str]:
    if table == "audit":
        return AUDIT_OPTIONS
    return [name for name in OPTIONS if table != "bases" or name not in _OF_LINKS]


def tasks(
    table: str,
    paths: Union[Path, Sequence[Path]],
    options: Dict[str, Any],
    *,
    max_split_bytes: int,
    target_bytes: int,
    storage: Optional[StorageOptions],
) -> List[Task]:
    """The tasks of a table: many, but one for an audit, which judges its trees together."""
    for name, size in (("max_split_bytes", max_split_bytes), ("target_bytes", target_bytes)):
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            raise ValueError(f"{name}: {size!r} is not a number of bytes")
    if storage is not None and not isinstance(storage, dict):
        raise TypeError(f"storage_options: a dictionary is needed, not {storage!r}")
    if table == "audit":
        # Lists the trees, and looks at each option.
        task = whole(paths)
        _audit(task, options)
        return [task]
    return plan(
        paths,
        max_split_bytes=max_split_bytes,
        target_bytes=target_bytes,
        input=options.get("input", "auto"),
        storage=storage,
    )


def _opened(table: str, source: Any, options: Dict[str, Any]) -> Records:
    read = _baseref.bases if table == "bases" else _baseref.links
    return read(source, _options(**options))


def _audit(task: Task, options: Dict[str, Any]) -> Records:
    return audit([piece.path for piece in task.pieces], **options)


def schema(table: str, fields: Any = None) -> Any:
    """The Arrow schema of a table."""
    import pyarrow

    if table == "audit":
        return pyarrow.schema(audit(os.devnull))
    if table == "bases":
        return pyarrow.schema(_opened("bases", b"", {"on_error": "collect", "fields": fields}))
    of_error = {"line": pyarrow.int64(), "unread_line": pyarrow.int64()}
    if table == "errors":
        return pyarrow.schema(
            [(name, of_error.get(name, pyarrow.string())) for name in ERROR_FIELDS]
        )
    links = pyarrow.schema(link_schema(fields))
    if table == "links":
        return links
    # A row about an error has no values of a link.
    found = [field.with_nullable(True) for field in links]
    if "doc" not in links.names:
        found.insert(0, pyarrow.field("doc", pyarrow.string()))
    more = [pyarrow.field(name, of_error.get(name, pyarrow.string())) for name in UNREAD_FIELDS]
    return pyarrow.schema(found + more)


def batches(task: Task, table: str, options: Dict[str, Any]) -> Iterator[Any]:
    """The record batches of a task.

    An exception means that the storage did not deliver: the task fails, and can be tried again.
    """
    if table == "audit":
        if task.pieces:
            import pyarrow

            found = _audit(task, options)
            with raising(found):
                yield from pyarrow.RecordBatchReader.from_stream(found)
        return
    reading = _Reading(table, options)
    for found in _records(task, table, reading.options):
        yield from reading.batches(found)
    yield from reading.end()


def column(rows: Any, name: str, kind: str) -> Any:
    """A column of a table or batch, which holds ``bytes`` or ``text``."""
    from pyarrow import types

    names = rows.schema.names
    if name not in names:
        raise ValueError(f"no column `{name}`; there are {', '.join(names)}")
    found = rows.column(name)
    if not any(getattr(types, f"is_{one}")(found.type) for one in _TYPES[kind]):
        raise TypeError(f"the column `{name}` holds no {kind}, but {found.type}")
    return found


def contents(
    rows: Any, content: str, name: Optional[str]
) -> Iterator[Tuple[Optional[bytes], Optional[str]]]:
    """The inputs in a column of bytes, and what another one says they are called."""
    values = column(rows, content, "bytes")
    if name is None and "path" not in rows.schema.names:
        names: Any = repeat(None)
    else:
        names = (value.as_py() for value in column(rows, name or "path", "text"))
    return zip((value.as_py() for value in values), names)


def of_bytes(
    contents: Iterator[Tuple[Optional[bytes], Optional[str]]], options: Dict[str, Any]
) -> Iterator[Any]:
    """The record batches of bytes in a dataset, each with its name."""
    reading = _Reading("links", options)
    for content, name in contents:
        if content is not None:
            given = {**reading.options, "name": name}
            yield from reading.batches(_baseref.links(bytes(content), _options(**given)))
    yield from reading.end()


class _Reading:
    """The rows and errors of a task so far."""

    def __init__(self, table: str, options: Dict[str, Any]) -> None:
        self.table = table
        self.options = {"on_error": "collect", **options}
        if self.options["on_error"] == "warn":
            # There is nobody to warn: the log counts.
            self.options["on_error"] = "collect"
        if table == "errors":
            # A cheap column: only the errors are wanted.
            self.options["fields"] = "seq"
        elif table == "all":
            fields = [name for name in schema("all", options.get("fields")).names]
            self.options["fields"] = [name for name in fields if name not in UNREAD_FIELDS]
        self._schema: Any = None
        if table in ("errors", "all"):
            self._schema = schema(table, self.options["fields"] if table == "all" else None)
        self._errors: List[ReadError] = []
        self._waiting: List[Any] = []
        self._bytes = 0

    def batches(self, records: Records) -> Iterator[Any]:
        import pyarrow

        with raising(records):
            for batch in pyarrow.RecordBatchReader.from_stream(records):
                if self.table == "errors":
                    continue
                self._waiting.append(batch)
                self._bytes += batch.nbytes
                if self._bytes >= _JOINED:
                    yield from self._joined()
        for error in records.errors:
            if error.kind == "io":
                # A file that could not be opened, too: the task fails.
                raise OSError(error.errno or 5, error.reason, error.doc)
            self._errors.append(error)

    def _joined(self) -> Iterator[Any]:
        import pyarrow

        waiting, self._waiting, self._bytes = self._waiting, [], 0
        if len(waiting) > 1:
            waiting = pyarrow.Table.from_batches(waiting).combine_chunks().to_batches()
        yield from map(self._widened, waiting)

    def _widened(self, batch: Any) -> Any:
        """A batch of links as one of the table."""
        import pyarrow

        if self.table != "all":
            return batch
        nothing = [pyarrow.nulls(len(batch), field.type) for field in self._schema]
        there = dict(zip(batch.schema.names, batch.columns))
        columns = [there.get(f.name, none) for f, none in zip(self._schema, nothing)]
        return pyarrow.record_batch(columns, schema=self._schema)

    def end(self) -> Iterator[Any]:
        """What is left, and the errors."""
        yield from self._joined()
        if self.table in ("links", "bases"):
            _log(self._errors)
        elif self._errors:
            yield self._of_errors()

    def _of_errors(self) -> Any:
        import pyarrow

        prefix = "" if self.table == "errors" else "unread_"
        columns: Dict[str, List[Any]] = {"doc": [error.doc for error in self._errors]}
        for name in ERROR_FIELDS[1:]:
            columns[prefix + name] = [getattr(error, name) for error in self._errors]
        nothing = [None] * len(self._errors)
        arrays = [
            pyarrow.array(columns.get(field.name, nothing), field.type) for field in self._schema
        ]
        return pyarrow.record_batch(arrays, schema=self._schema)


def _records(task: Task, table: str, options: Dict[str, Any]) -> Iterator[Records]:
    """The records of a task: those of consecutive whole local files at once."""

    def is_plain(piece: Piece) -> bool:
        start, end = piece.split
        is_whole = start == 0 and end >= 2**63 - 1
        return is_whole and not has_scheme(piece.path) and local(piece.path) == piece.path

    for plain, pieces in groupby(task.pieces, is_plain):
        if plain:
            files = [(piece.path, piece.named) for piece in pieces]
            yield _opened(table, files, options)
            continue
        for piece in pieces:
            with open_input(piece.path, task.storage) as file:
                given = {"name": piece.path, "named": piece.named, "range": piece.split}
                yield _opened(table, file, {**options, **given, "size": piece.size})


def _log(found: List[ReadError]) -> None:
    """Log in the executor what was not read."""
    for error in found:
        print(f"baseref: {error}", file=sys.stderr)
    lost = sum(error.is_loss for error in found)
    if lost:
        print(f"baseref: {lost} inputs or parts could not be read", file=sys.stderr)
