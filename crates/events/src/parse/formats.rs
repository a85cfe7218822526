//! What stands behind the `)`: one format, two for a `tcg` event, or none.

use std::ops::Range;

use super::LineParser;
use crate::codes;
use crate::problems::Problem;
use crate::syntax::{self, Token, TokenKind};

/// The formats of a declaration, as ranges of its line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Formats {
    pub first: Option<Range<usize>>,
    pub second: Option<Range<usize>>,
}

impl LineParser<'_, '_> {
    /// Reads the formats at `rest`, which has no blanks at its ends.
    pub(super) fn formats(&mut self, rest: Range<usize>) -> Formats {
        let line = self.line.text;
        if rest.is_empty() {
            return Formats::default();
        }
        if !line[rest.clone()].starts_with('"') {
            self.ignored_text(rest);
            return Formats::default();
        }
        let mut formats = Formats::default();
        let mut current: Option<Range<usize>> = None;
        for Token { kind, range } in syntax::tokens(line, rest.clone()) {
            match kind {
                TokenKind::Literal | TokenKind::Word => {
                    current.get_or_insert_with(|| range.clone()).end = range.end;
                }
                TokenKind::Unterminated => {
                    current.get_or_insert_with(|| range.clone()).end = range.end;
                    self.unterminated(range);
                }
                TokenKind::Comma if formats.first.is_none() && current.is_some() => {
                    formats.first = current.take();
                }
                TokenKind::Comment => self.format_comment(range),
                TokenKind::Comma | TokenKind::Other => {
                    self.unexpected(range.start..rest.end, range);
                    break;
                }
            }
        }
        match formats.first {
            None => formats.first = current,
            Some(_) if current.is_none() => self.missing_second(rest.end),
            Some(_) => formats.second = current,
        }
        for format in [&formats.first, &formats.second].into_iter().flatten() {
            self.check_format(format.clone());
        }
        formats
    }

    fn ignored_text(&mut self, rest: Range<usize>) {
        let has_format = self.line.text[rest.clone()].contains('"');
        let problem = Problem::new(&codes::IGNORED_TEXT, rest, "text behind the arguments is ignored")
            .label(if has_format {
                "a format must follow the `)` directly"
            } else {
                "expected a format in quotes"
            })
            .help("comments stand on lines of their own and begin with `#`");
        self.lint(problem);
    }

    fn unterminated(&mut self, range: Range<usize>) {
        // One caret under the quote says more than a line of them.
        let quote = range.start..range.start + 1;
        self.forgivable(
            Problem::new(&codes::UNTERMINATED_STRING, quote, "a string of the format never ends")
                .label("the string that begins here lacks its closing `\"`")
                .help("a quote within a string is written `\\\"`"),
        );
    }

    fn format_comment(&mut self, range: Range<usize>) {
        self.lint(
            Problem::new(&codes::FORMAT_COMMENT, range, "a comment within a declaration")
                .label("only generated C can do with it")
                .help("put it on a line of its own that begins with `#`"),
        );
    }

    fn unexpected(&mut self, span: Range<usize>, token: Range<usize>) {
        let text = &self.line.text[token];
        let problem = match text {
            "#" => Problem::new(&codes::UNEXPECTED_IN_FORMAT, span, "a comment behind a declaration")
                .label("would become part of the generated code")
                .help("put it on a line of its own"),
            "," => Problem::new(&codes::UNEXPECTED_IN_FORMAT, span, "a `,` where none can stand")
                .label("expected a string, a macro or the end of the line")
                .help("arguments are named within the parentheses only; a `tcg` event has two formats, any other one"),
            _ => Problem::new(&codes::UNEXPECTED_IN_FORMAT, span, "the format is no sequence of strings and macros")
                .label("expected a string such as `\"x=%d\"` or a macro such as `PRIx64`")
                .help("a quote within a string is written `\\\"`"),
        };
        self.forgivable(problem);
    }

    fn missing_second(&mut self, end: usize) {
        self.forgivable(
            Problem::new(&codes::UNEXPECTED_IN_FORMAT, end - 1..end, "nothing follows the `,`")
                .label("expected a second format behind this"),
        );
    }
}
