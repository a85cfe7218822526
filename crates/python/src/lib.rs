//! The native part of the Python package `ringtrace`, which is in `python/ringtrace`.
//!
//! [`traces::Traces`] opens traces. [`source::Source`] is one table of them; it passes batches to
//! other libraries as an Arrow C stream. A thread decodes them while the consumer reads the stream.
//! [`emit`] declares and records events of Python programs.

#![deny(unsafe_code)]

mod arrow;
mod decoding;
mod emit;
mod error;
mod exported;
mod info;
mod interrupt;
mod opening;
mod pairs;
mod plan;
mod source;
mod traces;
mod values;

use pyo3::prelude::*;

/// The native part of the package `ringtrace`.
#[pymodule]
mod _ringtrace {
    #[pymodule_export]
    use crate::emit::{Event, Running, Span, declare, flush, set_enabled, start, stop, trace_path};
    #[pymodule_export]
    use crate::error::TraceError;
    #[pymodule_export]
    use crate::source::{ArrowBatch, ArrowBatches, Batches, Source};
    #[pymodule_export]
    use crate::traces::Traces;
}
