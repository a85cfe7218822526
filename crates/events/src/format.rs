//! Format strings: from C source text to pieces, and pieces with recorded values to text.

use crate::CType;

/// A recorded value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    /// Anything that is no string, as the 64 bits that were recorded.
    Integer(u64),
    /// The bytes of a string.
    Str(&'a [u8]),
}

/// A format string taken apart, ready to render many times.
#[derive(Debug, Clone, Default)]
pub struct Format {}

impl Format {
    /// Takes apart `source` (C literals and PRI macros). Never fails: what cannot be understood stays text.
    pub fn parse(source: &str) -> Format {
        let _ = source;
        Format {}
    }

    /// Appends what C's printf would print for `values` declared as `types`, narrowed to their types first.
    /// Missing values render as nothing.
    pub fn render(&self, types: &[CType], values: &[Value<'_>], out: &mut Vec<u8>) {
        let _ = (types, values, out);
    }
}
