//! The JSON parser.

use std::borrow::Cow;

use super::{MAX_DEPTH, Value};

/// The maximum number of values in a message. Each value costs memory, however short it is.
const MAX_VALUES: usize = 1 << 16;

/// Parses a message that contains exactly one value.
///
/// # Errors
/// Fails if the message is invalid. If QEMU reports the same error, the text is QEMU's.
pub(crate) fn parse(message: &[u8]) -> Result<Value<'_>, String> {
    let text = std::str::from_utf8(message).map_err(|_| wrong("invalid UTF-8 sequence in string"))?;
    let mut parser = Parser { rest: text, values: 0 };
    let value = parser.value(0)?;
    match parser.peek() {
        None => Ok(value),
        Some(_) => Err(wrong("expected end of input")),
    }
}

fn wrong(what: impl std::fmt::Display) -> String {
    format!("JSON parse error, {what}")
}

#[derive(Debug)]
struct Parser<'m> {
    rest: &'m str,
    values: usize,
}

impl<'m> Parser<'m> {
    /// Skips blanks and returns the next character.
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
        self.rest.chars().next()
    }

    fn has(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.rest = &self.rest[expected.len_utf8()..];
        }
        found
    }

    fn value(&mut self, depth: usize) -> Result<Value<'m>, String> {
        self.values += 1;
        if self.values > MAX_VALUES {
            return Err(wrong(format!("more than {MAX_VALUES} values")));
        }
        match self.peek() {
            Some('{' | '[') if depth == MAX_DEPTH => Err(wrong(format!("nested deeper than {MAX_DEPTH}"))),
            Some('{') => self.object(depth + 1),
            Some('[') => self.list(depth + 1),
            Some('"' | '\'') => self.text().map(Value::Text),
            Some('-' | '0'..='9') => self.number(),
            Some('a'..='z' | 'A'..='Z') => self.keyword(),
            Some('}' | ']' | ',' | ':') | None => Err(wrong("expecting value")),
            Some(stray) => Err(wrong(format!("stray '{stray}'"))),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value<'m>, String> {
        self.has('{');
        let mut members: Vec<(Cow<'m, str>, Value<'m>)> = Vec::new();
        if self.has('}') {
            return Ok(Value::Object(members));
        }
        loop {
            if !matches!(self.peek(), Some('"' | '\'')) {
                return Err(wrong("key is not a string in object"));
            }
            let name = self.text()?;
            if !self.has(':') {
                return Err(wrong("missing : in object pair"));
            }
            let value = self.value(depth)?;
            members.push((name, value));
            if self.has('}') {
                break;
            }
            if !self.has(',') {
                return Err(wrong("expected separator in dict"));
            }
        }
        // Sorting keeps the search for duplicates fast even if the object has very many members.
        let mut names: Vec<&str> = members.iter().map(|(name, _)| &**name).collect();
        names.sort_unstable();
        if names.windows(2).any(|two| two[0] == two[1]) {
            return Err(wrong("duplicate key"));
        }
        Ok(Value::Object(members))
    }

    fn list(&mut self, depth: usize) -> Result<Value<'m>, String> {
        self.has('[');
        let mut values = Vec::new();
        if self.has(']') {
            return Ok(Value::List(values));
        }
        loop {
            values.push(self.value(depth)?);
            if self.has(']') {
                return Ok(Value::List(values));
            }
            if !self.has(',') {
                return Err(wrong("expected separator in list"));
            }
        }
    }

    /// Takes the leading characters that satisfy `is_part`.
    fn run(&mut self, is_part: impl Fn(char) -> bool) -> &'m str {
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (run, rest) = self.rest.split_at(end);
        self.rest = rest;
        run
    }

    fn keyword(&mut self) -> Result<Value<'m>, String> {
        match self.run(|c| c.is_ascii_alphanumeric()) {
            "null" => Ok(Value::Null),
            "true" => Ok(Value::Flag(true)),
            "false" => Ok(Value::Flag(false)),
            other => Err(wrong(format!("invalid keyword '{other}'"))),
        }
    }

    fn number(&mut self) -> Result<Value<'m>, String> {
        let number = self.run(|c| matches!(c, '-' | '+' | '.' | '0'..='9' | 'a'..='z' | 'A'..='Z'));
        if is_number(number) {
            Ok(Value::Number(number))
        } else {
            Err(wrong(format!("invalid number '{number}'")))
        }
    }

    fn text(&mut self) -> Result<Cow<'m, str>, String> {
        let quote = if self.rest.starts_with('"') { '"' } else { '\'' };
        self.rest = &self.rest[1..];
        let plain = self.run(|c| c != quote && c != '\\' && c >= ' ');
        if self.rest.starts_with(quote) {
            self.rest = &self.rest[1..];
            return Ok(Cow::Borrowed(plain));
        }
        let mut text = plain.to_owned();
        loop {
            let mut characters = self.rest.chars();
            match characters.next() {
                Some(c) if c == quote => {
                    self.rest = characters.as_str();
                    return Ok(Cow::Owned(text));
                }
                Some('\\') => {
                    self.rest = characters.as_str();
                    text.push(self.escape()?);
                }
                Some(c) if c >= ' ' => text.push_str(self.run(|c| c != quote && c != '\\' && c >= ' ')),
                Some(c) => return Err(wrong(format!("control character {:#04x} in string", u32::from(c)))),
                None => return Err(wrong("unterminated string")),
            }
        }
    }

    /// Parses the part of an escape that follows the backslash.
    fn escape(&mut self) -> Result<char, String> {
        let mut characters = self.rest.chars();
        let letter = characters.next();
        self.rest = characters.as_str();
        Ok(match letter {
            Some(c @ ('"' | '\'' | '\\' | '/')) => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => return self.unicode(),
            Some(c) => return Err(wrong(format!("invalid escape sequence '\\{c}' in string"))),
            None => return Err(wrong("unterminated string")),
        })
    }

    /// Parses the part that follows `\u`: four hexadecimal digits, or a surrogate pair in two
    /// escapes.
    fn unicode(&mut self) -> Result<char, String> {
        let first = self.unit()?;
        let mut units = vec![first];
        if (0xd800..0xdc00).contains(&first) && self.rest.starts_with("\\u") {
            self.rest = &self.rest[2..];
            units.push(self.unit()?);
        }
        match char::decode_utf16(units.iter().copied()).next() {
            Some(Ok(c)) => Ok(c),
            _ => Err(wrong(format!("\\u{first:04X} is half of a character in string"))),
        }
    }

    fn unit(&mut self) -> Result<u16, String> {
        let digits =
            self.rest.get(..4).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let digits = digits.ok_or_else(|| wrong("\\u is not followed by four hex digits in string"))?;
        self.rest = &self.rest[4..];
        u16::from_str_radix(digits, 16).map_err(wrong)
    }
}

/// Whether a string is a JSON number, such as `-12`, `0.5` or `1e-3`.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits)
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
