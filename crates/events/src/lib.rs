//! The trace-events declaration language.
//!
//! ```text
//! declare          generate             emit              buffer            drain             file         read            tell
//! trace-events --> tracetool / build.rs --> trace_foo(..) --> per-thread ring --> writer thread --> trace-PID --> tracefile --> print, stat, export, sql
//!   [events]        [tracetool]            [runtime]        [runtime]         [runtime]        [wire]      [tracefile]   [cli, export, query]
//!  ^^^^^^^^^^ you are here
//! ```
//!
//! Text goes in, [`Declarations`] and [`Diagnostic`]s come out. This crate does no I/O, prints nothing and
//! panics on no input.

#![forbid(unsafe_code)]

pub mod codes;
pub mod ctype;
pub mod declaration;
pub mod diagnostic;
pub mod format;
pub mod glob;
pub mod lint;
pub mod message;
pub mod nearest;
pub mod parse;
pub mod position;
mod problems;
pub mod spacing;
mod syntax;
pub mod tcg;
pub mod text;

pub use ctype::CType;
pub use declaration::{Argument, Declarations, Event};
pub use diagnostic::{Diagnostic, Severity};
pub use text::{SourceFile, Text};
