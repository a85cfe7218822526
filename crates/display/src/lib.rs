//! Text for people: [numbers](quantity), [tables](Table) and [shell words](shell). Nothing here reads or writes anything.

#![forbid(unsafe_code)]

pub mod quantity;
pub mod shell;
mod table;

pub use table::Table;
