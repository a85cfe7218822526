"""Shows the progress of long work."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import TracebackType

from ._source import Source

Progress = bool | Callable[[float], object] | None

#: Work that takes less time is not shown by default.
SHORT_SECONDS = 1.0
INTERVAL_SECONDS = 0.2


class Watch:
    """Reports the progress of reading `source` while the context is active."""

    def __init__(self, source: Source, progress: Progress) -> None:
        if progress is None:
            progress = sys.stderr is not None and sys.stderr.isatty()
        self._source = source
        self._report = progress if callable(progress) else self._show
        self._thread = None if progress is False else threading.Thread(target=self._run, daemon=True)
        self._first_seconds = INTERVAL_SECONDS if callable(progress) else SHORT_SECONDS
        self._end = threading.Event()
        self._is_shown = False

    def __enter__(self) -> None:
        if self._thread:
            self._thread.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._end.set()
        if self._thread:
            self._thread.join()
            if error is None and self._report != self._show:
                self._report(1.0)
        if self._is_shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def _run(self) -> None:
        seconds = self._first_seconds
        while not self._end.wait(seconds):
            seconds = INTERVAL_SECONDS
            part = self._source.progress()
            if part is not None:
                self._report(part)

    def _show(self, part: float) -> None:
        self._is_shown = True
        print(f"\rreading: {part:4.0%}", end="", file=sys.stderr, flush=True)
