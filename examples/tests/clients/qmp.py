"""Scenarios of scripts that control a program with QEMU's client library.

usage: python3 qmp.py SCENARIO SOCKET

A scenario is a function below. The program at SOCKET is the example `engine`.
"""

import asyncio
import os
import sys

from qemu.qmp import ConnectError, ExecInterruptedError, ExecuteError, QMPClient, Runstate

TIMEOUT_SECONDS = 60


async def connected(socket, name="script"):
    qmp = QMPClient(name)
    await qmp.connect(socket)
    return qmp


async def until(qmp, what, is_so):
    """Queries the status until `is_so` accepts it. Returns that status."""
    while True:
        status = await qmp.execute("query-trace-status", {"name": "*"})
        if is_so(status):
            return status
        await asyncio.sleep(0.01)


def counts(status, name):
    return next(event for event in status["events"] if event["name"] == name)


def equal(found, expected):
    assert found == expected, f"found {found!r}, expected {expected!r}"


async def steer(socket):
    """Lists, enables and disables events, and then controls the trace file."""
    qmp = await connected(socket)
    qemu = qmp.greeting.QMP.version["qemu"]
    equal(sorted(qemu), ["major", "micro", "minor"])
    assert qmp.greeting.QMP.version["package"].startswith("ringtrace "), qmp.greeting.QMP.version
    equal(await qmp.execute("query-version"), qmp.greeting.QMP.version)
    names = [command["name"] for command in await qmp.execute("query-commands")]
    for name in ["trace-event-get-state", "trace-event-set-state", "query-trace-status", "quit"]:
        assert name in names, names

    async def states(pattern):
        return {event["name"]: event["state"] for event in await qmp.execute("trace-event-get-state", {"name": pattern})}

    async def switch(pattern, enable, **others):
        equal(await qmp.execute("trace-event-set-state", {"name": pattern, "enable": enable, **others}), {})

    everything = await states("*")
    assert len(everything) > 20, everything
    equal(everything["queue_poll"], "unavailable")
    equal({state for name, state in everything.items() if name != "queue_poll"}, {"disabled"})
    await switch("get_*", True)
    equal(await states("get_*"), {"get_begin": "enabled", "get_end": "enabled"})
    equal(await states("put_begin"), {"put_begin": "disabled"})
    status = await until(qmp, "recorded gets", lambda status: counts(status, "get_begin")["recorded"] > 100)
    equal(counts(status, "put_begin")["recorded"], 0)
    equal(status["program"], "engine")
    equal(status["state"], "on")
    await switch("get_end", False)
    # If one event of a pattern is compiled out, none is changed.
    try:
        await switch("q*", True)
        raise AssertionError("a disabled event was switched on")
    except ExecuteError as error:
        equal(str(error), 'event "queue_poll" is disabled')
    equal((await states("queue_add"))["queue_add"], "disabled")
    await switch("q*", True, **{"ignore-unavailable": True})
    equal(await states("q*"), {"queue_add": "enabled", "queue_full": "enabled", "queue_poll": "unavailable"})
    lines = await qmp.execute("human-monitor-command", {"command-line": "info trace-events get_*"})
    equal(lines, "get_begin : state 1\r\nget_end : state 0\r\n")

    async def flushed(path):
        """Flushes the trace. Returns the size of the file at `path`."""
        equal(await qmp.execute("trace-file-flush"), {})
        return os.stat(path).st_size

    first, second = status["file"], os.path.join(os.path.dirname(socket), "second.trace")
    assert await flushed(first) > 0
    equal(await qmp.execute("trace-file-set", {"file": second}), {})
    closed = os.stat(first).st_size
    status = await until(qmp, "the second file to grow", lambda status: status["written-bytes"] > 10000)
    equal(status["file"], second)
    assert await flushed(second) > 10000
    equal(os.stat(first).st_size, closed)
    equal(await qmp.execute("trace-file-set-state", {"enable": False}), {})
    closed = os.stat(second).st_size
    status = await until(qmp, "recording to be off", lambda status: status["state"] == "off")
    equal(await qmp.execute("human-monitor-command", {"command-line": "trace-file"}), f'Trace file "{second}" off.\r\n')
    equal(await flushed(second), closed)
    equal(await qmp.execute("trace-file-set-state", {"enable": True}), {})
    recorded = status["recorded"]
    await until(qmp, "recording to continue", lambda status: status["recorded"] > recorded + 100)
    assert await flushed(second) > closed
    await switch("*", False, **{"ignore-unavailable": True})
    equal(set((await states("*")).values()), {"disabled", "unavailable"})
    await qmp.disconnect()


async def errors(socket):
    """Errors are raised with their class and text, and the connection stays usable."""
    qmp = await connected(socket)
    cases = [
        ("nosuch", {}, "CommandNotFound", "The command nosuch has not been found"),
        ("trace-event-get-state", {}, "GenericError", "Parameter 'name' is missing"),
        ("trace-event-get-state", {"name": 7}, "GenericError", "Invalid parameter type for 'name', expected: string"),
        ("trace-event-get-state", {"name": "nosuch"}, "GenericError", 'unknown event "nosuch"'),
        ("trace-event-get-state", {"name": "*", "x": 1}, "GenericError", "Parameter 'x' is unexpected"),
        ("trace-event-set-state", {"name": "get_begin"}, "GenericError", "Parameter 'enable' is missing"),
        (
            "trace-event-set-state",
            {"name": "get_begin", "enable": "on"},
            "GenericError",
            "Invalid parameter type for 'enable', expected: boolean",
        ),
        (
            "trace-event-set-state",
            {"name": "queue_poll", "enable": True},
            "GenericError",
            'event "queue_poll" is disabled',
        ),
        (
            "qmp_capabilities",
            {},
            "CommandNotFound",
            "Capabilities negotiation is already complete, command ignored",
        ),
    ]
    for command, arguments, error_class, text in cases:
        try:
            answer = await qmp.execute(command, arguments)
            raise AssertionError(f"{command} {arguments} returned {answer}")
        except ExecuteError as error:
            equal((error.error_class, str(error)), (error_class, text))
    for command, arguments in [
        ("quit", {}),
        ("trace-file-set", {"file": "/nonexistent-folder/x.trace"}),
    ]:
        try:
            answer = await qmp.execute(command, arguments)
            raise AssertionError(f"{command} {arguments} returned {answer}")
        except ExecuteError as error:
            equal(error.error_class, "GenericError")
            print(f"{command}: {error}")
    # Non-ASCII characters, in the command and in the error.
    try:
        await qmp.execute("trace-event-get-state", {"name": "caf\u00e9 \u4f60 \U0001f600 \"\\\t\u0001"})
    except ExecuteError as error:
        equal(str(error), 'unknown event "caf\u00e9 \u4f60 \U0001f600 "\\\t\u0001"')
    answer = await qmp.execute("human-monitor-command", {"command-line": "nosuch"})
    equal(answer, "unknown command: 'nosuch'\r\n")
    equal(await qmp.execute("trace-event-get-state", {"name": "nosuch*"}), [])
    await qmp.disconnect()


async def drops(socket):
    """QMP events report dropped events. Their counts add up to the total in the status."""
    qmp = await connected(socket)
    with qmp.listener("TRACE_DROPPED") as listener:
        await qmp.execute("trace-event-set-state", {"name": "*", "enable": True, "ignore-unavailable": True})
        first = await listener.get()
        second = await listener.get()
        await qmp.execute("trace-event-set-state", {"name": "*", "enable": False, "ignore-unavailable": True})
    equal(sorted(first["timestamp"]), ["microseconds", "seconds"])
    for event in [first, second]:
        equal(sorted(event["data"]), ["count", "total"])
        assert event["data"]["count"] > 0, event
    equal(first["data"]["total"] + second["data"]["count"], second["data"]["total"])
    status = await qmp.execute("query-trace-status")
    assert status["dropped"] >= second["data"]["total"], (status["dropped"], second)
    await qmp.disconnect()


async def reconnect(socket):
    """One client connects and disconnects repeatedly, while some of its commands are unanswered."""
    qmp = QMPClient("script")
    for _ in range(50):
        await qmp.connect(socket)
        equal(qmp.runstate, Runstate.RUNNING)
        pending = [asyncio.create_task(qmp.execute("trace-event-get-state", {"name": "*"})) for _ in range(10)]
        await pending[0]
        await qmp.disconnect()
        equal(qmp.runstate, Runstate.IDLE)
        for answer in await asyncio.gather(*pending, return_exceptions=True):
            assert isinstance(answer, (list, ExecInterruptedError)), answer
    await qmp.connect(socket)
    equal(await qmp.execute("trace-event-get-state", {"name": "get_begin"}), [{"name": "get_begin", "state": "disabled"}])
    await qmp.disconnect()
    try:
        await qmp.connect(socket + ".nosuch")
        raise AssertionError("connected to a socket that does not exist")
    except ConnectError:
        pass


async def descriptors(socket):
    """Sends descriptors, as QEMU's `getfd` expects them. The program does not use them and must close them."""
    qmp = await connected(socket)
    process = (await qmp.execute("query-trace-status", {"name": "queue_poll"}))["pid"]

    def open_descriptors():
        return len(os.listdir(f"/proc/{process}/fd"))

    before = open_descriptors()
    with open("/dev/null") as null:
        for _ in range(100):
            qmp.send_fd_scm(null.fileno())
            await qmp.execute("query-name")
    equal(open_descriptors(), before)
    await qmp.disconnect()


async def crowd(socket):
    """Many clients send many commands at the same time. Each answer belongs to its command."""
    clients = [await connected(socket, f"script {number}") for number in range(12)]

    async def send(client, number):
        if number % 7 == 3:
            await client.execute("trace-event-set-state", {"name": "put_*", "enable": number % 2 == 0})
        if number % 50 == 5:
            equal(await client.execute("trace-file-flush"), {})
        name = ["get_begin", "get_end", "cache_hit", "cache_miss", "blk_submit"][number % 5]
        event, = await client.execute("trace-event-get-state", {"name": name})
        equal(event["name"], name)
        try:
            await client.execute("trace-event-get-state", {"name": f"nosuch{number}"})
            raise AssertionError("an unknown event was found")
        except ExecuteError as error:
            equal(str(error), f'unknown event "nosuch{number}"')

    commands = [send(client, number) for client in clients for number in range(200)]
    await asyncio.gather(*commands)
    for client in clients:
        await client.disconnect()


async def end(socket):
    """Ends a program that allows it. The client gets an event and the answer, then the connection closes."""
    qmp = await connected(socket)
    with qmp.listener("SHUTDOWN") as listener:
        equal(await qmp.execute("quit"), {})
        event = await listener.get()
    equal(event["data"], {"guest": False, "reason": "host-qmp-quit"})
    try:
        await qmp.disconnect()
    except EOFError:
        pass


async def legacy(socket):
    """Uses the synchronous interface of older scripts, which waits for each answer."""
    await asyncio.to_thread(synchronous, socket)


def synchronous(socket):
    from qemu.qmp.legacy import QEMUMonitorProtocol

    with QEMUMonitorProtocol(socket) as monitor:
        greeting = monitor.connect()
        assert "QMP" in greeting, greeting
        monitor.settimeout(TIMEOUT_SECONDS)
        equal(monitor.cmd("trace-event-get-state", name="get_begin"), [{"name": "get_begin", "state": "disabled"}])
        answer = monitor.cmd_raw("trace-event-get-state", {"name": "nosuch"})
        equal(answer["error"], {"class": "GenericError", "desc": 'unknown event "nosuch"'})
        equal(monitor.cmd_obj({"execute": "query-name", "id": "seven"})["id"], "seven")
        equal(monitor.get_events(), [])
        # Some of these events are dropped.
        monitor.cmd("trace-event-set-state", **{"name": "*", "enable": True, "ignore-unavailable": True})
        event = monitor.pull_event(wait=float(TIMEOUT_SECONDS))
        equal(event["event"], "TRACE_DROPPED")
        monitor.cmd("trace-event-set-state", **{"name": "*", "enable": False, "ignore-unavailable": True})


async def main(scenario, socket):
    await asyncio.wait_for(globals()[scenario](socket), TIMEOUT_SECONDS)


asyncio.run(main(*sys.argv[1:]))
