//! One conversion of a format: its parts, its position, and the arguments it consumes.

use std::ops::Range;

use super::decode::SourceSpan;

/// Maximum width and precision in characters. Larger ones are clamped, so that a format cannot
/// request gigabytes of blanks. The precision of `%s` only shortens the output and is not clamped.
pub const MAX_PADDING: u16 = 4096;

/// A conversion as written in a format, such as `%-8.3lx` or `%" PRIu64`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversion {
    /// The bytes of the source text from the `%` to the letter or to the end of the PRI macro,
    /// including the quotes and blanks between literals. Empty for a conversion in the prefix.
    pub span: Range<usize>,
    /// The PRI macro at the end of the conversion, if any, in bytes of the source text.
    pub pri_macro: Option<Range<usize>>,
    /// The flags.
    pub flags: Flags,
    /// The minimum number of characters.
    pub width: Option<Amount>,
    /// The minimum number of digits, or the maximum number of bytes of a string.
    pub precision: Option<Amount>,
    /// The length modifier. For a PRI macro, the length modifier in its expansion.
    pub length: Option<Length>,
    /// The conversion letter. For a PRI macro, the letter in its expansion. `%` for `%%`.
    pub letter: char,
    /// Index of the argument that is printed. `None` for `%%`. [`Conversion::width`] and
    /// [`Conversion::precision`] hold the indexes of the arguments for `*`.
    pub argument: Option<usize>,
}

/// The flags of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags {
    /// `-`: pad on the right.
    pub left: bool,
    /// `+`: print a sign before positive numbers too.
    pub plus: bool,
    /// A blank: print a blank before positive numbers.
    pub space: bool,
    /// `#`: print `0x` or `0` before the digits.
    pub alternate: bool,
    /// `0`: pad numbers with zeros on the left.
    pub zero: bool,
    /// `'`: group digits. Accepted and ignored, as in the C locale.
    pub group: bool,
}

/// A width or a precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// A number in the format, at most [`MAX_PADDING`].
    Fixed(u16),
    /// `*`: the value of the argument with this index, read as an `int`.
    Argument(u16),
}

/// A length modifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Length {
    /// `hh`
    Char,
    /// `h`
    Short,
    /// `l`
    Long,
    /// `ll`, `q`, and `L`, which is `long double` before a floating-point conversion
    LongLong,
    /// `z`
    Size,
    /// `t`
    PtrDiff,
    /// `j`
    Max,
}

impl Length {
    /// Size in bytes of the integer that a conversion with this length modifier reads, on an LP64
    /// machine.
    pub fn bytes(self) -> u8 {
        match self {
            Length::Char => 1,
            Length::Short => 2,
            _ => 8,
        }
    }
}

/// The kind of argument that a conversion reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reads {
    /// `%%`: nothing.
    Nothing,
    /// `%d`, `%i`, `%u`, `%o`, `%x`, `%X`: an integer of `bytes` (1, 2, 4, 8) bytes on an LP64 machine.
    Integer {
        /// Size of the type that the length modifier denotes.
        bytes: u8,
        /// Whether the letter is `d` or `i`.
        signed: bool,
    },
    /// `%c`: an `int`, printed as one byte.
    Character,
    /// `%s`: a string.
    Text,
    /// `%p`: a pointer.
    Pointer,
    /// `%a`, `%e`, `%f`, `%g`: a `double`. A trace holds its bits.
    Float,
    /// `%n`, `%ls`, `%lc`, `%S`, `%C`: an argument that a trace cannot contain. The conversion is
    /// printed as text, and its argument is skipped.
    Unprintable,
}

impl Conversion {
    /// The kind of argument that this conversion reads.
    pub fn reads(&self) -> Reads {
        reads(self.letter, self.length)
    }

    /// The number of arguments that this conversion consumes: 0 to 3.
    pub fn arguments(&self) -> usize {
        let star = |amount| usize::from(matches!(amount, Some(Amount::Argument(_))));
        star(self.width) + star(self.precision) + usize::from(self.argument.is_some())
    }
}

fn reads(letter: char, length: Option<Length>) -> Reads {
    let bytes = length.map_or(4, Length::bytes);
    match letter {
        'd' | 'i' => Reads::Integer { bytes, signed: true },
        'o' | 'u' | 'x' | 'X' => Reads::Integer { bytes, signed: false },
        'c' | 's' if length == Some(Length::Long) => Reads::Unprintable,
        'c' => Reads::Character,
        's' => Reads::Text,
        'p' => Reads::Pointer,
        'a' | 'A' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' => Reads::Float,
        'n' | 'S' | 'C' => Reads::Unprintable,
        _ => Reads::Nothing,
    }
}

pub(super) struct Found {
    pub conversion: Conversion,
    /// The conversion's length in decoded bytes, from the `%`.
    pub length: usize,
}

/// Parses the conversion that starts with the `%` at `start` in `bytes`. Returns `None` if it is
/// invalid.
///
/// `next_argument` is the index of the first argument not yet consumed. `places` maps `bytes` to
/// positions in `source`.
pub(super) fn parse(
    bytes: &[u8],
    places: &[SourceSpan],
    source: &str,
    start: usize,
    next_argument: usize,
) -> Option<Found> {
    let mut parser = Parser { bytes, at: start + 1, argument: next_argument };
    let flags = parser.flags();
    let width = parser.amount();
    let precision = if parser.take(b'.') { Some(parser.amount().unwrap_or(Amount::Fixed(0))) } else { None };
    let length = parser.length();
    let letter = char::from(*bytes.get(parser.at)?);
    let is_percent = letter == '%';
    if reads(letter, length) == Reads::Nothing && !is_percent {
        return None;
    }
    let argument = if is_percent { None } else { Some(parser.argument) };

    let place = |index: usize| Range::from(places.get(index).copied().unwrap_or_default());
    let (first, last) = (place(start), place(parser.at));
    // If the span of the letter has several bytes and no backslash at its start, the letter comes
    // from a macro.
    let is_macro = last.len() > 1 && source.as_bytes().get(last.start).is_some_and(|&byte| byte != b'\\');
    // A known macro ends at its letter. If more of the macro follows, the macro is unknown and its
    // letters are text.
    if is_macro && place(parser.at + 1) == last {
        return None;
    }
    let conversion = Conversion {
        span: first.start..last.end,
        pri_macro: is_macro.then_some(last),
        flags,
        width,
        precision,
        length,
        letter,
        argument,
    };
    Some(Found { conversion, length: parser.at + 1 - start })
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    argument: usize,
}

impl Parser<'_> {
    fn take(&mut self, byte: u8) -> bool {
        let found = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn flags(&mut self) -> Flags {
        let mut flags = Flags::default();
        while let Some(byte) = self.bytes.get(self.at) {
            match byte {
                b'-' => flags.left = true,
                b'+' => flags.plus = true,
                b' ' => flags.space = true,
                b'#' => flags.alternate = true,
                b'0' => flags.zero = true,
                b'\'' => flags.group = true,
                _ => break,
            }
            self.at += 1;
        }
        flags
    }

    fn amount(&mut self) -> Option<Amount> {
        if self.take(b'*') {
            let argument = u16::try_from(self.argument).unwrap_or(u16::MAX);
            self.argument += 1;
            return Some(Amount::Argument(argument));
        }
        let mut amount = None;
        while let Some(digit @ b'0'..=b'9') = self.bytes.get(self.at) {
            let value = amount.unwrap_or(0) * 10 + u16::from(digit - b'0');
            amount = Some(value.min(MAX_PADDING));
            self.at += 1;
        }
        amount.map(Amount::Fixed)
    }

    fn length(&mut self) -> Option<Length> {
        let length = match self.bytes.get(self.at)? {
            b'h' if self.bytes.get(self.at + 1) == Some(&b'h') => Length::Char,
            b'h' => Length::Short,
            b'l' if self.bytes.get(self.at + 1) == Some(&b'l') => Length::LongLong,
            b'l' => Length::Long,
            b'q' | b'L' => Length::LongLong,
            b'z' => Length::Size,
            b't' => Length::PtrDiff,
            b'j' => Length::Max,
            _ => return None,
        };
        let letter = self.bytes[self.at];
        self.at += 1 + usize::from(self.bytes.get(self.at + 1) == Some(&letter) && b"hl".contains(&letter));
        Some(length)
    }
}
