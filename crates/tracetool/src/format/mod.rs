//! The kinds of output, one file each.

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

/// A kind of output.
#[derive(Debug)]
pub struct Format {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// The lints (of [`ringtrace_events::lint`]) whose findings it cannot make code of.
    pub denied_lints: &'static [&'static str],
    /// What it must be told beside events and backends.
    pub needs: Needs,
    /// Writes the source of a group in which none of `denied_lints` finds anything.
    ///
    /// # Errors
    /// Declarations that cannot be written in this format's language; what was written is of no use then.
    pub generate: fn(&Request<'_>, &mut SourceWriter) -> Result<(), Vec<Diagnostic>>,
}

/// What a format must be told beside events and backends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Needs {
    /// A program that has the probes, though its name may be empty.
    pub binary: bool,
    /// A prefix for the names of probes.
    pub probe_prefix: bool,
}

impl Needs {
    /// Nothing.
    pub const NOTHING: Needs = Needs { binary: false, probe_prefix: false };
}

/// All of them, in the order in which help lists them.
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
    /// The entry of [`FORMATS`] called `name`.
    pub fn named(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name == name)
    }
}
