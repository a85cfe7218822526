"""Measures the processor time of recording events, in nanoseconds.

Run it with a release build: ``python3 benches/emit.py``.
"""

from __future__ import annotations

import statistics
import tempfile
import time
import timeit

import ringtrace

ROUNDS = 15
CALLS = 50_000

STATEMENTS = {
    "call of an empty Python function": "function(1, 8)",
    "event without arguments": "empty()",
    "two integers": "two(1, 8)",
    "two integers, by name": "two(sector=1, count=8)",
    "string": "text('hello world')",
    "`if event.enabled`": "if two.enabled: pass",
    "span with an integer": "with span(1): pass",
}


def measured(names: dict[str, object]) -> list[float]:
    """Returns the median for each statement, without that of an empty one."""

    def median(statement: str) -> float:
        timer = timeit.Timer(statement, globals=names, timer=time.thread_time)
        return statistics.median(timer.timeit(CALLS) / CALLS * 1e9 for _ in range(ROUNDS))

    empty = median("pass")
    return [median(statement) - empty for statement in STATEMENTS.values()]


def main() -> None:
    names: dict[str, object] = {
        "function": lambda sector, count: None,
        "empty": ringtrace.event("empty"),
        "two": ringtrace.event("two", sector="uint64_t", count="uint32_t"),
        "text": ringtrace.event("text", text=str),
        "span": ringtrace.span("span", n=int),
    }
    off = measured(names)
    with tempfile.NamedTemporaryFile(dir="/dev/shm") as file, ringtrace.start(f"*,policy=block,file={file.name}"):
        on = measured(names)
    print(f"{'':34} {'off':>6} {'on':>6}")
    for statement, without, recorded in zip(STATEMENTS, off, on, strict=True):
        print(f"{statement:34} {without:6.0f} {recorded:6.0f}")


if __name__ == "__main__":
    main()
