//! Parts of the examples that other programs use.

#![forbid(unsafe_code)]

pub mod copier;
