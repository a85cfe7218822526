"""Reads traces of ringtrace, QEMU and KVM as tables, and records events of Python programs.

>>> import ringtrace
>>> trace = ringtrace.open("testdata/boot-small.bin", events="testdata/boot-small.events")
>>> table = trace.table("apic_register_write", columns=["time_ns", "reg", "val"])
>>> table.head(1)
[{'time_ns': 1892397953753, 'reg': 15, 'val': 511}]

A table has the method ``__arrow_c_stream__``. pandas, Polars, DuckDB, DataFusion, pyarrow and other
libraries accept such an object directly, and read its rows without copying them.

A program declares events with `event` and `span`, and records them after `start`:

>>> page_read = ringtrace.event("page_read", page=int, path=str)
>>> with ringtrace.start("page_*,file=pages.trace"):
...     page_read(page=8, path="disk.img")
>>> ringtrace.open("pages.trace").table("page_read", columns=["page", "path"]).head()
[{'page': 8, 'path': 'disk.img'}]
"""

from ._dataset import Dataset
from ._emit import Tracing, event, events, set_enabled, span, start
from ._open import open
from ._ringtrace import Event, Span, TraceError
from ._table import Table
from ._trace import Info, Trace

__all__ = [
    "Dataset",
    "Event",
    "Info",
    "Span",
    "Table",
    "Trace",
    "TraceError",
    "Tracing",
    "event",
    "events",
    "open",
    "set_enabled",
    "span",
    "start",
]
