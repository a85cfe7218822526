//! Levels of lints: allowed, warnings or errors.

use crate::codes::{CODES, Code};
use crate::nearest::nearest;
use crate::{Diagnostic, Severity};

/// The lints denied and allowed by name. The last call for each lint wins.
#[derive(Debug, Clone, Default)]
pub struct Levels {
    denied: Vec<&'static str>,
    allowed: Vec<&'static str>,
}

/// The error for a name that is not a lint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownLint {
    /// Whether the name is the code of an error. Errors cannot be allowed and need not be denied.
    pub is_error: bool,
    /// The lint with the closest name.
    pub suggestion: Option<&'static str>,
}

impl Levels {
    /// The name that selects all lints.
    pub const ALL: &str = "all";

    /// Makes findings of the lint `name` errors.
    pub fn deny(&mut self, name: &str) -> Result<(), UnknownLint> {
        for name in named(name)? {
            self.allowed.retain(|allowed| *allowed != name);
            self.denied.push(name);
        }
        Ok(())
    }

    /// Drops findings of the lint `name`.
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

    /// Drops allowed warnings and turns denied ones into errors. Errors stay errors.
    pub fn apply(&self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.retain(|found| found.severity == Severity::Error || !self.allowed.contains(&found.code));
        for found in diagnostics {
            if self.denied.contains(&found.code) {
                found.severity = Severity::Error;
            }
        }
    }
}

/// Returns the lints that `name` selects.
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
