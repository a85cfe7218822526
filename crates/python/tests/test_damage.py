"""Damaged traces: all readable rows, then the error that the tool reports."""

from __future__ import annotations

from pathlib import Path

import datafusion
import duckdb
import polars
import pyarrow
import pytest
from conftest import TESTDATA, json_lines, run_tool, tool

import ringtrace

EVENTS = TESTDATA / "boot-small.events"
BOOT = (TESTDATA / "boot-small.bin").read_bytes()


def damaged(tmp_path: Path, kind: str) -> Path:
    path = tmp_path / f"{kind}.trace"
    if kind == "compact":
        # There must be several blocks.
        tool("convert", "--to", "compact", "--events", EVENTS, *[TESTDATA / "boot-small.bin"] * 6, path)
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 0x55
    elif kind == "truncated":
        data = bytearray(BOOT[:-20])
    else:
        # The id of a record in the middle.
        data = bytearray(BOOT)
        at = data.index((1892483855124).to_bytes(8, "little")) - 8
        data[at : at + 8] = b"\x77" * 8
    path.write_bytes(data)
    return path


def arguments(text: str) -> str:
    """Converts the options in an advice to arguments of `open`."""
    return text.replace("--keep-going", "keep_going=True").replace("--events", "events=")


def expected(path: Path, *options: object) -> tuple[int, list[str]]:
    """Returns the number of records that the tool prints, and the errors that it reports."""
    done = run_tool("print", "--style", "jsonl", "--events", EVENTS, *options, path)
    lines = done.stderr.decode().splitlines()
    return len(done.stdout.splitlines()), [line.removeprefix("error: ") for line in lines if "error: " in line]


def test_a_truncated_compact_trace_raises_after_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "cut.trace"
    tool("convert", "--to", "compact", "--events", EVENTS, *[TESTDATA / "boot-small.bin"] * 6, path)
    path.write_bytes(path.read_bytes()[:-1000])
    rows, _ = expected(path)
    assert 0 < rows < 6 * 17361
    traces = ringtrace.open(path)
    seen = 0
    with pytest.raises(ringtrace.TraceError, match="the file is truncated"):
        for _ in traces.events:
            seen += 1
    assert seen == rows
    for read in (
        traces.events.count,
        traces.events.to_pandas,
        traces.all_events(start=0.001).count,
        lambda: traces.export("csv", tmp_path / "cut.csv"),
    ):
        with pytest.raises(ringtrace.TraceError, match="the file is truncated"):
            read()
    assert ringtrace.open(path, keep_going=True).events.count() == rows


@pytest.mark.parametrize("kind", ["unknown-id", "compact"])
def test_damage_is_raised_after_all_readable_rows(kind: str, tmp_path: Path) -> None:
    path = damaged(tmp_path, kind)
    rows, errors = expected(path)
    assert 0 < rows < 6 * 17361 and len(errors) == 1
    table = ringtrace.open(path, events=EVENTS).events

    seen = 0
    with pytest.raises(ringtrace.TraceError) as raised:
        for _ in table:
            seen += 1
    assert seen == rows
    assert str(raised.value).splitlines()[0] == errors[0]

    reader = pyarrow.RecordBatchReader.from_stream(table)
    seen = 0
    with pytest.raises(OSError, match="trace") as in_arrow:
        for batch in reader:
            seen += batch.num_rows
    assert seen == rows
    assert errors[0] in str(in_arrow.value)

    for convert in (table.to_arrow, table.to_pandas, table.to_polars, table.count):
        with pytest.raises(ringtrace.TraceError) as raised:
            convert()
        assert str(raised.value).splitlines()[0] == errors[0], convert

    for read in (
        # DuckDB finds tables among the local variables.
        lambda rows_of=table: duckdb.sql("select count(*) from rows_of").fetchall(),
        lambda: polars.DataFrame(table),
        lambda: datafusion.SessionContext().from_arrow(table).count(),
    ):
        with pytest.raises(Exception, match="trace") as other:  # noqa: B017
            read()
        assert errors[0] in str(other.value)


def test_a_truncated_end_has_the_rows_that_the_tool_prints(tmp_path: Path) -> None:
    path = damaged(tmp_path, "truncated")
    rows, errors = expected(path)
    table = ringtrace.open(path, events=EVENTS).events
    seen = 0
    try:
        for _ in table:
            seen += 1
        assert not errors
    except ringtrace.TraceError as error:
        assert str(error).splitlines()[0] == errors[0]
    assert seen == rows


@pytest.mark.parametrize("kind", ["unknown-id", "compact"])
def test_damage_can_be_skipped(kind: str, tmp_path: Path) -> None:
    path = damaged(tmp_path, kind)
    rows, _ = expected(path, "--keep-going")
    trace = ringtrace.open(path, events=EVENTS, keep_going=True)
    assert trace.events.count() == rows
    assert trace.info.damaged


def test_a_damaged_trace_does_not_hide_the_others(tmp_path: Path) -> None:
    path = damaged(tmp_path, "unknown-id")
    table = ringtrace.open(path, TESTDATA / "boot-small.bin", events=EVENTS).events
    rows = expected(path)[0] + 17361
    seen = 0
    with pytest.raises(ringtrace.TraceError, match="unknown-id.trace"):
        for _ in table:
            seen += 1
    assert seen == rows


def test_a_file_that_is_no_trace_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("no trace\n" * 10)
    error = run_tool("print", path).stderr.decode()
    with pytest.raises(ringtrace.TraceError) as raised:
        ringtrace.open(path)
    # The tool prints the same message, with the same advice.
    assert str(raised.value) == arguments(error.strip().removeprefix("error: "))


def test_an_export_contains_what_can_be_read(tmp_path: Path) -> None:
    path = damaged(tmp_path, "unknown-id")
    out = tmp_path / "out.jsonl"
    with pytest.raises(ringtrace.TraceError):
        ringtrace.open(path, events=EVENTS).export("jsonl", out)
    records = [line for line in out.read_text().splitlines() if '"row"' not in line]
    assert len(records) == expected(path)[0]
    assert json_lines("--events", EVENTS, TESTDATA / "boot-small.bin")[0]["event"] in records[0]
