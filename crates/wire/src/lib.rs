//! The bytes of trace files: decode and encode on slices, no I/O.
//!
//! ```text
//! declare          generate             emit              buffer            drain             file         read            tell
//! trace-events --> tracetool / build.rs --> trace_foo(..) --> per-thread ring --> writer thread --> trace-PID --> tracefile --> print, stat, export, sql
//!   [events]        [tracetool]            [runtime]        [runtime]         [runtime]        [wire]      [tracefile]   [cli, export, query]
//!                                                                              you are here ^^^^^^
//! ```
//!
//! A byte offset of a file format is written down in exactly one file, and that file is here. Nothing in this
//! crate does I/O, prints or panics, whatever the input.

#![forbid(unsafe_code)]
#![expect(clippy::disallowed_methods, reason = "reading integers from bytes is what this crate is for")]

pub mod arena;
pub mod assembly;
pub mod note;
pub mod order;
pub mod ring;
pub mod simpletrace;
pub mod ticks;

pub use order::{Big, ByteOrder, Little, Order};
