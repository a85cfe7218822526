//! Reads trace files, pipes and growing files as typed events, and writes trace files.
//!
//! [`Reader`] opens a trace and passes an [`Entry`] for every record to a visitor. An entry borrows
//! from the input, and reading a record does not allocate memory. An [`Error`] describes a defect
//! in the file, with record number and offset.

#![deny(unsafe_code)]

pub mod align;
mod block;
pub mod columns;
pub mod compressed;
mod counting;
pub mod entry;
pub mod error;
pub mod folder;
pub mod hash;
pub mod input;
pub mod moment;
mod pieces;
pub mod query;
pub mod read;
pub mod recover;
pub mod sort;
pub mod summary;
pub mod text;
pub mod traces;
pub mod write;

pub use compressed::Compression;
pub use counting::{CountedSpans, EventRange, count_spans, count_traces};
pub use entry::{
    Causes, Dropped, Entry, Frame, Modules, Pause, Schema, SchemaArgument, Schemas, Threads, Value, Values,
    key, pauses,
};
pub use error::{Anomalies, Anomaly, Error, ErrorKind};
pub use input::{FollowFlags, Input};
pub use query::{Filter, FilterOptions, expression, pair, statistics};
pub use read::{
    BlockRecords, Cursor, EntrySource, Era, Flow, Options, OrdinaryRecords, Reader, SkipRecords, TraceFiles,
    Visitor, era, sniff,
};
pub use ringtrace_wire::simpletrace::context::RecordContext;
pub use ringtrace_wire::simpletrace::metadata;
pub use sort::{Merge, Sorted};
pub use text::parallel;
pub use traces::{Needs, Times, Traces};
