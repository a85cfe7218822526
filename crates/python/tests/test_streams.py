"""Streams: memory, threads, interrupts and progress."""

from __future__ import annotations

import datetime
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pyarrow
import pytest
from conftest import TESTDATA

import ringtrace

BOOT = TESTDATA / "boot-small.bin"
EVENTS = TESTDATA / "boot-small.events"

#: The limit for things that happen soon, on a machine that is busy.
LIMIT_SECONDS = 60


def readers() -> int:
    """Returns the number of threads that decode traces."""
    names = []
    for task in Path("/proc/self/task").iterdir():
        try:
            names.append((task / "comm").read_text().strip())
        except (FileNotFoundError, ProcessLookupError):
            # The thread has ended.
            continue
    return names.count("ringtrace")


def until(condition: object) -> None:
    end = time.monotonic() + LIMIT_SECONDS
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stream_decodes_as_it_is_read(long_trace: str, threads: int) -> None:
    table = ringtrace.open(long_trace, threads=threads).events
    until(lambda: readers() == 0)
    stream = pyarrow.RecordBatchReader.from_stream(table)
    assert readers() == 0, "a stream starts to read with the first batch"
    first = stream.read_next_batch()
    assert first.num_rows <= 1 << 14
    # The thread continues until its channel is full, but not to the end of the trace.
    until(lambda: table._source.progress() is not None)
    time.sleep(0.5)
    assert table._source.progress() < 0.7
    assert readers() == threads
    rows = first.num_rows + sum(batch.num_rows for batch in stream)
    assert rows == table.count() == 30 * 17361
    until(lambda: readers() == 0)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_released_stream_stops_its_threads(long_trace: str, threads: int) -> None:
    trace = ringtrace.open(long_trace, threads=threads)
    for table in (trace.events, trace.table("virtio_blk_handle_read")):
        stream = pyarrow.RecordBatchReader.from_stream(table)
        stream.read_next_batch()
        del stream
        until(lambda: readers() == 0)
    iterator = iter(trace.events)
    next(iterator)
    del iterator
    until(lambda: readers() == 0)


def test_streams_are_independent(long_trace: str) -> None:
    table = ringtrace.open(long_trace).all_events(columns=["time_ns"])
    streams = [pyarrow.RecordBatchReader.from_stream(table) for _ in range(3)]
    for first, second, third in zip(*streams, strict=True):
        assert first.equals(second) and second.equals(third)


def test_other_threads_run_while_a_trace_is_decoded(long_trace: str) -> None:
    table = ringtrace.open(long_trace).events
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0)

    counter = threading.Thread(target=count)
    counter.start()
    try:
        before = counted
        assert table.count() == 30 * 17361
        assert counted - before > 10
    finally:
        done.set()
        counter.join()


def test_tables_can_be_read_in_several_threads(long_trace: str) -> None:
    trace = ringtrace.open(long_trace)
    counts: list[int] = []
    threads = [threading.Thread(target=lambda: counts.append(trace.events.count())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [30 * 17361] * 4


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Handles SIGINT as usual, also if the tests run in the background, where it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("method", ["to_arrow", "to_polars", "count", "to_pandas"])
def test_control_c_ends_the_reading(long_trace: str, method: str) -> None:
    # A signal during the first import of a library would end the import.
    import pandas  # noqa: F401
    import polars  # noqa: F401

    table = ringtrace.open(long_trace).events
    for attempt in range(200):
        timer = threading.Timer(0.06 + attempt % 10 * 0.01, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        try:
            getattr(table, method)()
            # The signal came too late; wait for it.
            timer.join()
            time.sleep(LIMIT_SECONDS)
        except KeyboardInterrupt:
            timer.join()
        if table._source.last_error() == "interrupted" or method == "count":
            break
    else:
        pytest.fail("no interrupt reached the stream")
    until(lambda: readers() == 0)
    # The signal is not seen twice.
    assert table.count() == 30 * 17361


@pytest.mark.usefixtures("interruptible")
def test_control_c_ends_an_export(long_trace: str, tmp_path: Path) -> None:
    trace = ringtrace.open(long_trace)
    out = tmp_path / "out.jsonl"
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        trace.export("jsonl", out)
        # The export was faster than the signal.
        time.sleep(LIMIT_SECONDS)
    timer.join()
    until(lambda: not any(path.name != "out.jsonl" for path in tmp_path.iterdir()))
    assert ringtrace.open(long_trace).all_events(end=0).count() > 0


def test_progress_is_reported(long_trace: str, capsys: pytest.CaptureFixture[str]) -> None:
    parts: list[float] = []
    ringtrace.open(long_trace, progress=parts.append).events.to_arrow()
    assert parts == sorted(parts) and parts[-1] == 1.0
    assert all(0 <= part <= 1 for part in parts)
    ringtrace.open(long_trace, progress=False).events.to_arrow()
    # Standard error is no terminal here.
    ringtrace.open(long_trace).events.to_arrow()
    assert capsys.readouterr().err == ""
    assert not sys.stderr.isatty()


def test_several_threads_give_the_same_rows_in_the_same_order(long_trace: str) -> None:
    one, four = (ringtrace.open(long_trace, events=EVENTS, threads=threads) for threads in (1, 4))
    for request in [
        lambda trace: trace.all_events(columns=["record", "time_ns", "event"]),
        lambda trace: trace.table("ioapic_set_irq", columns=["record", "vector"], start=1.0, end=4.0),
    ]:
        expected, found = (pyarrow.table(request(trace)) for trace in (one, four))
        assert expected.num_rows > 0
        # The names in dictionaries can have another order.
        plain = pyarrow.schema(
            [(field.name, getattr(field.type, "value_type", field.type)) for field in expected.schema]
        )
        assert found.cast(plain).equals(expected.cast(plain)), request
    assert four.events.head(3) == one.events.head(3)
    with pytest.raises(ValueError, match="threads"):
        ringtrace.open(long_trace, threads=0)


def test_traces_and_tables_are_pickled_as_their_paths_and_options() -> None:
    trace = ringtrace.open(BOOT, events=EVENTS, keep_going=True, progress=lambda part: None)
    table = trace.table("apic_register_write", ["reg"], 1.0, datetime.timedelta(seconds=5), where="reg == 11", pid=7751)
    again, other = pickle.loads(pickle.dumps((trace, table)))
    assert (again.info.records, list(other)) == (17361, list(table))
    assert table.count() > 0
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(ringtrace.Table.count, table).result() == table.count()
