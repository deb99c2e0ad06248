"""Filters that engines push down: of Spark, without Spark, and of Polars."""

from __future__ import annotations

from pathlib import Path
from typing import Any, List

import pytest

import baseref

pyarrow = pytest.importorskip("pyarrow")

from baseref import _filters  # noqa: E402


def condition(name: str, *values: Any) -> Any:
    """A filter as Spark makes it."""
    if name == "Not":
        return type(name, (), {"child": values[0]})()
    value = values[1] if len(values) > 1 else None
    return type(name, (), {"attribute": (values[0],), "value": value})()


BATCH = pyarrow.record_batch(
    {
        "host": pyarrow.array(["a", "b", None, "ab"]),
        "line": pyarrow.array([1, 2, 3, None], pyarrow.int64()),
        "byte": pyarrow.array([[1, 2], None, [3, 4], [5, 6]], pyarrow.list_(pyarrow.int64())),
    }
)


@pytest.mark.parametrize(
    "found, rows",
    [
        (condition("EqualTo", "host", "a"), [0]),
        (condition("EqualNullSafe", "host", "a"), [0]),
        (condition("In", "host", ("a", "b")), [0, 1]),
        (condition("In", "line", (3,)), [2]),
        (condition("IsNull", "host"), [2]),
        (condition("IsNotNull", "byte"), [0, 2, 3]),
        (condition("StringStartsWith", "host", "a"), [0, 3]),
        (condition("StringEndsWith", "host", "b"), [1, 3]),
        (condition("StringContains", "host", "b"), [1, 3]),
        (condition("GreaterThan", "line", 1), [1, 2]),
        (condition("LessThanOrEqual", "line", 2), [0, 1]),
        # SQL: what is not known to be so is not taken, nor is its opposite.
        (condition("Not", condition("EqualTo", "host", "a")), [1, 3]),
        (condition("Not", condition("EqualNullSafe", "host", "a")), [1, 2, 3]),
        (condition("Not", condition("In", "host", ("a", "b"))), [3]),
        (condition("Not", condition("StringStartsWith", "host", "a")), [1]),
        (condition("Not", condition("IsNull", "host")), [0, 1, 3]),
    ],
)
def test_a_filter_takes_the_rows_that_sql_takes(found: Any, rows: List[int]) -> None:
    assert _filters.is_known(found, BATCH.schema)
    assert _filters.taken(BATCH, [found]).equals(BATCH.take(pyarrow.array(rows)))


@pytest.mark.parametrize(
    "found",
    [
        condition("EqualTo", "none", "a"),
        condition("EqualTo", "line", "1"),
        condition("EqualTo", "byte", (1, 2)),
        condition("In", "host", ("a", None)),
        condition("EqualTo", "line", True),
        condition("EqualTo", "line", 2**63),
        condition("LessThan", "line", 1.5),
        condition("In", "line", (1, True)),
        condition("EqualTo", "host", b"a"),
        condition("StringStartsWith", "line", "1"),
        condition("StringStartsWith", "host", None),
        type("AlwaysTrue", (), {})(),
        type("And", (), {"left": 1, "right": 2})(),
        condition("SomethingNew", "host", "a"),
        condition("Not", condition("SomethingNew", "host", "a")),
    ],
)
def test_what_cannot_be_evaluated_alike_is_left_to_spark(found: Any) -> None:
    assert not _filters.is_known(found, BATCH.schema)


def test_polars_scans_what_a_query_uses(folder: Path) -> None:
    polars = pytest.importorskip("polars")
    links = baseref.links(folder, links="all", fields="+host,site", on_error="collect")
    whole = polars.DataFrame(links)
    lazy = baseref.scan_polars(folder, links="all", on_error="collect")
    c = polars.col
    host = "h7"
    assert lazy.select("url", "line").collect().equals(whole.select("url", "line"))
    expected = whole.filter(c("host") == host).select("url")
    assert len(expected) > 0
    assert lazy.filter(c("host") == host).select("url").collect().equals(expected)
    assert lazy.select("url").head(3).collect().equals(whole.select("url").head(3))
    assert lazy.filter(c("host") == host).head(1).collect().height == 1
    assert lazy.head(5).filter(c("host") == "p").select("url").collect().equals(
        whole.head(5).filter(c("host") == "p").select("url")
    )
    assert lazy.select(polars.len()).collect().item() == len(whole)
    counts = lazy.group_by("host").len().sort("host").collect()
    assert counts.equals(whole.group_by("host").len().sort("host"))


def test_a_scan_says_at_once_what_is_wrong(tmp_path: Path) -> None:
    pytest.importorskip("polars")
    with pytest.raises(FileNotFoundError):
        baseref.scan_polars(tmp_path / "none")
    with pytest.raises((ValueError, TypeError), match="lonks"):
        baseref.scan_polars(tmp_path, lonks="all")
