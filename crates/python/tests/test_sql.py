"""Queries with DuckDB, and Polars as a lazy source."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import polars as pl
import pytest
from conftest import TESTDATA, json_lines

import ringtrace
from ringtrace import _duckdb
from ringtrace._polars import time_range

BOOT = TESTDATA / "boot-small.bin"
EVENTS = TESTDATA / "boot-small.events"


@pytest.fixture
def boot() -> ringtrace.Trace:
    return ringtrace.open(BOOT, events=EVENTS)


def test_queries_name_tables(boot: ringtrace.Trace) -> None:
    lines = json_lines("--events", EVENTS, BOOT)
    counts: dict[str, int] = {}
    for line in lines:
        counts[line["event"]] = counts.get(line["event"], 0) + 1
    assert dict(boot.sql("select event, count(*) from events group by 1").fetchall()) == counts
    writes = boot.sql("select count(*), max(val) from apic_register_write where reg = $reg", reg=8).fetchall()
    of_eight = [line for line in lines if line["event"] == "apic_register_write" and line["args"]["reg"] == 8]
    assert writes == [(len(of_eight), max(int(line["args"]["val"]) for line in of_eight))]
    pair = "virtio_blk_handle_read:virtio_blk_req_complete:req"
    ((spans,),) = boot.sql(f'select count(*) from "{pair}"').fetchall()
    assert spans == boot.spans(pair).count() > 0
    joined = boot.sql(
        """with reads as (select req, time_ns from virtio_blk_handle_read),
                completions as (select req, time_ns from virtio_blk_req_complete)
           select count(*) from reads join completions using (req)"""
    )
    assert joined.fetchall()[0][0] >= spans
    assert boot.sql("select count(*) from spans where pair = 'virtio-blk request'").fetchall()[0][0] > 0
    assert boot.sql("select count(*) from drops").fetchall() == [(0,)]
    assert boot.sql("select 1").fetchall() == [(1,)]


def test_a_result_can_be_read_twice_and_outlives_the_trace() -> None:
    relation = ringtrace.open(BOOT, events=EVENTS).sql("select count(*) from events")
    assert relation.fetchall() == [(17361,)]
    assert relation.fetchall() == [(17361,)]


def test_unknown_tables_are_errors_of_duckdb(boot: ringtrace.Trace) -> None:
    import duckdb

    with pytest.raises(duckdb.CatalogException, match="no_such_table"):
        boot.sql("select * from no_such_table")
    with pytest.raises(duckdb.ParserException):
        boot.sql("select from from")


def test_lazy_frames_decode_only_what_a_query_needs(boot: ringtrace.Trace) -> None:
    table = boot.table("apic_register_write")
    requests: list[tuple[object, object, object]] = []
    narrowed = table._narrowed

    def spy(columns: object, first: object, last: object) -> object:
        requests.append((columns, first, last))
        return narrowed(columns, first, last)  # type: ignore[arg-type]

    table._narrowed = spy  # type: ignore[assignment]
    frame, lazy = table.to_polars(), table.scan_polars()
    middle = frame["time_ns"][3000]
    for query in [
        lambda frame: frame.select("val"),
        lambda frame: frame.filter(pl.col("time_ns") >= middle).select("val", "reg"),
        lambda frame: frame.filter((pl.col("time_ns") < middle) & (pl.col("reg") == 8)).select("record"),
        lambda frame: frame.filter((pl.col("time_ns") < middle) | (pl.col("reg") == 8)).select("record"),
        lambda frame: frame.head(7).filter(pl.col("time_ns") > frame_min),
        lambda frame: frame.filter(pl.col("time_ns").is_between(middle, middle + 10_000_000)),
        lambda frame: frame.group_by("reg").agg(pl.col("val").max()).sort("reg"),
        lambda frame: frame.tail(3),
    ]:
        frame_min = frame["time_ns"][2]
        assert query(lazy).collect().equals(query(frame)), requests
    assert requests[0] == (["val"], None, None)
    assert set(requests[1][0]) == {"val", "reg", "time_ns"} and requests[1][1:] == (middle, None)  # type: ignore[call-overload]
    assert requests[2][1:] == (None, middle - 1)
    assert requests[3][1:] == (None, None)
    assert requests[5][1:] == (middle, middle + 10_000_000)
    assert lazy.collect_schema() == frame.schema


def test_times_of_a_lazy_frame_are_further_limits(boot: ringtrace.Trace) -> None:
    first = boot.events.head(1)[0]["time_ns"]
    table = boot.all_events(start=2.0, end=4.0)
    frame = table.to_polars()
    for bound in (1.0, 3.0, 5.0):
        limit = first + round(bound * 1e9)
        for predicate in (pl.col("time_ns") >= limit, pl.col("time_ns") <= limit):
            assert table.scan_polars().filter(predicate).collect().equals(frame.filter(predicate)), bound
    dated = ringtrace.open(TESTDATA / "export/everything.trace").all_events(start="2026-11-23T12:00:02Z")
    frame = dated.to_polars()
    limit = frame["time_ns"][5]
    late = dated.scan_polars().filter(pl.col("time_ns") >= limit).collect()
    assert late.equals(frame.filter(pl.col("time_ns") >= limit)) and 0 < late.height < frame.height


def test_predicates_limit_times() -> None:
    time = pl.col("time_ns")
    for predicate, expected in [
        (time > 5, (6, None)),
        (time >= 5, (5, None)),
        (time < 5, (None, 4)),
        (time <= 5, (None, 5)),
        (time == 5, (5, 5)),
        (pl.lit(5) < time, (6, None)),
        ((time > 5) & (time < 10) & (pl.col("val") > 1), (6, 9)),
        ((time > 5) & (time > 7), (8, None)),
        (time.is_between(5, 9), (5, 9)),
        (time.is_between(5, 9, closed="none"), (6, 8)),
        (time.is_between(5, 9, closed="left") & (time > 6), (7, 8)),
        (pl.col("val").is_between(5, 9), (None, None)),
        ((time > 5) | (pl.col("val") == 1), (None, None)),
        (~(time > 5), (None, None)),
        (time > 5.5, (None, None)),
        (time > pl.col("val"), (None, None)),
        (pl.col("time") > datetime(2026, 1, 1), (None, None)),
        (pl.col("val") > 5, (None, None)),
        (time != 5, (None, None)),
        (time > True, (None, None)),
    ]:
        assert time_range(predicate) == expected, predicate


def test_times_of_queries_limit_what_is_decoded(boot: ringtrace.Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    import duckdb

    table = boot.table("apic_register_write")
    decoded = []
    limited = ringtrace.Table.limited

    def noted(self: ringtrace.Table, columns: list[str], *times: int | None) -> object:
        decoded.append((columns, *times))
        return limited(self, columns, *times)

    monkeypatch.setattr(ringtrace.Table, "limited", noted)
    first, last = 1_896_000_000_000, 1_898_000_000_000
    for condition, times in [
        (f"time_ns > {first}", (first + 1, None)),
        (f"time_ns >= {first} and time_ns < {last}", (first, last - 1)),
        (f"time_ns between {first} and {last} and reg = 11", (first, last)),
        (f"{last} >= time_ns", (None, last)),
        ("time_ns = 1892397953753", (1892397953753, 1892397953753)),
        (f"time_ns < {first} or reg = 11", (None, None)),
        (f"time_ns > {first} and thread is null", (None, None)),
        (f"not time_ns > {first}", (None, first)),
        (f"time_ns <> {first}", (None, None)),
        (f"time_ns > {first} and thread = '(time_ns > 5)'", (None, None)),
        (f"time_ns + 1 > {first}", (first, None)),
        ("time_ns > -5", (-4, None)),
    ]:
        query = f"select count(*), coalesce(max(val), 0), min(reg) from apic_register_write where {condition}"
        apic_register_write = table
        expected = duckdb.sql(query).fetchall()
        assert decoded == []
        assert boot.sql(query).fetchall() == expected, condition
        assert apic_register_write is table
        assert decoded[-1][1:] == times, condition
        assert "tid" not in decoded[-1][0]
        decoded.clear()
    assert boot.sql("select count(*) from events where time_ns > 0").fetchall() == [(17361,)]
    assert decoded.pop() == (["time_ns"], 1, None) or decoded == []
    # Other queries read the stream.
    boot.sql("select max(reg) from apic_register_write").fetchall()
    assert decoded == []
    assert _duckdb.time_range("((time_ns > 5) and (time_ns <= 9))") == (6, 9)
    for other in ["", "((time_ns > 5) or (reg == 11))", 'is_in(time_ns, {value_set=int64:[5]})', "invert((time_ns > 5))"]:
        assert _duckdb.time_range(other) == (None, None)


def test_damage_is_an_error_of_queries_that_limit_times(tmp_path: Path) -> None:
    import duckdb

    data = bytearray(BOOT.read_bytes())
    data[700_000:700_100] = bytes(100)
    (tmp_path / "damaged").write_bytes(data)
    trace = ringtrace.open(tmp_path / "damaged", events=EVENTS)
    with pytest.raises(duckdb.Error, match="record length 0"):
        trace.sql("select max(time_ns) from events").fetchall()
