"""The data source in the real engine, started once."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Iterator

import pytest

ray = pytest.importorskip("ray")

import baseref.ray  # noqa: E402
from conftest import comparable  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def engine() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.mark.parametrize("most", [1000, 2**27])
def test_rows_are_those_of_the_command_line(folder: Path, expected: Any, most: int) -> None:
    links = baseref.ray.read_links(str(folder), links="all", max_split_bytes=most)
    assert comparable(links.take_all()) == expected


def test_a_damaged_file_is_a_row_of_the_errors(folder: Path) -> None:
    errors = baseref.ray.read_links(str(folder), table="errors").take_all()
    assert errors and all("damaged.warc.gz" in row["doc"] for row in errors)


def test_a_dataset_of_bytes_is_mapped(folder: Path) -> None:
    files = ray.data.read_binary_files(str(folder / "page.html"), include_paths=True)
    links = files.map_batches(
        baseref.ray.LinksOfBytes("bytes", "path"), batch_format="pyarrow"
    )
    assert [row["url"] for row in links.take_all()] == ["http://p/q/r"]
