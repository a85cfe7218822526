"""Datasets: the records of many traces as Parquet files. docs/formats/dataset.md describes them."""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from ._progress import Progress
from ._ringtrace import TraceError
from ._rows import Time, moment
from ._table import Table, date
from ._trace import TABLES, Info, Trace

if TYPE_CHECKING:
    import duckdb
    import pyarrow
    import pyarrow.dataset

#: The file that makes a folder a dataset.
SETTINGS = "_dataset.json"
VERSION = 2

#: Columns before those of arguments.
_RECORD = ["time_ns", "wall_ns", "time"]
_OWNER = ["trace", "host", "pid", "tid", "thread"]
_COLUMNS = {
    "event": [*_RECORD, *_OWNER, "cpu"],
    "events": [*_RECORD, "event", *_OWNER, "cpu"],
    "spans": ["pair", "span", "track", "outcome", "begin_ns", "end_ns", "latency_ns", "wall_ns", "time", *_OWNER]
    + ["begin_event", "end_event"],
    "dropped": [*_RECORD, *_OWNER, "cause", "dropped"],
    "pauses": ["trace", "host", "begin_ns", "end_ns", "duration_ns"],
    "steps": ["pair", "span", "step", *_RECORD, *_OWNER],
    "counters": ["counter", "track", *_RECORD, *_OWNER, "value"],
}

#: Arrow's types of these columns. The others are `int64`.
_COLUMN_TYPES = {"time": "timestamp[us]", "dropped": "uint64"} | dict.fromkeys(
    ["trace", "host", "thread", "event", "pair", "track", "outcome", "begin_event", "end_event"], "string"
) | dict.fromkeys(["cause", "step", "counter", "date"], "string")

#: Arrow's types of arguments by their names in the settings.
_ARGUMENT_TYPES = {"int64": "int64", "uint64": "uint64", "float64": "double", "bool": "bool", "utf8": "string"}

#: Format strings of Arrow by type.
_FORMATS = {"int64": "l", "uint64": "L", "double": "g", "bool": "b", "string": "u", "timestamp[us]": "tsu:"}

#: The prefix of the names of files with rows of several traces.
_MERGED = "merged."

#: Columns whose values are in the names of folders.
_PARTITIONS = ["event", "pair", "date", "host"]


def is_dataset(path: str) -> bool:
    """Returns whether `path` is the folder of a dataset."""
    return os.path.isfile(os.path.join(path, SETTINGS))


class Dataset(Trace):
    """A dataset that `ringtrace ingest` has made. `ringtrace.open` creates it.

    It has the methods of `Trace`, and reads Parquet files instead of traces. Only traces whose ingestion
    is complete are visible: those that were when this object first used the table `traces`.
    """

    def __init__(self, path: str, progress: Progress) -> None:
        self._path = path
        self._paths = [path]
        self._progress = progress
        with open(os.path.join(path, SETTINGS), encoding="utf-8") as file:
            version = json.load(file).get("version")
        if version != VERSION:
            raise TraceError(f"{path}: the dataset has the version {version}, and this package reads version {VERSION}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Dataset, (self._path, None if callable(self._progress) else self._progress)

    @cached_property
    def _traces(self) -> list[dict[str, Any]]:
        """The rows of the table `traces`."""
        from pyarrow import parquet

        rows = []
        for path in sorted(glob.glob(os.path.join(glob.escape(self._path), "traces", "*.parquet"))):
            rows += parquet.ParquetFile(path).read().to_pylist()
        return rows

    def _commits(self) -> dict[str, tuple[int, int]]:
        """The ids of committed traces, with the inodes and times of their files."""
        found = {}
        with os.scandir(os.path.join(self._path, "traces")) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):
                    state = os.stat(entry.path)
                    found[entry.name.removesuffix(".parquet")] = (state.st_ino, state.st_mtime_ns)
        return found

    @cached_property
    def _replaced(self) -> list[str]:
        """The ids of traces that are being replaced. Merged files may contain their earlier rows."""
        committed = {trace["trace"] for trace in self._traces}
        replaced = []
        for path in glob.glob(os.path.join(glob.escape(self._path), "_staging", "*", "commit")):
            try:
                with open(path, encoding="utf-8") as file:
                    replaced.append(json.load(file)["trace"])
            except (FileNotFoundError, ValueError):
                continue
        return [trace for trace in replaced if trace not in committed]

    def _parts(self, kind: str, name: str | None = None) -> list[str]:
        """Returns the paths of the files of a table, relative to the dataset."""
        folder = "events" if kind == "event" else kind
        return [part for part in self._all_parts(folder) if name is None or _partition(part) == name]

    def _all_parts(self, folder: str) -> list[str]:
        """Returns the files of a table that are merged, or belong to a committed trace."""
        known = self.__dict__.setdefault("_known_parts", {})
        if folder not in known:
            committed = {trace["trace"] for trace in self._traces}
            before = self._commits()
            parts = []
            for path, _, names in os.walk(os.path.join(self._path, folder)):
                relative = os.path.relpath(path, self._path)
                parts += [
                    f"{relative}/{name}"
                    for name in names
                    if name.endswith(".parquet")
                    and (name.startswith(_MERGED) or name.rsplit("-", 1)[0] in committed)
                ]
            # A trace that is replaced in the meantime can have files that are listed, and others.
            after = self._commits()
            changed = {trace for trace, state in before.items() if after.get(trace) != state}
            known[folder] = sorted(part for part in parts if part.rsplit("/", 1)[1].rsplit("-", 1)[0] not in changed)
        found: list[str] = known[folder]
        return found

    @cached_property
    def info(self) -> Info:
        """A summary, from the table `traces` and the footers of the files."""
        from pyarrow import parquet

        events: dict[str, int] = {}
        for part in self._parts("events"):
            rows = parquet.read_metadata(os.path.join(self._path, part)).num_rows
            events[_partition(part)] = events.get(_partition(part), 0) + rows
        ranges = [times for trace in self._traces if (times := _wall_range(trace))]
        first = min((first for first, _ in ranges), default=0)
        last = max((last for _, last in ranges), default=0)
        is_dated = bool(ranges) and len(ranges) == sum(trace["first_ns"] is not None for trace in self._traces)
        causes = ("dropped", "overwritten", "refused")
        traces = self._traces
        return Info(
            records=sum(trace["records"] for trace in traces),
            events=dict(sorted(events.items(), key=lambda item: -item[1])),
            dropped=sum(trace[cause] or 0 for trace in traces for cause in causes),
            seconds=(last - first) / 1e9,
            start=date(first) if is_dated else None,
            damaged=any(trace["damage"] for trace in traces),
            traces=[
                trace | {"file": trace["files"], "problems": (trace["damage"] or "").splitlines()} for trace in traces
            ],
        )

    @cached_property
    def event_names(self) -> list[str]:
        """The names of all events that have records, in alphabetical order."""
        return sorted({_partition(part) for part in self._parts("events")})

    @cached_property
    def pairs(self) -> list[str]:
        """The names of the pairs that have spans."""
        return sorted({_partition(part) for part in self._parts("spans")})

    def export(
        self, format: str, path: str | os.PathLike[str], start: Time | None = None, end: Time | None = None
    ) -> None:
        """Raises `TraceError`, because only traces can be exported."""
        raise TraceError(f"a dataset cannot be exported to {format}: export the traces instead")

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
        from pyarrow import dataset

        if where is not None:
            raise TraceError("a dataset has no conditions `where`: use sql(), or scan_polars().filter()")
        known = {"event": self.event_names, "spans": self.pairs}.get(kind)
        if name is not None and known is not None and name not in known:
            kinds = "event" if kind == "event" else "pair"
            raise TraceError(f"the dataset has no {kinds} `{name}`; it has {', '.join(known) or 'none'}")
        field = dataset.field
        conditions = []
        ids = [[one] if isinstance(one, int) else list(one) for one in (pid, tid)]
        for listed, column in zip(ids, ("pid", "tid"), strict=True):
            if listed:
                conditions.append(field(column).isin(listed))
        if self._replaced:
            conditions.append(~field("trace").isin(self._replaced))
        # The dates are those of rows, so they limit the files that are read.
        if start is not None:
            first = self._wall_ns(start)
            conditions += [field("wall_ns") >= first, field("date") >= str(date(first))[:10]]
        if end is not None:
            last = self._wall_ns(end)
            conditions += [field("wall_ns") <= last]
            # Times far from the others have no date.
            conditions += [(field("date") <= str(date(last))[:10]) | (field("date") == "unknown")]
        types = self._types(kind, name)
        wanted = list(types) if columns is None else list(columns)
        for column in wanted:
            if column not in types:
                raise TraceError(f"no column is called `{column}`\n  help: the columns are {', '.join(types)}")
        files = self._files(kind, name, types)

        def narrowed(columns: Sequence[str] | None, first: int | None, last: int | None) -> _Files:
            limits = [field("time_ns") >= first] if first is not None else []
            limits += [field("time_ns") <= last] if last is not None else []
            return _Files(files, wanted if columns is None else list(columns), [*conditions, *limits])

        rebuild = self._table, (kind, name, wanted, start, end, None, ids[0], ids[1])
        return Table(name or kind, narrowed(None, None, None), narrowed, rebuild, self._progress)

    def _wall_ns(self, time: Time) -> int:
        kind, ns = moment(time)
        if kind == "date":
            return ns
        ranges = [times for trace in self._traces if (times := _wall_range(trace))]
        if not ranges:
            raise TraceError("start and end select by wall-clock time, which no trace of the dataset has")
        return ns + min(first for first, _ in ranges)

    def _types(self, kind: str, name: str | None) -> dict[str, str]:
        """Returns the columns of a table with their types."""
        types = {column: _COLUMN_TYPES.get(column, "int64") for column in _COLUMNS[kind]}
        arguments: dict[str, str] = {}
        if kind == "event":
            arguments = self._registered(next(iter(self._parts(kind, name))).split("=")[1].split("/")[0], "events")
        elif kind == "spans":
            arguments = self._registered("spans")
        if kind == "spans" and name is not None:
            used = self._columns_of_pair(name)
            arguments = {column: type_ for column, type_ in arguments.items() if column in used}
        return types | {column: _ARGUMENT_TYPES[type_] for column, type_ in arguments.items()} | {"date": "string"}

    def _registered(self, name: str, folder: str = "") -> dict[str, str]:
        """Returns the types of the arguments of an event or of all spans."""
        try:
            with open(os.path.join(self._path, "_columns", folder, f"{name}.json"), encoding="utf-8") as file:
                return dict(json.load(file))
        except FileNotFoundError:
            return {}

    def _columns_of_pair(self, pair: str) -> set[str]:
        """Returns the names of the columns of a pair. Traces with the same declarations have the same."""
        from pyarrow import parquet

        columns: set[str] = set()
        seen = set()
        declarations = {trace["trace"]: trace["declarations"] for trace in self._traces}
        for part in self._parts("spans", pair):
            name = os.path.basename(part)
            # Merged files have the columns of all their traces.
            declared = part if name.startswith(_MERGED) else declarations[name.rsplit("-", 1)[0]]
            if declared not in seen:
                seen.add(declared)
                columns.update(parquet.read_schema(os.path.join(self._path, part)).names)
        return columns

    def _files(self, kind: str, name: str | None, types: dict[str, str]) -> pyarrow.dataset.Dataset:
        import pyarrow
        from pyarrow import dataset

        schema = pyarrow.schema([(column, pyarrow.type_for_alias(type_)) for column, type_ in types.items()])
        partitions = pyarrow.schema([(column, pyarrow.string()) for column in _PARTITIONS])
        return dataset.dataset(
            [os.path.join(self._path, part) for part in self._parts(kind, name)],
            schema=schema,
            format="parquet",
            partitioning=dataset.partitioning(partitions, flavor="hive"),
            partition_base_dir=self._path,
        )

    def _offer(self, connection: duckdb.DuckDBPyConnection, name: str, query: str) -> None:
        if name == "traces":
            import pyarrow

            connection.register(name, pyarrow.Table.from_pylist(self.info.traces))
            return
        kind, of = (TABLES[name], None) if name in TABLES else ("event", name)
        if kind == "event" and name not in self.event_names:
            kind = "spans"
            if name not in self.pairs:
                return
        columns = ", ".join(f'"{column}"' for column in self._types(kind, of))
        parts = self._parts(kind, of)
        if not parts:
            connection.register(name, self._table(kind, of).to_arrow())
            return
        files = ", ".join(_quoted(os.path.join(self._path, part)) for part in parts)
        types = ", ".join(f"{partition}: VARCHAR" for partition in _PARTITIONS if f"/{partition}=" in f"/{parts[0]}")
        traces = ", ".join(_quoted(trace) for trace in self._replaced)
        replaced = f" where trace not in ({traces})" if traces else ""
        # The events have different columns, and this table has only those of all.
        by_name = str(kind != "events").lower()
        connection.execute(
            f"create view {_quoted(name, chr(34))} as select {columns} from read_parquet([{files}], "
            f"union_by_name={by_name}, hive_partitioning=true, hive_types={{{types}}}){replaced}"
        )


class _Files:
    """A table of a dataset, with the methods of the native class `Source`."""

    def __init__(
        self,
        files: pyarrow.dataset.Dataset,
        columns: list[str],
        conditions: list[pyarrow.dataset.Expression],
        batch_rows: int | None = None,
    ) -> None:
        self._files = files
        self._columns = columns
        self._conditions = conditions
        self._batch_rows = batch_rows

    @property
    def _schema(self) -> pyarrow.Schema:
        import pyarrow

        return pyarrow.schema([self._files.schema.field(column) for column in self._columns])

    def _scanner(self) -> pyarrow.dataset.Scanner:
        condition = None
        for other in self._conditions:
            condition = other if condition is None else condition & other
        # A consumer that needs only a few rows does not wait for many.
        few = {} if self._batch_rows is None else {"batch_size": self._batch_rows, "fragment_readahead": 1}
        return self._files.scanner(columns=self._columns, filter=condition, **few)

    def columns(self) -> list[tuple[str, str, bool]]:
        return [(field.name, _FORMATS[str(field.type)], False) for field in self._schema]

    def with_batch_rows(self, rows: int) -> _Files:
        return _Files(self._files, self._columns, self._conditions, rows)

    def __arrow_c_schema__(self) -> object:
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._scanner().to_reader().__arrow_c_stream__(requested_schema)

    def arrow_batches(self) -> Iterator[pyarrow.RecordBatch]:
        return (batch for batch in self._scanner().to_batches() if batch.num_rows)

    def no_rows(self) -> pyarrow.RecordBatch:
        import pyarrow

        return pyarrow.RecordBatch.from_pylist([], self._schema)

    def batches(self) -> Iterator[dict[str, list[Any]]]:
        return (batch.to_pydict() for batch in self.arrow_batches())

    def count(self) -> int:
        return int(self._scanner().count_rows())

    def progress(self) -> float | None:
        return None

    def last_error(self) -> str | None:
        return None


def _partition(part: str) -> str:
    """Returns the event or pair of a file, which is in the name of its folder."""
    return unquote(part.split("/")[1].split("=", 1)[1])


def _wall_range(trace: dict[str, Any]) -> tuple[int, int] | None:
    """Returns the wall-clock times of the first and the last record of a trace."""
    if trace["anchor_ns"] is None or trace["first_ns"] is None:
        return None
    zero = trace["anchor_wall_ns"] - trace["anchor_ns"]
    return zero + trace["first_ns"], zero + trace["last_ns"]


def _quoted(text: str, quote: str = "'") -> str:
    return f"{quote}{text.replace(quote, quote * 2)}{quote}"
