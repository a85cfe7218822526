//! Splits a file into lines and a line into words.
//!
//! The parser, the lints and [`crate::spacing`] all use these functions, so that they agree on
//! where a declaration ends.

use std::ops::Range;

#[derive(Debug, Clone, Copy)]
pub(crate) struct SourceLine<'a> {
    /// Starts at 1.
    pub number: usize,
    /// Start of the line in the source, in bytes.
    pub start: usize,
    /// The line without its line ending.
    pub text: &'a str,
    /// Length of the line ending: 0 to 2 bytes. Only the last line can lack one.
    pub end_bytes: usize,
}

/// Returns the lines of `text`. As in Python, `\n`, `\r\n` and a lone `\r` end a line.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = SourceLine<'_>> {
    lines_from(text, 0)
}

/// Returns the lines of `text` from byte `start` on.
pub(crate) fn lines_from(text: &str, mut start: usize) -> impl Iterator<Item = SourceLine<'_>> {
    let bytes = text.as_bytes();
    let mut number = 0;
    std::iter::from_fn(move || {
        let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let length = memchr::memchr2(b'\n', b'\r', rest);
        let end = start + length.unwrap_or(rest.len());
        let end_bytes = match length.map(|length| &rest[length..]) {
            None => 0,
            Some([b'\r', b'\n', ..]) => 2,
            Some(_) => 1,
        };
        number += 1;
        let line = SourceLine { number, start, text: &text[start..end], end_bytes };
        start = end + end_bytes;
        Some(line)
    })
}

/// Whether `c` is a blank, as defined by Python's `str.isspace`.
pub(crate) fn is_blank(c: char) -> bool {
    c == ' ' || c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}

/// Whether `byte` is one of `[A-Za-z0-9_]`.
pub(crate) fn is_word_byte(byte: u8) -> bool {
    const TABLE: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 128 {
            table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
            byte += 1;
        }
        table
    };
    TABLE[usize::from(byte)]
}

/// Removes leading and trailing blanks from `range`.
pub(crate) fn trim(text: &str, mut range: Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    // Nearly all blanks are spaces.
    while range.start < range.end && bytes[range.start] == b' ' {
        range.start += 1;
    }
    while range.start < range.end && bytes[range.end - 1] == b' ' {
        range.end -= 1;
    }
    if range.is_empty() || bytes[range.start].is_ascii_graphic() && bytes[range.end - 1].is_ascii_graphic() {
        return range;
    }
    let piece = &text[range.clone()];
    let trimmed = piece.trim_start_matches(is_blank);
    let start = range.start + (piece.len() - trimmed.len());
    start..start + trimmed.trim_end_matches(is_blank).len()
}

/// Splits `range` after its last blank.
pub(crate) fn split_last_word(text: &str, range: Range<usize>) -> (Range<usize>, Range<usize>) {
    let piece = &text[range.clone()];
    let bytes = piece.as_bytes();
    let word = bytes.iter().rev().take_while(|b| b.is_ascii_graphic()).count();
    let mut start = bytes.len() - word;
    // The scan stopped at a blank, at the start, or at a character that may be a blank.
    if start > 0 && bytes[start - 1] != b' ' {
        start =
            piece.rfind(is_blank).map_or(0, |at| at + piece[at..].chars().next().map_or(0, char::len_utf8));
    }
    (range.start..range.start + start, range.start + start..range.end)
}

/// The parts of a declaration, as byte ranges of its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeclarationParts {
    /// Properties and name: the text before the `(`, without leading or trailing blanks.
    pub head: Range<usize>,
    /// The text between `(` and the first `)`.
    pub arguments: Range<usize>,
    /// The text after the `)`, without leading or trailing blanks.
    pub rest: Range<usize>,
}

/// An error of [`split_declaration`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SplitError {
    /// The line has no `(`.
    NoOpening,
    /// No `)` follows the `(` at this offset.
    NoClosing(usize),
}

/// Splits a line that is neither blank nor a comment.
pub(crate) fn split_declaration(line: &str) -> Result<DeclarationParts, SplitError> {
    let bytes = line.as_bytes();
    let open = memchr::memchr(b'(', bytes).ok_or(SplitError::NoOpening)?;
    let close = open + memchr::memchr(b')', &bytes[open..]).ok_or(SplitError::NoClosing(open))?;
    Ok(DeclarationParts {
        head: trim(line, 0..open),
        arguments: open + 1..close,
        rest: trim(line, close + 1..line.len()),
    })
}

/// Returns the ranges of the words in `range`.
pub(crate) fn words(line: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let start = line.as_ptr().addr();
    line[range].split(is_blank).filter(|word| !word.is_empty()).map(move |word| {
        let at = word.as_ptr().addr() - start;
        at..at + word.len()
    })
}

/// Returns the comma-separated pieces of `range`, untrimmed. The number of pieces is the number of
/// commas plus one.
pub(crate) fn pieces(line: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut next = Some(range.start);
    std::iter::from_fn(move || {
        let start = next?;
        let comma = memchr::memchr(b',', &line.as_bytes()[start..range.end]);
        next = comma.map(|comma| start + comma + 1);
        Some(start..comma.map_or(range.end, |comma| start + comma))
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// `"..."`, including the quotes.
    Literal,
    /// A literal without a closing quote on the line.
    Unterminated,
    /// A C identifier: a macro.
    Word,
    /// `,`
    Comma,
    /// `/* ... */`
    Comment,
    /// One other character, or everything after an unclosed `/*`.
    Other,
}

/// A token of a format and its range in the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub range: Range<usize>,
}

/// Returns the tokens in `range`, without the blanks between them.
pub(crate) fn tokens(line: &str, range: Range<usize>) -> impl Iterator<Item = Token> {
    let text = &line[..range.end];
    let mut at = range.start;
    std::iter::from_fn(move || {
        let rest = text[at..].trim_start_matches(is_blank);
        let start = text.len() - rest.len();
        let (kind, length) = token(rest)?;
        at = start + length;
        Some(Token { kind, range: start..at })
    })
}

/// Returns the kind and the length of the token at the start of `rest`.
fn token(rest: &str) -> Option<(TokenKind, usize)> {
    let first = rest.chars().next()?;
    let bytes = rest.as_bytes();
    Some(match first {
        '"' => {
            literal_length(bytes).map_or((TokenKind::Unterminated, rest.len()), |n| (TokenKind::Literal, n))
        }
        ',' => (TokenKind::Comma, 1),
        'A'..='Z' | 'a'..='z' | '0'..='9' | '_' => {
            let word = bytes.iter().take_while(|&&byte| is_word_byte(byte));
            (TokenKind::Word, word.count())
        }
        '/' if bytes.starts_with(b"/*") => match memchr::memmem::find(&bytes[2..], b"*/") {
            Some(end) => (TokenKind::Comment, 2 + end + 2),
            None => (TokenKind::Other, rest.len()),
        },
        _ => (TokenKind::Other, first.len_utf8()),
    })
}

/// Length of the literal at the start of `bytes`, including both quotes. `None` if it is not
/// closed.
pub(crate) fn literal_length(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at + 1);
        }
        // Skip a backslash and the escaped byte. The tail of a multi-byte character contains
        // neither quote nor backslash.
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::{lines, split_last_word, tokens, trim};

    #[test]
    fn every_line_end_of_python_ends_a_line() {
        let found: Vec<_> =
            lines("a\r\nb\rc\n\nd").map(|line| (line.number, line.text, line.end_bytes)).collect();
        assert_eq!(found, [(1, "a", 2), (2, "b", 1), (3, "c", 1), (4, "", 1), (5, "d", 0)]);
    }

    #[test]
    fn blanks_are_those_of_python() {
        for text in [" a ", "\ta\x0b", "\u{a0}a\u{2003}", "  \u{3000}a\x1c "] {
            assert_eq!(&text[trim(text, 0..text.len())], "a", "{text:?}");
        }
        assert!(trim(" \u{a0}\t", 0..4).is_empty());
    }

    #[test]
    fn the_last_word_begins_behind_the_last_blank() {
        for (text, before, word) in [
            ("int a", "int ", "a"),
            ("a", "", "a"),
            ("int\ta", "int\t", "a"),
            ("int\u{a0}a", "int\u{a0}", "a"),
            ("int caf\u{e9}", "int ", "caf\u{e9}"),
            ("caf\u{e9}", "", "caf\u{e9}"),
            ("", "", ""),
        ] {
            let (left, right) = split_last_word(text, 0..text.len());
            assert_eq!((&text[left], &text[right]), (before, word), "{text:?}");
        }
    }

    #[test]
    fn tokens_of_a_format() {
        for (text, expected) in [
            (r#""a" "b\"c"PRIx64"#, r#"Literal["a"] Literal["b\"c"] Word[PRIx64]"#),
            (r#""a", "b" /* c */"#, r#"Literal["a"] Comma[,] Literal["b"] Comment[/* c */]"#),
            (r#""a" "b\""#, r#"Literal["a"] Unterminated["b\"]"#),
            (r#"+ /* a"#, "Other[+] Other[/* a]"),
        ] {
            let found: Vec<String> = tokens(text, 0..text.len())
                .map(|token| format!("{:?}[{}]", token.kind, &text[token.range]))
                .collect();
            assert_eq!(found.join(" "), expected);
        }
    }
}
