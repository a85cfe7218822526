//! Where the parser and the lints put what they find.

use std::ops::Range;

use crate::codes::Code;
use crate::{Diagnostic, Severity};

/// Diagnostics of one line beyond which the rest of the line's are dropped: the line is no declaration at all, or
/// nobody reads on.
const MAX_PER_LINE: usize = 20;

/// Diagnostics of one run beyond which they are only counted. A file of garbage must not cost more memory than a
/// small multiple of its size.
const MAX_PER_RUN: usize = 10_000;

/// A problem on its way to being a [`Diagnostic`].
pub(crate) struct Problem {
    pub code: &'static Code,
    /// Bytes of the source.
    pub span: Range<usize>,
    pub message: String,
    pub label: String,
    pub help: Option<String>,
}

impl Problem {
    pub fn new(code: &'static Code, span: Range<usize>, message: impl Into<String>) -> Problem {
        Problem { code, span, message: message.into(), label: String::new(), help: None }
    }

    pub fn label(self, label: impl Into<String>) -> Problem {
        Problem { label: label.into(), ..self }
    }

    pub fn help(self, help: impl Into<String>) -> Problem {
        Problem { help: Some(help.into()), ..self }
    }
}

/// Collects diagnostics, and keeps their number within bounds.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    pub found: Vec<Diagnostic>,
    /// How many more there were.
    pub omitted: usize,
    /// Source and line that diagnostics are being reported for, and how many there were already.
    line: (usize, usize),
    on_line: usize,
}

impl Problems {
    /// Takes `problem` of line `line` of source number `source`.
    pub fn report(&mut self, severity: Severity, source: usize, line: usize, problem: Problem) {
        if self.line != (source, line) {
            self.line = (source, line);
            self.on_line = 0;
        }
        self.on_line += 1;
        if self.on_line > MAX_PER_LINE || self.found.len() >= MAX_PER_RUN {
            self.omitted += 1;
            return;
        }
        let Problem { code, span, message, label, help } = problem;
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
