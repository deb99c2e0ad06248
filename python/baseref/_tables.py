"""What one task of an engine reads: the links of an input, or its errors."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional

from . import ReadError, Records, _baseref, _options, links
from ._inputs import Task, has_scheme, open_input

ERROR_FIELDS = ("doc", "kind", "line", "reason")


def records(task: Task, options: Dict[str, Any]) -> Records:
    """The links of a task. Errors are collected."""
    source: Any = open_input(task.path) if has_scheme(task.path) else task.path
    given = {**options, "name": task.path, "named": task.named, "range": task.split}
    return _baseref.links(source, _options(**given, on_error="collect"))


def batches(task: Task, options: Dict[str, Any], counted: List[ReadError]) -> Iterator[Any]:
    """The record batches of a task; errors are appended to ``counted``."""
    import pyarrow

    try:
        found = records(task, options)
        yield from pyarrow.RecordBatchReader.from_stream(found)
        counted.extend(found.errors)
    except OSError as error:
        counted.append(ReadError(task.path, "io", str(error)))


def errors(task: Task, options: Dict[str, Any]) -> List[ReadError]:
    """The errors of a task."""
    found: List[ReadError] = []
    # A cheap column: only the errors are wanted.
    for _ in batches(task, {**options, "fields": "seq"}, found):
        pass
    return found


def of_bytes(
    content: Optional[bytes], name: Optional[str], options: Dict[str, Any], counted: List[ReadError]
) -> Iterator[Any]:
    """The record batches of bytes in a dataset."""
    import pyarrow

    if content is None:
        return
    found = links(bytes(content), name=name, on_error="collect", **options)
    yield from pyarrow.RecordBatchReader.from_stream(found)
    counted.extend(found.errors)


def error_batch(found: List[ReadError]) -> Any:
    """Errors as a record batch."""
    import pyarrow

    return pyarrow.record_batch(
        [
            pyarrow.array([error.doc for error in found], pyarrow.string()),
            pyarrow.array([error.kind for error in found], pyarrow.string()),
            pyarrow.array([error.line for error in found], pyarrow.int64()),
            pyarrow.array([error.reason for error in found], pyarrow.string()),
        ],
        names=list(ERROR_FIELDS),
    )
