//! Entries as text.

pub mod buffer;
pub mod number;
pub mod simpletrace;

pub use buffer::{Block, Room, TextBuffer};
