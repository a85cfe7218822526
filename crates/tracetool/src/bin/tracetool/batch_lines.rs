//! Splits a batch file into lines and words, with the quoting rules of a shell but no expansions.
//!
//! Blanks separate words. `#` at the start of a word starts a comment. Nothing is special in
//! `'..'`. In `".."` a backslash escapes `"` and a backslash. Elsewhere a backslash escapes any
//! character; at the end of a line it joins the next line.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

/// A line that is not empty.
#[derive(Debug, PartialEq, Eq)]
pub struct CallLine {
    /// The line number, starting at 1. For joined lines, the number of the first one.
    pub number: usize,
    pub words: Vec<OsString>,
}

/// An unclosed quote, with its line number.
#[derive(Debug, PartialEq, Eq)]
pub struct UnclosedQuote(pub usize);

pub fn lines(text: &[u8]) -> Result<Vec<CallLine>, UnclosedQuote> {
    let mut reader = Reader { rest: text, number: 1 };
    let mut lines = Vec::new();
    while !reader.rest.is_empty() {
        let number = reader.number;
        let words = reader.line()?;
        if !words.is_empty() {
            lines.push(CallLine { number, words });
        }
    }
    Ok(lines)
}

struct Reader<'t> {
    rest: &'t [u8],
    /// The number of the line where `rest` starts.
    number: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        self.number += usize::from(*first == b'\n');
        Some(*first)
    }

    fn line(&mut self) -> Result<Vec<OsString>, UnclosedQuote> {
        let mut words = Vec::new();
        let mut word: Option<Vec<u8>> = None;
        while let Some(byte) = self.next() {
            match byte {
                b'\n' => break,
                b' ' | b'\t' | b'\r' => words.extend(word.take().map(OsString::from_vec)),
                b'#' if word.is_none() => {
                    while self.rest.first().is_some_and(|byte| *byte != b'\n') {
                        self.next();
                    }
                }
                b'\'' | b'"' => self.quoted(byte, word.get_or_insert_default())?,
                b'\\' => match self.next() {
                    Some(b'\n') => {}
                    Some(b'\r') if self.rest.first() == Some(&b'\n') => _ = self.next(),
                    Some(byte) => word.get_or_insert_default().push(byte),
                    None => word.get_or_insert_default().push(b'\\'),
                },
                _ => word.get_or_insert_default().push(byte),
            }
        }
        words.extend(word.map(OsString::from_vec));
        Ok(words)
    }

    /// Reads quoted text up to the quote `end`.
    fn quoted(&mut self, end: u8, word: &mut Vec<u8>) -> Result<(), UnclosedQuote> {
        let start = self.number;
        while let Some(byte) = self.next() {
            match (byte, self.rest.first()) {
                _ if byte == end => return Ok(()),
                (b'\\', Some(next @ (b'"' | b'\\'))) if end == b'"' => {
                    word.push(*next);
                    self.next();
                }
                _ => word.push(byte),
            }
        }
        Err(UnclosedQuote(start))
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use proptest::prelude::*;

    use super::{CallLine, UnclosedQuote, lines};

    #[test]
    fn words_are_those_of_a_shell() {
        for (text, expected) in [
            ("", &[][..]),
            ("  \n\t# nothing\n", &[]),
            ("a b\tc\r\n", &[(1, &["a", "b", "c"][..])]),
            ("a#b # c 'd\nd", &[(1, &["a#b"]), (2, &["d"])]),
            ("'a  b' \"c'd\" e'f'g ''", &[(1, &["a  b", "c'd", "efg", ""])]),
            (r#"a\ b "\"\\\c" '\' \# \"#, &[(1, &["a b", r#""\\c"#, r"\", "#", r"\"])]),
            (
                "a \\\n  b\\\nc\\\r\nd\ne 'f\ng' h\ni",
                &[(1, &["a", "bcd"]), (5, &["e", "f\ng", "h"]), (7, &["i"])],
            ),
        ] {
            let expected = expected.iter().map(|(number, words)| CallLine {
                number: *number,
                words: words.iter().map(OsString::from).collect(),
            });
            assert_eq!(lines(text.as_bytes()), Ok(expected.collect()), "{text:?}");
        }
        assert_eq!(lines(b"a\nb 'c\nd"), Err(UnclosedQuote(2)));
        assert_eq!(lines(b"a \"b\\\""), Err(UnclosedQuote(1)));
    }

    proptest! {
        /// Quoting arbitrary bytes and parsing the result returns the same bytes.
        #[test]
        fn quoted_words_are_read_back(words in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..8), 1..5)) {
            let quoted = |word: &Vec<u8>| {
                let escaped: Vec<u8> = word.iter().flat_map(|byte| match byte {
                    b'\'' => b"'\\''".to_vec(),
                    other => vec![*other],
                }).collect();
                [&b"'"[..], &escaped, b"'"].concat()
            };
            let text = words.iter().map(quoted).collect::<Vec<_>>().join(&b' ');
            let found = lines(&text).unwrap();
            let found: Vec<Vec<u8>> = found[0].words.iter().map(|word| word.as_encoded_bytes().to_vec()).collect();
            prop_assert_eq!(found, words);
        }

        #[test]
        fn any_input_is_handled(text in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = lines(&text);
        }
    }
}
