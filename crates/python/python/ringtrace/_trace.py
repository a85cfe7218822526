"""Traces."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from html import escape
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ._duckdb import compares_times, limited
from ._progress import Progress
from ._ringtrace import Source, TraceError, Traces
from ._rows import Time, rows
from ._table import Table, date

if TYPE_CHECKING:
    import duckdb
    import pandas
    import polars
    import pyarrow

#: Tables that SQL queries can name, besides events and pairs.
TABLES = {
    "events": "events",
    "drops": "dropped",
    "dropped": "dropped",
    "pauses": "pauses",
    "steps": "steps",
    "counters": "counters",
    "spans": "spans",
}


def _fact(key: str) -> Callable[[dict[str, Any]], Any]:
    """Returns a function that returns what a trace says about its program."""
    return lambda trace: next(iter(trace["metadata"].get(key, [])), None)


#: The columns of the table `traces`, with the same names as in datasets, and their values in `Info.traces`.
TRACES: dict[str, tuple[str, Callable[[dict[str, Any]], Any]]] = {
    "trace": ("varchar", lambda trace: _fact("trace")(trace) or trace["file"]),
    "host": ("varchar", _fact("host")),
    "boot": ("varchar", _fact("boot")),
    "machine": ("varchar", _fact("machine")),
    "pid": ("bigint", lambda trace: next(iter(trace["processes"]), None)),
    "command": ("varchar", lambda trace: (_fact("command")(trace) or "").rstrip("\0").replace("\0", " ") or None),
    "executable": ("varchar", _fact("executable")),
    "build_id": ("varchar", _fact("build-id")),
}


@dataclass(frozen=True)
class Info:
    """A summary of one or several traces."""

    #: The number of records.
    records: int
    #: The number of records of each event.
    events: dict[str, int]
    #: The number of events that were lost.
    dropped: int
    #: The time from the first to the last record, in seconds.
    seconds: float
    #: The wall-clock time of the first record (UTC), if it is known.
    start: datetime | None
    #: Whether a trace is damaged.
    damaged: bool
    #: The details of each trace, with the names of ``ringtrace info --json``.
    traces: list[dict[str, Any]]

    def _repr_html_(self) -> str:
        facts = {
            "traces": ", ".join(trace["file"] for trace in self.traces),
            "records": f"{self.records:,}",
            "seconds": f"{self.seconds:,.6f}",
            "start": str(self.start or "unknown"),
            "dropped": f"{self.dropped:,}",
            "damage": "; ".join(line for trace in self.traces for line in trace["problems"]) or "none",
        }
        facts |= {name: f"{count:,}" for name, count in list(self.events.items())[:10]}
        rows = (f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in facts.items())
        return f"<table>{''.join(rows)}</table>"


class Trace:
    """One or several traces that are read together. `ringtrace.open` creates it."""

    def __init__(
        self, native: Traces, paths: list[str], progress: Progress, reopen: Callable[..., Trace]
    ) -> None:
        self._native = native
        self._paths = paths
        self._progress = progress
        # Opens traces with the same options.
        self._reopen = reopen

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the paths and options. Another process opens the same files."""
        return self._reopen, (*self._paths,)

    @cached_property
    def info(self) -> Info:
        """A summary. The first use reads the traces.

        >>> trace = ringtrace.open("testdata/boot-small.bin", events="testdata/boot-small.events")
        >>> trace.info.records, trace.info.dropped, trace.info.seconds
        (17361, 0, 6.866305404)
        """
        traces = self._native.info()
        events: dict[str, int] = {}
        for trace in traces:
            for name, count in trace["events"].items():
                events[name] = events.get(name, 0) + count
        events = dict(sorted(events.items(), key=lambda item: -item[1]))
        ranges = [
            tuple((trace["zero_wall_ns"] or 0) + trace[key] for key in ("smallest_ns", "largest_ns"))
            for trace in traces
            if trace["smallest_ns"] is not None
        ]
        first = min((first for first, _ in ranges), default=0)
        last = max((last for _, last in ranges), default=0)
        is_dated = bool(ranges) and all(trace["zero_wall_ns"] is not None for trace in traces)
        return Info(
            records=sum(trace["records"] for trace in traces),
            events=events,
            dropped=sum(trace["dropped"] for trace in traces),
            seconds=(last - first) / 1e9,
            start=date(first) if is_dated else None,
            damaged=any(trace["damaged"] for trace in traces),
            traces=traces,
        )

    @cached_property
    def event_names(self) -> list[str]:
        """The names of all events that the traces declare, in alphabetical order."""
        return self._native.event_names()

    @cached_property
    def pairs(self) -> list[str]:
        """The names of the pairs of events that are known for these traces.

        >>> trace = ringtrace.open("testdata/boot-small.bin", events="testdata/boot-small.events")
        >>> trace.pairs
        ['virtio-blk request', 'vcpu memory access', 'apic access']
        """
        return self._native.pairs()

    @property
    def events(self) -> Table:
        """All records, without their arguments."""
        return self._table("events")

    def table(
        self,
        event: str,
        columns: Iterable[str] | None = None,
        start: Time | None = None,
        end: Time | None = None,
        *,
        where: str | None = None,
        pid: int | Iterable[int] = (),
        tid: int | Iterable[int] = (),
    ) -> Table:
        """Returns the records of `event`, with its arguments as columns.

        `columns` selects columns. Other columns are not decoded.

        `start` and `end` are seconds after the first record, a `timedelta` after it, or a date. Both are
        included.

        `where` is a condition, as in ``ringtrace print --where``; `pid` and `tid` select processes and
        threads.

        >>> trace = ringtrace.open("testdata/boot-small.bin", events="testdata/boot-small.events")
        >>> requests = trace.table("virtio_blk_handle_read", columns=["sector", "nsectors"], start=3.0)
        >>> requests.count(), requests.head(1)
        (257, [{'sector': 0, 'nsectors': 8}])
        """
        return self._table("event", event, columns, start, end, where, pid, tid)

    def all_events(
        self,
        columns: Iterable[str] | None = None,
        start: Time | None = None,
        end: Time | None = None,
        *,
        where: str | None = None,
        pid: int | Iterable[int] = (),
        tid: int | Iterable[int] = (),
    ) -> Table:
        """Returns the same as `events`, for some columns and records. See `table`."""
        return self._table("events", None, columns, start, end, where, pid, tid)

    def spans(
        self,
        pair: str | None = None,
        columns: Iterable[str] | None = None,
        start: Time | None = None,
        end: Time | None = None,
    ) -> Table:
        """Returns the spans of a pair of events, with the arguments of both.

        `pair` is ``"BEGIN:END:KEY"``, as in ``ringtrace stat --pair``, or the name of a known pair.
        Without it, the table contains the spans of all known pairs.

        >>> trace = ringtrace.open("testdata/boot-small.bin", events="testdata/boot-small.events")
        >>> spans = trace.spans("virtio_blk_handle_read:virtio_blk_req_complete:req")
        >>> max(row["latency_ns"] for row in spans)
        10487652
        """
        return self._table("spans", pair, columns, start, end)

    def drops(self) -> Table:
        """Returns the records that report lost events."""
        return self._table("dropped")

    def pauses(self) -> Table:
        """Returns the times in which recording was off."""
        return self._table("pauses")

    def steps(self) -> Table:
        """Returns the steps of spans, for pairs that are described with steps."""
        return self._table("steps")

    def counters(self) -> Table:
        """Returns the values of described counters."""
        return self._table("counters")

    def sql(self, query: str, **parameters: Any) -> duckdb.DuckDBPyRelation:
        """Runs an SQL query with DuckDB, which must be installed (``pip install ringtrace[sql]``).

        The tables are ``events``, ``drops``, ``pauses``, ``spans``, ``steps``, ``counters`` and ``traces``,
        one table for each event, with its name, and one table for each pair, such as ``"BEGIN:END:KEY"``.
        `parameters` are the values of ``$name`` in the query.

        >>> trace = ringtrace.open("testdata/boot-small.bin", events="testdata/boot-small.events")
        >>> trace.sql("select event, count(*) from events group by 1 order by 2 desc limit 1").fetchall()
        [('apic_register_write', 5913)]
        """
        import duckdb

        # The result keeps the connection, which keeps the tables.
        connection = duckdb.connect()
        # DuckDB finds the names only in queries without parameters.
        without = re.sub(r"\$\w+", "null", query) if parameters else query
        for name in connection.get_table_names(without):
            self._offer(connection, name, query)
        return connection.sql(query, params=parameters or None)

    def to_arrow(self) -> pyarrow.Table:
        """Reads the table `events` as a `pyarrow.Table`."""
        return self.events.to_arrow()

    def to_pandas(self) -> pandas.DataFrame:
        """Reads the table `events` as a `pandas.DataFrame`."""
        return self.events.to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """Reads the table `events` as a `polars.DataFrame`."""
        return self.events.to_polars()

    def to_perfetto(
        self, path: str | os.PathLike[str], start: Time | None = None, end: Time | None = None
    ) -> None:
        """Writes a file for the Perfetto UI, with the spans of all known pairs."""
        self.export("perfetto", path, start, end)

    def export(
        self, format: str, path: str | os.PathLike[str], start: Time | None = None, end: Time | None = None
    ) -> None:
        """Writes a file in one of the formats of ``ringtrace export``.

        If a trace is damaged, the file contains all readable records, and the damage is raised.
        """
        damage = self._native.export(format, os.fspath(path), rows(start, end))
        if damage is not None:
            raise TraceError(damage)

    def __repr__(self) -> str:
        return f"<ringtrace.{type(self).__name__} {', '.join(self._paths)}>"

    def _repr_html_(self) -> str:
        return self.info._repr_html_()

    def _offer(self, connection: duckdb.DuckDBPyConnection, name: str, query: str) -> None:
        """Gives the connection the table `name` for `query`, if there is such a table."""
        if name == "traces":
            columns = ", ".join(f"{column} {kind}" for column, (kind, _) in TRACES.items())
            connection.execute(f"create table traces ({columns})")
            values = [[value(trace) for _, value in TRACES.values()] for trace in self.info.traces]
            connection.executemany(f"insert into traces values ({', '.join('?' * len(TRACES))})", values)
            return
        table = self._named(name)
        if table is not None:
            is_limited = compares_times(query) and find_spec("pyarrow") is not None
            connection.register(name, limited(table) if is_limited else table)

    def _named(self, name: str) -> Table | None:
        """Returns the table that a query means by `name`."""
        if name in TABLES:
            return self._table(TABLES[name])
        if name in self.event_names:
            return self._table("event", name)
        if name in self.pairs or ":" in name:
            return self._table("spans", name)
        return None

    def _table(
        self,
        kind: str,
        name: str | None = None,
        columns: Iterable[str] | None = None,
        start: Time | None = None,
        end: Time | None = None,
        where: str | None = None,
        pid: int | Iterable[int] = (),
        tid: int | Iterable[int] = (),
    ) -> Table:
        selected = rows(start, end, where, pid, tid)
        wanted = None if columns is None else list(columns)

        def narrowed(columns: Sequence[str] | None, first: int | None, last: int | None) -> Source:
            limited = selected.copy()
            # Spans are matched before their times are compared.
            if kind in ("event", "events"):
                limited["since"] = limited["since"] + ([] if first is None else [("clock", first)])
                limited["until"] = limited["until"] + ([] if last is None else [("clock", last)])
            return self._native.source(kind, name, wanted if columns is None else columns, limited)

        source = self._native.source(kind, name, wanted, selected)
        rebuild = self._table, (kind, name, wanted, start, end, where, selected["pids"], selected["tids"])
        return Table(name or kind, source, narrowed, rebuild, self._progress)
