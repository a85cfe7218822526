//! Floating-point numbers as printf prints them, without allocation.
//!
//! The digits are exact, and ties are rounded to even, as in glibc.

use std::fmt::{self, Write};

use super::Output;

/// How a conversion writes a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Notation {
    form: Form,
    upper: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `%f`
    Fixed,
    /// `%e`
    Exponent,
    /// `%g`
    General,
    /// `%a`
    Hex,
}

impl Notation {
    /// Returns the notation of a conversion letter. Letters other than those for floats are read as
    /// `g`.
    pub(super) fn of(letter: char) -> Notation {
        let form = match letter.to_ascii_lowercase() {
            'f' => Form::Fixed,
            'e' => Form::Exponent,
            'a' => Form::Hex,
            _ => Form::General,
        };
        Notation { form, upper: letter.is_ascii_uppercase() }
    }
}

/// A `double` has at most this many decimal digits after the point, and at most 767 significant
/// digits. Digits beyond are zeros.
const MAX_DIGITS: usize = 1074;

/// The longest text before the zeros: 309 digits, a point, and the digits after it.
const ROOM: usize = 309 + 1 + MAX_DIGITS;

/// The precision of C if a conversion has none.
const DEFAULT_PRECISION: usize = 6;

/// The text of a number without its sign: a prefix, digits, zeros, and an exponent.
pub(super) struct FloatText {
    prefix: &'static [u8],
    digits: Buffer<ROOM>,
    /// The number of zeros after the digits.
    zeros: usize,
    exponent: Buffer<8>,
}

impl FloatText {
    /// Formats `value`, which is not negative.
    pub(super) fn new(
        value: f64,
        notation: Notation,
        precision: Option<usize>,
        alternate: bool,
    ) -> FloatText {
        let mut text = FloatText { prefix: b"", digits: Buffer::new(), zeros: 0, exponent: Buffer::new() };
        if !value.is_finite() {
            text.digits.push_bytes(if value.is_nan() { b"nan" } else { b"inf" });
        } else {
            let decimals = precision.unwrap_or(DEFAULT_PRECISION);
            match notation.form {
                Form::Fixed => text.fixed(value, decimals, alternate),
                Form::Exponent => text.exponential(value, decimals, alternate),
                Form::General => text.general(value, decimals.max(1), alternate),
                Form::Hex => text.hex(value, precision, alternate),
            }
        }
        if notation.upper {
            text.prefix = if text.prefix.is_empty() { b"" } else { b"0X" };
            text.digits.bytes.make_ascii_uppercase();
            text.exponent.bytes.make_ascii_uppercase();
        }
        text
    }

    /// The part before which zeros are never inserted.
    pub(super) fn prefix(&self) -> &'static [u8] {
        self.prefix
    }

    /// The length, including the prefix.
    pub(super) fn length(&self) -> usize {
        self.prefix.len() + self.digits.length + self.zeros + self.exponent.length
    }

    /// Appends everything after the prefix.
    pub(super) fn append_to(&self, out: &mut impl Output) {
        out.push_bytes(self.digits.as_slice());
        out.push_repeated(b'0', self.zeros);
        out.push_bytes(self.exponent.as_slice());
    }

    fn fixed(&mut self, value: f64, decimals: usize, alternate: bool) {
        let written = decimals.min(MAX_DIGITS);
        self.digits.write(format_args!("{value:.written$}"));
        self.zeros = decimals - written;
        if alternate && decimals == 0 {
            self.digits.push_bytes(b".");
        }
    }

    fn exponential(&mut self, value: f64, decimals: usize, alternate: bool) {
        let written = decimals.min(MAX_DIGITS);
        let exponent = self.digits.scientific(value, written);
        self.zeros = decimals - written;
        if alternate && decimals == 0 {
            self.digits.push_bytes(b".");
        }
        self.decimal_exponent(exponent);
    }

    /// Formats `value` with `precision` significant digits, without trailing zeros unless
    /// `alternate`.
    fn general(&mut self, value: f64, precision: usize, alternate: bool) {
        let written = (precision - 1).min(MAX_DIGITS);
        let mut scientific = Buffer::<ROOM>::new();
        let exponent = scientific.scientific(value, written);
        let (first, rest) = scientific.as_slice().split_at(1);
        let rest = rest.get(1..).unwrap_or_default();
        let kept = if alternate { rest.len() } else { trimmed(rest) };
        let rest = &rest[..kept];
        self.zeros = if alternate { precision - 1 - written } else { 0 };
        match usize::try_from(exponent) {
            Ok(before) if before < precision => {
                // Digits before the point that are not in `rest` are zeros.
                let whole = &rest[..before.min(rest.len())];
                let decimals = &rest[whole.len()..];
                self.digits.push_bytes(first);
                self.digits.push_bytes(whole);
                self.digits.push_repeated(b'0', before - whole.len());
                self.point(decimals, alternate);
            }
            Err(_) if exponent >= -4 => {
                self.digits.push_bytes(b"0.");
                self.digits.push_repeated(b'0', exponent.unsigned_abs() as usize - 1);
                self.digits.push_bytes(first);
                self.digits.push_bytes(rest);
            }
            _ => {
                self.digits.push_bytes(first);
                self.point(rest, alternate);
                self.decimal_exponent(exponent);
            }
        }
    }

    /// Appends a point and `decimals`. Without decimals, appends the point only if `alternate`.
    fn point(&mut self, decimals: &[u8], alternate: bool) {
        if alternate || !decimals.is_empty() {
            self.digits.push_bytes(b".");
        }
        self.digits.push_bytes(decimals);
    }

    /// Formats `value` in base 16. Without a precision, the result is exact.
    fn hex(&mut self, value: f64, precision: Option<usize>, alternate: bool) {
        const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
        const FRACTION_DIGITS: usize = FRACTION_BITS as usize / 4;
        const MIN_EXPONENT: i32 = f64::MIN_EXP - 1;
        let bits = value.to_bits();
        let fraction = bits & ((1 << FRACTION_BITS) - 1);
        let (mut mantissa, exponent) = match (bits >> FRACTION_BITS) as i32 {
            0 => (fraction, if fraction == 0 { 0 } else { MIN_EXPONENT }),
            biased => (fraction | 1 << FRACTION_BITS, biased - 1 + MIN_EXPONENT),
        };
        let decimals = match precision {
            Some(decimals) if decimals < FRACTION_DIGITS => {
                let dropped = 4 * (FRACTION_DIGITS - decimals) as u32;
                let (half, rest) = (1_u64 << (dropped - 1), mantissa & ((1 << dropped) - 1));
                mantissa -= rest;
                let is_odd = mantissa >> dropped & 1 == 1;
                if rest > half || rest == half && is_odd {
                    mantissa += 1 << dropped;
                }
                decimals
            }
            Some(decimals) => {
                self.zeros = decimals - FRACTION_DIGITS;
                FRACTION_DIGITS
            }
            None => {
                let fraction = mantissa & ((1 << FRACTION_BITS) - 1);
                let zeros = fraction.trailing_zeros() as usize / 4;
                FRACTION_DIGITS.saturating_sub(zeros)
            }
        };
        self.prefix = b"0x";
        let whole = mantissa >> FRACTION_BITS;
        self.digits.write(format_args!("{whole:x}"));
        if alternate || decimals > 0 {
            self.digits.push_bytes(b".");
        }
        if decimals > 0 {
            let fraction = (mantissa & ((1 << FRACTION_BITS) - 1)) >> (4 * (FRACTION_DIGITS - decimals));
            self.digits.write(format_args!("{fraction:0decimals$x}"));
        }
        self.exponent.write(format_args!("p{exponent:+}"));
    }

    /// Appends an exponent of at least two digits.
    fn decimal_exponent(&mut self, exponent: i32) {
        let sign = if exponent < 0 { '-' } else { '+' };
        self.exponent.write(format_args!("e{sign}{:02}", exponent.unsigned_abs()));
    }
}

/// Returns the number of digits without trailing zeros.
fn trimmed(digits: &[u8]) -> usize {
    digits.iter().rposition(|&digit| digit != b'0').map_or(0, |last| last + 1)
}

/// Text of limited length. More is dropped.
struct Buffer<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Buffer<N> {
    fn new() -> Buffer<N> {
        Buffer { bytes: [0; N], length: 0 }
    }

    fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    fn push_bytes(&mut self, bytes: &[u8]) {
        let length = bytes.len().min(N - self.length);
        self.bytes[self.length..self.length + length].copy_from_slice(&bytes[..length]);
        self.length += length;
    }

    fn push_repeated(&mut self, byte: u8, count: usize) {
        let count = count.min(N - self.length);
        self.bytes[self.length..self.length + count].fill(byte);
        self.length += count;
    }

    fn write(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a buffer cannot fail.
        let _ = self.write_fmt(text);
    }

    /// Writes one digit, and a point and `decimals` digits if there are any. Returns the exponent of
    /// the first digit.
    fn scientific(&mut self, value: f64, decimals: usize) -> i32 {
        self.write(format_args!("{value:.decimals$e}"));
        let at = self.as_slice().iter().rposition(|&byte| byte == b'e').unwrap_or(self.length);
        let exponent = std::str::from_utf8(&self.bytes[(at + 1).min(self.length)..self.length]);
        let exponent = exponent.ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        self.length = at;
        exponent
    }
}

impl<const N: usize> Write for Buffer<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_bytes(text.as_bytes());
        Ok(())
    }
}
