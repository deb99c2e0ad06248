"""The links of any number of files as a Ray Dataset.

    import baseref.ray
    links = baseref.ray.read_links("s3://bucket/crawl/", links="all")

``LinksOfBytes`` serves ``map_batches`` on a dataset that holds bytes already.
"""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Optional, Sequence, Union

import pyarrow
from ray.data import Dataset, from_arrow, read_datasource
from ray.data.block import BlockMetadata
from ray.data.datasource import Datasource, ReadTask

from ._inputs import MAX_SPLIT_BYTES, TARGET_BYTES, Task
from ._listing import Path, StorageOptions
from ._tables import Table, batches, checked, contents, of_bytes, schema, tasks

_OWN = ("table", "max_split_bytes", "target_bytes", "storage_options", "ray_remote_args")


def read_links(
    paths: Union[Path, Sequence[Path]],
    *,
    table: Table = "links",
    max_split_bytes: int = MAX_SPLIT_BYTES,
    target_bytes: int = TARGET_BYTES,
    storage_options: Optional[StorageOptions] = None,
    ray_remote_args: Optional[Dict[str, Any]] = None,
    **options: Any,
) -> Dataset:
    """The links of the files at the paths; the options are those of `baseref.links`.

    ``table="errors"`` gives what could not be read instead, and ``table="all"`` both in one pass.
    ``table="bases"`` gives the bases of documents, with the options of `baseref.bases`, and
    ``table="audit"`` the findings of `baseref.audit`, with its options: of local folders, in one
    task.
    Damaged files fail no task, unless ``on_error="raise"``; storage that does not deliver does, and
    the task is tried again. A task reads about ``target_bytes`` of small files, or one split of
    ``max_split_bytes``. ``storage_options`` are for fsspec.
    """
    if ray_remote_args is not None and not isinstance(ray_remote_args, dict):
        raise TypeError(f"ray_remote_args: a dictionary is needed, not {ray_remote_args!r}")
    source = LinksDatasource(
        paths, checked(table, options, _OWN), table, max_split_bytes, target_bytes, storage_options
    )
    if not source.tasks:
        # Ray forgets the schema of blocks without rows.
        empty: Dataset = from_arrow(schema(table, options.get("fields")).empty_table())
        return empty
    # By default Ray tries a task again if its worker was lost, and then for ever, but never for an
    # exception.
    remote = {"retry_exceptions": [Exception], "max_retries": 3, **(ray_remote_args or {})}
    links: Dataset = read_datasource(source, ray_remote_args=remote)
    return links


class LinksDatasource(Datasource):
    """The tasks for files."""

    def __init__(
        self,
        paths: Union[Path, Sequence[Path]],
        options: Dict[str, Any],
        table: str = "links",
        max_split_bytes: int = MAX_SPLIT_BYTES,
        target_bytes: int = TARGET_BYTES,
        storage_options: Optional[StorageOptions] = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._table = table
        self._options = options
        self.tasks = tasks(
            table,
            paths,
            options,
            max_split_bytes=max_split_bytes,
            target_bytes=target_bytes,
            storage=storage_options,
        )

    def get_name(self) -> str:
        return "Baseref"

    def estimate_inmemory_data_size(self) -> Optional[int]:
        return None

    def get_read_tasks(self, parallelism: int, *args: Any, **kwargs: Any) -> List[ReadTask]:
        return [self._read_task(task) for task in self.tasks]

    def _read_task(self, task: Task) -> ReadTask:
        table, options = self._table, self._options
        files = tuple(dict.fromkeys(piece.path for piece in task.pieces))
        metadata = BlockMetadata(
            num_rows=None, size_bytes=None, input_files=files, exec_stats=None
        )
        known = schema(table, options.get("fields"))
        return ReadTask(lambda: _read(task, table, options), metadata, schema=known)


def _read(task: Task, table: str, options: Dict[str, Any]) -> Iterable[pyarrow.Table]:
    is_empty = True
    for batch in batches(task, table, options):
        is_empty = False
        yield pyarrow.Table.from_batches([batch])
    if is_empty:
        yield schema(table, options.get("fields")).empty_table()


class LinksOfBytes:
    """For ``dataset.map_batches(LinksOfBytes("bytes"), batch_format="pyarrow")``.

    The column ``name`` says what each input is called: by default ``path``, if there is one.
    """

    def __init__(
        self, content: str = "bytes", name: Optional[str] = None, **options: Any
    ) -> None:
        self._content = content
        self._name = name
        self._options = checked("links", options)

    def __call__(self, table: pyarrow.Table) -> pyarrow.Table:
        result = list(of_bytes(contents(table, self._content, self._name), self._options))
        return pyarrow.Table.from_batches(
            result, schema=schema("links", self._options.get("fields"))
        )
