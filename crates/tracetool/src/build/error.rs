//! What a build script's `main` gets.

use std::fmt;

/// Nothing was generated. Cargo has been told why.
#[derive(Clone, PartialEq, Eq)]
pub struct BuildError {
    pub(super) errors: usize,
    /// The first errors, with the lines that they are about.
    pub(super) report: String,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.errors == 1 { "" } else { "s" };
        write!(f, "no probes were generated, because of {} error{plural}", self.errors)
    }
}

/// What is printed when `main` returns it, and cargo shows last: the errors once more, with their lines.
impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}\n\n{}", self.report)
    }
}

impl std::error::Error for BuildError {}
