//! Decodes C source to the bytes of its string, and maps each byte to its position in the source.

use std::ops::Range;

#[derive(Debug, Default)]
pub(super) struct Decoded {
    /// The bytes of the string: escapes are resolved and PRI macros expanded.
    pub bytes: Vec<u8>,
    /// The source span of each byte. All bytes of an escape, a macro or a character have the same
    /// span.
    pub places: Vec<SourceSpan>,
    /// Invalid parts of the source, in order.
    pub errors: Vec<FormatError>,
}

/// A range of source bytes, half the size of a `Range<usize>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SourceSpan {
    pub start: u32,
    pub end: u32,
}

impl From<Range<usize>> for SourceSpan {
    fn from(range: Range<usize>) -> SourceSpan {
        let cut = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        SourceSpan { start: cut(range.start), end: cut(range.end) }
    }
}

impl From<SourceSpan> for Range<usize> {
    fn from(place: SourceSpan) -> Range<usize> {
        place.start as usize..place.end as usize
    }
}

/// A part of a format that is not valid C or printf, or that ends the format early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError {
    /// The kind of error.
    pub kind: FormatErrorKind,
    /// The error's byte range in the source text, on character boundaries.
    pub span: Range<usize>,
}

/// The kind of a [`FormatError`], with its effect on rendering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FormatErrorKind {
    /// A literal without its closing quote. It ends with the source.
    UnterminatedLiteral,
    /// `\q`: read as `q`, as C compilers do.
    UnknownEscape,
    /// `\x` without digits, which is read as `x`, or a number over 255, which is truncated to its
    /// low 8 bits.
    EscapeOutOfRange,
    /// A word between literals that is not a PRI macro. It is printed as text, unless it ends like
    /// a PRI macro (`HWADDR_PRIx`) and completes a conversion. In that case the conversion reads 64
    /// bits.
    UnknownWord,
    /// Other characters between literals. They are skipped.
    StrayText,
    /// `/* .. */`, `// ..` or `# ..` between or after literals. Comments are skipped.
    Comment,
    /// A NUL byte in the string. printf stops there.
    Nul,
    /// A `%` that does not start a valid conversion. It is printed as text and consumes no
    /// argument.
    UnknownConversion,
}

/// Decodes C source to the bytes of its string. Also returns the errors in the source, in order.
///
/// `length` maps the end of a PRI macro, `64` in `PRIx64`, to the length modifier of its expansion,
/// such as `l` or `ll`. It returns `None` for unknown macros. NUL bytes (`\0`) do not end the
/// string.
pub fn decode_source(source: &str, length: PriLength) -> (Vec<u8>, Vec<FormatError>) {
    let Decoded { bytes, errors, .. } = decode_with(source, length);
    (bytes, errors)
}

/// Returns the length modifier of a PRI macro, given the part after its letter.
pub type PriLength = fn(&str) -> Option<&'static str>;

/// Decodes `source` with glibc's PRI macros.
pub(super) fn decode(source: &str) -> Decoded {
    decode_with(source, glibc_length)
}

fn decode_with(source: &str, length: PriLength) -> Decoded {
    let mut decoder = Decoder { source, length, at: 0, out: Decoded::default() };
    decoder.out.bytes.reserve(source.len());
    decoder.out.places.reserve(source.len());
    decoder.run();
    decoder.out
}

struct Decoder<'a> {
    source: &'a str,
    length: PriLength,
    at: usize,
    out: Decoded,
}

impl Decoder<'_> {
    fn run(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => self.literal(),
                b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(),
                _ if self.comment() => {}
                _ => self.stray(),
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    fn put(&mut self, byte: u8, place: Range<usize>) {
        self.out.bytes.push(byte);
        self.out.places.push(place.into());
    }

    fn error(&mut self, kind: FormatErrorKind, span: Range<usize>) {
        self.out.errors.push(FormatError { kind, span });
    }

    /// Returns the number of consecutive bytes at the cursor that satisfy `accept`.
    fn run_length(&self, accept: impl Fn(u8) -> bool) -> usize {
        self.source.as_bytes()[self.at..].iter().take_while(|&&byte| accept(byte)).count()
    }

    /// Decodes a literal. The cursor is at its opening quote.
    fn literal(&mut self) {
        let opening = self.at;
        self.at += 1;
        loop {
            let start = self.at;
            match self.peek() {
                None => return self.error(FormatErrorKind::UnterminatedLiteral, opening..start),
                Some(b'"') => {
                    self.at += 1;
                    return;
                }
                Some(b'\\') => self.escape(),
                Some(byte) if byte.is_ascii() => {
                    self.at += 1;
                    self.put(byte, start..self.at);
                }
                Some(_) => {
                    // Each byte of a multi-byte character has the span of the whole character, so
                    // that no span splits it.
                    let length = self.source[start..].chars().next().map_or(1, char::len_utf8);
                    self.at += length;
                    for offset in start..self.at {
                        self.put(self.source.as_bytes()[offset], start..self.at);
                    }
                }
            }
        }
    }

    /// Decodes an escape. The cursor is at its backslash.
    fn escape(&mut self) {
        let start = self.at;
        self.at += 1;
        let Some(letter) = self.peek() else {
            // A backslash at the end needs no separate error: the missing quote is reported.
            return self.put(b'\\', start..start + 1);
        };
        let byte = match letter {
            b'a' => 0x07,
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 0x0b,
            b'\\' | b'"' | b'\'' | b'?' => letter,
            b'x' => return self.hex_escape(start),
            b'0'..=b'7' => return self.octal_escape(start),
            _ => {
                let length = self.source[self.at..].chars().next().map_or(1, char::len_utf8);
                self.error(FormatErrorKind::UnknownEscape, start..self.at + length);
                // A multi-byte character after the backslash is decoded like any other.
                if !letter.is_ascii() {
                    return;
                }
                letter
            }
        };
        self.at += 1;
        self.put(byte, start..self.at);
    }

    /// Decodes `\x` with any number of digits, as C does.
    fn hex_escape(&mut self, start: usize) {
        self.at += 1;
        let digits = self.run_length(|byte| byte.is_ascii_hexdigit());
        let text = &self.source[self.at..self.at + digits];
        self.at += digits;
        self.number_escape(start, text, 16, b'x');
    }

    /// Decodes a backslash with one to three octal digits.
    fn octal_escape(&mut self, start: usize) {
        let digits = self.run_length(|byte| matches!(byte, b'0'..=b'7')).min(3);
        let text = &self.source[self.at..self.at + digits];
        self.at += digits;
        self.number_escape(start, text, 8, b'0');
    }

    fn number_escape(&mut self, start: usize, digits: &str, radix: u32, without_digits: u8) {
        let significant = digits.trim_start_matches('0');
        // The last four digits determine the low 8 bits, and numbers with more digits exceed 255.
        let tail = &significant[significant.len().saturating_sub(4)..];
        let value = u32::from_str_radix(tail, radix).unwrap_or(0);
        let byte = if digits.is_empty() { without_digits } else { value.to_le_bytes()[0] };
        if digits.is_empty() || tail.len() < significant.len() || value > 255 {
            self.error(FormatErrorKind::EscapeOutOfRange, start..self.at);
        }
        self.put(byte, start..self.at);
    }

    /// Decodes a word between literals.
    fn word(&mut self) {
        let start = self.at;
        self.at += self.run_length(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let span = start..self.at;
        let word = &self.source[span.clone()];
        let expansion = match pri_macro(word, self.length) {
            Some(expansion) => Some(expansion),
            None => {
                self.error(FormatErrorKind::UnknownWord, span.clone());
                // Old declarations files use their own macros for 64-bit types (`HWADDR_PRIx`,
                // `VADDR_PRIx`).
                let completes = self.out.in_conversion();
                word.rsplit_once("PRI").and_then(|(_, end)| {
                    let [letter] = *end.as_bytes() else { return None };
                    (completes && CONVERSION_LETTERS.contains(&letter)).then_some(("l", letter))
                })
            }
        };
        match expansion {
            Some((length, letter)) => {
                length.bytes().chain([letter]).for_each(|byte| self.put(byte, span.clone()));
            }
            None => span.clone().for_each(|at| self.put(self.source.as_bytes()[at], span.clone())),
        }
    }

    /// Skips a comment at the cursor and returns whether there was one.
    fn comment(&mut self) -> bool {
        let rest = &self.source[self.at..];
        let line_length = rest.find('\n').unwrap_or(rest.len());
        let length = if let Some(inside) = rest.strip_prefix("/*") {
            inside.find("*/").map_or(rest.len(), |end| end + 4)
        } else if rest.starts_with("//") || rest.starts_with('#') {
            line_length
        } else {
            return false;
        };
        self.error(FormatErrorKind::Comment, self.at..self.at + length);
        self.at += length;
        true
    }

    /// Skips a character that does not start a literal, word, blank or comment.
    fn stray(&mut self) {
        let start = self.at;
        self.at += self.source[start..].chars().next().map_or(1, char::len_utf8);
        match self.out.errors.last_mut() {
            Some(last) if last.kind == FormatErrorKind::StrayText && last.span.end == start => {
                last.span.end = self.at;
            }
            _ => self.error(FormatErrorKind::StrayText, start..self.at),
        }
    }
}

impl Decoded {
    /// Whether the bytes so far end in a conversion that lacks only its length and letter.
    fn in_conversion(&self) -> bool {
        let specification =
            self.bytes.iter().rev().take_while(|byte| b"-+ #0'123456789.*".contains(byte)).count();
        let percents =
            self.bytes[..self.bytes.len() - specification].iter().rev().take_while(|&&b| b == b'%');
        percents.count() % 2 == 1
    }
}

/// The conversion letters of PRI macros.
const CONVERSION_LETTERS: &[u8] = b"diouxX";

/// Returns the length modifier and the letter of an `<inttypes.h>` macro.
fn pri_macro(word: &str, length: PriLength) -> Option<(&'static str, u8)> {
    let rest = word.strip_prefix("PRI")?;
    let letter = *rest.as_bytes().first()?;
    if CONVERSION_LETTERS.contains(&letter) { Some((length(&rest[1..])?, letter)) } else { None }
}

/// Returns the length modifiers that glibc uses on 64-bit machines. Types of up to 32 bits are
/// passed as `int`, without a modifier.
fn glibc_length(size: &str) -> Option<&'static str> {
    Some(match size {
        "8" | "16" | "32" | "LEAST8" | "LEAST16" | "LEAST32" | "FAST8" => "",
        "64" | "LEAST64" | "FAST16" | "FAST32" | "FAST64" | "PTR" | "MAX" => "l",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{FormatErrorKind, decode, decode_source};

    #[test]
    fn literals_escapes_and_macros() {
        for (source, bytes) in [
            (r#""plain""#, &b"plain"[..]),
            (r#""a" "b"  "c""#, b"abc"),
            (r#""\\ \" \' \a\b\f\n\r\t\v \?""#, b"\\ \" ' \x07\x08\x0c\n\r\t\x0b ?"),
            (r#""\x41\x0a1""#, b"A\xa1"),
            (r#""\101\0601\7""#, b"A01\x07"),
            (r#""%"PRIx64" %" PRIu8 " %" PRIdPTR "%"PRIXFAST16"#, b"%lx %u %ld%lX"),
            (r#""%08" HWADDR_PRIx " HWADDR_PRIx""#, b"%08lx HWADDR_PRIx"),
            (r#""a" /* b */ "c" // d"#, b"ac"),
            ("\"a\" # comment", b"a"),
            ("\"\u{e9}\"", "\u{e9}".as_bytes()),
        ] {
            assert_eq!(decode(source).bytes, bytes, "{source}");
        }
    }

    #[test]
    fn macros_have_the_requested_length() {
        let length = |size: &str| (size == "64").then_some("ll");
        let (bytes, errors) = decode_source(r#""%"PRIx64"\0%"PRIu32"#, length);
        assert_eq!(bytes, b"%llx\0%PRIu32");
        assert_eq!(errors.iter().map(|error| error.kind).collect::<Vec<_>>(), [FormatErrorKind::UnknownWord]);
    }

    #[test]
    fn errors_have_positions() {
        use FormatErrorKind::*;
        for (source, bytes, kind, place) in [
            (r#""open"#, &b"open"[..], UnterminatedLiteral, r#""open"#),
            (r#""a\"#, b"a\\", UnterminatedLiteral, r#""a\"#),
            (r#""a\qb""#, b"aqb", UnknownEscape, r"\q"),
            ("\"a\\\u{e9}b\"", "a\u{e9}b".as_bytes(), UnknownEscape, "\\\u{e9}"),
            (r#""\x14142""#, b"B", EscapeOutOfRange, r"\x14142"),
            (r#""\501""#, b"A", EscapeOutOfRange, r"\501"),
            (r#""\xg""#, b"xg", EscapeOutOfRange, r"\x"),
            (r#""a"FOO"b""#, b"aFOOb", UnknownWord, "FOO"),
            (r#""%%"HWADDR_PRIx"#, b"%%HWADDR_PRIx", UnknownWord, "HWADDR_PRIx"),
            (r#""%"PRIx65"#, b"%PRIx65", UnknownWord, "PRIx65"),
            (r#""a" +, "b""#, b"ab", StrayText, "+,"),
            (r#""a" /* b"#, b"a", Comment, "/* b"),
        ] {
            let decoded = decode(source);
            assert_eq!(decoded.bytes, bytes, "{source}");
            let [error] = &decoded.errors[..] else { panic!("{source}: {:?}", decoded.errors) };
            assert_eq!((error.kind, &source[error.span.clone()]), (kind, place), "{source}");
        }
    }
}
