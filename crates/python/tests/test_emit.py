"""Events that Python programs declare and record."""

from __future__ import annotations

import asyncio
import enum
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import json_lines, run_tool, tool

import ringtrace

COMMON = {"record", "time_ns", "wall_ns", "time", "pid", "tid", "thread", "cpu"}


def rows(path: object, event: ringtrace.Event | str) -> list[dict[str, Any]]:
    """Returns the arguments of the records of `event`."""
    name = event if isinstance(event, str) else event.name
    found = ringtrace.open(str(path)).table(name)
    return [{key: value for key, value in row.items() if key not in COMMON} for row in found]


class Disk(enum.IntEnum):
    IDLE = 0
    BUSY = 1
    FAILED = -1


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


def test_values_of_all_types_are_recorded(tmp_path: Path) -> None:
    limits = {
        f"{unsigned}int{bits}_t": (0, 2**bits - 1) if unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        for unsigned in ("", "u")
        for bits in (8, 16, 32, 64)
    } | {"int": (-(2**31), 2**31 - 1), "size_t": (0, 2**64 - 1)}
    declared = [
        ringtrace.event(f"limits_{type_}", least=type_, most=type_, before=type_) for type_ in limits
    ]
    mixed = ringtrace.event("mixed", text=str, raw=bytes, ok=bool, share=float, disk=Disk, colour=Colour)
    written = ringtrace.event('written(const char *path, void *at, unsigned char share) "%s at %p %u%%"')
    path = tmp_path / "trace"
    with ringtrace.start(f"*,file={path}") as tracing:
        for event, (least, most) in zip(declared, limits.values(), strict=True):
            event(least, most, before=most - 1)
        mixed("é\U0001f600", b"\xff\0x", True, 0.1, Disk.FAILED, Colour.BLUE)
        mixed(raw=b"", text=os.fsdecode(b"\xff"), ok=False, share=3, disk="BUSY", colour=1)
        mixed("\ud800", b"x" * 600, False, float("inf"), 7, "RED")
        written(tmp_path, at=2**64 - 1, share=255)
    assert tracing.path == str(path)
    for event, (least, most) in zip(declared, limits.values(), strict=True):
        assert rows(path, event) == [{"least": least, "most": most, "before": most - 1}]
    assert rows(path, mixed) == [
        {"text": "é\U0001f600", "raw": "\\xff\0x", "ok": True, "share": 0.1, "disk": "FAILED", "colour": "BLUE"},
        {"text": "\\xff", "raw": "", "ok": False, "share": 3.0, "disk": "BUSY", "colour": "RED"},
        # Strings of records have 512 bytes at most.
        {"text": "?", "raw": "x" * 512, "ok": False, "share": float("inf"), "disk": "7", "colour": "RED"},
    ]
    assert rows(path, written) == [{"path": str(tmp_path), "at": 2**64 - 1, "share": 255}]
    lines = tool("print", "--style", "log", path).decode(errors="replace").splitlines()
    assert lines[0].endswith("least=-128 most=127 before=126"), lines[0]
    assert len(lines) == len(limits) + 4
    assert json_lines(path)[-1]["event"] == "written"


@pytest.mark.parametrize(
    ("arguments", "named", "error", "message"),
    [
        ((), {}, TypeError, "checked() needs the argument `sector`"),
        ((1,), {"cuont": 2}, TypeError, "checked() has no argument `cuont`; did you mean `count`?"),
        ((1, 2), {"count": 2}, TypeError, "checked() got two values for the argument `count`"),
        ((1, 2), {"other": 2}, TypeError, "checked() has no argument `other`"),
        ((1, 2, "a", 0, True, 1.0, 7), {}, TypeError, "checked() takes 6 arguments, but 7 were given"),
        ((1, 2, "a", 0, True, 1.0), {"x": 1}, TypeError, "checked() has no argument `x`"),
        ((1, 2, "a", 0, True, 1.0), {"sector": 1}, TypeError, "checked() got two values for the argument `sector`"),
        (("1", 2, "a", 0, True, 1.0), {}, TypeError, "checked(): sector must be int (uint64_t), not str"),
        ((1.0, 2, "a", 0, True, 1.0), {}, TypeError, "checked(): sector must be int (uint64_t), not float"),
        (
            (-1, 2, "a", 0, True, 1.0),
            {},
            OverflowError,
            "checked(): sector must be from 0 to 18446744073709551615 (uint64_t), not -1",
        ),
        (
            (2**64, 2, "a", 0, True, 1.0),
            {},
            OverflowError,
            "checked(): sector must be from 0 to 18446744073709551615 (uint64_t), not 18446744073709551616",
        ),
        (
            (1, -129, "a", 0, True, 1.0),
            {},
            OverflowError,
            "checked(): count must be from -128 to 127 (int8_t), not -129",
        ),
        ((1, 128, "a", 0, True, 1.0), {}, OverflowError, "checked(): count must be from -128 to 127 (int8_t), not 128"),
        (
            (1, 2, None, 0, True, 1.0),
            {},
            TypeError,
            "checked(): name must be str, bytes or a path (const char *), not NoneType",
        ),
        (
            (1, 2, "a", "BSY", True, 1.0),
            {},
            ValueError,
            'checked(): state is not a constant of Disk: "BSY"; did you mean "BUSY"?',
        ),
        (
            (1, 2, "a", "x", True, 1.0),
            {},
            ValueError,
            'checked(): state is not a constant of Disk: "x"; it has IDLE, BUSY, FAILED',
        ),
        (
            (1, 2, "a", 2**31, True, 1.0),
            {},
            OverflowError,
            "checked(): state must be from -2147483648 to 2147483647 (Disk), not 2147483648",
        ),
        (
            (1, 2, "a", 0.5, True, 1.0),
            {},
            TypeError,
            "checked(): state must be the name of a constant, int or a member of an Enum (Disk), not float",
        ),
        ((1, 2, "a", 0, 1, 1.0), {}, TypeError, "checked(): ok must be bool (bool), not int"),
        ((1, 2, "a", 0, True, "1"), {}, TypeError, "checked(): share must be float (double), not str"),
        ((1, 2, "a", 0, True, 10**400), {}, OverflowError, "int too large to convert to float"),
    ],
)
def test_mistaken_arguments_are_errors(
    arguments: tuple[object, ...],
    named: dict[str, object],
    error: type[Exception],
    message: str,
    tmp_path: Path,
) -> None:
    checked = ringtrace.event(
        "checked", sector="uint64_t", count="int8_t", name=str, state=Disk, ok=bool, share=float
    )
    # While the event is off, a call does nothing.
    checked(*arguments, **named)
    path = tmp_path / "trace"
    with ringtrace.start(f"checked,file={path}"), pytest.raises(error) as raised:
        checked(*arguments, **named)
    assert str(raised.value) == message
    assert rows(path, checked) == []


def test_mistaken_declarations_are_errors() -> None:
    for declare, error, message in [
        (lambda: ringtrace.event("open(int a"), ValueError, "error[E0003]: the argument list is not closed"),
        (lambda: ringtrace.event('opened(struct f *f) "%p"'), ValueError, "declare it as `void *f`"),
        (lambda: ringtrace.event("one(void)\ntwo(void)"), ValueError, "one declaration, not 2"),
        (lambda: ringtrace.event("", a=int), ValueError, "error["),
        (lambda: ringtrace.event("opened(void)", a=int), TypeError, "no types after a declaration"),
        (lambda: ringtrace.event("opened", a=list), TypeError, "a must have the type int, float, str, bytes, bool"),
        (lambda: ringtrace.event("opened", a="long long"), ValueError, "unknown type 'long long'; for types"),
        (lambda: ringtrace.span("opened", span=int), ValueError, "records the arguments `span` and `parent` itself"),
    ]:
        with pytest.raises(error, match=re.escape(message)):
            declare()
    with pytest.warns(UserWarning, match="format-type.*`%s` does not match `int a`") as warned:
        ringtrace.event('mismatched(int a) "%s"')
    assert warned[0].filename == __file__


def test_the_same_declaration_is_the_same_event() -> None:
    one = ringtrace.event("again", a=int)
    assert ringtrace.event("again", a=int) is one
    other = ringtrace.event("again", a=str)
    assert (one.name, other.name) == ("again", "again_2")
    assert other.declaration == 'again_2(const char *a) "a=%s"'
    text = "enum again_state { ON, OFF }\nagain(again_state a) \"a=%s\"\nmore(void)\n"
    many = ringtrace.events(text)
    assert many.again.declaration == 'enum again_state { ON, OFF }\nagain_3(again_state a) "a=%s"'
    assert ringtrace.events(text).more is many.more
    assert repr(many.more) == "<ringtrace.Event more(void)>"


def test_events_are_switched_at_any_time(tmp_path: Path) -> None:
    first, second = ringtrace.event("switch_first"), ringtrace.event("switch_second")
    path = tmp_path / "trace"
    with ringtrace.start(f"switch_first,file={path}") as tracing:
        assert (first.enabled, second.enabled) == (True, False)
        second()
        assert ringtrace.set_enabled("switch_*") == 2
        later = ringtrace.event("switch_later", n=int)
        assert later.enabled
        second()
        later(n=7)
        assert ringtrace.set_enabled("switch_second", False) == 1
        second()
        assert tracing.flush()
        assert rows(path, later) == [{"n": 7}]
        with pytest.raises(ringtrace.TraceError, match="already"):
            ringtrace.start("*")
    assert not first.enabled
    assert not tracing.flush()
    assert ringtrace.open(str(path)).info.events == {"switch_second": 1, "switch_later": 1}
    for options in ["switch_first,fiel=x", "*,buffer=12Q"]:
        with pytest.raises(ValueError, match="fiel|12Q"):
            ringtrace.start(options)
    with pytest.raises(ringtrace.TraceError, match="No such file or directory"):
        ringtrace.start(f"*,file={tmp_path}/missing/trace")


def test_nothing_starts_without_options(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("RINGTRACE", raising=False)
    with ringtrace.start() as tracing:
        assert tracing.path is None
    path = tmp_path / "trace"
    monkeypatch.setenv("RINGTRACE", f"environment_*,file={path}")
    event = ringtrace.event("environment_event")
    with ringtrace.start(environment=False) as tracing:
        assert (tracing.path, event.enabled) == (None, False)
    with ringtrace.start() as tracing:
        assert (tracing.path, event.enabled) == (str(path), True)
    with ringtrace.start(f"-environment_event,file={path}.2") as tracing:
        assert (tracing.path, event.enabled) == (f"{path}.2", False)


def test_spans_are_nested_in_threads_and_tasks(tmp_path: Path) -> None:
    request, query = ringtrace.span("app.request", path=str), ringtrace.span("app.query", table=str)
    with request("off"):
        pass

    async def serve(path: str) -> None:
        with request(path=path):
            await asyncio.sleep(0.001)
            with query("users"):
                await asyncio.sleep(0.001)

    async def main() -> None:
        await asyncio.gather(*(serve(f"/{number}") for number in range(3)))

    def fail() -> None:
        with request("/thread"), query("orders"):
            raise KeyError

    def suppressed() -> None:
        with pytest.raises(KeyError):
            fail()

    path = tmp_path / "trace"
    with ringtrace.start(f"app::*,file={path}"):
        asyncio.run(main())
        with request("/outer"):
            thread = threading.Thread(target=suppressed)
            thread.start()
            thread.join()
            # Switched off in the middle, and never begun.
            ringtrace.set_enabled("app__query__begin", False)
            with query("none"):
                pass
            ringtrace.set_enabled("app__query__begin")
    trace = ringtrace.open(str(path))
    assert trace.pairs == ["app::query", "app::request"]
    spans = list(trace.spans())
    assert all(span["latency_ns"] is not None for span in spans)
    number = {span["begin_path"]: span["begin_span"] for span in trace.spans("app::request")}
    assert set(number) == {"/0", "/1", "/2", "/thread", "/outer"}
    assert all(span["begin_parent"] == 0 for span in trace.spans("app::request"))
    parents = [span["begin_parent"] for span in trace.spans("app::query")]
    assert sorted(parents) == sorted(number[path] for path in ("/0", "/1", "/2", "/thread"))
    with pytest.raises(TypeError, match="app__query__begin\\(\\) needs the argument `table`"):
        with ringtrace.start(f"*,file={path}"), query():
            pass


def test_threads_record_at_the_same_time(tmp_path: Path) -> None:
    event = ringtrace.event("from_thread", thread_number="int", n="uint32_t")
    path = tmp_path / "trace"

    def work(number: int) -> None:
        for n in range(2000):
            event(number, n)

    with ringtrace.start(f"from_thread,policy=block,file={path}"):
        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    found: dict[int, list[int]] = {}
    owners = set()
    for row in ringtrace.open(str(path)).table(event.name):
        found.setdefault(row["thread_number"], []).append(row["n"])
        owners.add((row["thread_number"], row["tid"]))
    assert found == {number: list(range(2000)) for number in range(8)}
    assert len({tid for _, tid in owners}) == len(owners) == 8


def run_program(text: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", text],
        cwd=folder,
        env=os.environ | {"RINGTRACE_DIR": str(folder), "PYTHONPATH": absolute_path()} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def absolute_path() -> str:
    return os.pathsep.join(os.path.abspath(part) for part in os.environ["PYTHONPATH"].split(os.pathsep))


def test_the_exit_of_the_interpreter_writes_all_events(tmp_path: Path) -> None:
    program = "import ringtrace; ringtrace.start(); event = ringtrace.event('ended', n=int)\n"
    loop = "for n in range(5000): event(n)\n"
    endings = ["", "raise SystemExit(3)", "1/0", "import gc; gc.collect(); del event; import atexit; atexit._clear()"]
    for number, end in enumerate(endings):
        path = tmp_path / f"trace-{number}"
        run_program(program + loop + end, tmp_path, RINGTRACE=f"ended*,file={path}")
        assert [row["n"] for row in rows(path, "ended")] == list(range(5000)), end


def test_events_of_a_killed_program_are_recovered(tmp_path: Path) -> None:
    program = (
        "import os, ringtrace; ringtrace.start('killed*,file=trace'); event = ringtrace.event('killed', n=int)\n"
        "for n in range(1000): event(n)\n"
    )
    for end, status in [("os.kill(os.getpid(), 9)", -signal.SIGKILL), ("os._exit(0)", 0)]:
        assert run_program(program + end, tmp_path).returncode == status
        recovered = run_tool("recover", tmp_path, "-o", tmp_path / "recovered")
        assert recovered.returncode == 0, recovered.stderr.decode()
        assert [row["n"] for row in rows(tmp_path / "recovered", "killed")] == list(range(1000))
        for path in tmp_path.iterdir():
            path.unlink()


CHILDREN = """
import multiprocessing, os, sys, threading, ringtrace
event = ringtrace.event("forked", n=int)
def work(number):
    for n in range(100): event(1000 * number + n)
def child(number):
    thread = threading.Thread(target=work, args=(number,))
    thread.start()
    thread.join()
if __name__ == "__main__":
    with ringtrace.start("forked,file=trace"):
        work(0)
        context = multiprocessing.get_context("fork")
        children = [context.Process(target=child, args=(number,)) for number in (1, 2)]
        for process in children: process.start()
        for process in children: process.join()
        pid = os.fork()
        if pid == 0:
            work(3)
            sys.exit()
        os.waitpid(pid, 0)
"""


def test_forked_children_have_traces_of_their_own(tmp_path: Path) -> None:
    done = run_program(CHILDREN, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    found = [
        [row["n"] for row in rows(path, "forked")] for path in tmp_path.glob("trace*") if path.is_file()
    ]
    assert sorted(found) == [[1000 * number + n for n in range(100)] for number in range(4)]


def test_the_tool_records_a_python_program(tmp_path: Path) -> None:
    program = "import ringtrace; ringtrace.start(); ringtrace.event('recorded', n=int)(7)"
    path = tmp_path / "trace"
    tool("record", "-o", path, "--", sys.executable, "-c", program)
    assert rows(path, "recorded") == [{"n": 7}]


def test_a_monitor_switches_events(tmp_path: Path) -> None:
    socket = tmp_path / "monitor"
    program = """
import sys, time, ringtrace
ringtrace.start()
event = ringtrace.event("watched", n=int)
print("ready", flush=True)
while not event.enabled: time.sleep(0.01)
event(7)
sys.stdin.read()
"""
    running = subprocess.Popen(
        [sys.executable, "-c", program],
        env=os.environ | {"RINGTRACE_MONITOR": f"unix:{socket}", "PYTHONPATH": absolute_path()},
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert running.stdout
    assert running.stdout.readline() == b"ready\n"
    path = tmp_path / "trace"
    tool("ctl", socket, f"trace-file set {path}")
    tool("ctl", socket, "trace-file on")
    tool("ctl", socket, "trace-event watched on")
    # The event is recorded some time after the switch.
    while not any(row["n"] == 7 for row in flushed(socket, path)):
        time.sleep(0.01)
    running.communicate()
    assert running.returncode == 0


def flushed(socket: Path, path: Path) -> list[dict[str, Any]]:
    tool("ctl", socket, "trace-file flush")
    trace = ringtrace.open(str(path))
    return list(trace.table("watched")) if "watched" in trace.event_names else []
