"""Compares decoding in Python with `ringtrace print` and with babeltrace2's Python bindings.

    PYTHONPATH=... python3 crates/python/benches/decode.py RINGTRACE TRACE EVENT [CTF]

RINGTRACE is the tool. The numbers are processor times relative to `print --threads 1`, which prints
the same records: above 1, Python is faster. Each is the median of runs that alternate. CTF is the
folder of the exported trace, for Debian's package python3-bt2.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
from collections.abc import Callable

import pyarrow

import ringtrace

RUNS = 11

#: What Debian's Python runs, because it has the bindings.
BT2 = """
import bt2, sys
rows = 0
for message in bt2.TraceCollectionMessageIterator(sys.argv[1]):
    if type(message) is bt2._EventMessageConst:
        event = message.event
        if event.name == sys.argv[2]:
            fields = [message.default_clock_snapshot.ns_from_origin]
            fields.extend(int(value) for value in event.payload_field.values())
            rows += 1
print(rows)
"""


def seconds(run: Callable[[], object]) -> float:
    """Returns the processor time of all threads and children."""

    def now() -> float:
        usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return sum(usage.ru_utime + usage.ru_stime for usage in usages)

    before = now()
    run()
    return now() - before


def tool(*arguments: str) -> Callable[[], object]:
    return lambda: subprocess.run(arguments, stdout=subprocess.DEVNULL, check=True)


def drain(table: ringtrace.Table) -> Callable[[], object]:
    def run() -> None:
        for _ in pyarrow.RecordBatchReader.from_stream(table):
            pass

    return run


def main(program: str, path: str, event: str, ctf: str | None = None) -> None:
    trace = ringtrace.open(path, threads=1)
    printing = (program, "print", "--threads", "1", path)
    cases = {
        "print": tool(*printing),
        "print --event": tool(*printing, "--event", event),
        "events": drain(trace.events),
        "events, narrow": drain(trace.all_events(columns=["time_ns", "event"])),
        "table": drain(trace.table(event)),
        "table, narrow": drain(trace.table(event, columns=["time_ns"])),
        "table to pandas": trace.table(event).to_pandas,
        "table to Polars": trace.table(event).to_polars,
        "count by event (SQL)": lambda: trace.sql("select event, count(*) from events group by 1").fetchall(),
    }
    if ctf:
        cases["bt2"] = tool("/usr/bin/python3", "-c", BT2, ctf, event)
    times: dict[str, list[float]] = {name: [] for name in cases}
    for run in range(RUNS):
        for name, case in cases.items():
            if name != "bt2" or run == 0:
                times[name].append(seconds(case))
    base = {name: statistics.median(times[name]) for name in ("print", "print --event")}
    rows = {name: trace.table(event).count() if "table" in name else trace.events.count() for name in cases}
    for name, measured in times.items():
        median = statistics.median(measured)
        of_event = name.startswith("table") or name == "print --event"
        reference = base["print --event" if of_event or name == "bt2" else "print"]
        print(f"{name:22} {median:9.4f} s {reference / median:9.4f} {rows[name]:10,} rows")


if __name__ == "__main__":
    main(*sys.argv[1:])
