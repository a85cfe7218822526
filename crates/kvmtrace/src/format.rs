//! The format of a definition: Python 2's `%` formatting with a dictionary on the right.
//!
//! A format is compiled once. Compilation detects errors, but they are reported only when a record
//! needs the format, after the part before the error has been rendered. The original formatters,
//! too, accepted files with errors until the event occurred.

use std::fmt;
use std::ops::Range;

use crate::arguments::{Arguments, Key};
use crate::number;

/// The maximum length of a rendered line, in bytes. Without this limit, a width could request any
/// number of blanks.
pub const MAX_LINE_BYTES: usize = 1 << 16;

/// The compiled format of one definition.
#[derive(Debug, Clone)]
pub struct Format {
    text: Box<[u8]>,
    pieces: Vec<Piece>,
    keys: Vec<Key>,
}

/// An error in a format, or a value that does not fit it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError {
    /// The offset of the conversion in the format, in bytes.
    pub at: usize,
    pub(super) kind: FormatErrorKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FormatErrorKind {
    UnknownKey(String),
    UnclosedKey,
    /// The format ends within the conversion.
    Incomplete,
    UnknownConversion(u8),
    /// A width or precision that does not fit any line.
    TooWide,
    /// A value of `%c` that does not fit a byte.
    NoByte(i128),
    /// More digits than Python 2 prints for an `int`.
    Precision(usize),
    LongLine,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            FormatErrorKind::UnknownKey(name) => write!(f, "unknown key `{}`", name.escape_debug()),
            FormatErrorKind::UnclosedKey => write!(f, "the key after `%(` is not closed"),
            FormatErrorKind::Incomplete => write!(f, "the format ends in the middle of a conversion"),
            FormatErrorKind::UnknownConversion(byte) => {
                write!(f, "unknown conversion `{}`", byte.escape_ascii())
            }
            FormatErrorKind::TooWide => write!(f, "the width or precision is too large"),
            FormatErrorKind::NoByte(value) => {
                write!(f, "`%c` needs a value from 0 to 255, but the value is {value}")
            }
            FormatErrorKind::Precision(digits) => {
                write!(
                    f,
                    "the precision of {digits} digits exceeds the limit of {}",
                    number::MAX_INT_PRECISION
                )
            }
            FormatErrorKind::LongLine => write!(f, "the line would exceed {MAX_LINE_BYTES} bytes"),
        }
    }
}

impl FormatError {
    /// Returns advice for the user.
    pub fn help(&self) -> Option<&'static str> {
        Some(match self.kind {
            FormatErrorKind::UnknownKey(_) => {
                "the keys are tsc, reltsc (or ts, relts), event, vcpu, pid, and 1 to 5 for the record's words"
            }
            FormatErrorKind::Incomplete | FormatErrorKind::UnknownConversion(_) => {
                "the conversions are d i u x X o s r c e E f F g G; write %% for a percent sign"
            }
            FormatErrorKind::UnclosedKey => "write %(key)d",
            _ => return None,
        })
    }
}

/// The flags, width and precision of a conversion.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Spec {
    /// `-`
    pub left: bool,
    /// `+`
    pub plus: bool,
    /// A blank flag: prints a blank where the `+` flag would print a plus sign.
    pub blank: bool,
    /// `#`
    pub alternate: bool,
    /// `0`
    pub zero: bool,
    pub width: usize,
    pub precision: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conversion {
    Decimal,
    Octal,
    Hex { upper: bool },
    Fixed,
    Exponent { upper: bool },
    General { upper: bool },
    Byte,
    Str,
    Repr,
}

impl Conversion {
    /// Returns the minimum number of digits that the precision requests. For text, a precision only
    /// truncates.
    fn digits(self, spec: &Spec) -> usize {
        match self {
            Conversion::Byte | Conversion::Str | Conversion::Repr => 0,
            _ => spec.precision.unwrap_or(0),
        }
    }
}

#[derive(Debug, Clone)]
enum Piece {
    /// A range of the format's text, copied unchanged.
    Text(Range<usize>),
    Value {
        at: usize,
        key: Key,
        spec: Spec,
        conversion: Conversion,
    },
    /// All keys and values, in the form in which Python prints a dictionary. `%s` without a key
    /// prints this.
    Dictionary {
        at: usize,
        spec: Spec,
    },
    /// A percent sign. As in Python, the width applies to it as well.
    Percent {
        at: usize,
        spec: Spec,
        width: Option<Key>,
    },
    /// A `*` in place of a width or precision. The value of this key is used, which must be an
    /// `int`.
    Star(Key),
    /// A conversion whose value has the wrong type or is missing.
    Mistyped,
    /// An error. No piece follows it.
    Error(FormatError),
}

pub(super) enum ConversionError {
    /// Python's TypeError, which the original formatters caught.
    Mistyped,
    /// Any other exception, which the original formatters did not catch.
    Format(FormatErrorKind),
}

impl Format {
    /// Compiles `text`. An error in it is reported by [`error`](Format::error) and
    /// [`render`](Format::render).
    pub fn compile(text: &[u8]) -> Format {
        let mut compiler =
            Compiler { text, at: 0, pieces: Vec::new(), keys: Vec::new(), next: Next::Dictionary };
        compiler.run();
        let Compiler { pieces, keys, .. } = compiler;
        Format { text: text.into(), pieces, keys }
    }

    /// Returns the text of the format.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the keys in the format, in order.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// Returns the error in the format, if it is independent of the values.
    pub fn error(&self) -> Option<&FormatError> {
        self.pieces.iter().find_map(|piece| match piece {
            Piece::Error(error) => Some(error),
            _ => None,
        })
    }

    /// Appends the line for `arguments`, with its newline.
    ///
    /// If a value is missing or has the wrong type for its conversion, the line is the text of the
    /// format. A second line then lists all keys and values, as in the original formatters.
    ///
    /// # Errors
    /// Returns an error, and appends nothing, if the format is invalid or a value does not fit it.
    pub fn render(&self, arguments: &Arguments, out: &mut Vec<u8>) -> Result<(), FormatError> {
        let start = out.len();
        for piece in &self.pieces {
            match self.render_piece(piece, arguments, start, out) {
                Ok(()) => {}
                Err(ConversionError::Mistyped) => {
                    out.truncate(start);
                    out.extend_from_slice(&self.text);
                    out.push(b'\n');
                    render_dictionary(arguments, out);
                    break;
                }
                Err(ConversionError::Format(kind)) => {
                    out.truncate(start);
                    return Err(FormatError { at: piece.at(), kind });
                }
            }
        }
        out.push(b'\n');
        Ok(())
    }

    fn render_piece(
        &self,
        piece: &Piece,
        arguments: &Arguments,
        start: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), ConversionError> {
        let room = |bytes: usize, out: &Vec<u8>| {
            let line = bytes.saturating_add(out.len() - start);
            if line > MAX_LINE_BYTES {
                Err(ConversionError::Format(FormatErrorKind::LongLine))
            } else {
                Ok(())
            }
        };
        match piece {
            Piece::Text(range) => out.extend_from_slice(self.text.get(range.clone()).unwrap_or_default()),
            Piece::Value { key, spec, conversion, .. } => {
                room(spec.width.max(conversion.digits(spec)), out)?;
                number::render(arguments.value(*key), *conversion, spec, out)?;
            }
            Piece::Dictionary { spec, .. } => {
                room(spec.width, out)?;
                let mut text = Vec::new();
                render_dictionary(arguments, &mut text);
                number::render_text(&text, spec, out);
            }
            Piece::Percent { spec, width, .. } => {
                let mut spec = Spec { precision: None, ..*spec };
                if let Some(key) = width {
                    spec = with_star_width(spec, arguments.int(*key)?);
                }
                room(spec.width, out)?;
                number::render_text(b"%", &spec, out);
            }
            Piece::Star(key) => {
                arguments.int(*key)?;
            }
            Piece::Mistyped => return Err(ConversionError::Mistyped),
            Piece::Error(error) => return Err(ConversionError::Format(error.kind.clone())),
        }
        Ok(())
    }
}

impl Piece {
    fn at(&self) -> usize {
        match self {
            Piece::Value { at, .. } | Piece::Dictionary { at, .. } | Piece::Percent { at, .. } => *at,
            Piece::Error(error) => error.at,
            Piece::Text(_) | Piece::Star(_) | Piece::Mistyped => 0,
        }
    }
}

impl Arguments {
    fn int(&self, key: Key) -> Result<i64, ConversionError> {
        match self.value(key) {
            crate::arguments::Value::Int(value) => Ok(value),
            _ => Err(ConversionError::Mistyped),
        }
    }
}

/// Applies a `*` width. A negative width means the flag `-` and the absolute value.
fn with_star_width(spec: Spec, width: i64) -> Spec {
    let left = spec.left || width < 0;
    Spec { left, width: usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX), ..spec }
}

fn render_dictionary(arguments: &Arguments, out: &mut Vec<u8>) {
    let mut separator = "{";
    for (name, key) in arguments.time_names().listing() {
        out.extend_from_slice(separator.as_bytes());
        out.push(b'\'');
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b"': ");
        number::render_repr(arguments.value(key), out);
        separator = ", ";
    }
    out.push(b'}');
}

/// The operand that the next conversion without a key uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The whole dictionary, because there was no key yet.
    Dictionary,
    /// The value of the last key, which has not been used yet.
    Value(Key),
    /// Nothing, because the value has been used.
    Nothing,
}

struct Compiler<'a> {
    text: &'a [u8],
    at: usize,
    pieces: Vec<Piece>,
    keys: Vec<Key>,
    next: Next,
}

impl Compiler<'_> {
    fn run(&mut self) {
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            let length = rest.iter().position(|byte| *byte == b'%').unwrap_or(rest.len());
            if length > 0 {
                self.pieces.push(Piece::Text(self.at..self.at + length));
                self.at += length;
                continue;
            }
            let at = self.at;
            self.at += 1;
            match self.conversion(at) {
                Ok(Piece::Mistyped) => return self.pieces.push(Piece::Mistyped),
                Ok(piece) => self.pieces.push(piece),
                Err(kind) => return self.pieces.push(Piece::Error(FormatError { at, kind })),
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn take(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn take_if(&mut self, wanted: u8) -> bool {
        let there = self.peek() == Some(wanted);
        self.at += usize::from(there);
        there
    }

    /// Compiles the conversion whose `%` is at `at`. The `%` itself was already consumed.
    fn conversion(&mut self, at: usize) -> Result<Piece, FormatErrorKind> {
        if self.take_if(b'(') {
            self.next = Next::Value(self.key()?);
        }
        let mut spec = Spec::default();
        loop {
            match self.peek() {
                Some(b'-') => spec.left = true,
                Some(b'+') => spec.plus = true,
                Some(b' ') => spec.blank = true,
                Some(b'#') => spec.alternate = true,
                Some(b'0') => spec.zero = true,
                _ => break,
            }
            self.at += 1;
        }
        let mut star_width = None;
        if self.take_if(b'*') {
            let Some(key) = self.star() else { return Ok(Piece::Mistyped) };
            star_width = Some(key);
        } else {
            spec.width = self.amount()?.unwrap_or(0);
        }
        if self.take_if(b'.') {
            if self.take_if(b'*') {
                if self.star().is_none() {
                    return Ok(Piece::Mistyped);
                }
            } else {
                spec.precision = Some(self.amount()?.unwrap_or(0));
            }
        }
        if matches!(self.peek(), Some(b'h' | b'l' | b'L')) {
            self.at += 1;
        }
        match self.take() {
            None => Err(FormatErrorKind::Incomplete),
            Some(b'%') => Ok(Piece::Percent { at, spec, width: star_width }),
            Some(letter) => self.value(at, letter, spec),
        }
    }

    /// Parses the key after `%(`, up to the matching parenthesis.
    fn key(&mut self) -> Result<Key, FormatErrorKind> {
        let start = self.at;
        let mut depth = 1;
        while depth > 0 {
            match self.take() {
                Some(b'(') => depth += 1,
                Some(b')') => depth -= 1,
                Some(_) => {}
                None => return Err(FormatErrorKind::UnclosedKey),
            }
        }
        let name = &self.text[start..self.at - 1];
        let key = Key::from_name(name)
            .ok_or_else(|| FormatErrorKind::UnknownKey(String::from_utf8_lossy(name).into_owned()))?;
        self.keys.push(key);
        Ok(key)
    }

    /// Consumes the value for a `*`, as a conversion does. Returns `None` if the value is missing
    /// or has the wrong type.
    fn star(&mut self) -> Option<Key> {
        let Next::Value(key) = self.next else { return None };
        self.next = Next::Nothing;
        self.pieces.push(Piece::Star(key));
        Some(key)
    }

    fn amount(&mut self) -> Result<Option<usize>, FormatErrorKind> {
        let mut amount: Option<usize> = None;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            self.at += 1;
            let value = amount.unwrap_or(0).saturating_mul(10).saturating_add(usize::from(digit - b'0'));
            amount = Some(value);
        }
        match amount {
            Some(amount) if amount > i32::MAX as usize => Err(FormatErrorKind::TooWide),
            amount => Ok(amount),
        }
    }

    fn value(&mut self, at: usize, letter: u8, spec: Spec) -> Result<Piece, FormatErrorKind> {
        let next = std::mem::replace(&mut self.next, Next::Nothing);
        if next == Next::Nothing {
            return Ok(Piece::Mistyped);
        }
        let conversion = match letter {
            b'd' | b'i' | b'u' => Conversion::Decimal,
            b'o' => Conversion::Octal,
            b'x' | b'X' => Conversion::Hex { upper: letter == b'X' },
            b'f' | b'F' => Conversion::Fixed,
            b'e' | b'E' => Conversion::Exponent { upper: letter == b'E' },
            b'g' | b'G' => Conversion::General { upper: letter == b'G' },
            b'c' => Conversion::Byte,
            b's' => Conversion::Str,
            b'r' => Conversion::Repr,
            _ => return Err(FormatErrorKind::UnknownConversion(letter)),
        };
        Ok(match (next, conversion) {
            (Next::Value(key), _) => Piece::Value { at, key, spec, conversion },
            (_, Conversion::Str | Conversion::Repr) => Piece::Dictionary { at, spec },
            _ => Piece::Mistyped,
        })
    }
}
