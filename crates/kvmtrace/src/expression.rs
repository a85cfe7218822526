//! Integer expressions, which are the event ids in definitions files.
//!
//! The original formatters were Python 2 scripts, which evaluated this field as Python. In practice
//! it contained integers, and sums and shifts of integers. This module implements Python 2's
//! integer arithmetic in 128 bits. It supports Python's notations (hexadecimal, octal also as in C,
//! binary, and the suffix of long integers), its precedences, and its division, which rounds down.

use std::fmt;

/// The maximum depth of nested parentheses, signs and powers. Python 2's parser failed at 94
/// parentheses.
const MAX_DEPTH: usize = 90;

/// An error in an integer expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionError {
    /// The position, in bytes from the start of the expression.
    pub at: usize,
    /// The kind of error.
    pub kind: ExpressionErrorKind,
}

/// The kind of an [`ExpressionError`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpressionErrorKind {
    /// Expected a number, a sign or `(`.
    Operand,
    /// Expected an operator or the end.
    Operator,
    /// A word that starts like a number but is not one.
    Number(String),
    /// A `(` without `)`.
    Unclosed,
    /// Division by zero.
    ZeroDivisor,
    /// A negative exponent, or a shift by a negative number of bits.
    Negative,
    /// A value that does not fit 128 bits.
    Overflow,
    /// Nested too deeply.
    Depth,
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExpressionErrorKind::Operand => write!(f, "expected an integer, a sign or `(`"),
            ExpressionErrorKind::Operator => write!(f, "expected an operator or the end of the expression"),
            ExpressionErrorKind::Number(text) => write!(f, "`{text}` is not an integer"),
            ExpressionErrorKind::Unclosed => write!(f, "this `(` is not closed"),
            ExpressionErrorKind::ZeroDivisor => write!(f, "division by zero"),
            ExpressionErrorKind::Negative => write!(f, "the number on the right-hand side is negative"),
            ExpressionErrorKind::Overflow => write!(f, "the value is too large"),
            ExpressionErrorKind::Depth => {
                write!(f, "expression is nested too deeply (limit {MAX_DEPTH})")
            }
        }
    }
}

/// Evaluates `text`, which must be a single expression. A `#` starts a comment, as in Python.
///
/// # Errors
/// Returns an error if `text` is not an expression, or if a result does not fit 128 bits.
pub fn evaluate(text: &[u8]) -> Result<i128, ExpressionError> {
    let end = text.iter().position(|byte| *byte == b'#').unwrap_or(text.len());
    let mut parser = Parser { text: &text[..end], at: 0, depth: 0 };
    let value = parser.binary(0)?;
    if parser.at < end { Err(parser.error(ExpressionErrorKind::Operator)) } else { Ok(value) }
}

type Value = Result<i128, ExpressionErrorKind>;

type Operator = (&'static [u8], u8, fn(i128, i128) -> Value);

/// Symbol, precedence and function. If a symbol is a prefix of another one, the longer one comes
/// first.
const OPERATORS: &[Operator] = &[
    (b"|", 1, |left, right| Ok(left | right)),
    (b"^", 2, |left, right| Ok(left ^ right)),
    (b"&", 3, |left, right| Ok(left & right)),
    (b"<<", 4, shift_left),
    (b">>", 4, shift_right),
    (b"+", 5, |left, right| checked(left.checked_add(right))),
    (b"-", 5, |left, right| checked(left.checked_sub(right))),
    (b"*", 6, |left, right| checked(left.checked_mul(right))),
    (b"//", 6, divide),
    (b"/", 6, divide),
    (b"%", 6, remainder),
];

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &[u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn error(&self, kind: ExpressionErrorKind) -> ExpressionError {
        ExpressionError { at: self.at, kind }
    }

    fn take(&mut self, token: &[u8]) -> bool {
        let there = self.rest().starts_with(token);
        if there {
            self.at += token.len();
        }
        there
    }

    fn nested(
        &mut self,
        parse: fn(&mut Self) -> Result<i128, ExpressionError>,
    ) -> Result<i128, ExpressionError> {
        if self.depth == MAX_DEPTH {
            return Err(self.error(ExpressionErrorKind::Depth));
        }
        self.depth += 1;
        let value = parse(self);
        self.depth -= 1;
        value
    }

    /// Parses operands joined by operators whose precedence is above `looser`.
    fn binary(&mut self, looser: u8) -> Result<i128, ExpressionError> {
        let mut left = self.signed()?;
        loop {
            let operator = OPERATORS.iter().find(|(text, ..)| self.rest().starts_with(text));
            let Some((text, level, apply)) = operator.filter(|(_, level, _)| *level > looser) else {
                return Ok(left);
            };
            let at = self.at;
            self.at += text.len();
            let right = self.binary(*level)?;
            left = apply(left, right).map_err(|kind| ExpressionError { at, kind })?;
        }
    }

    fn signed(&mut self) -> Result<i128, ExpressionError> {
        let at = self.at;
        if self.take(b"+") {
            self.nested(Self::signed)
        } else if self.take(b"~") {
            Ok(!self.nested(Self::signed)?)
        } else if self.take(b"-") {
            let value = self.nested(Self::signed)?;
            value.checked_neg().ok_or(ExpressionError { at, kind: ExpressionErrorKind::Overflow })
        } else {
            self.power()
        }
    }

    /// Parses `**`. It binds tighter than a sign on its left, but looser than a sign on its right,
    /// and it associates to the right.
    fn power(&mut self) -> Result<i128, ExpressionError> {
        let base = self.atom()?;
        let at = self.at;
        if !self.take(b"**") {
            return Ok(base);
        }
        let exponent = self.nested(Self::signed)?;
        let kind = if exponent < 0 { ExpressionErrorKind::Negative } else { ExpressionErrorKind::Overflow };
        raise(base, exponent).ok_or(ExpressionError { at, kind })
    }

    fn atom(&mut self) -> Result<i128, ExpressionError> {
        let open = self.at;
        if self.take(b"(") {
            let value = self.nested(|parser| parser.binary(0))?;
            return match self.rest().first() {
                Some(b')') => {
                    self.at += 1;
                    Ok(value)
                }
                Some(_) => Err(self.error(ExpressionErrorKind::Operator)),
                None => Err(ExpressionError { at: open, kind: ExpressionErrorKind::Unclosed }),
            };
        }
        let length = self.rest().iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let word = &self.rest()[..length];
        if !word.first().is_some_and(u8::is_ascii_digit) {
            return Err(self.error(ExpressionErrorKind::Operand));
        }
        let value = integer(word).map_err(|kind| self.error(kind))?;
        self.at += length;
        Ok(value)
    }
}

fn integer(word: &[u8]) -> Value {
    let text = String::from_utf8_lossy(word);
    let digits = text.strip_suffix(['l', 'L']).unwrap_or(&text);
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
        [b'0', b'o' | b'O', ..] => (&digits[2..], 8),
        [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err(ExpressionErrorKind::Number(text.into_owned()));
    }
    checked(i128::from_str_radix(digits, radix).ok())
}

fn checked(value: Option<i128>) -> Value {
    value.ok_or(ExpressionErrorKind::Overflow)
}

fn shift_left(left: i128, bits: i128) -> Value {
    match u32::try_from(bits) {
        _ if bits < 0 => Err(ExpressionErrorKind::Negative),
        _ if left == 0 => Ok(0),
        Ok(bits @ 0..127) => checked(left.checked_mul(1 << bits)),
        _ => Err(ExpressionErrorKind::Overflow),
    }
}

fn shift_right(left: i128, bits: i128) -> Value {
    // A shift by 127 bits or more leaves only the sign.
    if bits < 0 { Err(ExpressionErrorKind::Negative) } else { Ok(left >> bits.min(127)) }
}

fn divide(left: i128, right: i128) -> Value {
    if right == 0 {
        return Err(ExpressionErrorKind::ZeroDivisor);
    }
    let quotient = checked(left.checked_div(right))?;
    // Round down, not towards 0.
    Ok(if left % right != 0 && (left < 0) != (right < 0) { quotient - 1 } else { quotient })
}

fn remainder(left: i128, right: i128) -> Value {
    if right == 0 {
        return Err(ExpressionErrorKind::ZeroDivisor);
    }
    let rest = checked(left.checked_rem(right))?;
    // The remainder has the sign of the divisor.
    Ok(if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest })
}

/// Returns `None` if the exponent is negative or the result too large.
fn raise(base: i128, exponent: i128) -> Option<i128> {
    match base {
        _ if exponent < 0 => None,
        0 | 1 => Some(if exponent == 0 { 1 } else { base }),
        -1 => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        _ => base.checked_pow(u32::try_from(exponent).ok()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> i128 {
        match evaluate(text.as_bytes()) {
            Ok(value) => value,
            Err(error) => panic!("{text}: {error} at {}", error.at),
        }
    }

    fn error(text: &str) -> (usize, String) {
        let error = evaluate(text.as_bytes()).expect_err(text);
        (error.at, error.to_string())
    }

    /// The expected values were computed with Python 2.7.18.
    #[test]
    fn values() {
        for (text, expected) in [
            ("0", 0),
            ("00", 0),
            ("131075", 131_075),
            ("0x10000+1", 65_537),
            ("0X1f", 31),
            ("0400004", 131_076),
            ("0O17", 15),
            ("0B11", 3),
            ("0x20005L", 131_077),
            ("0777l", 511),
            ("(1<<17)|2", 131_074),
            ("((1))", 1),
            ("5#x(", 5),
            ("--1", 1),
            ("+5", 5),
            ("~-1", 0),
            ("-2**2", -4),
            ("2**3**2", 512),
            ("1<<2+1", 8),
            ("1|2^3&4", 3),
            ("7-2-1", 4),
            ("100/7/2", 7),
            ("-7/2", -4),
            ("7//-2", -4),
            ("-8/-2", 4),
            ("-7/-2", 3),
            ("8/-2", -4),
            ("-7%3", 2),
            ("7%-3", -2),
            ("-7>>1", -4),
            ("-7>>200", -1),
            ("0<<200", 0),
            ("(-1)**3", -1),
            ("0**0", 1),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn errors() {
        for (text, at, message) in [
            ("", 0, "expected an integer, a sign or `(`"),
            ("foo", 0, "expected an integer, a sign or `(`"),
            ("1+", 2, "expected an integer, a sign or `(`"),
            ("0xZZ", 0, "`0xZZ` is not an integer"),
            ("08", 0, "`08` is not an integer"),
            ("0x", 0, "`0x` is not an integer"),
            ("1e3", 0, "`1e3` is not an integer"),
            ("1.5", 1, "expected an operator or the end of the expression"),
            ("1,2", 1, "expected an operator or the end of the expression"),
            ("(1", 0, "this `(` is not closed"),
            ("1)", 1, "expected an operator or the end of the expression"),
            ("5/0", 1, "division by zero"),
            ("5%0", 1, "division by zero"),
            ("1<<-1", 1, "the number on the right-hand side is negative"),
            ("2**-1", 1, "the number on the right-hand side is negative"),
            ("1<<127", 1, "the value is too large"),
            ("9**9**9", 1, "the value is too large"),
        ] {
            assert_eq!(error(text), (at, message.to_owned()), "{text}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        assert_eq!(value(&format!("{}1{}", "(".repeat(MAX_DEPTH), ")".repeat(MAX_DEPTH))), 1);
        for operators in ["(", "-", "~", "1**"] {
            let (_, message) = error(&operators.repeat(100_000));
            assert_eq!(message, "expression is nested too deeply (limit 90)");
        }
        assert_eq!(value(&["1"; 100_000].join("+")), 100_000);
    }
}
