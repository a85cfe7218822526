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
//! is allocated per record. What is wrong with the file is a [`Complaint`], with record number and offset.

pub mod complaint;
pub mod cursor;
pub mod declared;
mod decode;
mod dropped;
pub mod entry;
pub mod era;
pub mod expression;
pub mod filter;
pub mod input;
pub mod key;
pub mod kvmtrace;
mod located;
pub mod map;
pub mod merge;
pub mod ordinary;
pub mod pair;
pub mod parallel;
mod pauses;
mod piped;
pub mod reader;
pub mod recover;
mod resync;
#[cfg(test)]
mod sample;
pub mod schema;
pub mod sniff;
pub mod sort;
mod state;
pub mod statistics;
pub mod summary;
pub mod table;
pub mod text;
pub mod threads;
pub mod traces;
mod visitor;
pub mod write;

pub use complaint::{Complaint, Complaints, Anomaly};
pub use cursor::{Cursor, Source};
pub use dropped::{Causes, Dropped};
pub use entry::{Entry, Value, Values};
pub use era::Era;
pub use filter::{Filter, Wanted};
pub use input::{Input, Until};
pub use merge::Merge;
pub use ordinary::OrdinaryRecords;
pub use pauses::{Pause, pauses};
pub use reader::{Options, Reader};
pub use ringtrace_wire::simpletrace::metadata;
pub use schema::{Schema, SchemaArgument, Schemas};
pub use sort::Sorted;
pub use threads::Threads;
pub use traces::{Needs, Times, Traces};
pub use visitor::{Flow, Visitor};
