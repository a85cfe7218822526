//! Parses the text after the `)`: one format, two for a `tcg` event, or none.

use std::ops::Range;

use super::LineParser;
use crate::codes;
use crate::diagnostic::Finding;
use crate::syntax::{self, Token, TokenKind};

/// The formats of a declaration, as ranges of its line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Formats {
    pub first: Option<Range<usize>>,
    pub second: Option<Range<usize>>,
}

impl LineParser<'_, '_> {
    /// Parses the formats at `rest`, which has no leading or trailing blanks.
    pub(super) fn formats(&mut self, rest: Range<usize>) -> Formats {
        let line = self.line.text;
        if rest.is_empty() {
            return Formats::default();
        }
        if !line[rest.clone()].starts_with('"') {
            self.ignored_text(rest);
            return Formats::default();
        }
        if syntax::literal_length(&line.as_bytes()[rest.clone()]) == Some(rest.len()) {
            // Most formats are one string.
            self.check_format(rest.clone());
            return Formats { first: Some(rest), second: None };
        }
        let mut formats = Formats::default();
        let mut current: Option<Range<usize>> = None;
        let mut comma = None;
        for Token { kind, range } in syntax::tokens(line, rest.clone()) {
            match kind {
                TokenKind::Literal => {
                    current.get_or_insert_with(|| range.clone()).end = range.end;
                }
                // A format starts with a string. A macro can only follow a string.
                TokenKind::Word if current.is_some() => {
                    current.get_or_insert_with(|| range.clone()).end = range.end;
                }
                TokenKind::Unterminated => {
                    current.get_or_insert_with(|| range.clone()).end = range.end;
                    self.unterminated(range);
                }
                TokenKind::Comma if formats.first.is_none() => {
                    formats.first = current.take();
                    comma = Some(range);
                }
                TokenKind::Comment => self.format_comment(range),
                TokenKind::Comma | TokenKind::Word | TokenKind::Other => {
                    self.unexpected(comma.take().map_or(range.start, |comma| comma.start)..rest.end);
                    break;
                }
            }
        }
        match (&formats.first, current) {
            (None, current) => formats.first = current,
            (Some(_), Some(second)) => formats.second = Some(second),
            (Some(_), None) => {
                if let Some(comma) = comma {
                    self.unexpected(comma);
                }
            }
        }
        for format in [&formats.first, &formats.second].into_iter().flatten() {
            self.check_format(format.clone());
        }
        formats
    }

    fn ignored_text(&mut self, rest: Range<usize>) {
        let has_format = self.line.text[rest.clone()].contains('"');
        let diagnostic = Finding::new(&codes::IGNORED_TEXT, rest, "text after the arguments is ignored")
            .label(if has_format {
                "a format must follow the `)` directly"
            } else {
                "expected a format in quotes"
            })
            .help("write comments on separate lines that begin with `#`");
        self.lint(diagnostic);
    }

    fn unterminated(&mut self, range: Range<usize>) {
        // One caret under the quote is clearer than a whole line of them.
        let quote = range.start..range.start + 1;
        self.forgivable(
            Finding::new(&codes::UNTERMINATED_STRING, quote, "a string in the format is not closed")
                .label("the string that begins here has no closing `\"`")
                .help("write a quote in a string as `\\\"`"),
        );
    }

    fn format_comment(&mut self, range: Range<usize>) {
        self.lint(
            Finding::new(&codes::FORMAT_COMMENT, range, "a comment in a declaration")
                .label("only generated C accepts it")
                .help("write it on a separate line that begins with `#`"),
        );
    }

    /// Reports the invalid text at `span`.
    fn unexpected(&mut self, span: Range<usize>) {
        let text = &self.line.text[span.clone()];
        let diagnostic = Finding::new(
            &codes::UNEXPECTED_IN_FORMAT,
            span,
            "the format must be string literals and PRI macros",
        );
        let diagnostic = if text.starts_with('#') || text.starts_with("//") {
            diagnostic
                .label("a comment here would become part of the generated code")
                .help("write it on a separate line that begins with `#`")
        } else if text.starts_with("/*") {
            diagnostic
                .label("this comment is not closed")
                .help("write it on a separate line that begins with `#`")
        } else if text.starts_with(',') {
            diagnostic
                .label("expected a string, a macro or the end of the line")
                .help("do not list values after the format; it prints the arguments in order")
        } else {
            diagnostic
                .label("expected a string such as `\"x=%d\"` or a macro such as `PRIx64`")
                .help("write a quote in a string as `\\\"`")
        };
        self.forgivable(diagnostic);
    }
}
