"""The function that opens traces."""

from __future__ import annotations

import errno
import glob
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial

from ._dataset import Dataset, is_dataset
from ._progress import Progress
from ._ringtrace import TraceError, Traces
from ._rows import date_ns
from ._trace import Trace

Path = str | os.PathLike[str]


def open(
    *traces: Path | Iterable[Path],
    events: Path | Sequence[Path] = (),
    pairs: Path | Sequence[Path] = (),
    sort: bool = False,
    keep_going: bool = False,
    unaligned: bool = False,
    join_traces: bool = False,
    epoch: datetime | str | Mapping[Path, datetime | str] | None = None,
    compat: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Trace:
    """Opens one or several traces, or a dataset.

    `traces` are files, which may be compressed, folders of rotated traces, and patterns such as
    ``"run-*/trace"``. Several traces are merged by time. The folder of a dataset, which ``ringtrace
    ingest`` makes, is opened alone, and needs no other arguments.

    `events` are the declarations of the program that wrote the trace. QEMU's traces need them
    (``trace-events-all``); traces of ringtrace contain them.

    `pairs` are files that describe pairs of events, for `Trace.spans`.

    `sort` sorts each trace by time.

    `keep_going` skips damaged parts. Without it, damage is an error, which is raised after all rows
    before it were passed on.

    `unaligned` merges traces of different machines by their own clocks, and `join_traces` matches
    pairs that begin in one trace and end in another.

    `epoch` is the date at which the clock of the traces was zero, for traces without wall-clock times.
    A dict has a date for each trace.

    `compat` selects the behaviour of one of QEMU's readers, such as ``"2012"``.

    `threads` is the number of threads that decode a large trace; by default, one for each processor.
    Spans are matched by one thread.

    `progress` is a function that is called with the part that was read, from 0 to 1, while a table is
    converted. ``True`` shows a line on standard error; by default, it is shown after a second if
    standard error is a terminal.

    >>> trace = ringtrace.open("testdata/export/everything.trace")
    >>> trace.info.records
    67
    >>> ringtrace.open("no-such-trace")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'no-such-trace'
    """
    named = [os.fspath(one) for trace in traces for one in _listed(trace)]
    if urls := [path for path in named if "://" in path and not os.path.exists(path)]:
        raise TraceError(
            f"{urls[0]}: this package does not read object stores\n"
            f"  help: `ringtrace sql {urls[0]} 'QUERY' -o result.parquet` writes a file that pandas and others read"
        )
    paths = [found for name in named for found in _matches(name)]
    if not paths:
        raise TypeError("open() needs a trace")
    if threads is not None and threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    datasets = [path for path in paths if is_dataset(path)]
    if datasets:
        if len(paths) > 1:
            raise TypeError(f"open() needs either traces or one dataset: {datasets[0]}")
        return Dataset(datasets[0], progress)
    native = Traces(
        paths,
        [os.fspath(path) for path in _listed(events)],
        [os.fspath(path) for path in _listed(pairs)],
        sort=sort,
        keep_going=keep_going,
        unaligned=unaligned,
        join_traces=join_traces,
        epoch=_epochs(epoch, paths),
        compat=compat,
        threads=threads,
    )
    reopen = partial(
        open,
        events=events,
        pairs=pairs,
        sort=sort,
        keep_going=keep_going,
        unaligned=unaligned,
        join_traces=join_traces,
        epoch=epoch,
        compat=compat,
        threads=threads,
        progress=None if callable(progress) else progress,
    )
    return Trace(native, paths, progress, reopen)


def _listed(paths: Path | Iterable[Path]) -> Iterable[Path]:
    return [paths] if isinstance(paths, (str, os.PathLike)) else paths


def _epochs(
    epoch: datetime | str | Mapping[Path, datetime | str] | None, paths: list[str]
) -> list[tuple[str | None, int]]:
    if epoch is None:
        return []
    if isinstance(epoch, (datetime, str)):
        return [(None, date_ns(epoch))]
    epochs = [(os.fspath(path), date_ns(date)) for path, date in epoch.items()]
    for path, _ in epochs:
        if path not in paths:
            raise ValueError(f"epoch: {path} is not one of the traces")
    return list(epochs)


def _matches(path: str) -> list[str]:
    if os.path.exists(path):
        return [path]
    found = sorted(glob.glob(path, recursive=True))
    if not found:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return found
