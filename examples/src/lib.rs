//! The parts of the examples that other programs call.

#![forbid(unsafe_code)]

pub mod copier;
