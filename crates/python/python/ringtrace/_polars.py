"""Tables as lazy sources of Polars."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars

    from ._source import Narrowed, Source

#: The column in the JSON of an expression.
_TIME = {"Column": "time_ns"}


def scan(source: Source, narrowed: Narrowed) -> polars.LazyFrame:
    """Returns a lazy frame of the table of `source`."""
    import polars
    from polars.io.plugins import register_io_source

    def read(
        with_columns: list[str] | None,
        predicate: polars.Expr | None,
        n_rows: int | None,
        batch_size: int | None,
    ) -> Iterator[polars.DataFrame]:
        # `n_rows` limits the rows before they are filtered, so these must not be filtered earlier.
        limits = time_range(predicate) if predicate is not None and n_rows is None else (None, None)
        for batch in narrowed(with_columns, *limits).arrow_batches():
            frame = polars.DataFrame(batch)
            if n_rows is not None:
                frame = frame.head(n_rows)
                n_rows -= frame.height
            yield frame if predicate is None else frame.filter(predicate)
            if n_rows == 0:
                return

    return register_io_source(read, schema=polars.DataFrame(source.no_rows()).schema)


def time_range(predicate: polars.Expr) -> tuple[int | None, int | None]:
    """Returns the smallest and the largest ``time_ns`` of rows for which `predicate` can be true.

    Polars has no interface for this, so the function reads the predicate's JSON, and does not limit the
    times if it does not recognize it. Polars also checks the predicate itself.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = json.loads(predicate.meta.serialize(format="json"))
        return _limits(tree)
    except Exception:  # noqa: BLE001: any other form of JSON
        return None, None


def _limits(tree: Any) -> tuple[int | None, int | None]:
    if not isinstance(tree, dict):
        return None, None
    if "Function" in tree:
        return _between(tree["Function"])
    node = tree.get("BinaryExpr")
    if node is None:
        return None, None
    left, operator, right = node["left"], node["op"], node["right"]
    if operator == "And":
        (first, last), (other_first, other_last) = _limits(left), _limits(right)
        return _chosen(max, first, other_first), _chosen(min, last, other_last)
    if _integer(left) is not None:
        left, right = right, left
        operator = {"Gt": "Lt", "GtEq": "LtEq", "Lt": "Gt", "LtEq": "GtEq"}.get(operator, operator)
    number = _integer(right)
    if left != _TIME or number is None:
        return None, None
    return {
        "Gt": (number + 1, None),
        "GtEq": (number, None),
        "Lt": (None, number - 1),
        "LtEq": (None, number),
        "Eq": (number, number),
    }.get(operator, (None, None))


def _between(node: Any) -> tuple[int | None, int | None]:
    """Returns the limits of `is_between`."""
    closed = node["function"]["Boolean"]["IsBetween"]["closed"]
    time, first, last = node["input"]
    first, last = _integer(first), _integer(last)
    if time != _TIME or first is None or last is None:
        return None, None
    return first + (closed not in {"Both", "Left"}), last - (closed not in {"Both", "Right"})


def _chosen(choose: Callable[[int, int], int], one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else choose(one, other)


def _integer(tree: Any) -> int | None:
    """Returns the number of a literal, which is nested in objects that name its type."""
    if not isinstance(tree, dict) or "Literal" not in tree:
        return None
    value = tree["Literal"]
    while isinstance(value, dict) and len(value) == 1:
        kind, value = next(iter(value.items()))
        if kind not in {"Scalar", "Dyn", "Int", "Int32", "Int64", "UInt32", "UInt64"}:
            return None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
