//! Errors of expressions, shown with the expression's text.

use std::fmt;
use std::ops::Range;

/// An error in an expression. `Display` prints several lines: the message, the expression, and
/// carets under the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionError {
    /// The whole expression.
    pub source: String,
    /// The byte range of the error; empty at the end of the expression.
    pub span: Range<usize>,
    /// The message, one line.
    pub message: String,
    /// The text after the carets, which describes what was expected. May be empty.
    pub label: String,
    /// Advice for the user.
    pub help: Option<String>,
}

/// Advice for an argument that is compared with a time.
pub(super) const NO_UNIT: &str = "arguments have no unit: compare them with whole numbers without a unit";

/// Creates the error for the value at `span`, which is combined with a time but is not a time itself.
pub(super) fn not_a_time(source: &str, span: Range<usize>, found: &str) -> ExpressionError {
    ExpressionError::new(source, span, format!("expected a time, found {found}"))
        .label("a time is written as `1.5` (seconds) or `10ms`")
}

impl ExpressionError {
    pub(super) fn new(source: &str, span: Range<usize>, message: impl Into<String>) -> ExpressionError {
        ExpressionError {
            source: source.to_owned(),
            span,
            message: message.into(),
            label: String::new(),
            help: None,
        }
    }

    pub(super) fn label(self, label: impl Into<String>) -> ExpressionError {
        ExpressionError { label: label.into(), ..self }
    }

    pub(super) fn help(self, help: impl Into<String>) -> ExpressionError {
        ExpressionError { help: Some(help.into()), ..self }
    }
}

/// The maximum number of characters shown before the start of the error, and after it.
const SHOWN_BEFORE: usize = 40;
const SHOWN_AFTER: usize = 60;

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.source.get(..self.span.start).unwrap_or(&self.source);
        let after = self.source.get(self.span.start..).unwrap_or_default();
        let wrong = self.source.get(self.span.clone()).unwrap_or_default();

        // Show only the part of a long expression around the error.
        let skipped = before.chars().count().saturating_sub(SHOWN_BEFORE);
        let before: String = before.chars().skip(skipped).map(printable).collect();
        let mut following = after.chars().map(printable);
        let after: String = following.by_ref().take(SHOWN_AFTER).collect();
        let start = if skipped > 0 { "..." } else { "" };
        let end = if following.next().is_some() { "..." } else { "" };

        let indent = start.len() + before.chars().count();
        let carets = wrong.chars().count().clamp(1, SHOWN_AFTER);
        writeln!(f, "{}", self.message)?;
        writeln!(f, "  |")?;
        writeln!(f, "  | {start}{before}{after}{end}")?;
        let marked = format!("{:indent$}{:^<carets$} {}", "", "", self.label);
        write!(f, "  | {}", marked.trim_end())?;
        match &self.help {
            Some(help) => write!(f, "\n  = help: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ExpressionError {}

/// Quotes a part of an expression for a message: `` `part` ``, shortened if it is long.
pub(super) fn quoted(piece: &str) -> String {
    let mut characters = piece.chars().map(printable);
    let start: String = characters.by_ref().take(SHOWN_BEFORE).collect();
    let end = if characters.next().is_some() { "..." } else { "" };
    format!("`{start}{end}`")
}

/// Replaces a character that would break the line or control the terminal.
fn printable(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' => ' ',
        _ if character.is_control() => '\u{fffd}',
        _ => character,
    }
}
