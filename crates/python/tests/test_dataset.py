"""Datasets are read like traces."""

from __future__ import annotations

import json
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow
import pytest
from conftest import TESTDATA, Made, tool

import ringtrace

BOOT = TESTDATA / "boot-small.bin"
EVENTS = TESTDATA / "boot-small.events"
EVERYTHING = TESTDATA / "export/everything.trace"
SECOND = 1_000_000_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two hosts, a program that declares an argument differently, a trace without a wall clock, and one
    with every kind of value.
    """
    folder = tmp_path_factory.mktemp("dataset")
    one = Made().event(1, 5 * SECOND, 1).event(2, 7 * SECOND, 1).write(folder / "one")
    two = Made(host="t/wo", boot="b-2", trace="bb", zero_s=1_795_000_000 + 86_400)
    two = two.event(1, 5 * SECOND, 1).event(2, 8 * SECOND, 1).write(folder / "two")
    declarations = ('begin(const char *key, int more) "%s %d"', 'end(int key) "%d"')
    other = Made(trace="cc", declarations=declarations).event(1, 9 * SECOND, b"x", 3)
    undated = Made(host="three", trace="dd", zero_s=None).event(1, SECOND, 9)
    pairs = folder / "pairs"
    pairs.write_text("pair work\n  begin begin key\n  end end key\n")
    tool("ingest", folder / "set", one, two, "--pairs", pairs)
    for path in [other.write(folder / "other"), undated.write(folder / "undated"), EVERYTHING]:
        tool("ingest", folder / "set", path)
    # Another trace of a host, so that there are files to merge.
    more = Made(trace="ee").event(1, 5 * SECOND, 1)
    tool("ingest", folder / "set", "--events", EVENTS, BOOT)
    shutil.copytree(folder / "set", folder / "compacted")
    tool("ingest", folder / "compacted", more.write(folder / "more"))
    tool("compact-dataset", folder / "compacted")
    return folder


@pytest.fixture
def dataset(folder: Path) -> ringtrace.Trace:
    return ringtrace.open(folder / "set")


def test_merged_files_are_read(dataset: ringtrace.Trace, folder: Path) -> None:
    compacted = ringtrace.open(folder / "compacted")
    assert list((folder / "compacted").glob("events/*/*/*/merged.*.parquet"))
    for name in ["events", "begin", "spans"]:
        query = f"select * from {name} where trace != 'ee' order by all"
        assert compacted.sql(query).fetchall() == dataset.sql(query).fetchall(), name
    assert compacted.info.events["begin"] == dataset.info.events["begin"] + 1
    assert compacted.table("begin").to_arrow().num_rows == compacted.info.events["begin"]


def test_a_trace_that_is_being_replaced_is_not_visible(folder: Path) -> None:
    replaced = folder / "replaced"
    shutil.copytree(folder / "compacted", replaced)
    staging = replaced / "_staging" / "ee-1"
    staging.mkdir()
    (staging / "commit").write_text('{"trace": "ee"}')
    before = ringtrace.open(replaced).table("begin").to_arrow().num_rows
    (replaced / "traces" / "ee.parquet").unlink()
    without = ringtrace.open(replaced)
    assert without.table("begin").to_arrow().num_rows == before - 1
    assert without.sql("select count(*) from begin").fetchall() == [(before - 1,)]


def common(row: dict[str, Any]) -> dict[str, Any]:
    """Returns the values that a trace and a dataset have in common."""
    time = row.get("time")
    return {
        key: time.replace(microsecond=time.microsecond) if key == "time" and time else value
        for key, value in row.items()
        if key not in {"record", "span", "trace", "host", "date", "surplus"}
    }


def test_rows_are_those_of_the_traces(dataset: ringtrace.Trace, folder: Path) -> None:
    for path, events, trace in [(EVERYTHING, (), None), (BOOT, EVENTS, None), (folder / "one", (), "aa")]:
        single = ringtrace.open(path, events=events)
        (trace,) = {
            row["trace"] for row in dataset.info.traces if row["files"] == str(path) or path.name in row["files"]
        }
        # Each table reads the whole trace, so take only some of QEMU's events.
        some = ["virtio_blk_handle_read", "qcow2_writev_data", "visit_type_str"]
        for event in some if path is BOOT else single.event_names:
            expected = [common(row) for row in single.table(event)]
            if not expected:
                continue
            found = [row for row in dataset.table(event) if row["trace"] == trace]
            assert len(found) == len(expected), event
            for row, other in zip(found, expected, strict=True):
                # NaN differs from itself.
                assert repr({key: row[key] for key in other}) == repr(other), event
        columns = ["time_ns", "event", "tid"]
        records = [tuple(row.values()) for row in single.all_events(columns)]
        found = dataset.all_events([*columns, "trace"]).to_polars().filter(pl.col("trace") == trace).drop("trace").rows()
        assert sorted(found, key=repr) == sorted(records, key=repr)


def test_the_summary_is_that_of_all_traces(dataset: ringtrace.Trace, folder: Path) -> None:
    everything, boot = ringtrace.open(EVERYTHING).info, ringtrace.open(BOOT, events=EVENTS).info
    info = dataset.info
    # The records that report losses are in another table.
    assert info.records == ringtrace.open(EVERYTHING).events.count() + boot.records + 2 + 2 + 1 + 1
    assert (info.events["begin"], info.events["apic_register_write"]) == (4, 5913)
    assert info.dropped == everything.dropped
    assert (info.damaged, info.start) == (False, None)
    assert len(info.traces) == 6
    assert f"{info.records:,}" in dataset._repr_html_()
    assert repr(dataset) == f"<ringtrace.Dataset {folder / 'set'}>"
    assert set(ringtrace.open(BOOT, events=EVENTS).info.events) <= set(dataset.event_names)
    assert "work" in dataset.pairs


def test_columns_and_times_select(dataset: ringtrace.Trace) -> None:
    begins = dataset.table("begin")
    assert begins.schema == {
        **dict.fromkeys(["time_ns", "wall_ns"], "int64"),
        "time": "timestamp[us]",
        **dict.fromkeys(["trace", "host"], "string"),
        **dict.fromkeys(["pid", "tid"], "int64"),
        "thread": "string",
        "cpu": "int64",
        "key": "int64",
        "key__utf8": "string",
        "more": "int64",
        "date": "string",
    }
    rows = dataset.table("begin", columns=["host", "key", "key__utf8", "date"])
    assert sorted(rows, key=str) == sorted(
        [
            {"host": "one", "key": 1, "key__utf8": None, "date": "2026-11-18"},
            {"host": "one", "key": None, "key__utf8": "x", "date": "2026-11-18"},
            {"host": "t/wo", "key": 1, "key__utf8": None, "date": "2026-11-19"},
            {"host": "three", "key": 9, "key__utf8": None, "date": "unknown"},
        ],
        key=str,
    )
    assert [row["host"] for row in dataset.table("begin", ["host"], start="2026-11-19")] == ["t/wo"]
    assert dataset.table("begin", end=datetime(2026, 11, 18, 23, 0)).count() == 2
    # The first record of the dataset with a date is that of the host `one`.
    assert dataset.table("begin", start=0, end=4).count() == 2
    assert dataset.all_events(pid=7, tid=[1]).count() == 6
    assert dataset.table("begin", pid=8).count() == 0
    assert dataset.table("begin").head(1)[0]["host"] in {"one", "t/wo", "three"}
    assert dataset.drops().count() == ringtrace.open(EVERYTHING).drops().count()
    for mistaken, message in [
        (lambda: dataset.table("begn"), "has no event `begn`"),
        (lambda: dataset.table("begin", columns=["kye"]), "no column is called `kye`"),
        (lambda: dataset.table("begin", where="key == 1"), "no conditions `where`"),
        (lambda: dataset.spans("wrok"), "has no pair `wrok`"),
        (lambda: dataset.to_perfetto("x"), "cannot be exported to perfetto"),
    ]:
        with pytest.raises(ringtrace.TraceError, match=message):
            mistaken()


def test_spans_have_the_columns_of_their_pair(dataset: ringtrace.Trace) -> None:
    spans = {row["host"]: (row["latency_ns"], row["begin_key"]) for row in dataset.spans("work") if row["latency_ns"]}
    assert spans == {"one": (2 * SECOND, 1), "t/wo": (3 * SECOND, 1)}
    assert "begin_sector" not in dataset.spans("work").columns
    assert "begin_sector" in dataset.spans().columns
    pair = "virtio-blk request"
    boot = ringtrace.open(BOOT, events=EVENTS).spans(pair)
    key = lambda row: (row["begin_ns"], row["begin_req"])  # noqa: E731
    ours, theirs = sorted(dataset.spans(pair), key=key), sorted(boot, key=key)
    assert [common(row) for row in theirs] == [{name: row[name] for name in common(theirs[0])} for row in ours]


def test_queries_name_the_tables(dataset: ringtrace.Trace) -> None:
    by_host = "select host, count(*) from begin group by host order by host"
    assert dataset.sql(by_host).fetchall() == [("one", 2), ("t/wo", 1), ("three", 1)]
    assert dataset.sql("select max(latency_ns) from work where host = $host", host="t/wo").fetchall() == [(3 * SECOND,)]
    assert dataset.sql("select count(*) from events").fetchall() == [(dataset.info.records,)]
    counts = dict(dataset.sql("select event, count(*) from events group by 1").fetchall())
    assert counts == dataset.info.events
    assert dataset.sql("select key__utf8, more from begin where more is not null").fetchall() == [("x", 3)]
    assert dataset.sql("select count(*) from traces").fetchall() == [(6,)]
    assert dataset.sql("select sum(dropped) from drops").fetchall() == [(dataset.info.dropped,)]
    assert dataset.sql("select count(*) from spans where pair = 'work'").fetchall() == [(dataset.spans("work").count(),)]
    for table in ["pauses", "steps", "counters"]:
        rows = getattr(dataset, table)().count()
        assert dataset.sql(f"select count(*) from {table}").fetchall() == [(rows,)], table
    import duckdb

    with pytest.raises(duckdb.CatalogException, match="no_such_table"):
        dataset.sql("select * from no_such_table")


def test_libraries_read_tables(dataset: ringtrace.Trace) -> None:
    begins = dataset.table("begin")
    assert pyarrow.table(begins).num_rows == begins.to_arrow().num_rows == begins.to_polars().height == 4
    assert begins.to_pandas()["more"].sum() == 3
    lazy = begins.scan_polars().filter(pl.col("time_ns") >= 9 * SECOND).select("more")
    assert lazy.collect().rows() == [(3,)]
    assert len(dataset.to_pandas()) == dataset.info.records


def test_only_committed_traces_are_visible(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "set"
    tool("ingest", path, folder / "one")
    (commit,) = (path / "traces").glob("*.parquet")
    data = commit.read_bytes()
    commit.unlink()
    assert (ringtrace.open(path).info.records, ringtrace.open(path).event_names) == (0, [])
    assert ringtrace.open(path).events.count() == 0
    assert ringtrace.open(path).sql("select count(*) from events").fetchall() == [(0,)]
    commit.write_bytes(data)
    # An unfinished second ingestion of a trace leaves files that belong to no commit.
    extra = next((path / "events").rglob("*.parquet"))
    extra.with_name("ee-000000.parquet").write_bytes(extra.read_bytes())
    assert ringtrace.open(path).events.count() == ringtrace.open(path).info.records == 2
    settings = json.loads((path / "_dataset.json").read_text())
    (path / "_dataset.json").write_text(json.dumps({**settings, "version": 3}))
    with pytest.raises(ringtrace.TraceError, match="version 3, and this package reads version 2"):
        ringtrace.open(path)
    with pytest.raises(TypeError, match="either traces or one dataset"):
        ringtrace.open(path, folder / "one")
    with pytest.raises(ringtrace.TraceError, match="`ringtrace sql s3://bucket/fleet 'QUERY'"):
        ringtrace.open("s3://bucket/fleet")


def test_arguments_have_other_names_than_columns_of_other_tables(tmp_path: Path) -> None:
    """Otherwise, an argument could have the name of a column of spans, or of a folder."""
    declarations = ('begin(uint64_t end_ns, int date) "%" PRIu64 " %d"', 'end(int key) "%d"')
    tool("ingest", tmp_path / "set", Made(declarations=declarations).event(1, SECOND, 7, 8).write(tmp_path / "one"))
    rows = ringtrace.open(tmp_path / "set").sql("select arg_end_ns, arg_date, date from begin").fetchall()
    assert [(end, date) for end, date, _ in rows] == [(7, 8)]
    assert str(rows[0][2]).startswith("2026-")
