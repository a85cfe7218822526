//! Format strings: from C source text to pieces, and pieces with recorded values to text.
//!
//! A format is C source: literals and PRI macros, `"v %"PRIx64" s '%s'"`. [`Format`] renders it as C's printf
//! would on a 64-bit glibc machine; [`Outline`] tells lints what is in it.
//!
//! # What is rendered
//!
//! An argument's 64 recorded bits are narrowed to its declared [`CType`] (`int` sign-extends, `uint8_t` keeps
//! two hex digits, `bool` is 0 or 1), and the result is converted to the type that the conversion reads, as
//! if by a cast: `%x` of an `int` -1 is `ffffffff`, `%lx` of it `ffffffffffffffff`, `%d` of a `uint32_t`
//! 4294967295 is `-1`, `%hhd` of 300 is `44`.
//!
//! Where C has no answer:
//!
//! * Conversions without a recorded value render as nothing; surplus values are not shown.
//! * `%s` of a value that is no string (an address, in files of 2010) renders as `0x` and hex digits, an
//!   integer conversion, `%c` or `%p` of a string as the string. Both honour width and `-`, not precision.
//! * `%a`, `%e`, `%f`, `%g` render as `0x` and the recorded bits in hex: files that had floating arguments
//!   recorded them in ways that cannot be told apart.
//! * `%n`, `%ls`, `%lc`, `%S`, `%C` stay as text and take an argument; everything unknown (`%m`, `%y`, a last
//!   `%`) stays as text and takes none.
//! * Widths and precisions over [`MAX_PADDING`] are clamped to it.
//! * A byte 0 in the format (`\0`) ends it.
//!
//! A recorded string is rendered with all its bytes, whatever they are.

mod conversion;
mod decode;
mod digits;
mod outline;
mod output;
mod render;

pub use conversion::{Amount, Conversion, Flags, Length, MAX_PADDING, Reads};
pub use decode::{FormatError, FormatErrorKind, PriLength, decode_source};
pub use outline::{Outline, Part, parts};
pub use output::{Escapes, Escaping, Output};

use crate::{CType, Event};
use render::Directive;

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
pub struct Format {
    /// All text of the format, the conversions taken out.
    text: Vec<u8>,
    pieces: Vec<Piece>,
}

/// A conversion, and the text before it.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// Where the text before the conversion ends in [`Format::text`]; it begins where the last one ended.
    text_end: u32,
    directive: Directive,
}

impl Format {
    /// Takes apart `source` (C literals and PRI macros). Never fails: what cannot be understood stays text.
    pub fn parse(source: &str) -> Format {
        Format::parse_prefixed("", source)
    }

    /// The format of `event` with its prefix. Without a format, the prefix alone.
    pub fn of(event: &Event) -> Format {
        Format::parse_prefixed(event.format_prefix, event.format.as_deref().unwrap_or_default())
    }

    /// Like [`Format::parse`], with a plain format text before it (`cpu=%p `, no quotes or escapes) whose
    /// conversions take the first arguments.
    pub fn parse_prefixed(prefix: &str, source: &str) -> Format {
        let mut text = Vec::with_capacity(prefix.len() + source.len());
        let mut pieces = Vec::new();
        outline::scan(prefix, source, |item| match item {
            outline::Item::Text(bytes) => text.extend_from_slice(bytes),
            outline::Item::Conversion(conversion, written) => match Directive::new(&conversion) {
                Some(directive) => {
                    let text_end = u32::try_from(text.len()).unwrap_or(u32::MAX);
                    pieces.push(Piece { text_end, directive });
                }
                None if conversion.letter == '%' => text.push(b'%'),
                None => text.extend_from_slice(written),
            },
            outline::Item::FormatError(_) => {}
        });
        Format { text, pieces }
    }

    /// Whether it renders as nothing, whatever the values: an absent or empty format.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.pieces.is_empty()
    }

    /// Appends what C's printf would print for `values` declared as `types`, narrowed to their types first.
    /// Missing values render as nothing; a value without a type counts as [`CType::Unknown`].
    ///
    /// Appends at most the text of the format, the bytes of the strings, and twice [`MAX_PADDING`] for each
    /// conversion with a value.
    pub fn render(&self, types: &[CType], values: &[Value<'_>], out: &mut impl Output) {
        let mut text = &*self.text;
        let mut taken = 0;
        for piece in &self.pieces {
            let length = (piece.text_end as usize - taken).min(text.len());
            let (before, rest) = text.split_at(length);
            out.push_bytes(before);
            (text, taken) = (rest, piece.text_end as usize);
            piece.directive.render(types, values, out);
        }
        out.push_bytes(text);
    }
}

#[cfg(test)]
mod tests;
