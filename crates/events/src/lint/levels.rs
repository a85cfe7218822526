//! Which lints are errors, and which are not wanted.

use crate::codes::{CODES, Code};
use crate::nearest::nearest;
use crate::{Diagnostic, Severity};

/// What was said about lints by name. The last word about one counts.
#[derive(Debug, Clone, Default)]
pub struct Levels {
    denied: Vec<&'static str>,
    allowed: Vec<&'static str>,
}

/// A name that is no lint's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownLint {
    /// The code is an error's: that cannot be allowed, and need not be denied.
    pub is_error: bool,
    /// The lint that was likely suggestion.
    pub suggestion: Option<&'static str>,
}

impl Levels {
    /// The name that stands for all lints.
    pub const ALL: &str = "all";

    /// Makes errors of what the lint `name` finds.
    pub fn deny(&mut self, name: &str) -> Result<(), UnknownLint> {
        for name in named(name)? {
            self.allowed.retain(|allowed| *allowed != name);
            self.denied.push(name);
        }
        Ok(())
    }

    /// Drops what the lint `name` finds.
    pub fn allow(&mut self, name: &str) -> Result<(), UnknownLint> {
        for name in named(name)? {
            self.denied.retain(|denied| *denied != name);
            self.allowed.push(name);
        }
        Ok(())
    }

    pub(super) fn is_denied(&self, code: &Code) -> bool {
        self.denied.contains(&code.code)
    }

    pub(super) fn is_allowed(&self, code: &Code) -> bool {
        self.allowed.contains(&code.code)
    }

    /// Drops the warnings that are allowed, makes errors of those denied. What is an error already stays one.
    pub fn apply(&self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.retain(|found| found.severity == Severity::Error || !self.allowed.contains(&found.code));
        for found in diagnostics {
            if self.denied.contains(&found.code) {
                found.severity = Severity::Error;
            }
        }
    }
}

/// The lints that `name` stands for.
fn named(name: &str) -> Result<Vec<&'static str>, UnknownLint> {
    let lints = || CODES.iter().filter(|code| code.is_lint()).map(|code| code.name);
    if name == Levels::ALL {
        return Ok(lints().collect());
    }
    match crate::codes::find(name) {
        Some(code) if code.is_lint() => Ok(vec![code.name]),
        Some(_) => Err(UnknownLint { is_error: true, suggestion: None }),
        None => Err(UnknownLint { is_error: false, suggestion: nearest(name, lints()) }),
    }
}
