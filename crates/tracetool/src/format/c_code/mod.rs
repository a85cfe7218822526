//! What all generated C has in common: what things are called in it, and how texts of declarations get into it.

mod group;
mod literal;
mod probe;

pub(super) use group::CGroup;
pub(super) use literal::{comment, string};
pub use probe::CProbe;
