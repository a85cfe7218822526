"""The interface of what provides the rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol


class Source(Protocol):
    """The rows of a table: of traces, in the native class `Source`, or of a dataset."""

    def columns(self) -> list[tuple[str, str, bool]]:
        """Returns the names, Arrow's format strings, and whether these are of a dictionary's values."""

    def with_batch_rows(self, rows: int) -> Source:
        """Limits the number of rows in a batch."""

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def arrow_batches(self) -> Iterator[Any]:
        """Returns batches with Arrow's interface."""

    def no_rows(self) -> Any:
        """Returns a batch without rows."""

    def batches(self) -> Iterator[dict[str, list[Any]]]:
        """Returns batches as lists by column."""

    def count(self) -> int:
        """Returns the number of rows."""

    def progress(self) -> float | None:
        """Returns the part that was read, from 0 to 1."""

    def last_error(self) -> str | None:
        """Returns the error that ended the last stream."""


#: Creates a source with these columns, and records between these times.
Narrowed = Callable[[Sequence[str] | None, int | None, int | None], Source]
