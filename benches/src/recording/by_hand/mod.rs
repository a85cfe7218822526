//! The same work written by hand, which does only this one thing.

pub mod clock;
pub mod pipeline;
pub mod ring_memory;
pub mod stores;
pub mod wrap;
