//! Splits a line into words, and escapes untrusted strings for display.

use std::borrow::Cow;

#[derive(Debug, Clone, Copy)]
pub(super) struct LineParser<'l>(&'l str);

impl<'l> LineParser<'l> {
    pub(super) fn new(text: &'l str) -> LineParser<'l> {
        LineParser(text)
    }

    /// Takes the rest of the line, without surrounding blanks.
    pub(super) fn rest(&mut self) -> &'l str {
        std::mem::take(&mut self.0).trim_matches(is_blank)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.0.trim_start_matches(is_blank).is_empty()
    }

    /// Takes the next run of non-blank characters.
    pub(super) fn word(&mut self) -> Option<&'l str> {
        let text = self.0.trim_start_matches(is_blank);
        let end = text.find(is_blank).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }

    /// Takes the next word. A word in double quotes may contain blanks and backslash escapes.
    pub(super) fn quoted(&mut self) -> Option<Result<String, String>> {
        let text = self.0.trim_start_matches(is_blank);
        let Some(inside) = text.strip_prefix('"') else { return self.word().map(|word| Ok(word.to_owned())) };
        let mut word = String::new();
        let mut characters = inside.chars();
        loop {
            match characters.next() {
                Some('"') => break,
                Some('\\') => match characters.next() {
                    Some('n') => word.push('\n'),
                    Some('r') => word.push('\r'),
                    Some(c @ ('\\' | '\'' | '"')) => word.push(c),
                    Some(c) => {
                        return Some(Err(format!(
                            "unsupported escape code: '\\{}'",
                            harmless(c.encode_utf8(&mut [0; 4]))
                        )));
                    }
                    None => return Some(Err("unterminated string".to_owned())),
                },
                Some(c) => word.push(c),
                None => return Some(Err("unterminated string".to_owned())),
            }
        }
        self.0 = characters.as_str();
        Some(Ok(word))
    }

    /// Takes a number, such as `1`, `-1` or `0x1f`, and ignores its value.
    pub(super) fn integer(&mut self) -> Result<(), String> {
        let word = self.word().unwrap_or_default();
        let digits = word.trim_start_matches(['-', '+', '~']);
        let (digits, radix) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hex) => (hex, 16),
            None => (digits, 10),
        };
        match digits.chars().find(|c| !c.is_digit(radix)) {
            None if !digits.is_empty() => Ok(()),
            None => Err("unexpected end of expression".to_owned()),
            Some(c) => Err(format!("invalid char '{}' in expression", harmless(c.encode_utf8(&mut [0; 4])))),
        }
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\u{b}' | '\u{c}')
}

/// Escapes characters that could control a terminal, in Rust's notation.
pub(super) fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    for c in text.chars() {
        if steers(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Whether `c` is a control character or changes the text direction.
fn steers(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
