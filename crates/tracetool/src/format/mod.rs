//! Output formats, one file each.

mod c;
mod c_group;
mod d;
mod events_c;
mod events_h;
mod h;
mod log_stap;
pub(crate) mod ringtrace_rs;
mod rs;
mod simpletrace_stap;
mod stap;
mod systemtap;
mod tcg;
mod ust_events_c;
pub(crate) mod ust_events_h;

use ringtrace_events::Diagnostic;

use crate::{Request, SourceWriter};

pub use systemtap::{StapProbe, stap_listener};

/// An output format.
#[derive(Debug)]
pub struct Format {
    /// The name on the command line.
    pub name: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// The lints of [`ringtrace_events::lint`] whose findings the format cannot tolerate.
    pub denied_lints: &'static [&'static str],
    /// The required options.
    pub needs: Needs,
    /// Writes the source code of a group without findings of `denied_lints`.
    ///
    /// # Errors
    /// Returns diagnostics of declarations that the language does not support. The output is then
    /// incomplete.
    pub generate: fn(&Request<'_>, &mut SourceWriter) -> Result<(), Vec<Diagnostic>>,
}

/// Options that a format requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Needs {
    /// The program that contains the probes. Its name may be empty.
    pub binary: bool,
    /// A prefix for the names of probes.
    pub probe_prefix: bool,
}

impl Needs {
    /// No options.
    pub const NOTHING: Needs = Needs { binary: false, probe_prefix: false };
}

/// All formats, in the order of the help text.
pub static FORMATS: &[Format] = &[
    h::FORMAT,
    c::FORMAT,
    d::FORMAT,
    stap::FORMAT,
    simpletrace_stap::FORMAT,
    log_stap::FORMAT,
    ust_events_h::FORMAT,
    ust_events_c::FORMAT,
    rs::FORMAT,
    ringtrace_rs::FORMAT,
    events_h::FORMAT,
    events_c::FORMAT,
    tcg::TCG_H,
    tcg::TCG_HELPER_H,
    tcg::TCG_HELPER_C,
    tcg::TCG_HELPER_WRAPPER_H,
];

impl Format {
    /// Finds a format by name.
    pub fn named(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name == name)
    }
}
