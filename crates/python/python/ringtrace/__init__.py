"""Reads traces of ringtrace, QEMU and KVM as tables.

>>> import ringtrace
>>> trace = ringtrace.open("testdata/boot-small.bin", events="testdata/boot-small.events")
>>> table = trace.table("apic_register_write", columns=["time_ns", "reg", "val"])
>>> table.head(1)
[{'time_ns': 1892397953753, 'reg': 15, 'val': 511}]

A table has the method ``__arrow_c_stream__``. pandas, Polars, DuckDB, DataFusion, pyarrow and other
libraries accept such an object directly, and read its rows without copying them.
"""

from ._open import open
from ._ringtrace import TraceError
from ._table import Table
from ._trace import Info, Trace

__all__ = ["Info", "Table", "Trace", "TraceError", "open"]
