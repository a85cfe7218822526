//! Checks for text and conversions that are not allowed in formats.

use std::ops::Range;

use super::LineParser;
use crate::codes;
use crate::diagnostic::Finding;
use crate::format::{FormatErrorKind, Outline, Reads, macros};
use crate::syntax::{self, TokenKind};

impl LineParser<'_, '_> {
    /// Checks the text and the conversions of the format at `range`.
    pub(super) fn check_format(&mut self, range: Range<usize>) {
        if self.parser.rules.forgiving {
            return;
        }
        let text = &self.line.text[range.clone()];
        for at in memchr::memchr2_iter(b'%', b'\\', text.as_bytes()) {
            match &text.as_bytes()[at..] {
                [b'%', b'm', ..] => self.percent_m(range.start + at),
                [b'\\', b'n', ..] => self.newline(range.start + at),
                _ => {}
            }
        }
        if is_plain(text) {
            return;
        }
        let outline = Outline::parse(text);
        let here = |span: Range<usize>| range.start + span.start..range.start + span.end;
        for conversion in outline.conversions {
            if is_left_to_c(&text[conversion.span.start..]) {
                continue;
            }
            match conversion.reads() {
                Reads::Unprintable => self.not_recordable(here(conversion.span)),
                Reads::Float if !self.parser.rules.any_type && !self.parser.rules.extended => {
                    self.float(here(conversion.span));
                }
                _ => {}
            }
        }
        for error in outline.errors {
            let behind = &text[error.span.start..];
            // `%m` has been reported above.
            if error.kind == FormatErrorKind::UnknownConversion
                && !behind.starts_with("%m")
                && !is_left_to_c(behind)
            {
                self.unknown_conversion(here(error.span), range.clone());
            }
        }
    }

    fn percent_m(&mut self, at: usize) {
        let escaped = self.line.text[..at].ends_with('%');
        let diagnostic = Finding::new(&codes::PERCENT_M, at..at + 2, "`%m` is forbidden in a format");
        self.error(if escaped {
            diagnostic
                .label("QEMU rejects these two characters, even after another `%`")
                .help("write something between the `%%` and the `m`, or split the string: `\"%%\" \"m\"`")
        } else {
            diagnostic
                .label("errno has changed by the time the event is printed")
                .help("add an argument `int err`, pass errno, and print it with `%d`")
        });
    }

    fn newline(&mut self, at: usize) {
        let escaped = self.line.text[..at].ends_with('\\');
        let diagnostic =
            Finding::new(&codes::NEWLINE_IN_FORMAT, at..at + 2, "a format must not contain a newline");
        self.error(if escaped {
            diagnostic
                .label("QEMU rejects these two characters, even after another `\\`")
                .help("split the string between them: `\"\\\\\" \"n\"`")
        } else {
            diagnostic
                .label("every event is printed on one line")
                .help("remove it; backends that need a newline add it")
        });
    }

    fn not_recordable(&mut self, span: Range<usize>) {
        let text = &self.line.text[span.clone()];
        let diagnostic = Finding::new(
            &codes::CONVERSION_NOT_ALLOWED,
            span,
            format!("conversion `{text}` is not allowed in a format"),
        );
        self.error(if text.ends_with('n') {
            diagnostic
                .label("it writes to memory through its argument")
                .help("to print a percent sign, write `%%`")
        } else {
            diagnostic
                .label("wide characters cannot be recorded")
                .help("convert the text to UTF-8 and print it with `%s`")
        });
    }

    fn float(&mut self, span: Range<usize>) {
        let text = &self.line.text[span.clone()];
        self.error(
            Finding::new(
                &codes::CONVERSION_NOT_ALLOWED,
                span,
                format!("conversion `{text}` is not allowed in a format"),
            )
            .label("QEMU cannot record floating-point values")
            .help("pass a scaled integer; programs other than QEMU can use --extended-types"),
        );
    }

    /// Reports the `%` at `span` of the format at `format`.
    fn unknown_conversion(&mut self, span: Range<usize>, format: Range<usize>) {
        // The range from the `%` to the position where the letter should be.
        let text = &self.line.text[span.start..];
        let length = text[1..].find(|c| !is_before_letter(c)).map_or(text.len(), |at| at + 1);
        let behind = span.start + length;
        if self.line.text[behind..].starts_with("PRI") {
            return self.macro_in_string(span.start, behind, format);
        }
        let word = self.line.text[behind..].strip_prefix('"').map(str::trim_start);
        if let Some(word) = word.filter(|word| word.starts_with("PRI")) {
            let start = self.line.text.len() - word.len();
            return self.unknown_macro(start..start + word_length(word));
        }
        let letter = self.line.text[behind..].chars().next().filter(|c| *c != '"');
        let end = behind + letter.map_or(0, char::len_utf8);
        let text = &self.line.text[span.start..end];
        let (message, label) = match letter {
            Some(_) => (
                format!("`{text}` is not a conversion"),
                "the allowed conversions are d i u x X o c s p and `%%`",
            ),
            None => (
                "a conversion is incomplete".to_owned(),
                "expected one of d i u x X o c s p, or a PRI macro, after this",
            ),
        };
        self.error(
            Finding::new(&codes::CONVERSION_NOT_ALLOWED, span.start..end, message)
                .label(label)
                .help("to print a percent sign, write `%%`"),
        );
    }

    /// Reports the conversion at `percent`. Its macro, at `start`, is part of the string.
    fn macro_in_string(&mut self, percent: usize, start: usize, format: Range<usize>) {
        let line = self.line.text;
        let known = macros::leading_macro(&line[start..]);
        let end = start + known.map_or_else(|| word_length(&line[start..]), str::len);
        let name = &line[start..end];
        let literal = syntax::tokens(line, format)
            .find(|token| token.kind == TokenKind::Literal && token.range.contains(&start))
            .map(|token| token.range);
        let help = match (known, literal) {
            (Some(_), Some(literal)) => {
                let rest = &line[end..literal.end];
                let rest = if rest == "\"" { String::new() } else { format!(" \"{rest}") };
                format!("write `{}\" {name}{rest}`", &line[literal.start..start])
            }
            _ => macros::suggestion(name).map_or_else(
                || macros::EXPECTED.to_owned(),
                |names| format!("{names}, outside of the string"),
            ),
        };
        self.error(
            Finding::new(
                &codes::CONVERSION_NOT_ALLOWED,
                percent..end,
                format!("the macro `{name}` is inside the string"),
            )
            .label("macros must be outside of the quotes")
            .help(help),
        );
    }

    fn unknown_macro(&mut self, span: Range<usize>) {
        let name = &self.line.text[span.clone()];
        let help = macros::suggestion(name);
        let finding =
            Finding::new(&codes::CONVERSION_NOT_ALLOWED, span, format!("`{name}` is not a PRI macro"))
                .label(macros::EXPECTED);
        self.error(Finding { help, ..finding });
    }
}

/// Returns the length of the word at the start of `text`.
fn word_length(text: &str) -> usize {
    text.bytes().take_while(|byte| syntax::is_word_byte(*byte)).count()
}

/// Whether `c` may occur between the `%` of a conversion and its letter.
fn is_before_letter(c: char) -> bool {
    "-+ #0123456789.*'hlLqjzt".contains(c)
}

/// Whether the conversion at the start of `text` ends in a macro that the C standard does not
/// define, such as `VADDR_FMT`.
///
/// Generated C contains the macro unchanged. Formats for other languages reject it later.
fn is_left_to_c(text: &str) -> bool {
    let behind = text.get(1..).unwrap_or_default().trim_start_matches(is_before_letter);
    let word = behind.strip_prefix('"').map(str::trim_start);
    word.is_some_and(|word| {
        word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !word.starts_with("PRI")
    })
}

/// Whether `text` is one literal with only simple conversions. Nine out of ten formats are this
/// simple and need no further check.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(percent) = memchr::memchr(b'%', &bytes[at..]) {
        let rest = &bytes[at + percent + 1..];
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let rest = &rest[digits..];
        let length = match rest {
            [b'd' | b'u' | b'x' | b'X' | b's' | b'p' | b'c' | b'i' | b'o' | b'%', ..] => 1,
            [b'l' | b'z', b'd' | b'u' | b'x', ..] => 2,
            [b'"', tail @ ..] => match tail.trim_ascii_start() {
                [b'P', b'R', b'I', b'd' | b'u' | b'x' | b'X' | b'i' | b'o', b'6', b'4', ..]
                | [b'P', b'R', b'I', b'd' | b'u' | b'x' | b'X' | b'i' | b'o', b'3', b'2', ..]
                | [b'P', b'R', b'I', b'd' | b'u' | b'x' | b'X' | b'i' | b'o', b'1', b'6', ..] => 2,
                _ => return false,
            },
            _ => return false,
        };
        at += percent + 1 + digits + length;
    }
    true
}
