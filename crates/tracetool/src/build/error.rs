//! What a build script's `main` gets.

use std::fmt;

/// Nothing was generated. Each problem has been told to cargo already.
#[derive(Clone, PartialEq, Eq)]
pub struct BuildError {
    pub(super) errors: usize,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.errors == 1 { "" } else { "s" };
        write!(f, "no probes were generated, because of {} error{plural}", self.errors)
    }
}

/// What is printed when `main` returns it.
impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for BuildError {}
