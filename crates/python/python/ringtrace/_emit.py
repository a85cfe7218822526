"""Declares and records events of Python programs."""

from __future__ import annotations

import atexit
import enum
import multiprocessing.util
from types import SimpleNamespace

from . import _ringtrace
from ._ringtrace import Event, Span

#: The type of an argument: a type of Python, a class `Enum`, or a type of C.
Type = type | str

#: C types of the types of Python.
_C_TYPES: dict[type, str] = {int: "int64_t", float: "double", str: "const char *", bytes: "const char *", bool: "bool"}

#: Conversions of formats by C type.
_CONVERSIONS = {
    "const char *": "%s",
    "bool": "%d",
    "double": "%g",
    "float": "%g",
    "int": "%d",
    "unsigned int": "%u",
    "size_t": "%zu",
    "void *": "%p",
} | {
    f"{unsigned}int{bits}_t": f'%" PRI{letter}{bits} "'
    for unsigned, letter in (("", "d"), ("u", "u"))
    for bits in (8, 16, 32, 64)
}

#: The events of each text by the names in it, so that code can be run again.
_declared: dict[str, dict[str, Event]] = {}


def event(declaration: str, /, **arguments: Type) -> Event:
    """Declares an event. Calling it records the event, if it is on.

    `declaration` is a line of a file ``trace-events``, or the name of the event, whose `arguments` are
    then given with their types: ``int``, ``float``, ``str``, ``bool``, a class `enum.Enum` whose values
    are integers, or a type of C such as ``"uint32_t"``.

    If an event with the same declaration exists, it is returned. If another event has the same name,
    the name of the new one ends with a number.

    >>> opened = ringtrace.event("opened", path=str, bytes="uint32_t")
    >>> opened.declaration
    'opened(const char *path, uint32_t bytes) "path=%s bytes=%" PRIu32'
    >>> opened("disk.img", bytes=4096)
    >>> ringtrace.event('closed(const char *path, int8_t status) "%s: %d"')
    <ringtrace.Event closed(const char *path, int8_t status) "%s: %d">
    """
    if "(" not in declaration:
        declaration = _written(declaration, arguments)
    elif arguments:
        raise TypeError(f"event() needs a name or a declaration, and no types after a declaration: {declaration}")
    declared = _declare(declaration)
    if len(declared) != 1:
        raise ValueError(f"event() needs one declaration, not {len(declared)}: see ringtrace.events()")
    return next(iter(declared.values()))


def events(declarations: str, /) -> SimpleNamespace:
    """Declares the events of a text in the language of files ``trace-events``, one per line.

    >>> net = ringtrace.events('''
    ... enum link_state { DOWN, UP }
    ... net_received(uint64_t at, unsigned int bytes) "at=%" PRIu64 " bytes=%u"
    ... net_changed(link_state to) "to=%s"
    ... ''')
    >>> net.net_changed(to="UP")
    """
    return SimpleNamespace(**_declare(declarations))


def span(name: str, /, **arguments: Type) -> Span:
    """Declares a kind of span. Calling it returns a context manager, which records the begin and the end
    of its block.

    `arguments` are the types of the arguments, as in `event`. Spans are nested: a span that begins
    within the block of another one, in the same thread or task of `asyncio`, is part of it. The events
    are ``NAME__begin`` and ``NAME__end``, with ``__`` for each dot in the name.

    >>> query = ringtrace.span("app.query", table=str)
    >>> with query(table="users"):
    ...     pass
    >>> query.begin.name
    'app__query__begin'
    """
    events = name.replace(".", "__").replace("::", "__")
    begin = {"span": "uint64_t", "parent": "uint64_t", **arguments}
    if len(begin) != len(arguments) + 2:
        raise ValueError("span() records the arguments `span` and `parent` itself")
    first, second = event(f"{events}__begin", **begin), event(f"{events}__end", span="uint64_t")
    return Span(name, first, second)


class Tracing:
    """The recording that `start` has started. As a context manager, it ends with the block."""

    def __init__(self) -> None:
        self._path: str | None = None

    @property
    def path(self) -> str | None:
        """The trace file; after the end, the last one. `None` if there are no options."""
        path = _ringtrace.trace_path()
        self._path = self._path if path is None else str(path)
        return self._path

    def flush(self) -> bool:
        """Waits until all earlier events are in the trace file. Returns `False` if nothing is being
        recorded.
        """
        return _ringtrace.flush()

    def stop(self) -> None:
        """Ends the recording, after all events were written, and switches all events off. The exit of the
        interpreter does so, too.
        """
        _ = self.path
        _ringtrace.stop()

    def __enter__(self) -> Tracing:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<ringtrace.Tracing {self.path}>"


def start(*options: str, environment: bool = True) -> Tracing:
    """Starts recording, with the options of the environment variable ``RINGTRACE`` and then `options`.

    The syntax is that of ``--trace`` in programs that use ringtrace. Without any option, nothing is
    started. A process has at most one recording at a time. It ends with `Tracing.stop`, with the block
    of a ``with``, or at the exit of the interpreter.

    With `environment`, ``RINGTRACE_MONITOR`` starts monitors, too.

    >>> ticked = ringtrace.event("ticked", count=int)
    >>> with ringtrace.start("ticked,file=ticks.trace") as tracing:
    ...     ticked(1)
    >>> ringtrace.open(tracing.path).info.events
    {'ticked': 1}
    """
    if _ringtrace.start([*options], environment):
        atexit.register(_ringtrace.stop)
        # Children of `multiprocessing` leave by `os._exit`, which calls no function of `atexit`.
        multiprocessing.util.register_after_fork(_stop_at_exit, lambda stop_at_exit: stop_at_exit())
    return Tracing()


def _stop_at_exit() -> None:
    multiprocessing.util.Finalize(None, _ringtrace.stop, exitpriority=0)


def set_enabled(pattern: str, enabled: bool = True, /) -> int:
    """Switches the events that `pattern` matches on or off. Returns their number.

    >>> sampled = ringtrace.event("sampled", value=float)
    >>> ringtrace.set_enabled("sampled"), ringtrace.set_enabled("sampl*", False)
    (1, 1)
    """
    return _ringtrace.set_enabled(pattern, enabled)


def _declare(declarations: str) -> dict[str, Event]:
    if declarations not in _declared:
        _declared[declarations] = dict(_ringtrace.declare(declarations))
    return _declared[declarations]


def _written(name: str, arguments: dict[str, Type]) -> str:
    """Returns a declaration in the language of files ``trace-events``."""
    lines, types, shown = [], [], []
    for argument, kind in arguments.items():
        conversion = "%s"
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            constants = ", ".join(f"{constant.name} = {constant.value}" for constant in kind)
            lines.append(f"enum {kind.__name__} {{ {constants} }}")
            written = kind.__name__
        elif isinstance(kind, str):
            written = kind
        elif kind in _C_TYPES:
            written = _C_TYPES[kind]
        else:
            known = ", ".join(known.__name__ for known in _C_TYPES)
            raise TypeError(f"{name}: {argument} must have the type {known}, an Enum or a type of C, not {kind!r}")
        if written not in (line.split()[1] for line in lines):
            if written not in _CONVERSIONS:
                raise ValueError(
                    f"{name}: {argument} has the unknown type {written!r}; for types other than "
                    f"{', '.join(_CONVERSIONS)}, write a declaration with a format"
                )
            conversion = _CONVERSIONS[written]
        types.append(f"{written}{'' if written.endswith('*') else ' '}{argument}")
        shown.append(f"{argument}={conversion}")
    shown_as = f'"{" ".join(shown)}"'.removesuffix(' ""')
    lines.append(f"{name}({', '.join(types) or 'void'}) {shown_as}")
    return "\n".join(dict.fromkeys(lines))
