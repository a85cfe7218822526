//! DiagnosticCollector of a declarations file, as values.

use std::ops::Range;

use crate::codes::Code;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Legal, but likely not meant.
    Warning,
    /// Not the language.
    Error,
}

/// One problem, with all that a person needs to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad.
    pub severity: Severity,
    /// `E0005`, or a lint's name such as `format-count`. `ringtrace explain` knows it.
    pub code: &'static str,
    /// What is wrong, in one line.
    pub message: String,
    /// Index of the source among those given.
    pub source: usize,
    /// Bytes of the source the caret goes under.
    pub span: Range<usize>,
    /// What stands beside the carets.
    pub label: String,
    /// What to do.
    pub help: Option<String>,
}

/// Diagnostics of one line beyond which the rest of the line's are dropped: the line is no declaration at all, or
/// nobody reads on.
const MAX_PER_LINE: usize = 20;

/// Diagnostics of one run beyond which they are only counted. A file of garbage must not cost more memory than a
/// small multiple of its size.
const MAX_PER_RUN: usize = 10_000;

/// A problem on its way to being a [`Diagnostic`].
pub(crate) struct DiagnosticBuilder {
    pub code: &'static Code,
    /// Bytes of the source.
    pub span: Range<usize>,
    pub message: String,
    pub label: String,
    pub help: Option<String>,
}

impl DiagnosticBuilder {
    pub fn new(code: &'static Code, span: Range<usize>, message: impl Into<String>) -> DiagnosticBuilder {
        DiagnosticBuilder { code, span, message: message.into(), label: String::new(), help: None }
    }

    pub fn label(self, label: impl Into<String>) -> DiagnosticBuilder {
        DiagnosticBuilder { label: label.into(), ..self }
    }

    pub fn help(self, help: impl Into<String>) -> DiagnosticBuilder {
        DiagnosticBuilder { help: Some(help.into()), ..self }
    }
}

/// Collects diagnostics, and keeps their number within bounds.
#[derive(Debug, Default)]
pub(crate) struct DiagnosticCollector {
    pub found: Vec<Diagnostic>,
    /// How many more there were.
    pub omitted: usize,
    /// Source and line that diagnostics are being reported for, and how many there were already.
    line: (usize, usize),
    on_line: usize,
}

impl DiagnosticCollector {
    /// Takes `problem` of line `line` of source number `source`.
    pub fn report(&mut self, severity: Severity, source: usize, line: usize, diagnostic: DiagnosticBuilder) {
        if self.line != (source, line) {
            self.line = (source, line);
            self.on_line = 0;
        }
        self.on_line += 1;
        if self.on_line > MAX_PER_LINE || self.found.len() >= MAX_PER_RUN {
            self.omitted += 1;
            return;
        }
        let DiagnosticBuilder { code, span, message, label, help } = diagnostic;
        self.found.push(Diagnostic {
            severity,
            code: code.code,
            message: shorten(message),
            source,
            span,
            label: shorten(label),
            help: help.map(shorten),
        });
    }
}

/// Cuts a text that quotes an endless word.
fn shorten(mut text: String) -> String {
    const MAX_BYTES: usize = 500;
    if text.len() > MAX_BYTES {
        text.truncate(text.floor_char_boundary(MAX_BYTES));
        text.push_str("...");
    }
    text
}
