"""The links of any number of files as a Spark DataFrame (Spark 4).

    import baseref.spark
    baseref.spark.register(spark)
    links = spark.read.format("baseref").option("links", "all").load("s3a://bucket/*.warc.gz")

One task reads small files of together ``targetBytes`` (64 MiB), or one split of a large one
(``maxSplitBytes``, 128 MiB). ``option("table", "errors")`` gives what could not be read instead
of the links, ``option("table", "all")`` both in one pass, ``"bases"`` the bases of documents, and
``"audit"`` the findings of an audit of local folders, in one task. ``storage_options`` is a JSON object
for fsspec. The other options are those of `baseref.links`, with texts as values: ``fields``,
``url``, ``saved_from``, ``resolver``...
"""

from __future__ import annotations

import json
import re
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence

import pyarrow
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

from . import link_schema
from ._filters import is_known, taken
from ._inputs import MAX_SPLIT_BYTES, TARGET_BYTES, Task, of_files
from ._listing import StorageOptions
from ._tables import UNREAD_FIELDS, batches, checked, column, contents, of_bytes, schema, tasks

# Options of Spark are always strings.
_TEXTS = (
    "links fields url saved_from resolver input encoding on_error hosting index ext dir case glob "
    "include exclude level allow config baseline".split()
)
_FLAGS = ("comments", "unwrap_archive", "strict", "baseline_strict")
_OBJECTS = ("url_map", "url_alias", "rule")
_SIZES = {"maxsplitbytes": MAX_SPLIT_BYTES, "targetbytes": TARGET_BYTES}
_OWN = ("path", "paths", "table", "storage_options", *_SIZES)


def register(spark: Any) -> None:
    """Register ``spark.read.format("baseref")`` with a session.

    Where Spark can push filters down to Python data sources (4.1 and later) that is turned on for
    the session, and rows that a filter drops never reach the JVM.
    """
    if not hasattr(DataSourceReader, "pushFilters"):
        spark.dataSource.register(LinksSource)
        return
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    spark.dataSource.register(FilteredSource)


def links_schema(**options: Any) -> StructType:
    """The Spark schema of the links for these options of `baseref.links`."""
    arrow = pyarrow.schema(link_schema(options.get("fields")))
    return from_arrow_schema(arrow)


def links_of_bytes(
    content: str = "content", name: Optional[str] = None, **options: Any
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A function for ``mapInArrow`` on a DataFrame with a binary column.

    ``files.mapInArrow(links_of_bytes("content", "path"), links_schema())``: the column ``name``
    says what each input is called; by default ``path``, if there is one.
    """
    checked("links", options)

    def links_of(rows: Iterator[Any]) -> Iterator[Any]:
        found = (one for batch in rows for one in contents(batch, content, name))
        yield from of_bytes(found, options)

    return links_of


def links_of_files(
    name: str = "path", storage_options: Optional[StorageOptions] = None, **options: Any
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A function for ``mapInArrow`` on a DataFrame with a column of paths.

    ``arriving.mapInArrow(links_of_files("path"), links_schema())``: each file is read whole, by the
    task that has its row, and storage that fails makes the task fail. For streams: what of Spark's
    lists the files that arrive says when there is a new one.
    """
    checked("links", options)

    def links_of(rows: Iterator[Any]) -> Iterator[Any]:
        for batch in rows:
            paths = [path.as_py() for path in column(batch, name, "text") if path.is_valid]
            yield from batches(of_files(paths, storage_options), "links", options)

    return links_of


class LinksSource(DataSource):
    """The data source ``baseref``."""

    @classmethod
    def name(cls) -> str:
        return "baseref"

    def schema(self) -> StructType:
        given = _Given(self.options)
        return from_arrow_schema(schema(given.table, given.options.get("fields")))

    def reader(self, schema: StructType) -> DataSourceReader:
        return LinksReader(schema, dict(self.options))


class FilteredSource(LinksSource):
    """The same for sessions that push filters down: without that, Spark refuses it."""

    def reader(self, schema: StructType) -> DataSourceReader:
        return FilteringReader(schema, dict(self.options))


class _Partition(InputPartition):
    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.task = task


class LinksReader(DataSourceReader):
    """Plans the tasks, and reads them."""

    def __init__(self, schema: StructType, options: Dict[str, str]) -> None:
        self.columns = [name for name in schema.names if name not in UNREAD_FIELDS]
        self.given = _Given(options)
        if self.given.table == "all":
            # The error of a row is always there, whatever is asked of the links.
            missing = [name for name in ("doc", *UNREAD_FIELDS) if name not in schema.names]
            if missing:
                raise ValueError(f"the schema of the table `all` lacks {', '.join(missing)}")
        _check(schema, self.given.table, self.columns)
        self.paths = _paths(options)

    def partitions(self) -> Sequence[InputPartition]:
        found = tasks(
            self.given.table,
            self.paths,
            self.given.options,
            max_split_bytes=self.given.sizes["maxsplitbytes"],
            target_bytes=self.given.sizes["targetbytes"],
            storage=self.given.storage,
        )
        # Spark reads an empty list as one task without a partition.
        return [_Partition(task) for task in found or [Task((), None)]]

    def read(self, partition: Any) -> Iterator[Any]:
        options = dict(self.given.options)
        if self.given.table in ("audit", "errors"):
            for batch in batches(partition.task, self.given.table, options):
                yield batch.select(self.columns)
            return
        # Only the columns of the schema are computed: `.schema("url string")` prunes.
        options["fields"] = self.columns
        yield from batches(partition.task, self.given.table, options)


def _check(asked: StructType, table: str, columns: List[str]) -> None:
    """Whether the table has what a schema asks for; a task without rows would not notice."""
    is_fixed = table in ("audit", "errors")
    known = from_arrow_schema(schema(table, None if is_fixed else columns))
    for column in asked:
        if column.name not in known.names:
            raise ValueError(f"no column `{column.name}`; there are {', '.join(known.names)}")
        kind, wrong = known[column.name].dataType.simpleString(), column.dataType.simpleString()
        if kind != wrong:
            raise ValueError(f"the column `{column.name}` is {kind}, not {wrong}")


class FilteringReader(LinksReader):
    """Gives only the rows that meet what Spark filters by."""

    def __init__(self, schema: StructType, options: Dict[str, str]) -> None:
        super().__init__(schema, options)
        self._schema = to_arrow_schema(schema)
        self._filters: List[Any] = []

    def pushFilters(self, filters: List[Any]) -> Iterator[Any]:
        """Keeps those that can be evaluated here, and leaves the others to Spark."""
        for condition in filters:
            if is_known(condition, self._schema):
                self._filters.append(condition)
            else:
                yield condition

    def read(self, partition: Any) -> Iterator[Any]:
        for batch in super().read(partition):
            yield taken(batch, self._filters)


class _Given:
    """The options, checked."""

    def __init__(self, options: Any) -> None:
        given = {key.lower(): value for key, value in dict(options).items()}
        self.table: str = given.get("table", "links")
        self.sizes = {
            name: _size(name, given[name]) if name in given else most
            for name, most in _SIZES.items()
        }
        self.storage = _object("storage_options", given.get("storage_options"))
        self.options: Dict[str, Any] = {}
        for key, value in given.items():
            if key in _TEXTS:
                self.options[key] = value
            elif key in _FLAGS:
                self.options[key] = _flag(key, value)
            elif key in _OBJECTS:
                self.options[key] = _object(key, value)
            elif key not in _OWN:
                known = (*_TEXTS, *_FLAGS, *_OBJECTS, "table", "storage_options", "maxSplitBytes", "targetBytes")
                raise ValueError(f"no option `{key}`; there are {', '.join(known)}")
        checked(self.table, self.options)


def _flag(name: str, value: str) -> bool:
    known = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if value.strip().lower() not in known:
        raise ValueError(f"{name}: `{value}` is neither true nor false")
    return known[value.strip().lower()]


def _size(name: str, value: str) -> int:
    """Bytes, as Spark writes sizes: ``134217728``, ``128m``, ``1g``."""
    found = re.fullmatch(r"(\d+)\s*([kmg]?)i?b?", value.strip().lower())
    if found is None:
        raise ValueError(f"{name}: `{value}` is not a number of bytes")
    unit: int = 1024 ** " kmg".index(found[2] or " ")
    return int(found[1]) * unit


def _object(name: str, value: Optional[str]) -> Optional[Dict[str, Any]]:
    try:
        found = None if value is None else json.loads(value)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error
    if found is not None and not isinstance(found, dict):
        raise ValueError(f"{name}: not a JSON object")
    return found


def _paths(options: Dict[str, str]) -> List[str]:
    given = {key.lower(): value for key, value in options.items()}
    if "path" in given:
        return [given["path"]]
    if "paths" in given:
        return list(json.loads(given["paths"]))
    raise ValueError("load() needs a path")
