//! Programs that trace with ringtrace, as far as others call them.

#![forbid(unsafe_code)]

pub mod copier;
