"""The rows that a caller selects."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta, timezone
from typing import TypedDict, Union

#: Seconds after the first record, a duration after it, or a date (UTC, unless it has a time zone).
Time = Union[int, float, timedelta, datetime, str]

_1970 = datetime(1970, 1, 1, tzinfo=timezone.utc)


def _duration_ns(duration: timedelta) -> int:
    seconds = duration.days * 86_400 + duration.seconds
    # pandas.Timedelta has nanoseconds, too.
    return (seconds * 1_000_000 + duration.microseconds) * 1000 + getattr(duration, "nanoseconds", 0)


def date_ns(date: datetime | str) -> int:
    """Returns the nanoseconds from 1970 to `date`."""
    if isinstance(date, str):
        # Python 3.10 does not accept the Z.
        date = datetime.fromisoformat(date[:-1] + "+00:00" if date.endswith("Z") else date)
    if date.tzinfo is None:
        date = date.replace(tzinfo=timezone.utc)
    # The difference of two pandas.Timestamps has no nanoseconds in all versions.
    return _duration_ns(date - _1970) // 1000 * 1000 + getattr(date, "nanosecond", 0)


def moment(time: Time) -> tuple[str, int]:
    """Returns the kind of a time, and its nanoseconds from 1970 or from the first record."""
    if isinstance(time, (datetime, str)):
        return "date", date_ns(time)
    if isinstance(time, timedelta):
        return "after", _duration_ns(time)
    return "after", time * 1_000_000_000 if isinstance(time, int) else round(time * 1e9)


class Rows(TypedDict):
    """The rows to select, as the native part expects them."""

    #: Times from which on records are selected, and their kinds: ``after`` the first record, ``date``, or
    #: ``clock`` for times on the clock of the traces. All must be fulfilled.
    since: list[tuple[str, int]]
    until: list[tuple[str, int]]
    condition: str | None
    pids: list[int]
    tids: list[int]


def rows(
    start: Time | None,
    end: Time | None,
    where: str | None = None,
    pid: int | Iterable[int] = (),
    tid: int | Iterable[int] = (),
) -> Rows:
    """Converts the arguments of `Trace.table`."""

    def listed(ids: int | Iterable[int]) -> list[int]:
        return [ids] if isinstance(ids, int) else list(ids)

    return {
        "since": [] if start is None else [moment(start)],
        "until": [] if end is None else [moment(end)],
        "condition": where,
        "pids": listed(pid),
        "tids": listed(tid),
    }
