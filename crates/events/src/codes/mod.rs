//! The one table of everything that can be wrong with a declaration.
//!
//! `ringtrace explain`, the names that `--allow` and `--deny` take, and the documentation are derived from [`CODES`].

mod errors;
mod lints;

use crate::SourceFile;
use crate::lint::{Levels, lint};
use crate::parse::{Dialect, Parsed, parse};

pub(crate) use errors::*;
pub(crate) use lints::*;

/// A kind of problem.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `E0005` for an error; for a lint, its name.
    pub code: &'static str,
    /// What it is called: lower case, words joined by `-`.
    pub name: &'static str,
    /// What it is, in one line.
    pub title: &'static str,
    /// Why it is a problem and what to do, in paragraphs.
    pub explanation: &'static str,
    /// A declaration (or several lines) that has it.
    pub bad: &'static str,
    /// The same without.
    pub good: &'static str,
}

impl Code {
    /// Whether it is a lint: a warning unless denied, silent when allowed.
    pub fn is_lint(&self) -> bool {
        self.code == self.name
    }

    /// What is said about [`Code::bad`], lints included: by the rules for new files, or where those do not know this
    /// problem, by those for old ones.
    pub fn example(&self) -> Parsed {
        let old = Dialect::Generate { legacy_types: true, strict: false };
        let check = |dialect| {
            let mut parsed = parse(vec![SourceFile::new("trace-events", self.bad)], dialect);
            lint(&mut parsed, &Levels::default(), None);
            parsed
        };
        let parsed = check(Dialect::NEW);
        let known = parsed.diagnostics.iter().any(|found| found.code == self.code);
        if known { parsed } else { check(old) }
    }
}

/// All of them: errors by number, then lints.
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

/// The entry of [`CODES`] with the code or the name `word`; upper and lower case are the same.
pub fn find(word: &str) -> Option<&'static Code> {
    let is = |known: &str| known.eq_ignore_ascii_case(word);
    CODES.iter().copied().find(|code| is(code.code) || is(code.name))
}
