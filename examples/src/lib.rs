//! Programs that trace with ringtrace, as far as others call them.

pub mod copier;
