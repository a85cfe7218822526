//! The trace-events declaration language.
//!
//! Source text becomes [`Declarations`] and [`Diagnostic`]s. This crate performs no I/O, prints
//! nothing, and does not panic on any input.

#![forbid(unsafe_code)]

pub mod codes;
pub mod ctype;
pub mod declaration;
pub mod diagnostic;
pub mod format;
pub mod glob;
mod keywords;
pub mod lint;
pub mod message;
pub mod nearest;
pub mod parse;
pub mod position;
pub mod spacing;
mod syntax;
pub mod text;

pub use ctype::CType;
pub use declaration::{Argument, Declarations, Enumeration, Event};
pub use diagnostic::{Diagnostic, Severity};
pub use text::{SourceFile, Text};
