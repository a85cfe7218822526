//! The lexer of expressions.

use std::ops::Range;

use super::error::{ExpressionError, quoted};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A whole number without a time unit.
    Number(i128),
    /// A number with a time unit. The value is in nanoseconds.
    Duration(i128),
    /// A number with a fraction or an exponent and without a unit.
    Decimal(Decimal),
    /// Text in quotes, with escapes resolved.
    Text(Vec<u8>),
    /// A single character in single quotes, usable as a number or as text.
    Letter(Vec<u8>),
    /// An argument, or one of the names that every record has.
    Name(&'a str),
    Symbol(&'static str),
    End,
}

/// A number such as `1.5`: a floating-point value, or a time in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decimal {
    /// The bits of the value.
    pub bits: u64,
    /// The time in nanoseconds. `None` if the number has an exponent, or is not a whole number of
    /// nanoseconds.
    pub ns: Option<i128>,
}

impl Decimal {
    pub(super) fn value(self) -> f64 {
        f64::from_bits(self.bits)
    }

    pub(super) fn negative(self) -> Decimal {
        Decimal { bits: (-self.value()).to_bits(), ns: self.ns.and_then(i128::checked_neg) }
    }
}

/// Longer symbols precede shorter ones, so that the first match is the right one.
const SYMBOLS: [&str; 20] = [
    "||", "&&", "==", "!=", "!~", "<=", ">=", "!", "<", ">", "~", "&", "+", "-", "*", "/", "%", "(", ")", ".",
];

/// Symbols that other languages use, each with advice for the user.
const FOREIGN_SYMBOLS: [(&str, &str); 9] = [
    ("=~", "to compare with a pattern, use `~`"),
    ("=", "`==` compares"),
    ("|", "`||` means or"),
    ("^", ""),
    (";", "only one expression is allowed; `&&` joins conditions"),
    (",", "`&&` and `||` join conditions"),
    ("{", "use parentheses"),
    ("[", "use parentheses"),
    ("$", "write names without `$`"),
];

const SIZES: [(&str, u64); 4] = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("T", 1 << 40)];

/// Time units, in nanoseconds.
const TIMES: [(&str, u64); 6] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", NS_PER_SECOND),
    ("min", 60 * NS_PER_SECOND),
    ("h", 3600 * NS_PER_SECOND),
];

pub(super) const NS_PER_SECOND: u64 = 1_000_000_000;

pub(super) struct Lexer<'a> {
    source: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(source: &'a str) -> Lexer<'a> {
        Lexer { source, at: 0 }
    }

    pub(super) fn next(&mut self) -> Result<(Token<'a>, Range<usize>), ExpressionError> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        let start = self.at;
        let token = match self.rest().as_bytes().first() {
            None => Token::End,
            Some(b'0'..=b'9') => self.number()?,
            Some(b'"' | b'\'') => self.text()?,
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => Token::Name(self.take_while(is_word)),
            Some(_) => self.symbol()?,
        };
        Ok((token, start..self.at))
    }

    fn rest(&self) -> &'a str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|character| !accept(character)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn error(&self, span: Range<usize>, message: impl Into<String>) -> ExpressionError {
        ExpressionError::new(self.source, span, message)
    }

    fn symbol(&mut self) -> Result<Token<'a>, ExpressionError> {
        let rest = self.rest();
        let start = self.at;
        if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            self.at += symbol.len();
            return Ok(Token::Symbol(symbol));
        }
        if let Some((text, meant)) = FOREIGN_SYMBOLS.iter().find(|(text, _)| rest.starts_with(text)) {
            let span = start..start + text.len();
            return Err(self.error(span, format!("`{text}` is not an operator")).label(*meant));
        }
        let character = rest.chars().next().unwrap_or_default();
        let span = start..start + character.len_utf8();
        let error = self.error(span, format!("unexpected character `{}`", character.escape_debug()));
        Err(match character {
            '\u{2018}'..='\u{201f}' => error.label("use straight quotes"),
            _ => error,
        })
    }

    /// Parses `42`, `0x2a`, `052`, `0o52`, `0b101010`, `4K`, `1.5`, `1e-9`, `10ms`.
    fn number(&mut self) -> Result<Token<'a>, ExpressionError> {
        let start = self.at;
        let rest = self.rest();
        let prefix = rest.get(..2).unwrap_or_default();
        let (radix, prefix_length) = match prefix {
            "0x" | "0X" => (16, 2),
            "0o" | "0O" => (8, 2),
            "0b" | "0B" => (2, 2),
            _ => (10, 0),
        };
        self.at += prefix_length;
        let digits = self.take_while(|character| character.is_digit(radix.max(10)));
        let fraction = if radix == 10 { self.fraction() } else { None };
        if radix == 10 && !digits.is_empty() && self.exponent() {
            return Ok(Token::Decimal(Decimal { bits: self.double(start), ns: None }));
        }
        let digits_end = self.at;
        let suffix = self.take_while(is_word);
        let span = start..self.at;

        // A number that starts with 0 is octal, as in C. Exceptions are `0.5`, `0` and `08s`.
        let is_time = TIMES.iter().any(|(unit, _)| *unit == suffix);
        let c_octal =
            radix == 10 && digits.len() > 1 && digits.starts_with('0') && fraction.is_none() && !is_time;
        let radix = if c_octal { 8 } else { radix };
        if digits.is_empty() {
            return Err(self.error(span, "the number has no digits"));
        }
        if let Some(place) = digits.find(|digit: char| !digit.is_digit(radix)) {
            let place = start + prefix_length + place;
            let error = self
                .error(place..place + 1, format!("not a digit in base {radix}"))
                .label(format!("expected 0 to {}", radix - 1));
            return Err(if c_octal { error.help("a number that starts with 0 is octal") } else { error });
        }
        let too_large = || self.error(span.clone(), "the number is too large").label("the limit is 64 bits");
        let whole = u64::from_str_radix(digits, radix).map_err(|_| too_large())?;

        if let Some((_, unit_ns)) = TIMES.iter().find(|(unit, _)| *unit == suffix) {
            return self.duration(span, whole, fraction.unwrap_or_default(), *unit_ns);
        }
        let factor = match SIZES.iter().find(|(unit, _)| *unit == suffix) {
            Some((_, factor)) => *factor,
            None if suffix.is_empty() => 1,
            None => {
                return Err(self
                    .error(digits_end..span.end, format!("unknown unit {}", quoted(suffix)))
                    .label("sizes: K M G T; times: ns us ms s min h"));
            }
        };
        match fraction {
            Some(fraction) if suffix.is_empty() => {
                let ns = match self.duration(span, whole, fraction, NS_PER_SECOND) {
                    Ok(Token::Duration(ns)) => Some(ns),
                    _ => None,
                };
                Ok(Token::Decimal(Decimal { bits: self.double(start), ns }))
            }
            Some(_) => Err(self.error(span, "a size cannot have a fraction").label("only times can")),
            None => {
                let number = whole.checked_mul(factor).ok_or_else(too_large)?;
                Ok(Token::Number(i128::from(number)))
            }
        }
    }

    /// Parses the digits after a decimal point, if there are any.
    fn fraction(&mut self) -> Option<&'a str> {
        let digits = self.rest().strip_prefix('.')?;
        if !digits.starts_with(|character: char| character.is_ascii_digit()) {
            return None;
        }
        self.at += 1;
        Some(self.take_while(|character| character.is_ascii_digit()))
    }

    /// Skips an exponent, such as `e-9`. Returns whether there is one.
    fn exponent(&mut self) -> bool {
        let Some(rest) = self.rest().strip_prefix(['e', 'E']) else { return false };
        let digits = rest.strip_prefix(['+', '-']).unwrap_or(rest);
        let count = digits.bytes().take_while(u8::is_ascii_digit).count();
        if count == 0 || digits[count..].starts_with(is_word) {
            return false;
        }
        self.at += 1 + (rest.len() - digits.len()) + count;
        true
    }

    /// Returns the bits of the number from `start` to the current position.
    fn double(&self, start: usize) -> u64 {
        let text = self.source.get(start..self.at).unwrap_or_default();
        text.parse::<f64>().unwrap_or(f64::NAN).to_bits()
    }

    fn duration(
        &self,
        span: Range<usize>,
        whole: u64,
        fraction: &str,
        unit_ns: u64,
    ) -> Result<Token<'a>, ExpressionError> {
        let fraction = fraction.trim_end_matches('0');
        let too_fine =
            || self.error(span.clone(), "the time is too precise").label("the smallest unit is 1 ns");
        // A whole number of nanoseconds has at most 13 decimals, even if it is written in hours.
        let places =
            u32::try_from(fraction.len()).ok().filter(|&places| places <= 13).ok_or_else(too_fine)?;
        let scale = 10_i128.pow(places);
        let scaled = fraction.parse::<i128>().unwrap_or(0) * i128::from(unit_ns);
        if scaled % scale != 0 {
            return Err(too_fine());
        }
        Ok(Token::Duration(i128::from(whole) * i128::from(unit_ns) + scaled / scale))
    }

    fn text(&mut self) -> Result<Token<'a>, ExpressionError> {
        let start = self.at;
        let quote = if self.rest().starts_with('"') { '"' } else { '\'' };
        self.at += 1;
        let mut bytes = Vec::new();
        let mut count = 0;
        while let Some(character) = self.rest().chars().next() {
            let place = self.at;
            self.at += character.len_utf8();
            match character {
                _ if character == quote => {
                    let is_letter = quote == '\'' && count == 1;
                    return Ok(if is_letter { Token::Letter(bytes) } else { Token::Text(bytes) });
                }
                '\\' => bytes.push(self.escape(place)?),
                _ => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            }
            count += 1;
        }
        let error = self.error(start..start + 1, "unterminated text");
        Err(error.label(format!("the closing `{quote}` is missing")))
    }

    /// Parses the rest of an escape whose backslash is at `start`.
    fn escape(&mut self, start: usize) -> Result<u8, ExpressionError> {
        let letter = self.rest().chars().next().unwrap_or_default();
        self.at += letter.len_utf8().min(self.rest().len());
        let byte = match letter {
            '\\' | '"' | '\'' => letter as u8,
            '0' => 0,
            'a' => 0x07,
            'b' => 0x08,
            'e' => 0x1b,
            'f' => 0x0c,
            'n' => b'\n',
            'r' => b'\r',
            't' => b'\t',
            'v' => 0x0b,
            'x' => {
                let digits = self.rest().get(..2).unwrap_or_default();
                let byte = u8::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'));
                return match byte {
                    Some(byte) => {
                        self.at += 2;
                        Ok(byte)
                    }
                    None => Err(self.error(start..self.at, "`\\x` needs two hex digits")),
                };
            }
            _ => {
                let error = self.error(start..self.at, "unknown escape");
                return Err(error.label(r#"expected \\ \" \' \0 \a \b \e \f \n \r \t \v or \xHH"#));
            }
        };
        Ok(byte)
    }
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}
