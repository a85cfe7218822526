//! Loops written by hand that do the same as the measured code, and nothing else.

pub mod clock;
pub mod pipeline;
pub mod ring_memory;
pub mod stores;
pub mod wrap;
