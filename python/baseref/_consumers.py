"""Records to the tables of other packages, all by way of Arrow."""

from __future__ import annotations

import os
from html import escape
from itertools import islice
from typing import Any, Union

# Columns whose values differ from row to row.
_VARIED = (
    "seq line column text raw url browser_url final_url unwrap_hint path entity_offset candidates "
    "notes message fix fingerprint"
).split()

# Of a preview in a notebook.
_ROWS = 10
_LONGEST = 60


def to_arrow(records: Any) -> Any:
    """The records as a ``pyarrow.Table``."""
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("to_arrow needs pyarrow: pip install pyarrow") from error
    with raising(records):
        return pyarrow.table(records)


def to_pandas(records: Any) -> Any:
    """The records as a ``pandas.DataFrame``."""
    return to_arrow(records).to_pandas()


def to_polars(records: Any) -> Any:
    """The records as a ``polars.DataFrame``."""
    try:
        import polars
    except ImportError as error:
        raise ImportError("to_polars needs Polars: pip install polars") from error
    with raising(records):
        return polars.DataFrame(records)


def to_parquet(records: Any, path: Union[str, "os.PathLike[str]"]) -> int:
    """Write the records to the file ``path``; it is replaced only once all are written."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("to_parquet needs pyarrow: pip install pyarrow") from error
    target = os.fspath(path)
    part = f"{target}.{os.getpid()}.part"
    rows = 0
    reader = pyarrow.RecordBatchReader.from_stream(records)
    # A dictionary of values that hardly repeat takes longer than all the rest, and which of them is
    # the least says little where they are in no order.
    repeated = [
        field.name
        for field in reader.schema
        if not pyarrow.types.is_nested(field.type) and field.name not in _VARIED
    ]
    settings = {
        "use_dictionary": repeated,
        "write_statistics": repeated,
        # pyarrow's own pool gives pages back to the system and takes them again.
        "memory_pool": pyarrow.system_memory_pool(),
    }
    try:
        with raising(records), pyarrow.parquet.ParquetWriter(part, reader.schema, **settings) as file:
            for batch in reader:
                file.write_batch(batch)
                rows += batch.num_rows
        os.replace(part, target)
    finally:
        if os.path.exists(part):
            os.remove(part)
    return rows


def to_html(records: Any) -> str:
    """The first rows as an HTML table, for a notebook; no text of theirs is markup."""
    names = records._names
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    what = escape(repr(records))
    try:
        rows = records._preview()
        found = None if rows is None else list(islice(rows, _ROWS + 1))
    except Exception as error:
        # Requesting the records says the same; a notebook shows what it can.
        return f"<p>{what}: {escape(str(error))}</p>"
    if found is None:
        return f"<p>{what}, not read yet</p><table><thead><tr>{head}</tr></thead></table>"
    body = "".join(
        "<tr>" + "".join(f"<td>{_cell(getattr(row, name))}</td>" for name in names) + "</tr>"
        for row in found[:_ROWS]
    )
    more = "<p>and more</p>" if len(found) > _ROWS else ""
    return (
        f"<p>{what}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
    )


def _cell(value: Any) -> str:
    if value is None:
        return ""
    text = str(value)
    return escape(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}\u2026")


class raising:
    """Raises what ended the reading of the records, where a consumer of Arrow raises its own."""

    def __init__(self, records: Any) -> None:
        self._records = records

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if isinstance(error, Exception):
            failure = self._records._failure
            if failure is not None:
                raise failure from None
