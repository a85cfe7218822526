"""A table has the values that the tool prints as JSON lines, in every format and for every library."""

from __future__ import annotations

import math
from collections import defaultdict
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import datafusion
import duckdb
import pandas
import polars
import pyarrow
import pytest
from conftest import RECORDINGS, TESTDATA, json_lines, run_tool, tool

import ringtrace

#: Names that columns of arguments cannot have.
RESERVED = ["event", "time_ns", "time", "pid", "tid", "thread", "cause", "args", "surplus", "trace"]
RESERVED += ["pair", "span", "track", "latency_ns", "wall_ns", "record", "cpu"]


def text(value: str) -> str:
    """Converts a string in JSON, in which other bytes are surrogates, to that in a column."""
    data = value.encode("utf-8", "surrogateescape")
    try:
        if "\\x" not in data.decode():
            return value
    except UnicodeDecodeError:
        pass
    escaped = data.replace(b"\\", b"\\\\").decode("utf-8", "surrogateescape")
    return "".join(f"\\x{ord(c) - 0xDC00:02x}" if 0xDC80 <= ord(c) <= 0xDCFF else c for c in escaped)


def converted(value: Any, kind: pyarrow.DataType) -> Any:
    """Converts an argument in JSON to the value in a column."""
    if pyarrow.types.is_dictionary(kind):
        return value if isinstance(value, str) else str(value)
    if pyarrow.types.is_string(kind):
        return text(value)
    if pyarrow.types.is_floating(kind):
        return float(value)
    return int(value, 0) if isinstance(value, str) else value


def wall_ns(date: str) -> int:
    seconds, fraction = date.removesuffix("Z").split(".")
    whole = datetime.fromisoformat(seconds).replace(tzinfo=timezone.utc)
    return int(whole.timestamp()) * 1_000_000_000 + int(fraction)


def same(found: Any, expected: Any) -> bool:
    if isinstance(expected, float) and math.isnan(expected):
        return isinstance(found, float) and math.isnan(found)
    return type(found) is type(expected) and found == expected


def check(trace: ringtrace.Trace, lines: list[dict[str, Any]]) -> None:
    """Compares all tables of events with JSON lines."""
    by_event: dict[str, list[tuple[int, dict[str, Any]]]] = defaultdict(list)
    for number, line in enumerate(lines, 1):
        by_event[line["event"]].append((number, line))
    dropped = by_event.pop("Dropped_Event", [])
    drops = [(row["dropped"], row["cause"], row["tid"]) for row in trace.drops()]
    assert drops == [
        (int(line["args"]["num_events_dropped"]), line.get("cause"), line.get("tid")) for _, line in dropped
    ]
    events = [(row["event"], row["time_ns"], row["record"]) for row in trace.events]
    ordered = [(line["event"], line, number) for number, line in enumerate(lines, 1)]
    assert events == [
        (name, signed(line["time_ns"]), number) for name, line, number in ordered if name != "Dropped_Event"
    ]
    for name, expected in by_event.items():
        table = trace.table(name)
        kinds = {field.name: field.type for field in pyarrow.schema(table)}
        rows = list(table)
        assert len(rows) == len(expected), name
        assert pyarrow.table(table).to_pylist() == [dated(row, table) for row in rows] or has_nan(rows), name
        for row, (number, line) in zip(rows, expected, strict=True):
            common = {key: line.get(key) for key in ("pid", "tid", "thread")}
            assert {key: row[key] for key in common} == common, (name, number)
            assert (row["record"], row["time_ns"]) == (number, signed(line["time_ns"]))
            if "time" in line:
                assert row["wall_ns"] == wall_ns(line["time"]), (name, number)
            taken = set(RESERVED)
            arguments = {}
            for argument, value in line["args"].items():
                column = argument
                while column.lower() in taken:
                    column = f"arg_{column}"
                taken.add(column.lower())
                arguments[column] = converted(value, kinds[column])
            for column, value in arguments.items():
                assert same(row[column], value), (name, number, column, row[column], value)
            others = set(row) - set(arguments) - set(RESERVED)
            assert all(row[column] is None for column in others), (name, number, others)


def signed(time_ns: int | str) -> int:
    number = int(time_ns)
    return number - (1 << 64) if number >= 1 << 63 else number


def has_nan(rows: list[dict[str, Any]]) -> bool:
    return any(isinstance(value, float) and math.isnan(value) for row in rows for value in row.values())


def dated(row: dict[str, Any], table: ringtrace.Table) -> dict[str, Any]:
    """Returns a row with the dates that pyarrow returns, which have nanoseconds."""
    ns = row.get("wall_ns")
    return row | {"time": None if ns is None else pandas.Timestamp(ns)}


@pytest.mark.parametrize(("name", "events"), RECORDINGS)
def test_recordings_have_the_values_of_json_lines(name: str, events: str | None) -> None:
    options = ["--events", TESTDATA / events] if events else []
    trace = ringtrace.open(TESTDATA / name, events=TESTDATA / events if events else ())
    check(trace, json_lines(*options, TESTDATA / name))


@pytest.mark.parametrize("version", ["v0", "rfc2011", "v2", "v3", "v4", "compact"])
@pytest.mark.parametrize("name", ["qemu-io", "boot-small"])
def test_converted_traces_have_the_values_of_json_lines(name: str, version: str, tmp_path: Path) -> None:
    events = TESTDATA / f"{name}.events"
    path = tmp_path / "trace"
    # Old versions contain no process ids, no strings, or fewer arguments.
    done = run_tool("convert", "--lossy", "--to", version, "--events", events, TESTDATA / f"{name}.bin", path)
    assert path.exists(), done.stderr
    described = version in ("v4", "compact")
    check(
        ringtrace.open(path, events=() if described else events),
        json_lines(*([] if described else ["--events", events]), path),
    )


@pytest.mark.parametrize("name", ["everything", "far"])
def test_compact_traces_have_the_values_of_json_lines(name: str, tmp_path: Path) -> None:
    path = tmp_path / "trace"
    tool("convert", "--to", "compact", TESTDATA / f"export/{name}.trace", path)
    check(ringtrace.open(path), json_lines(path))


def tables() -> list[ringtrace.Table]:
    trace = ringtrace.open(TESTDATA / "export/everything.trace", pairs=TESTDATA / "export/everything.pairs")
    extra = [trace.events, trace.drops(), trace.pauses(), trace.spans(), trace.steps(), trace.counters()]
    found = [trace.table(name) for name in trace.event_names] + extra
    assert {"u64", "text"} <= {column for table in found for column in table.columns}
    return found


def exact(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Replaces values that are not equal to themselves, and dates, whose precision differs."""
    return [
        {key: "NaN" if value != value else value for key, value in row.items() if key != "time"}
        for row in rows
    ]


@pytest.mark.parametrize("library", ["pyarrow", "polars", "duckdb", "datafusion", "pandas"])
def test_libraries_read_the_same_values(library: str) -> None:
    for table in tables():
        expected = exact(list(table))
        if library == "pyarrow":
            read = pyarrow.RecordBatchReader.from_stream(table).read_all()
            read.validate(full=True)
            found = read.to_pylist()
        elif library == "polars":
            found = polars.DataFrame(table).to_dicts()
        elif library == "duckdb":
            rows_of = table
            relation = duckdb.sql("from rows_of")
            assert rows_of
            found = [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
        elif library == "datafusion":
            found = datafusion.SessionContext().from_arrow(table).to_arrow_table().to_pylist()
        else:
            frame = table.to_pandas()
            assert list(frame.columns) == table.columns
            found = frame.astype(object).where(frame.notna(), None).to_dict("records")
            # pandas represents NaN as a missing value.
            expected = [{k: None if v == "NaN" else v for k, v in row.items()} for row in expected]
        found = exact(found)
        assert len(found) == len(expected), table
        for row, other in zip(found, expected, strict=True):
            assert row == other, table


def test_the_largest_number_survives() -> None:
    trace = ringtrace.open(TESTDATA / "export/everything.trace")
    numbers = trace.table("unsigned_integers", columns=["u64"])
    largest = (1 << 64) - 1
    assert max(row["u64"] for row in numbers) == largest
    assert pyarrow.table(numbers)["u64"].type == pyarrow.uint64()
    assert polars.DataFrame(numbers)["u64"].max() == largest
    assert duckdb.sql("select max(u64) from numbers").fetchall() == [(largest,)]
    assert numbers.to_pandas()["u64"].max() == largest
