"""The links of any number of files as a Ray Dataset.

    import baseref.ray
    links = baseref.ray.read_links("s3://bucket/crawl/", links="all")

``LinksOfBytes`` serves ``map_batches`` on a dataset that holds bytes already.
"""

from __future__ import annotations

import sys
from typing import Any, Dict, Iterable, List, Optional, Sequence, Union

import pyarrow
from ray.data import Dataset, read_datasource
from ray.data.block import BlockMetadata
from ray.data.datasource import Datasource, ReadTask

from . import ReadError, link_schema
from ._inputs import MAX_SPLIT_BYTES, Task, plan
from ._tables import batches, error_batch, errors, of_bytes


def read_links(
    paths: Union[str, Sequence[str]],
    *,
    table: str = "links",
    max_split_bytes: int = MAX_SPLIT_BYTES,
    ray_remote_args: Optional[Dict[str, Any]] = None,
    **options: Any,
) -> Dataset:
    """The links of the files at the paths; the options are those of `baseref.links`.

    ``table="errors"`` gives what could not be read instead. A damaged file fails no task.
    """
    if table not in ("links", "errors"):
        raise ValueError(f"table: `{table}` is not one of links, errors")
    source = LinksDatasource(
        [paths] if isinstance(paths, str) else list(paths), table, max_split_bytes, options
    )
    links: Dataset = read_datasource(source, ray_remote_args=ray_remote_args)
    return links


class LinksDatasource(Datasource):
    """One task per file, or per split of a large one."""

    def __init__(
        self, paths: List[str], table: str, max_split_bytes: int, options: Dict[str, Any]
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._table = table
        self._options = options
        self._tasks = list(plan(paths, max_split_bytes, options.get("input", "auto")))

    def get_name(self) -> str:
        return "Baseref"

    def estimate_inmemory_data_size(self) -> Optional[int]:
        return None

    def get_read_tasks(self, parallelism: int, *args: Any, **kwargs: Any) -> List[ReadTask]:
        return [self._read_task(task) for task in self._tasks]

    def _read_task(self, task: Task) -> ReadTask:
        table, options = self._table, self._options
        metadata = BlockMetadata(
            num_rows=None, size_bytes=None, input_files=(task.path,), exec_stats=None
        )
        return ReadTask(lambda: _read(task, table, options), metadata)


def _read(task: Task, table: str, options: Dict[str, Any]) -> Iterable[pyarrow.Table]:
    if table == "errors":
        yield pyarrow.Table.from_batches([error_batch(errors(task, options))])
        return
    found: List[ReadError] = []
    for batch in batches(task, options, found):
        yield pyarrow.Table.from_batches([batch])
    for error in found:
        print(f"baseref: {error}", file=sys.stderr)


class LinksOfBytes:
    """For ``dataset.map_batches(LinksOfBytes("bytes"), batch_format="pyarrow")``."""

    def __init__(self, content: str = "bytes", name: str = "path", **options: Any) -> None:
        self._content = content
        self._name = name
        self._options = options

    def __call__(self, table: pyarrow.Table) -> pyarrow.Table:
        found: List[ReadError] = []
        result: List[Any] = []
        names = table.column(self._name) if self._name in table.column_names else None
        for number, value in enumerate(table.column(self._content)):
            called = None if names is None else names[number].as_py()
            result.extend(of_bytes(value.as_py(), called, self._options, found))
        for error in found:
            print(f"baseref: {error}", file=sys.stderr)
        schema = pyarrow.schema(link_schema(self._options.get("fields")))
        return pyarrow.Table.from_batches(result, schema=schema)
