//! Format strings: parses C source text and renders recorded values.
//!
//! A format is C source: literals and PRI macros, such as `"v %"PRIx64" s '%s'"`. [`Format`]
//! renders values as printf does on a 64-bit glibc machine. [`Outline`] lists the parts of a format
//! for lints.
//!
//! # Rendering
//!
//! The 64 recorded bits of an argument are narrowed to its declared [`CType`]: `int` sign-extends,
//! `uint8_t` keeps two hex digits, `bool` is 0 or 1. The result is then cast to the type that the
//! conversion reads: `%x` of an `int` -1 prints `ffffffff`, `%lx` of it `ffffffffffffffff`, `%d` of
//! a `uint32_t` 4294967295 prints `-1`, `%hhd` of 300 prints `44`.
//!
//! Where C defines no result:
//!
//! * Conversions without a recorded value print nothing. Surplus values are ignored.
//! * `%s` of a value that is not a string (an address, in files of 2010) prints `0x` and hex
//!   digits. An integer conversion, `%c` or `%p` of a string prints the string. Both honour width
//!   and `-`, but not precision.
//! * `%a`, `%e`, `%f`, `%g` of a value that is not a [`CType::Double`] print `0x` and the recorded
//!   bits in hex, because old files recorded floating-point arguments in several ways that cannot be
//!   distinguished. Other conversions of a `double` print its bits.
//! * `%n`, `%ls`, `%lc`, `%S`, `%C` are printed as text and take an argument. Unknown conversions
//!   (`%m`, `%y`, a final `%`) are printed as text and take none.
//! * `%s` of an enumeration prints the name of the value, or the number if it has none.
//! * Widths and precisions over [`MAX_PADDING`] are clamped to it.
//! * A NUL byte in the format (`\0`) ends it.
//!
//! A recorded string is printed with all its bytes.

mod conversion;
mod decode;
mod digits;
mod float;
pub(crate) mod macros;
mod outline;
mod output;
mod render;

pub use conversion::{Amount, Conversion, Flags, Length, MAX_PADDING, Reads};
pub use decode::{FormatError, FormatErrorKind, PriLength, decode_source};
pub use outline::{Outline, Part, parts};
pub use output::{Escapes, Escaping, Output};

use std::sync::Arc;

use crate::{CType, Enumeration, Event};
use render::Directive;

/// A recorded value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    /// The 64 recorded bits of any value that is not a string.
    Integer(u64),
    /// The bytes of a string.
    Str(&'a [u8]),
}

/// A parsed format string, ready to render many times.
#[derive(Debug, Clone, Default)]
pub struct Format {
    text: Vec<u8>,
    pieces: Vec<Piece>,
    /// The enumerations of arguments, for `%s`. Empty if there are none.
    enumerations: Box<[Option<Arc<Enumeration>>]>,
}

#[derive(Debug, Clone, Copy)]
struct Piece {
    /// The end of the text that precedes this piece, in [`Format::text`]. That text starts where
    /// the text of the previous piece ends.
    text_end: u32,
    directive: Directive,
}

impl Format {
    /// Parses `source` (C literals and PRI macros). Never fails: invalid parts are treated as text.
    pub fn parse(source: &str) -> Format {
        Format::parse_prefixed("", source)
    }

    /// Parses the format of `event` with its prefix. If the event has no format, the result is the
    /// prefix alone.
    pub fn of(event: &Event) -> Format {
        Format::parse_prefixed(event.format_prefix, event.format.as_deref().unwrap_or_default())
            .with_enumerations(event.arguments.iter().map(|argument| argument.enumeration.clone()))
    }

    /// Sets the enumerations of the arguments, in order, for which `%s` prints the names of values.
    #[must_use]
    pub fn with_enumerations(self, enumerations: impl Iterator<Item = Option<Arc<Enumeration>>>) -> Format {
        let mut enumerations: Vec<_> = enumerations.collect();
        if enumerations.iter().all(Option::is_none) {
            enumerations.clear();
        }
        Format { enumerations: enumerations.into(), ..self }
    }

    /// Parses `source` after `prefix`, which is plain format text without quotes or escapes
    /// (`cpu=%p `). The prefix's conversions consume the first arguments.
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
        Format { text, pieces, enumerations: Box::default() }
    }

    /// Whether the format is absent or empty, and therefore prints nothing.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.pieces.is_empty()
    }

    /// Appends what printf would print for `values` declared as `types`.
    ///
    /// Values are narrowed to their types first. Missing values print nothing; a value without a
    /// type has type [`CType::Unknown`].
    ///
    /// The output is never longer than the text of the format, plus the bytes of the strings, plus
    /// twice [`MAX_PADDING`] for each conversion with a value.
    pub fn render(&self, types: &[CType], values: &[Value<'_>], out: &mut impl Output) {
        let mut text = &*self.text;
        let mut taken = 0;
        for piece in &self.pieces {
            let length = (piece.text_end as usize - taken).min(text.len());
            let (before, rest) = text.split_at(length);
            out.push_bytes(before);
            (text, taken) = (rest, piece.text_end as usize);
            if self.enumerations.is_empty() || !self.push_constant(&piece.directive, types, values, out) {
                piece.directive.render(types, values, out);
            }
        }
        out.push_bytes(text);
    }

    /// Appends the name of the value that `directive` prints as a string. Returns whether it is the
    /// value of an enumeration.
    fn push_constant(
        &self,
        directive: &Directive,
        types: &[CType],
        values: &[Value<'_>],
        out: &mut impl Output,
    ) -> bool {
        let Some(index) = directive.text_argument() else { return false };
        let (Some(Some(enumeration)), Some(Value::Integer(bits))) =
            (self.enumerations.get(index), values.get(index))
        else {
            return false;
        };
        directive.render_constant(enumeration.name_of(*bits), *bits, types, values, out);
        true
    }
}

#[cfg(test)]
mod tests;
