//! Every error and lint of declarations, in one table.
//!
//! `ringtrace explain`, the names that `--allow` and `--deny` take, and the documentation are
//! derived from [`CODES`].

mod errors;
mod lints;

pub(crate) use errors::*;
pub(crate) use lints::*;

/// An error or a lint.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `E0005` for an error. A lint's code is its name.
    pub code: &'static str,
    /// The name: lower case, words joined by `-`.
    pub name: &'static str,
    /// A summary in one line.
    pub title: &'static str,
    /// Why it is an error or a warning, and what to do, in paragraphs.
    pub explanation: &'static str,
    /// A declaration (or several lines) that is reported.
    pub bad: &'static str,
    /// The corrected declaration.
    pub good: &'static str,
}

impl Code {
    /// Whether this is a lint: a warning by default, an error if denied, nothing if allowed.
    pub fn is_lint(&self) -> bool {
        self.code == self.name
    }
}

/// All codes: errors by number, then lints.
pub static CODES: &[&Code] = &[
    &NOT_UTF8,
    &NOT_A_DECLARATION,
    &UNCLOSED_ARGUMENTS,
    &UNKNOWN_PROPERTY,
    &TYPE_NOT_ALLOWED,
    &EMPTY_ARGUMENT,
    &MISSING_ARGUMENT_NAME,
    &BAD_ARGUMENT_NAME,
    &TOO_MANY_ARGUMENTS,
    &BAD_EVENT_NAME,
    &UNTERMINATED_STRING,
    &UNEXPECTED_IN_FORMAT,
    &PERCENT_M,
    &NEWLINE_IN_FORMAT,
    &CONVERSION_NOT_ALLOWED,
    &TWO_FORMATS,
    &TCG_NEEDS_TWO_FORMATS,
    &DERIVED_PROPERTY,
    &LEGACY_PROPERTY,
    &SOURCE_TOO_LARGE,
    &LINE_TOO_LONG,
    &FORMAT_COUNT,
    &FORMAT_TYPE,
    &DUPLICATE_EVENT,
    &PROBE_CLASH,
    &DUPLICATE_ARGUMENT,
    &UNUSED_ARGUMENT,
    &KEYWORD_NAME,
    &NO_NEWLINE_AT_END,
    &IGNORED_TEXT,
    &FORMAT_COMMENT,
    &UNKNOWN_MACRO,
    &STRAY_MACRO,
    &UNKNOWN_ESCAPE,
    &IMPOSSIBLE_TYPE,
    &TCG_ARGUMENT_TYPE,
    &BYTE_ORDER_MARK,
    &UNUSED_EVENT,
];

/// Finds an entry of [`CODES`] by code or name, ignoring case.
pub fn find(word: &str) -> Option<&'static Code> {
    let is = |known: &str| known.eq_ignore_ascii_case(word);
    CODES.iter().copied().find(|code| is(code.code) || is(code.name))
}
