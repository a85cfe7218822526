//! Text for people: [numbers](quantity), [tables](Table) and [shell words](shell). No function here
//! does I/O.

#![forbid(unsafe_code)]

pub mod quantity;
pub mod shell;
mod table;

pub use table::Table;
