//! Measures the cost of recording by comparing bursts of events with equivalent handwritten loops,
//! in alternation. `benches/peers` uses this for other libraries.

#![deny(unsafe_code)]

pub mod recording;
