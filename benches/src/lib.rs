//! Measures the cost of recording, also for the libraries in `benches/peers`: alternating bursts of
//! events, and equivalent loops written by hand to compare with.

#![deny(unsafe_code)]

pub mod recording;
