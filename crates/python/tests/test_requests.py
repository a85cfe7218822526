"""Which traces, rows and columns a table has."""

from __future__ import annotations

import os
import shutil
import struct
from datetime import datetime, timedelta, timezone
from pathlib import Path

import polars as pl
import pytest
from conftest import TESTDATA, Made, json_lines, tool

import ringtrace

BOOT = TESTDATA / "boot-small.bin"
EVENTS = TESTDATA / "boot-small.events"
SECOND = 1_000_000_000


@pytest.fixture
def boot() -> ringtrace.Trace:
    return ringtrace.open(BOOT, events=EVENTS)


def test_columns_have_the_requested_order(boot: ringtrace.Trace) -> None:
    table = boot.table("virtio_blk_handle_read", columns=["nsectors", "time", "sector", "time_ns"])
    assert table.columns == ["nsectors", "time", "sector", "time_ns"]
    assert list(table.head(1)[0]) == table.columns
    assert boot.table("virtio_blk_handle_read", columns=[]).count() == table.count() > 0


def test_unknown_names_are_refused_with_a_suggestion(boot: ringtrace.Trace) -> None:
    for request, message, help in [
        (lambda: boot.table("virtio_blk_handle_reed"), "no event is called", "`virtio_blk_handle_read`"),
        (lambda: boot.table("virtio_blk_handle_read", columns=["sectr"]), "no column is called", "`sector`"),
        (lambda: boot.spans("virtio-blk reqest"), "no pair is called", "`virtio-blk request`"),
        (lambda: boot.spans("virtio_blk_handle_read:virtio_blk_req_complet"), "virtio_blk_req_complet", "`"),
        (lambda: boot.table("virtio_blk_handle_read", where="sector >"), "where: ", ""),
        (lambda: boot.table("virtio_blk_handle_read", where="sectr > 0"), "no event has an argument", "`sector`"),
        (lambda: boot.all_events(where='sector == "x"'), "is a number but is used as text", "without quotes"),
    ]:
        with pytest.raises(ringtrace.TraceError) as raised:
            request()
        assert message in str(raised.value) and help in str(raised.value)
    with pytest.raises(ringtrace.TraceError, match=r"declarations.*open\(events"):
        ringtrace.open(BOOT).table("virtio_blk_handle_read").count()


def test_times_select_rows(boot: ringtrace.Trace) -> None:
    lines = json_lines("--events", EVENTS, BOOT)
    first = lines[0]["time_ns"]
    for start, end in [(1.5, 2.0), (None, 3), (timedelta(seconds=2), None), (0, 0), (6.5, 100.0)]:
        low = 0 if start is None else ns(start)
        high = 1 << 62 if end is None else ns(end)
        expected = [line["time_ns"] for line in lines if low <= line["time_ns"] - first <= high]
        table = boot.all_events(columns=["time_ns"], start=start, end=end)
        assert [row["time_ns"] for row in table] == expected, (start, end)


def ns(time: float | timedelta) -> int:
    return round((time.total_seconds() if isinstance(time, timedelta) else time) * 1e9)


def test_dates_select_rows() -> None:
    trace = ringtrace.open(TESTDATA / "export/everything.trace")
    lines = json_lines(TESTDATA / "export/everything.trace")
    last = max(line["time"] for line in lines if line["event"] != "Dropped_Event")
    expected = sum(line["time"] >= "2026-11-23T12:00:02" for line in lines if line["event"] != "Dropped_Event")
    assert 0 < expected < trace.events.count()
    zone = timezone(timedelta(hours=2))
    for start in [
        datetime(2026, 11, 23, 12, 0, 2),
        datetime(2026, 11, 23, 14, 0, 2, tzinfo=zone),
        "2026-11-23T12:00:02Z",
        "2026-11-23 12:00:02",
    ]:
        assert trace.all_events(start=start).count() == expected, start
    assert trace.all_events(end=last[:19]).count() < trace.events.count()


def test_dates_need_a_wall_clock(boot: ringtrace.Trace) -> None:
    with pytest.raises(ringtrace.TraceError, match="epoch"):
        boot.all_events(start="2026-11-20")
    dated = ringtrace.open(BOOT, events=EVENTS, epoch="2026-11-20")
    expected = json_lines("--events", EVENTS, "--epoch", "2026-11-20", BOOT)[0]["time"]
    assert f"{dated.events.head(1)[0]['time']:%Y-%m-%dT%H:%M:%S.%f}" == expected[:26]
    assert dated.all_events(start="2026-11-20T00:31:37").count() < 17361


def test_each_trace_can_have_an_epoch(tmp_path: Path) -> None:
    one = Made(zero_s=None).event(1, 5 * SECOND, 1).write(tmp_path / "one")
    two = Made(host="two", boot="b-2", trace="bb", zero_s=None).event(1, 2 * SECOND, 2).write(tmp_path / "two")
    with pytest.raises(ringtrace.TraceError, match="wall-clock"):
        ringtrace.open(one, two)
    epochs = {one: "2026-11-20 00:00:00", two: "2026-11-20 00:00:01"}
    rows = list(ringtrace.open(one, two, epoch=epochs).table("begin", columns=["key", "time"]))
    assert [(row["key"], f"{row['time']:%S}") for row in rows] == [(2, "03"), (1, "05")]
    with pytest.raises(ValueError, match="no-such"):
        ringtrace.open(one, epoch={"no-such": "2026-11-20"})


def test_conditions_and_ids_select_rows(boot: ringtrace.Trace) -> None:
    condition = "val > 1000"
    expected = json_lines("--events", EVENTS, "--event", "apic_register_write", "--where", condition, BOOT)
    assert boot.table("apic_register_write", where=condition).count() == len(expected) > 0
    assert boot.all_events(pid=0).count() == 13
    assert boot.all_events(pid=[0, 7751]).count() == 17361
    everything = ringtrace.open(TESTDATA / "export/everything.trace")
    assert {row["tid"] for row in everything.all_events(tid=[4243])} == {4243}


def test_traces_are_found_by_pattern_list_and_folder(tmp_path: Path) -> None:
    shutil.copy(BOOT, tmp_path / "one.bin")
    shutil.copy(BOOT, tmp_path / "two.bin")
    for traces in [
        [str(tmp_path / "*.bin")],
        [[tmp_path / "one.bin", tmp_path / "two.bin"]],
        [tmp_path / "one.bin", tmp_path / "two.bin"],
    ]:
        trace = ringtrace.open(*traces, events=EVENTS)
        assert (trace.events.count(), trace.info.records) == (2 * 17361, 2 * 17361)
    with pytest.raises(FileNotFoundError):
        ringtrace.open(tmp_path / "*.trace")
    with pytest.raises(TypeError):
        ringtrace.open()


def test_pipes_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ringtrace.TraceError, match="not a file"):
        ringtrace.open(tmp_path / "pipe")


def test_a_folder_of_a_rotated_trace_is_one_trace(tmp_path: Path) -> None:
    folder = tmp_path / "engine.trace.d"
    folder.mkdir()
    Made().event(1, 5 * SECOND, 1).write(folder / "00000001-20261123T091500Z.trace")
    Made().event(2, 7 * SECOND, 1).write(folder / "00000002-20261123T091600Z.trace")
    trace = ringtrace.open(folder)
    assert [row["latency_ns"] for row in trace.spans("begin:end")] == [2 * SECOND]
    assert trace.events.count() == 2


def test_traces_of_two_hosts_are_merged_by_the_wall_clock(tmp_path: Path) -> None:
    one = Made().event(1, 5 * SECOND, 1).event(2, 7 * SECOND, 1).write(tmp_path / "one")
    two = Made(host="two", boot="b-2", trace="bb", zero_s=1_795_000_004)
    two = two.event(1, 2 * SECOND, 1).event(2, 4 * SECOND, 1).write(tmp_path / "two")
    for paths in [(one, two), (two, one)]:
        trace = ringtrace.open(*paths)
        lines = json_lines(*paths)
        rows = list(trace.events)
        assert [row["event"] for row in rows] == [line["event"] for line in lines]
        assert [row["time_ns"] for row in rows] == [line["time_ns"] for line in lines]
        assert [f"{row['time']:%Y-%m-%dT%H:%M:%S}" for row in rows] == [line["time"][:19] for line in lines]
        # Pairs are not joined by chance.
        assert [row["latency_ns"] for row in trace.spans("begin:end:key")] == [2 * SECOND, 2 * SECOND]
        assert trace.info.seconds == 3.0
        assert {value["metadata"]["host"][0] for value in trace.info.traces} == {"one", "two"}


def test_tables_of_several_traces_have_their_origins(tmp_path: Path) -> None:
    one = Made().event(1, 5 * SECOND, 1).event(2, 7 * SECOND, 1).write(tmp_path / "one")
    two = Made(host="two", boot="b-2", trace="bb").event(1, 5 * SECOND, 2).event(2, 8 * SECOND, 2)
    paths = (one, two.write(tmp_path / "two"))
    trace = ringtrace.open(*paths)
    for table in [
        trace.events,
        trace.table("begin"),
        trace.spans("begin:end:key"),
        trace.drops(),
        trace.pauses(),
        trace.steps(),
        trace.counters(),
    ]:
        assert {"trace", "host"} <= set(table.columns), table.name
    origins = [("aa", "one"), ("bb", "two")]
    assert sorted({(row["trace"], row["host"]) for row in trace.events}) == origins
    spans = {(row["trace"], row["host"]): row["latency_ns"] for row in trace.spans("begin:end:key")}
    assert spans == dict(zip(origins, [2 * SECOND, 3 * SECOND], strict=True))
    by_host = "select host, max(latency_ns) from spans group by host order by host"
    pairs = tmp_path / "pairs"
    pairs.write_text("pair work\n  begin begin key\n  end end key\n")
    described = ringtrace.open(*paths, pairs=pairs)
    assert described.sql(by_host).fetchall() == [("one", 2 * SECOND), ("two", 3 * SECOND)]
    assert described.sql("select host, count(*) from events group by 1 order by 1").fetchall() == [("one", 2), ("two", 2)]
    frame = trace.table("begin").scan_polars().group_by("host").agg(pl.col("key").sum()).sort("host")
    assert frame.collect().rows() == [("one", 1), ("two", 2)]
    # Files of a single trace, and a trace without an id.
    assert "host" not in ringtrace.open(one).events.columns
    again = Made().event(1, 9 * SECOND, 3).write(tmp_path / "again")
    assert "host" not in ringtrace.open(one, again).events.columns
    events = [EVENTS, TESTDATA / "qemu-io.events"]
    unnamed = ringtrace.open(BOOT, TESTDATA / "qemu-io.bin", events=events, unaligned=True)
    assert {(row["trace"], row["host"]) for row in unnamed.all_events(columns=["trace", "host"])} == {
        (str(BOOT), None),
        (str(TESTDATA / "qemu-io.bin"), None),
    }


def test_each_trace_has_its_own_wall_clock(tmp_path: Path) -> None:
    """The wall clock of the machine was set between the starts of two programs."""
    one = Made().event(1, 5 * SECOND, 1).event(2, 7 * SECOND, 1).write(tmp_path / "one")
    two = Made(trace="bb", zero_s=1_795_003_600).event(1, 6 * SECOND, 2).event(2, 8 * SECOND, 2)
    paths = (one, two.write(tmp_path / "two"))
    rows = list(ringtrace.open(*paths).events)
    dates = [line["time"][:19] for line in json_lines(*paths)]
    assert [f"{row['time']:%Y-%m-%dT%H:%M:%S}" for row in rows] == dates == sorted(dates, key=lambda it: it[17:])
    keys = [row["time"] for event in ("begin", "end") for row in ringtrace.open(*paths).table(event)]
    assert sorted(keys) == sorted(row["time"] for row in rows)
    selected = ringtrace.open(*paths).all_events(start="2026-11-18 12:00:00")
    late = json_lines("--since", "2026-11-18T12:00:00Z", *paths)
    assert [row["time_ns"] for row in selected] == [line["time_ns"] for line in late]
    assert 0 < len(late) < len(rows)
    begins = [row["time"] for row in ringtrace.open(*paths).spans("begin:end")]
    assert begins == [row["time"] for row in rows if row["event"] == "begin"]


def test_versions_of_an_event_share_a_table(tmp_path: Path) -> None:
    old = Made(declarations=('read(int fd) "%d"',)).event(1, SECOND, 1).write(tmp_path / "old")
    new = Made(trace="bb", declarations=('read(const char *fd, uint64_t size) "%s %u"',))
    new = new.event(1, 2 * SECOND, b"two", (1 << 64) - 1).write(tmp_path / "new")
    table = ringtrace.open(old, new).table("read", columns=["fd", "fd__utf8", "size"])
    assert list(table) == [
        {"fd": 1, "fd__utf8": None, "size": None},
        {"fd": None, "fd__utf8": "two", "size": (1 << 64) - 1},
    ]
    assert table.to_arrow().to_pylist() == list(table)
    assert table.to_polars().to_dicts() == list(table)
    assert table.schema == {"fd": "int32", "fd__utf8": "string", "size": "uint64"}


def test_events_that_are_declared_late_are_known(tmp_path: Path) -> None:
    made = Made()
    for number in range(50_000):
        made.event(1, SECOND + number, number)
    made.metadata('declaration=late(int32_t x) "%d"')
    made.mapping(3, "late")
    path = made.event(3, 9 * SECOND, 4).write(tmp_path / "trace")
    compact = tmp_path / "compact"
    tool("convert", "--to", "compact", path, compact)
    for trace in (ringtrace.open(path), ringtrace.open(compact)):
        assert [row["x"] for row in trace.table("late")] == [4]
        assert "late" in trace.event_names


def test_spans_have_the_latencies_of_the_tool(boot: ringtrace.Trace, tmp_path: Path) -> None:
    lines = tmp_path / "out.jsonl"
    pair = "virtio_blk_handle_read:virtio_blk_req_complete:req"
    tool("export", "--events", EVENTS, "--pair", pair, BOOT, "-o", lines)
    import json

    spans = [json.loads(line) for line in lines.read_text().splitlines()]
    spans = [span for span in spans if span.get("row") == "span"]
    rows = list(boot.spans(pair))
    assert [row["latency_ns"] for row in rows] == [span.get("latency_ns") for span in spans]
    assert [row["begin_sector"] for row in rows] == [int(span["begin_args"]["sector"]) for span in spans]
    assert {row["pair"] for row in rows} == {pair}
    united = boot.spans()
    assert {row["pair"] for row in united} <= set(boot.pairs)
    assert sum(row["pair"] == "virtio-blk request" for row in united) == boot.spans("virtio-blk request").count()


def test_merged_traces_keep_the_arguments_of_their_events(tmp_path: Path) -> None:
    """Schemas have other numbers in a merge than in each trace."""
    events, pairs = tmp_path / "events", tmp_path / "pairs"
    events.write_text('a(int k, int x) "%d %d"\nb(int k, int y) "%d %d"\nc(int k) "%d"\n')
    pairs.write_text("pair P\n  begin a k\n  begin b k\n  end c k\n")

    def plain(name: str, *records: tuple[int, ...]) -> str:
        made = Made(declarations=())
        for number, event in enumerate("abc", 1):
            made.mapping(number, event)
        for number, ns, *arguments in records:
            made.event(number, ns, *arguments, thread=0)
        # Without metadata, as QEMU writes.
        made.data = made.data[:24] + made.data[made.data.index(struct.pack("<QQI", 0, 1, 1)) :]
        return made.write(tmp_path / name)

    one = plain("one", (2, 1, 1, 111), (3, 2, 1), (1, 3, 2, 222), (3, 4, 2))
    two = plain("two", (1, 5, 1, 333), (3, 6, 1))
    spans = ringtrace.open(one, two, events=events, pairs=pairs).spans("P", columns=["begin_x", "begin_y"])
    assert [tuple(row.values()) for row in spans] == [(None, 111), (222, None), (333, None)]


def test_described_pairs_have_steps_and_counters() -> None:
    trace = ringtrace.open(TESTDATA / "export/everything.trace", pairs=TESTDATA / "export/everything.pairs")
    assert trace.steps().count() > 0 and trace.counters().count() > 0
    assert trace.pauses().count() == 2


def test_exports_are_those_of_the_tool(boot: ringtrace.Trace, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.pftrace", tmp_path / "theirs.pftrace"
    boot.to_perfetto(ours)
    tool("export", "--events", EVENTS, BOOT, "-o", theirs)
    assert ours.read_bytes() == theirs.read_bytes()
    # Processes have the names of their programs.
    made = Made()
    made.metadata("command=/usr/bin/engine\\x00--fast\\x00")
    path = made.event(1, SECOND, 1).write(tmp_path / "engine.trace")
    ringtrace.open(path).to_perfetto(ours)
    tool("export", "--force", path, "-o", theirs)
    assert b"engine" in theirs.read_bytes().replace(b"engine.trace", b"")
    assert ours.read_bytes() == theirs.read_bytes()
    boot.export("jsonl", tmp_path / "part.jsonl", start=3.0, end=4.0)
    assert 0 < len((tmp_path / "part.jsonl").read_text().splitlines()) < 17361
    with pytest.raises(ringtrace.TraceError, match="parquet"):
        boot.export("parquet", tmp_path / "x.parquet")
    with pytest.raises(ringtrace.TraceError, match="No such file"):
        boot.to_perfetto(tmp_path / "no/such/folder")


def test_tables_and_traces_show_themselves(boot: ringtrace.Trace) -> None:
    table = boot.table("virtio_blk_handle_read", columns=["sector"])
    assert repr(table) == "<ringtrace.Table virtio_blk_handle_read: sector>"
    assert table._repr_html_().startswith("<table><caption>virtio_blk_handle_read</caption><tr><th>sector</th>")
    assert "and more rows" in table._repr_html_()
    assert "17,361" in boot._repr_html_() and "17,361" in boot.info._repr_html_()
    trace = ringtrace.open(TESTDATA / "export/everything.trace")
    assert "<b>" not in trace.table("text")._repr_html_()
