//! Diagnostics with their source line:
//!
//! ```text
//! error[E0005]: argument type `struct bar *` is not allowed
//!   --> hw/net/trace-events:14:10
//!    |
//! 14 | my_event(struct bar *b) "bar=%p"
//!    |          ^^^^^^^^^^^^ only C basic types and <stdint.h> types are known to every backend
//!    = help: declare it as `void *b`
//! ```

use std::fmt::Write as _;

use super::{SourceLocation, severity_word, visible};
use crate::{Diagnostic, Severity};

/// Columns shown before the carets of a long line.
const COLUMNS_BEFORE: usize = 140;

/// Maximum width of a source line, in columns.
const COLUMNS: usize = 240;

/// Marks the position where a long line is truncated.
const CUT: &str = "...";

pub(super) fn render(diagnostic: &Diagnostic, place: &SourceLocation<'_>, colour: bool, out: &mut String) {
    let paint = |style: &str, text: &str| {
        if colour && !text.is_empty() { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
    };
    let severity_style = match diagnostic.severity {
        Severity::Error => "1;31",
        Severity::Warning => "1;33",
    };
    let number = place.line.to_string();
    let gutter = " ".repeat(number.len());
    let bar = paint("1;34", "|");
    let snippet = Snippet::new(place.line_text, place.span(diagnostic));

    let title = format!("{}[{}]", severity_word(diagnostic.severity), diagnostic.code);
    let message = format!(": {}", visible::text(&diagnostic.message));
    let _ = writeln!(out, "{}{}", paint(severity_style, &title), paint("1", &message));
    let file = visible::text(place.file);
    let _ = writeln!(out, "{gutter}{} {file}:{}:{}", paint("1;34", "-->"), place.line, place.column);
    let _ = writeln!(out, "{gutter} {bar}");
    let _ = writeln!(out, "{} {bar} {}", paint("1;34", &number), snippet.line);
    let carets = format!("{} {}", "^".repeat(snippet.carets), visible::text(&diagnostic.label));
    let indent = " ".repeat(snippet.indent);
    let _ = writeln!(out, "{gutter} {bar} {indent}{}", paint(severity_style, carets.trim_end()));
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(
            out,
            "{gutter} {} {}: {}",
            paint("1;34", "="),
            paint("1;36", "help"),
            visible::text(help)
        );
    }
    out.push('\n');
}

/// A sanitized source line, truncated if it is long, and the position of the carets.
#[derive(Debug, PartialEq, Eq)]
struct Snippet {
    line: String,
    /// Columns before the carets.
    indent: usize,
    carets: usize,
}

impl Snippet {
    /// Creates the snippet of the line `text`, with carets under the bytes `span`. An empty span
    /// gets one caret.
    fn new(text: &str, span: std::ops::Range<usize>) -> Snippet {
        let before = text.get(..span.start).unwrap_or_default();
        let start = before.char_indices().rev().nth(COLUMNS_BEFORE).map_or(0, |(at, _)| at);
        let mut snippet = Snippet { line: String::new(), indent: 0, carets: 0 };
        let mut columns = 0;
        if start > 0 {
            snippet.line.push_str(CUT);
            columns += CUT.len();
            snippet.indent += CUT.len();
        }
        for (count, (at, c)) in (1..).zip(text.get(start..).unwrap_or_default().char_indices()) {
            let width = visible::push_char(c, &mut snippet.line);
            columns += width;
            if start + at < span.start {
                snippet.indent += width;
            } else if start + at < span.end {
                snippet.carets += width;
            }
            // Also limit the number of characters, because zero-width characters add no columns.
            if columns >= COLUMNS || count >= 2 * COLUMNS {
                snippet.line.push_str(CUT);
                break;
            }
        }
        snippet.carets = snippet.carets.max(1);
        snippet.line.truncate(snippet.line.trim_end().len());
        snippet
    }
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, Snippet};

    #[test]
    fn carets_are_under_the_span() {
        for (text, span, line, indent, carets) in [
            ("abc", 1..2, "abc", 1, 1),
            ("abc", 3..3, "abc", 3, 1),
            ("\ta", 1..2, "    a", 4, 1),
            ("\u{4e2d}\u{6587}a", 3..6, "\u{4e2d}\u{6587}a", 2, 2),
            ("e\u{301}a", 3..4, "e\u{301}a", 1, 1),
            ("\x1b[31mred", 5..8, "\u{241b}[31mred", 5, 3),
            ("a\u{202e}b", 4..5, "a\\u{202e}b", 9, 1),
            ("trailing  ", 0..8, "trailing", 0, 8),
        ] {
            let expected = Snippet { line: line.to_owned(), indent, carets };
            assert_eq!(Snippet::new(text, span), expected, "{text:?}");
        }
    }

    #[test]
    fn long_lines_are_cut_around_the_carets() {
        let text = "x".repeat(100_000);
        let snippet = Snippet::new(&text, 50_000..90_000);
        assert!(snippet.line.starts_with("...xxx") && snippet.line.ends_with("xxx..."));
        assert!(snippet.line.len() <= COLUMNS + 3);
        assert!(snippet.indent + snippet.carets <= snippet.line.len());
        let combining = "a".to_owned() + &"\u{301}".repeat(100_000);
        assert!(Snippet::new(&combining, 0..1).line.len() < 1000);
    }
}
