//! Reads traces as columns in the memory layout of Apache Arrow.
//!
//! A [`Request`] selects tables, events, columns and a time range. [`read`] reads traces once and
//! passes each [`Batch`] of rows to a sink:
//!
//! | table | a row is |
//! | --- | --- |
//! | one for each event, with its name | a record, with its arguments as typed columns |
//! | `events` | a record of any event, without arguments |
//! | `dropped` | a "dropped" record, which reports lost events |
//! | `pauses` | a time during which recording was off |
//! | `spans`, one for each pair | a span, with the arguments of its begin and end records |
//! | `steps` | a step of a span |
//! | `counters` | a value of a counter |
//!
//! Rows of a table are in the order of the trace. A column is a vector of values, a vector of
//! offsets with the bytes of strings, or a vector of keys with a dictionary. Nulls are marked in a
//! bitmap. All can be handed to an implementation of Arrow without copying, so this crate does not
//! depend on one.
//!
//! Errors are reported as by [`Traces::for_each`](crate::Traces::for_each): after all readable rows.
//!
//! Callers that already visit a trace, such as exporters, pass its entries to a [`Collector`].

mod batch;
mod buffer;
mod collector;
mod event_rows;
mod extra_rows;
mod names;
mod owners;
mod parallel;
mod run;
mod span_rows;
mod table;
mod taken_rows;
mod utf8;

pub use batch::{Batch, Column, DataType, Values};
pub use buffer::{Bitmap, Strings};
pub use collector::{Collector, Sink};
pub use run::{Read, ReadError, read};
pub use table::{Field, Request, Table, TableKind, Tables, union};
pub use utf8::{utf8, utf8_without_zeros};
