"""Filters of Spark, evaluated on Arrow batches as Spark would on rows."""

from __future__ import annotations

from typing import Any, Dict, Tuple

# Comparisons of a column and a value, by the class of the filter. A null gives null, and a row for
# which a filter gives null is not taken.
_COMPARISONS = {
    "EqualTo": "equal",
    "GreaterThan": "greater",
    "GreaterThanOrEqual": "greater_equal",
    "LessThan": "less",
    "LessThanOrEqual": "less_equal",
}

_TEXTS = {
    "StringStartsWith": "starts_with",
    "StringEndsWith": "ends_with",
    "StringContains": "match_substring",
}


def is_known(condition: Any, schema: Any) -> bool:
    """Whether it can be evaluated here, on batches of this schema, as Spark would."""
    from pyarrow import types

    kind = type(condition).__name__
    if kind == "Not":
        return is_known(condition.child, schema)
    attribute: Tuple[str, ...] = getattr(condition, "attribute", ())
    if len(attribute) != 1 or attribute[0] not in schema.names:
        return False
    column = schema.field(attribute[0]).type
    if kind in ("IsNull", "IsNotNull"):
        return True

    def is_of_column(value: Any) -> bool:
        if types.is_string(column):
            return isinstance(value, str)
        # A truth value is no number to Spark, and not every number is of 64 bits.
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return types.is_int64(column) and is_number and -(2**63) <= value < 2**63

    if kind == "In":
        return all(map(is_of_column, condition.value))
    if kind in _TEXTS:
        return types.is_string(column) and isinstance(condition.value, str)
    return kind in (*_COMPARISONS, "EqualNullSafe") and is_of_column(condition.value)


def taken(batch: Any, conditions: Any) -> Any:
    """The rows of a batch that meet all conditions."""
    for condition in conditions:
        batch = batch.filter(_mask(batch, condition))
    return batch


def _mask(batch: Any, condition: Any) -> Any:
    import pyarrow
    from pyarrow import compute

    kind = type(condition).__name__
    if kind == "Not":
        return compute.invert(_mask(batch, condition.child))
    column = batch.column(condition.attribute[0])
    if kind == "IsNull":
        return compute.is_null(column)
    if kind == "IsNotNull":
        return compute.is_valid(column)
    if kind == "EqualNullSafe":
        return compute.fill_null(compute.equal(column, condition.value), False)
    if kind == "In":
        values = pyarrow.array(condition.value, column.type)
        # A null is in no list, and not outside of it either.
        nothing = pyarrow.scalar(None, pyarrow.bool_())
        found = compute.is_in(column, value_set=values)
        return compute.if_else(compute.is_null(column), nothing, found)
    function: Dict[str, str] = {**_COMPARISONS, **_TEXTS}
    return getattr(compute, function[kind])(column, condition.value)
