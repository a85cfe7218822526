//! One conversion of a format: its parts, its place, the arguments it takes.

use std::ops::Range;

use super::decode::SourceSpan;

/// Widths and precisions above this many characters are clamped to it, so that a format cannot ask for
/// gigabytes of blanks. (A precision of `%s` only shortens, and is not clamped.)
pub const MAX_PADDING: u16 = 4096;

/// A conversion as it stands in a format, such as `%-8.3lx` or `%" PRIu64`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversion {
    /// From the `%` to the letter or the end of the PRI macro, in bytes of the source text; quotes and blanks
    /// of a concatenation in between are part of it. Empty for a conversion of a prefix.
    pub span: Range<usize>,
    /// The PRI macro that ends it, if one does, in bytes of the source text.
    pub pri_macro: Option<Range<usize>>,
    /// Its flags.
    pub flags: Flags,
    /// The least number of characters.
    pub width: Option<Amount>,
    /// The least number of digits, the most bytes of a string.
    pub precision: Option<Amount>,
    /// The length modifier, that of the expansion for a PRI macro.
    pub length: Option<Length>,
    /// The conversion letter, that of the expansion for a PRI macro; `%` for `%%`.
    pub letter: char,
    /// Index of the argument it prints; `None` for `%%`. Those it takes for `*` are in
    /// [`Conversion::width`] and [`Conversion::precision`].
    pub argument: Option<usize>,
}

/// The flags of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags {
    /// `-`: blanks go to the right.
    pub left: bool,
    /// `+`: a sign also before positive numbers.
    pub plus: bool,
    /// A blank: a blank before positive numbers.
    pub space: bool,
    /// `#`: `0x` or `0` before the digits.
    pub alternate: bool,
    /// `0`: zeros instead of blanks to the left of a number.
    pub zero: bool,
    /// `'`: digits in groups. Accepted and without effect, as in the C locale.
    pub group: bool,
}

/// A width or a precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// Written in the format, at most [`MAX_PADDING`].
    Fixed(u16),
    /// `*`: the value of the argument of this index, read as an `int`.
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
    /// `ll`, `q`, and `L` before an integer conversion
    LongLong,
    /// `z`
    Size,
    /// `t`
    PtrDiff,
    /// `j`
    Max,
}

impl Length {
    /// Size of the integer that a conversion of this length reads, on an LP64 machine.
    pub fn bytes(self) -> u8 {
        match self {
            Length::Char => 1,
            Length::Short => 2,
            _ => 8,
        }
    }
}

/// What a conversion takes an argument for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reads {
    /// `%%`: nothing.
    Nothing,
    /// `%d`, `%i`, `%u`, `%o`, `%x`, `%X`: an integer of `bytes` (1, 2, 4, 8) bytes on an LP64 machine.
    Integer {
        /// Size of the type the length modifier names.
        bytes: u8,
        /// `d` and `i`.
        signed: bool,
    },
    /// `%c`: an `int`, printed as one byte.
    Character,
    /// `%s`: a string.
    Text,
    /// `%p`: a pointer.
    Pointer,
    /// `%a`, `%e`, `%f`, `%g`: a `double`, of which a trace has the raw bits.
    Float,
    /// `%n`, `%ls`, `%lc`, `%S`, `%C`: an argument that a trace cannot have. The conversion's text is shown as
    /// it stands, and its argument is skipped.
    Unprintable,
}

impl Conversion {
    /// What it reads.
    pub fn reads(&self) -> Reads {
        reads(self.letter, self.length)
    }

    /// How many arguments it takes: 0 to 3.
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

/// A conversion found in decoded bytes.
pub(super) struct Found {
    pub conversion: Conversion,
    /// How many of the bytes it takes, from the `%` on.
    pub length: usize,
}

/// Parses the conversion that begins with the `%` at `start` of `bytes`, if it is one. `next_argument` is the
/// index of the first argument that no conversion before it takes. `places` says where the bytes stand in
/// `source`.
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
    // Only a word outside of literals gives a letter a place of several bytes that begins with no backslash.
    let is_macro = last.len() > 1 && source.as_bytes().get(last.start).is_some_and(|&byte| byte != b'\\');
    // A macro's expansion ends in its letter; the letters of an unknown word are text.
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
