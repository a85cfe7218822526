//! Backends: the destinations to which probes send events. Each backend has its own file.

mod dtrace;
mod ftrace;
mod log;
mod simple;
mod syslog;
mod ust;

use crate::CProbe;
#[cfg(doc)]
use crate::RustProbe;

/// Code in `ringtrace-rs` probes for a tracer that the runtime does not know.
///
/// All fields but the first are templates. `{name}` is the event's name in Rust.
#[derive(Debug)]
pub struct ExternalTracer {
    /// The module that holds the items.
    pub module: &'static str,
    /// Code at the start of the module. `{word}` is the provider's name in a form that C
    /// identifiers can contain.
    pub head: &'static str,
    /// Code in the module for each event. `{provider}` and `{event}` are literals, and `{word}` is
    /// as above.
    pub item: &'static str,
    /// An expression that is true while a tracer listens to the event.
    pub is_listening: &'static str,
    /// Whether that expression reads memory of another shared object. If so, a separate function
    /// writes the record. If the record were written inline, the compiler would save registers
    /// before the check.
    pub reads_other_object: bool,
    /// An expression that sends the `{arguments}` to the tracer.
    pub fire: &'static str,
}

/// Code that a backend adds to C, as templates. [`CProbe`] lists the placeholders in the templates
/// for events.
#[derive(Debug)]
pub struct CParts {
    /// Start of the header of the group `{group}`.
    pub head: &'static str,
    /// Declarations in the header for each event, including `disable`d ones.
    pub declaration: &'static str,
    /// An expression that is true if the backend wants the event now. Empty if it never does.
    pub is_wanted: &'static str,
    /// Sends the probe's event to the backend.
    pub call: &'static str,
    /// Whether the call is made even for events that are off, because the tracer itself enables and
    /// disables events.
    pub has_own_switch: bool,
    /// Includes of the source file, for the definitions.
    pub source_head: &'static str,
    /// Definitions in the source file for each event that is not `disable`d.
    pub definition: &'static str,
    /// Returns the values of additional placeholders in `definition`, for an event.
    pub definition_values: fn(&CProbe<'_>) -> Vec<(&'static str, String)>,
}

impl CParts {
    /// No code.
    pub const NOTHING: CParts = CParts {
        head: "",
        declaration: "",
        is_wanted: "",
        call: "",
        has_own_switch: false,
        source_head: "",
        definition: "",
        definition_values: |_| Vec::new(),
    };
}

/// Tests whether an event is on, for backends without a switch of their own.
const C_IS_ON: &str = "trace_event_get_state_dynamic_by_id(TRACE_{capitals})";

/// Code that a backend adds to Rust for QEMU's crates, as templates. [`RustProbe`] lists the
/// placeholders in the templates for events.
#[derive(Debug)]
pub struct RsParts {
    /// Code that precedes all probes.
    pub head: &'static str,
    /// Declarations of C functions for an event, as items of an `extern` block.
    pub foreign: &'static str,
    /// The call of an enabled probe, in an `unsafe` block.
    pub call: &'static str,
    /// Whether the call prints the event's format, whose macros must then be known in Rust.
    pub prints: bool,
}

impl RsParts {
    /// No code.
    pub const NOTHING: RsParts = RsParts { head: "", foreign: "", call: "", prints: false };
}

/// A destination of events. It provides parts of the probes of every language.
#[derive(Debug)]
pub struct Backend {
    /// The name on the command line.
    pub name: &'static str,
    /// A description of the destination, in one line.
    pub about: &'static str,
    /// The code added to the output of the formats `h` and `c`.
    pub c: CParts,
    /// The code added to the output of the format `rs`.
    pub rs: RsParts,
    /// The code added to probes in the output of the format `ringtrace-rs`. Most backends need
    /// none, because the runtime itself implements them.
    pub external_tracer: Option<ExternalTracer>,
}

/// All backends, in the order of help and `--list-backends`.
pub static BACKENDS: &[&Backend] = &[
    &Backend::NOTHING,
    &dtrace::DTRACE,
    &ftrace::FTRACE,
    &log::LOG,
    &simple::SIMPLE,
    &syslog::SYSLOG,
    &ust::UST,
];

impl Backend {
    /// `nop`: no destination.
    const NOTHING: Backend = Backend {
        name: "nop",
        about: "no backend: probes are empty",
        c: CParts::NOTHING,
        rs: RsParts::NOTHING,
        external_tracer: None,
    };

    /// Finds a backend by name.
    pub fn named(name: &str) -> Option<&'static Backend> {
        BACKENDS.iter().copied().find(|backend| backend.name == name)
    }
}
