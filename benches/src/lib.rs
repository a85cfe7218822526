//! Measures the cost of recording. Bursts of events alternate with equivalent handwritten loops.
//! `benches/peers` uses this crate for other libraries.

#![deny(unsafe_code)]

pub mod recording;
