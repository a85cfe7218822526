//! Output formats. Each has its own file.

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
use tcg::{tcg_h, tcg_helper_c, tcg_helper_h, tcg_helper_wrapper_h};

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
    /// Writes the source code for a group in which `denied_lints` found nothing.
    ///
    /// # Errors
    /// Returns diagnostics for declarations that the language does not support. The output is then
    /// incomplete.
    pub generate: Generate,
}

/// Options that a format requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Needs {
    /// The program that contains the probes. Its name may be empty.
    pub binary: bool,
    /// A prefix for the names of probes.
    pub probe_prefix: bool,
}

const NONE: Needs = Needs { binary: false, probe_prefix: false };

/// Lints for declarations whose probes are not valid in C.
const C_PROBES: &[&str] = &["duplicate-event", "impossible-type", "reserved-name"];
/// Lints for declarations that are not valid in C.
const C: &[&str] = &["duplicate-event", "impossible-type"];
const TCG: &[&str] = &["duplicate-event", "impossible-type", "tcg-argument-type"];
const RUST: &[&str] = &["duplicate-event", "impossible-type", "probe-clash"];
const QEMU_RUST: &[&str] = &["duplicate-argument", "duplicate-event", "impossible-type"];
const PREFIX: Needs = Needs { binary: false, probe_prefix: true };
const BINARY_AND_PREFIX: Needs = Needs { binary: true, probe_prefix: true };

/// Generates the source code of a request.
pub type Generate = fn(&Request<'_>, &mut SourceWriter) -> Result<(), Vec<Diagnostic>>;

const fn format(
    name: &'static str,
    about: &'static str,
    denied_lints: &'static [&'static str],
    needs: Needs,
    generate: Generate,
) -> Format {
    Format { name, about, denied_lints, needs, generate }
}

/// The format that [`Builder`](crate::Builder) uses.
#[rustfmt::skip]
pub(crate) const RINGTRACE_RS: Format =
    format("ringtrace-rs", "Rust, for programs that use ringtrace's runtime", RUST, NONE, ringtrace_rs::generate);

/// All formats, in the order of the help text.
#[rustfmt::skip]
pub static FORMATS: &[Format] = &[
    format("h", "C header, the probes", C_PROBES, NONE, h::generate),
    format("c", "C, the events and the functions of backends", C_PROBES, NONE, c::generate),
    format("d", "D, the provider of USDT probes, for dtrace(1)", C, NONE, d::generate),
    format("stap", "SystemTap, aliases for a program's probes", &[], BINARY_AND_PREFIX, stap::generate),
    format("simpletrace-stap", "SystemTap, probes that print records of a binary trace", &[], PREFIX, simpletrace_stap::generate),
    format("log-stap", "SystemTap, probes that print lines of text", &[], PREFIX, log_stap::generate),
    format("ust-events-h", "C header, the provider of LTTng-UST", C, NONE, ust_events_h::generate),
    format("ust-events-c", "C, the definitions of LTTng-UST's tracepoints", C, NONE, ust_events_c::generate),
    format("rs", "Rust, for QEMU's own crates", QEMU_RUST, NONE, rs::generate),
    RINGTRACE_RS,
    format("events-h", "C header, the events of QEMU 2.8, without groups", C, NONE, events_h::generate),
    format("events-c", "C, the events of QEMU 2.8, without groups", C, NONE, events_c::generate),
    format("tcg-h", "C header, probes for QEMU's translator", TCG, NONE, tcg_h::generate),
    format("tcg-helper-h", "C header, declarations of functions that translated code calls", TCG, NONE, tcg_helper_h::generate),
    format("tcg-helper-c", "C, functions that translated code calls", TCG, NONE, tcg_helper_c::generate),
    format("tcg-helper-wrapper-h", "C header, generators of calls in translated code", TCG, NONE, tcg_helper_wrapper_h::generate),
];

impl Format {
    /// Finds a format by name.
    pub fn named(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name == name)
    }
}
