"""Records to the tables of other packages, all by way of Arrow."""

from __future__ import annotations

import os
from base64 import b64encode
from html import escape
from itertools import islice
from typing import Any, Dict, Iterator, List, Union

# Columns whose values differ from row to row.
_VARIED = (
    "seq line column text raw url browser_url final_url unwrap_hint path entity_offset candidates "
    "notes message fix fingerprint"
).split()

# Of a row group of Parquet, in bytes as they are in memory.
_ROW_GROUP = 32 * 1024 * 1024

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
    schema = pyarrow.schema(records)
    reader = pyarrow.RecordBatchReader.from_stream(_OfDictionaries(records))
    # A dictionary of values that hardly repeat takes longer than all the rest, and which of them is
    # the least says little where they are in no order.
    repeated = [
        field.name
        for field in reader.schema
        if not pyarrow.types.is_nested(field.type) and field.name not in _VARIED
    ]
    settings = {"use_dictionary": repeated, "write_statistics": repeated, "store_schema": False}
    try:
        with raising(records), pyarrow.parquet.ParquetWriter(part, reader.schema, **settings) as file:
            # Whoever reads the file has the columns that the records have: dictionaries are only
            # how they come here.
            file.add_key_value_metadata(_stored(schema))
            for group in _groups(reader):
                file.write_table(group, row_group_size=len(group))
                rows += len(group)
        os.replace(part, target)
    finally:
        if os.path.exists(part):
            os.remove(part)
    return rows


class _OfDictionaries:
    """The records as a stream whose texts that rows share are in dictionaries."""

    def __init__(self, records: Any) -> None:
        self._records = records

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._records._stream_of_dictionaries()


def _groups(reader: Any) -> Iterator[Any]:
    """The batches as tables of some size, in each of which a text has one place in a dictionary."""
    import pyarrow

    waiting: List[Any] = []
    size = 0
    for batch in reader:
        waiting.append(batch)
        size += batch.nbytes
        if size >= _ROW_GROUP:
            yield pyarrow.Table.from_batches(waiting).unify_dictionaries()
            waiting, size = [], 0
    if waiting:
        yield pyarrow.Table.from_batches(waiting).unify_dictionaries()


def _stored(schema: Any) -> Dict[str, str]:
    """The metadata of a Parquet file by which Arrow's readers know the schema."""
    stored = {key.decode(): value.decode() for key, value in (schema.metadata or {}).items()}
    return {**stored, "ARROW:schema": b64encode(schema.serialize()).decode()}


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
