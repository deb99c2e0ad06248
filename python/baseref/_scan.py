"""Links as a lazy frame of Polars."""

from __future__ import annotations

from typing import Any, Iterator, List, Optional, get_args

from ._consumers import raising


def scan_polars(source: Any, **options: Any) -> Any:
    """The links of a source as a ``polars.LazyFrame``.

    The options are those of `links`. Nothing is read before it is collected, and then batch by
    batch: only the columns that the query uses are computed, its predicate is applied to each
    batch, and a limit ends the reading.

    >>> import baseref, polars
    >>> page = b"<a href=http://a/>1</a><a href=http://b/>2</a>"
    >>> frame = baseref.scan_polars(page).filter(polars.col("host") == "b").select("url")
    >>> frame.collect().to_series().to_list()
    ['http://b/']
    """
    try:
        import polars
        import pyarrow
        from polars.io.plugins import register_io_source
    except ImportError as error:
        raise ImportError("scan_polars needs Polars and pyarrow: pip install polars pyarrow") from error
    from . import LinkField, link_schema, links

    # Every column is there to be asked for; those not asked for cost nothing.
    names: Any = options.pop("fields", None) or list(get_args(LinkField))
    schema = pyarrow.schema(link_schema(names))
    # Each option and the source are looked at now, not when it is collected.
    whole: Any = links(source, fields=names, **options)

    def frames(
        columns: Optional[List[str]], predicate: Any, most: Optional[int], _size: Optional[int]
    ) -> Iterator[Any]:
        wanted = list(schema.names if columns is None else columns)
        if predicate is not None:
            wanted += [name for name in predicate.meta.root_names() if name not in wanted]
        # A frame without columns has rows all the same.
        # Of the same source: a file object is read from where it was, and by one at a time.
        records = links(whole, fields=wanted or ["seq"], **options)
        reader = pyarrow.RecordBatchReader.from_stream(records)
        with raising(records):
            for batch in reader:
                frame = polars.DataFrame(batch)
                if most is not None:
                    frame = frame.head(most)
                    most -= len(frame)
                if predicate is not None:
                    frame = frame.filter(predicate)
                yield frame if columns is None else frame.select(columns)
                if most == 0:
                    return

    empty = polars.DataFrame(schema.empty_table())
    return register_io_source(frames, schema=empty.schema)
