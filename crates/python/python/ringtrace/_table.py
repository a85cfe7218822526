"""Tables of traces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from html import escape
from typing import TYPE_CHECKING, Any

from ._polars import scan
from ._progress import Progress, Watch
from ._ringtrace import TraceError
from ._source import Narrowed, Source

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

#: Names of Arrow's types by their format strings.
_TYPES = {
    "b": "bool",
    "c": "int8",
    "s": "int16",
    "i": "int32",
    "l": "int64",
    "C": "uint8",
    "S": "uint16",
    "I": "uint32",
    "L": "uint64",
    "g": "float64",
    "u": "string",
    "tsn:": "timestamp[ns]",
    "tsu:": "timestamp[us]",
}

_SHOWN_ROWS = 10


class Table:
    """A table of a trace. Its rows are decoded each time they are read, and not stored.

    Libraries read a table through ``__arrow_c_stream__``:

    >>> import duckdb, pyarrow
    >>> trace = ringtrace.open("testdata/boot-small.bin", events="testdata/boot-small.events")
    >>> events = trace.events
    >>> duckdb.sql("select event, count(*) from events group by event order by 2 desc limit 1").fetchall()
    [('apic_register_write', 5913)]
    >>> pyarrow.table(events).num_rows
    17361
    """

    def __init__(
        self,
        name: str,
        source: Source,
        narrowed: Narrowed,
        rebuild: tuple[Callable[..., Table], tuple[Any, ...]],
        progress: Progress = None,
    ) -> None:
        self._name = name
        self._source = source
        # Creates the source with other columns and within other times.
        self._narrowed = narrowed
        self._rebuild = rebuild
        self._progress = progress

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the request. Another process opens the same files."""
        return self._rebuild

    @property
    def name(self) -> str:
        """The name of the event or pair; for other tables, the table's name."""
        return self._name

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [name for name, _, _ in self._source.columns()]

    @property
    def schema(self) -> dict[str, str]:
        """The types of the columns by name.

        >>> trace = ringtrace.open("testdata/qemu-io.bin", events="testdata/qemu-io.events")
        >>> trace.table("bdrv_co_preadv_part", columns=["time_ns", "thread", "bytes"]).schema
        {'time_ns': 'int64', 'thread': 'dictionary', 'bytes': 'int64'}
        """
        columns = self._source.columns()
        return {name: "dictionary" if is_dictionary else _TYPES[form] for name, form, is_dictionary in columns}

    def __arrow_c_schema__(self) -> object:
        """The columns, as defined by Arrow's PyCapsule interface."""
        return self._source.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A stream of the rows, as defined by Arrow's PyCapsule interface.

        The trace is decoded while the stream is read, by another thread, which is a few batches ahead.
        If the trace is damaged, the stream ends with an error after all readable rows.
        """
        return self._source.__arrow_c_stream__(requested_schema)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Iterates over the rows. This is slow for millions of rows, but needs no other library.

        >>> trace = ringtrace.open("testdata/export/everything.trace")
        >>> [row["dropped"] for row in trace.drops()]
        [1, 20, 300, 4000, 1099511627776]
        """
        return _rows(self._source)

    def head(self, rows: int = _SHOWN_ROWS) -> list[dict[str, Any]]:
        """Returns the first rows.

        >>> trace = ringtrace.open("testdata/export/everything.trace")
        >>> trace.table("request_begin", columns=["time", "sector"]).head(1)
        [{'time': datetime.datetime(2026, 11, 23, 12, 0, 2, 123458), 'sector': 80}]
        """
        return [row for _, row in zip(range(rows), _rows(self._source.with_batch_rows(rows)), strict=False)]

    def count(self) -> int:
        """Returns the number of rows.

        >>> trace = ringtrace.open("testdata/boot-small.bin", events="testdata/boot-small.events")
        >>> trace.events.count()
        17361
        """
        source = self._narrowed([], None, None)
        with Watch(source, self._progress):
            return source.count()

    def to_arrow(self) -> pyarrow.Table:
        """Reads the table as a `pyarrow.Table`."""
        import pyarrow

        with self._reading():
            return pyarrow.table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """Reads the table as a `pandas.DataFrame`.

        Columns of names, such as ``event`` and ``thread``, are categories. Integer columns with missing
        values have pandas' nullable types, such as ``UInt64``, so that no digits are lost.

        >>> trace = ringtrace.open("testdata/boot-small.bin", events="testdata/boot-small.events")
        >>> trace.events.to_pandas()["event"].value_counts().head(2).to_dict()
        {'apic_register_write': 5913, 'ioapic_set_irq': 3625}
        """
        import pandas
        import pyarrow

        table = self.to_arrow()
        nullable = {
            getattr(pyarrow, name.lower())(): getattr(pandas, f"{name}Dtype")()
            for name in ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")
        }
        columns = [
            column.to_pandas(types_mapper=nullable.get if column.null_count else None)
            for column in table.columns
        ]
        # Columns are passed with numbers, because pandas would align columns by their names.
        frame = pandas.DataFrame(dict(enumerate(columns)), copy=False)
        frame.columns = pandas.Index(table.column_names)
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Reads the table as a `polars.DataFrame`."""
        import polars

        with self._reading():
            return polars.DataFrame(self)

    def scan_polars(self) -> polars.LazyFrame:
        """Returns a `polars.LazyFrame`.

        Columns that a query does not use are not decoded. Comparisons of ``time_ns`` with numbers limit
        the part of the trace that is read.

        >>> import polars as pl
        >>> trace = ringtrace.open("testdata/boot-small.bin", events="testdata/boot-small.events")
        >>> writes = trace.table("apic_register_write").scan_polars()
        >>> late = writes.filter(pl.col("time_ns") > 1_898_000_000_000)
        >>> late.select(pl.col("val").max()).collect().item()
        249991494
        """
        return scan(self._source, self._narrowed)

    def limited(self, columns: Sequence[str], first_ns: int | None, last_ns: int | None) -> Source:
        """Returns the stream of these columns, with records from `first_ns` to `last_ns`."""
        return self._narrowed(columns, first_ns, last_ns)

    def __repr__(self) -> str:
        return f"<ringtrace.Table {self._name}: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        rows = self.head(_SHOWN_ROWS + 1)
        heading = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        lines = [
            "<tr>" + "".join(f"<td>{escape(_shown(value))}</td>" for value in row.values()) + "</tr>"
            for row in rows[:_SHOWN_ROWS]
        ]
        more = "<p>and more rows</p>" if len(rows) > _SHOWN_ROWS else ""
        name = escape(self._name)
        return f"<table><caption>{name}</caption><tr>{heading}</tr>{''.join(lines)}</table>{more}"

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Converts the errors of libraries to ours, and shows the progress."""
        try:
            with Watch(self._source, self._progress):
                yield
        except Exception as error:
            message = self._source.last_error()
            if message is None or isinstance(error, TraceError):
                raise
            if message == "interrupted":
                raise KeyboardInterrupt from None
            raise TraceError(message) from None


def _rows(source: Source) -> Iterator[dict[str, Any]]:
    dates = {name for name, form, _ in source.columns() if form == "tsn:"}
    for batch in source.batches():
        for name in dates & batch.keys():
            batch[name] = [None if ns is None else date(ns) for ns in batch[name]]
        names = list(batch)
        for values in zip(*batch.values(), strict=True):
            yield dict(zip(names, values, strict=True))


def date(ns: int) -> datetime | None:
    """Returns a date from nanoseconds since 1970."""
    try:
        # `fromtimestamp` would round the number to a double.
        return datetime(1970, 1, 1) + timedelta(microseconds=ns // 1000)
    except OverflowError:
        return None


def _shown(value: object) -> str:
    return "" if value is None else str(value)
