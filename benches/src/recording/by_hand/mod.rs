//! Handwritten loops that do the same work as the measured code, and nothing else.

pub mod clock;
pub mod pipeline;
pub mod ring_memory;
pub mod stores;
pub mod wrap;
