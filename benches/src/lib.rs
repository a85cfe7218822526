//! What the measuring of recording is made of, here and for the peers in `benches/peers`: bursts of events timed in
//! turns, and the same work written by hand to measure against.

#![deny(unsafe_code)]

pub mod recording;
