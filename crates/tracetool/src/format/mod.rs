//! The kinds of output, one file each.

pub(crate) mod ringtrace_rs;

use ringtrace_events::Diagnostic;

use crate::{Group, SourceWriter};

/// A kind of output.
#[derive(Debug)]
pub struct Format {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// The lints (of [`ringtrace_events::lint`]) whose findings it cannot make code of.
    pub denied_lints: &'static [&'static str],
    /// Writes the source of a group in which none of `denied_lints` finds anything.
    ///
    /// # Errors
    /// Declarations that cannot be written in this format's language; what was written is of no use then.
    pub generate: fn(&Group<'_>, &mut SourceWriter) -> Result<(), Vec<Diagnostic>>,
}

/// All of them, in the order in which help lists them.
pub static FORMATS: &[Format] = &[ringtrace_rs::FORMAT];

impl Format {
    /// The entry of [`FORMATS`] called `name`.
    pub fn named(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name == name)
    }
}
