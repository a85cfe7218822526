//! Trace files, pipes and live tails to typed events.
//!
//! ```text
//! declare          generate             emit              buffer            drain             file         read            tell
//! trace-events --> tracetool / build.rs --> trace_foo(..) --> per-thread ring --> writer thread --> trace-PID --> tracefile --> print, stat, export, sql
//!   [events]        [tracetool]            [runtime]        [runtime]         [runtime]        [wire]      [tracefile]   [cli, export, query]
//!                                                                                             you are here ^^^^^^^^^^^
//! ```
//!
//! [`Reader`] opens a trace and gives an [`Entry`] for every record; an entry borrows from the input, and nothing
//! is allocated per record. What is wrong with the file is a [`Error`], with record number and offset.

#![deny(unsafe_code)]

pub mod entry;
pub mod error;
pub mod input;
pub mod query;
pub mod read;
pub mod recover;
pub mod sort;
pub mod summary;
pub mod text;
pub mod traces;
pub mod write;

pub use entry::{
    Causes, Dropped, Entry, Pause, Schema, SchemaArgument, Schemas, Threads, Value, Values, key, pauses,
};
pub use error::{Anomalies, Anomaly, Error, ErrorKind};
pub use input::{FollowFlags, Input};
pub use query::{Filter, FilterOptions, expression, pair, statistics};
pub use read::{Cursor, EntrySource, Era, Flow, Options, OrdinaryRecords, Reader, Visitor, era, sniff};
pub use ringtrace_wire::simpletrace::metadata;
pub use sort::{Merge, Sorted};
pub use text::parallel;
pub use traces::{Needs, Times, Traces};
