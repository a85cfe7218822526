//! Diagnostics for declarations files.

use std::ops::Range;

use crate::codes::Code;

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Legal, but probably a mistake.
    Warning,
    /// Not a valid declaration.
    Error,
}

/// An error or a warning, with all the information that a user needs to fix it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// `E0005`, or the name of a lint such as `format-count`. `ringtrace explain` describes it.
    pub code: &'static str,
    /// A one-line description of the problem.
    pub message: String,
    /// Index into the list of source files.
    pub source: usize,
    /// The range of bytes in the source file to underline.
    pub span: Range<usize>,
    /// Text beside the underline.
    pub label: String,
    /// A suggestion.
    pub help: Option<String>,
}

/// Maximum number of diagnostics for one line. A line with more is probably not a declaration at
/// all.
const MAX_PER_LINE: usize = 20;

/// Maximum number of diagnostics for one run. Further diagnostics are only counted, which limits
/// the memory used for an invalid file.
const MAX_PER_RUN: usize = 10_000;

/// A [`Diagnostic`] without its severity and source file.
pub(crate) struct Finding {
    pub code: &'static Code,
    /// Range of bytes in the source file.
    pub span: Range<usize>,
    pub message: String,
    pub label: String,
    pub help: Option<String>,
}

impl Finding {
    pub fn new(code: &'static Code, span: Range<usize>, message: impl Into<String>) -> Finding {
        Finding { code, span, message: message.into(), label: String::new(), help: None }
    }

    pub fn label(self, label: impl Into<String>) -> Finding {
        Finding { label: label.into(), ..self }
    }

    pub fn help(self, help: impl Into<String>) -> Finding {
        Finding { help: Some(help.into()), ..self }
    }
}

/// Collects diagnostics and limits their number.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub found: Vec<Diagnostic>,
    /// Number of diagnostics that were dropped.
    pub omitted: usize,
    /// The source and line of the last diagnostic. `on_line` counts the diagnostics for this line.
    line: (usize, usize),
    on_line: usize,
}

impl Findings {
    /// Adds a diagnostic for line `line` of source number `source`.
    pub fn report(&mut self, severity: Severity, source: usize, line: usize, diagnostic: Finding) {
        if self.line != (source, line) {
            self.line = (source, line);
            self.on_line = 0;
        }
        self.on_line += 1;
        if self.on_line > MAX_PER_LINE || self.found.len() >= MAX_PER_RUN {
            self.omitted += 1;
            return;
        }
        let Finding { code, span, message, label, help } = diagnostic;
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

/// Truncates a message that quotes a very long word.
fn shorten(mut text: String) -> String {
    const MAX_BYTES: usize = 500;
    if text.len() > MAX_BYTES {
        text.truncate(text.floor_char_boundary(MAX_BYTES));
        text.push_str("...");
    }
    text
}
