//! What all generated C has in common: what things are called in it, and how texts of declarations get into it.

mod declarations;
mod group;
mod literal;
mod probe;

pub(super) use declarations::Declarations;
pub(super) use group::{CGroup, END_OF_ARRAY, guard};
pub(super) use literal::{comment, string};
pub use probe::CProbe;
pub(super) use probe::is_taken;
