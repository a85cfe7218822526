//! Backends: where probes send their events, one file each.

mod dtrace;
mod ftrace;
mod log;
mod simple;
mod syslog;
mod ust;

use std::fmt::Debug;

use ringtrace_events::{Diagnostic, Event};

use crate::{CProbe, RustProbe, SourceWriter};

/// Code in `ringtrace-rs` probes for a tracer that the runtime does not know.
///
/// All fields but the first are templates. `{name}` is the event's name in Rust.
#[derive(Debug)]
pub struct ExternalTracer {
    /// The module that holds the items.
    pub module: &'static str,
    /// Code at the start of the module. `{word}` is the provider's name as part of C words.
    pub head: &'static str,
    /// Code in the module for each event. `{provider}` and `{event}` are literals, and `{word}` is
    /// as above.
    pub item: &'static str,
    /// An expression that is true while a tracer listens to the event.
    pub is_listening: &'static str,
    /// Whether that expression reads another object's memory. If one function makes that check and
    /// writes the record, compilers save registers before the check, so the record is then written
    /// by another function.
    pub asks_far: bool,
    /// An expression that sends the `{arguments}` to the tracer.
    pub fire: &'static str,
}

/// Code that a backend adds to C, as templates. [`CProbe`] lists the places in the templates of
/// events.
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
    /// Whether the call is made even for events that are off, because the tracer switches events
    /// itself.
    pub has_own_switch: bool,
    /// Includes of the source file, for the definitions.
    pub source_head: &'static str,
    /// Definitions in the source file for each event that is not `disable`d.
    pub definition: &'static str,
    /// Returns the values of further places in `definition`, for an event.
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

/// Whether an event is on, for backends without a switch of their own.
const C_IS_ON: &str = "trace_event_get_state_dynamic_by_id(TRACE_{capitals})";

/// A destination of events. It provides parts of the probes of every language.
///
/// The default implementations add nothing.
pub trait Backend: Debug + Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// A description of the destination, in one line.
    fn about(&self) -> &'static str;

    /// `h` and `c`: the added code.
    fn c(&self) -> &'static CParts {
        &CParts::NOTHING
    }

    /// `ringtrace-rs`: the code added to probes. The runtime itself serves most backends.
    fn external_tracer(&self) -> Option<&'static ExternalTracer> {
        None
    }

    /// `rs`: diagnostics if this backend cannot have a call in Rust for `event`.
    fn rs_diagnostics(&self, _event: &Event) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// `rs`: writes code that precedes all probes.
    fn rs_head(&self, _out: &mut SourceWriter) {}

    /// `rs`: writes declarations of C functions for `probe`, as items of an `extern` block.
    fn rs_foreign(&self, _probe: &RustProbe<'_>, _out: &mut SourceWriter) {}

    /// `rs`: writes the call of an enabled `probe`, in an `unsafe` block.
    fn rs_call(&self, _probe: &RustProbe<'_>, _out: &mut SourceWriter) {}
}

/// `nop`: no destination.
#[derive(Debug)]
struct Nop;

impl Backend for Nop {
    fn name(&self) -> &'static str {
        "nop"
    }

    fn about(&self) -> &'static str {
        "none: probes are empty"
    }
}

/// All backends, in the order of help and `--list-backends`.
pub static BACKENDS: &[&dyn Backend] =
    &[&Nop, &dtrace::Dtrace, &ftrace::Ftrace, &log::Log, &simple::Simple, &syslog::Syslog, &ust::Ust];

impl dyn Backend {
    /// Finds a backend by name.
    pub fn named(name: &str) -> Option<&'static dyn Backend> {
        BACKENDS.iter().copied().find(|backend| backend.name() == name)
    }
}
