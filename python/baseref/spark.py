"""The links of any number of files as a Spark DataFrame (Spark 4).

    import baseref.spark
    baseref.spark.register(spark)
    links = spark.read.format("baseref").option("links", "all").load("s3a://bucket/*.warc.gz")

One task reads one file, or one split of a large one (``maxSplitBytes``, 128 MiB by default).
``option("table", "errors")`` gives what could not be read instead of the links. The other
options are those of `baseref.links`, with texts as values: ``fields``, ``url``,
``saved_from``, ``resolver``...
"""

from __future__ import annotations

import sys
from typing import Any, Callable, Dict, Iterator, List, Sequence, Tuple

import pyarrow
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from . import ReadError, link_schema
from ._inputs import MAX_SPLIT_BYTES, Task, plan
from ._tables import batches, error_batch, errors, of_bytes

# Options of Spark are always strings.
_TEXTS = ("links", "fields", "url", "saved_from", "resolver", "input", "encoding")
_FLAGS = ("comments", "unwrap_archive", "strict")
_OWN = ("path", "paths", "table", "maxsplitbytes")


def register(spark: Any) -> None:
    """Register ``spark.read.format("baseref")`` with a session."""
    spark.dataSource.register(LinksSource)


def links_schema(**options: Any) -> StructType:
    """The Spark schema of the links for these options of `baseref.links`."""
    arrow = pyarrow.schema(link_schema(options.get("fields")))
    return from_arrow_schema(arrow)


def links_of_bytes(
    content: str = "content", name: str = "path", **options: Any
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A function for ``mapInArrow`` on a DataFrame with a binary column.

    ``files.mapInArrow(links_of_bytes("content", "path"), links_schema())``: the column ``name``
    says what each input is called; it may be missing.
    """

    def links_of(rows: Iterator[Any]) -> Iterator[Any]:
        found: List[ReadError] = []
        for batch in rows:
            names = batch.column(name) if name in batch.schema.names else None
            for number, value in enumerate(batch.column(content)):
                called = None if names is None else names[number].as_py()
                yield from of_bytes(value.as_py(), called, options, found)
        _count(found)

    return links_of


class LinksSource(DataSource):
    """The data source ``baseref``."""

    @classmethod
    def name(cls) -> str:
        return "baseref"

    def schema(self) -> StructType:
        if _is_errors(self.options):
            return from_arrow_schema(error_batch([]).schema)
        return links_schema(**_options(self.options))

    def reader(self, schema: StructType) -> DataSourceReader:
        return LinksReader(schema, dict(self.options))


class _Partition(InputPartition):
    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.task = task


class LinksReader(DataSourceReader):
    """Plans one task per file or split, and reads them."""

    def __init__(self, schema: StructType, options: Dict[str, str]) -> None:
        self.columns = list(schema.names)
        self.is_errors = _is_errors(options)
        self.paths = _paths(options)
        given = {key.lower(): value for key, value in options.items()}
        self.max_bytes = int(given.get("maxsplitbytes", MAX_SPLIT_BYTES))
        self.options = _options(options)

    def partitions(self) -> Sequence[InputPartition]:
        tasks = plan(self.paths, self.max_bytes, self.options.get("input", "auto"))
        return [_Partition(task) for task in tasks]

    def read(self, partition: Any) -> Iterator[Any]:
        if self.is_errors:
            yield error_batch(errors(partition.task, self.options))
            return
        found: List[ReadError] = []
        # Only the columns of the schema are computed: `.schema("url string")` prunes.
        options = {**self.options, "fields": self.columns}
        yield from batches(partition.task, options, found)
        _count(found)


def _count(found: List[ReadError]) -> None:
    """Log in the executor what was not read."""
    for error in found:
        print(f"baseref: {error}", file=sys.stderr)
    if found:
        print(f"baseref: {len(found)} inputs or parts could not be read", file=sys.stderr)


def _is_errors(options: Any) -> bool:
    table = {key.lower(): value for key, value in dict(options).items()}.get("table", "links")
    if table not in ("links", "errors"):
        raise ValueError(f"table: `{table}` is not one of links, errors")
    return bool(table == "errors")


def _paths(options: Dict[str, str]) -> List[str]:
    import json

    if "path" in options:
        return [options["path"]]
    if "paths" in options:
        return list(json.loads(options["paths"]))
    raise ValueError("load() needs a path")


def _options(options: Any) -> Dict[str, Any]:
    """The options for `baseref.links`."""
    known: Dict[str, Any] = {}
    for key, value in dict(options).items():
        key = key.lower()
        if key in _TEXTS:
            known[key] = value
        elif key in _FLAGS:
            known[key] = value.lower() in ("true", "1", "yes")
        elif key not in _OWN:
            raise ValueError(f"no option `{key}`; there are {', '.join(_all_options())}")
    return known


def _all_options() -> Tuple[str, ...]:
    return (*_TEXTS, *_FLAGS, "table", "maxSplitBytes")
