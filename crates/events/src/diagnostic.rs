//! Problems of a declarations file, as values.

use std::ops::Range;

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
