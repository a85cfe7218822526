//! Probes of single events in C and in Rust. Backends use them to write their calls.

mod argument_names;
mod c;
mod c_literal;
pub(crate) mod enumerations;
mod rust;
mod rust_text;
mod rust_types;
pub(crate) mod unsupported;

pub(crate) use argument_names::argument_names;
pub use c::CProbe;
pub(crate) use c::is_taken;
pub(crate) use c_literal::{comment, string};
pub use rust::RustProbe;
pub(crate) use rust_text::unprintable;
