"""Tables for queries of DuckDB that compare times."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow

    from ._table import Table

#: A comparison in the text of an expression of pyarrow.
_COMPARISON = re.compile(r"(\w+) (==|!=|<=?|>=?) (-?\w+)")


def compares_times(query: str) -> bool:
    """Returns whether limits of ``time_ns`` can reduce the part of a trace that `query` needs."""
    return re.search(r"\btime_ns\b", query) is not None


def limited(table: Table) -> object:
    """Returns an object with the rows of `table`, to which DuckDB passes the columns and conditions of a
    query. DuckDB reads all columns and rows of an Arrow stream instead.

    Conditions are slower with this object than in DuckDB, so it is only for queries in which they limit the
    times.
    """
    return _dataset_class()(table)


@cache
def _dataset_class() -> type[Any]:
    from pyarrow import RecordBatchReader, Table, dataset, schema

    class Limited(dataset.Dataset):  # type: ignore[misc]
        """DuckDB recognizes the class `Dataset`, and uses these two members."""

        def __init__(self, table: Table) -> None:
            self._table = table

        @property
        def schema(self) -> pyarrow.Schema:
            return schema(self._table)

        def scanner(self, columns: list[str], filter: pyarrow.dataset.Expression | None = None) -> Any:
            text = "" if filter is None else str(filter)
            used = columns + [name for name in self._table.columns if name in text and name not in columns]
            reader = RecordBatchReader.from_stream(self._table.limited(used, *time_range(text)))
            return dataset.Scanner.from_batches(reader, columns=columns, filter=filter)

    return Limited


def time_range(condition: str) -> tuple[int | None, int | None]:
    """Returns the smallest and the largest ``time_ns`` of rows for which an expression of pyarrow, given as
    text, can be true. Does not limit the times if it is not a conjunction of simple comparisons.

    >>> time_range("((time_ns > 5) and (reg == 11))")
    (6, None)
    """
    comparisons = [_COMPARISON.fullmatch(part) for part in re.sub("[()]", "", condition).split(" and ")]
    first, last = None, None
    for comparison in comparisons:
        if comparison is None:
            return None, None
        name, operator, value = comparison.groups()
        if name != "time_ns" or not value.lstrip("-").isdecimal():
            continue
        number = int(value)
        if operator in ("==", ">=", ">"):
            least = number + (operator == ">")
            first = least if first is None else max(first, least)
        if operator in ("==", "<=", "<"):
            most = number - (operator == "<")
            last = most if last is None else min(last, most)
    return first, last
