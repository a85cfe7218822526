//! Byte formats of trace files, rings and crash images, encoded and decoded without I/O.
//!
//! ```text
//! declare          generate             emit              buffer            drain             file         read            show
//! trace-events --> tracetool / build.rs --> trace_foo(..) --> per-thread ring --> writer thread --> trace-PID --> tracefile --> print, stat, export
//!   [events]        [tracetool]            [runtime]        [runtime]         [runtime]        [wire]      [tracefile]   [cli, export, report]
//!                                                                              you are here ^^^^^^
//! ```
//!
//! Each byte offset of a file format is defined in exactly one file, and that file is in this
//! crate. No function does I/O, prints or panics, whatever the input. The pages in `docs/formats`
//! describe the same formats for readers of files.

#![forbid(unsafe_code)]

pub mod arena;
pub mod assembly;
pub mod note;
pub mod order;
pub mod ring;
pub mod simpletrace;
pub mod ticks;

pub use order::{Big, ByteOrder, Little, Order};
