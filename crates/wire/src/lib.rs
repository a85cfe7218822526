//! Byte formats of trace files, rings and crash images, encoded and decoded without I/O.
//!
//! Each byte offset of a file format is defined in exactly one source file, and that file is in
//! this crate. No function does I/O, prints or panics, whatever the input. The pages in
//! `docs/formats` describe the same formats for authors of other readers.

#![forbid(unsafe_code)]
#![expect(clippy::disallowed_methods, reason = "reading integers from bytes is what this crate is for")]

pub mod arena;
pub mod assembly;
pub mod compact;
pub mod folder;
pub mod note;
pub mod order;
pub mod ring;
pub mod simpletrace;
pub mod ticks;

pub use order::{Big, ByteOrder, Little, Order};
