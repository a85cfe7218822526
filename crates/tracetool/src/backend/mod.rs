//! Where probes bring their events, a file each.

mod dtrace;
mod ftrace;
mod log;
mod nop;
mod simple;
mod syslog;
mod ust;

use std::fmt::Debug;

use ringtrace_events::{Diagnostic, Event};

use crate::{CProbe, RustProbe, SourceWriter};

/// What probes of `ringtrace-rs` have for a tracer that the runtime knows nothing of. These are templates, in which `{name}` is what the
/// event is called in Rust.
#[derive(Debug)]
pub struct ExternalTracer {
    /// The module that holds what it needs.
    pub module: &'static str,
    /// What stands there once; `{word}` is the provider's name as a part of words of C.
    pub head: &'static str,
    /// What stands there for each event; `{provider}` and `{event}` are literals, and `{word}` is as above.
    pub item: &'static str,
    /// The expression that says whether anybody listens to the event.
    pub is_listening: &'static str,
    /// Whether that expression asks another object. What the linker's table leads to makes compilers save registers before they look, if
    /// the record is written by the same function; so it is not.
    pub asks_far: bool,
    /// The expression that brings him the `{arguments}`.
    pub fire: &'static str,
}

/// What a backend adds to C, as templates; for the places of those of an event, see [`CProbe`].
#[derive(Debug)]
pub struct CParts {
    /// What the header of the group `{group}` begins with.
    pub head: &'static str,
    /// What the header declares for an event, `disable`d or not.
    pub declaration: &'static str,
    /// The expression that says whether it wants an event now; empty if it never does.
    pub is_wanted: &'static str,
    /// How a probe brings its event here.
    pub call: &'static str,
    /// Whether it is called whatever the state of the event, because its tracers switch events by themselves.
    pub has_own_switch: bool,
    /// What the source file includes for what it defines there.
    pub source_head: &'static str,
    /// What the source file defines for an event that is not `disable`d.
    pub definition: &'static str,
    /// What is in further places of that, for an event.
    pub definition_places: fn(&CProbe<'_>) -> Vec<(&'static str, String)>,
}

impl CParts {
    /// Nothing.
    pub const NOTHING: CParts = CParts {
        head: "",
        declaration: "",
        is_wanted: "",
        call: "",
        has_own_switch: false,
        source_head: "",
        definition: "",
        definition_places: |_| Vec::new(),
    };
}

/// Whether an event is switched on, for backends that have no switch of their own.
const C_IS_ON: &str = "trace_event_get_state_dynamic_by_id(TRACE_{capitals})";

/// Where events go: what probes are made of, in every language that has probes.
///
/// What a backend has nothing to say to, it leaves to the defaults.
pub trait Backend: Debug + Sync {
    /// What it is called on the command line.
    fn name(&self) -> &'static str;

    /// Where events go, in one line.
    fn about(&self) -> &'static str;

    /// `h` and `c`: what it adds to them.
    fn c(&self) -> &'static CParts {
        &CParts::NOTHING
    }

    /// `ringtrace-rs`: what it adds to probes. The runtime brings events to most backends itself.
    fn external_tracer(&self) -> Option<&'static ExternalTracer> {
        None
    }

    /// `rs`: what it has against `event`, if there can be no call of its own for it in Rust.
    fn rs_refusals(&self, _event: &Event) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// `rs`: what stands once before all probes.
    fn rs_head(&self, _out: &mut SourceWriter) {}

    /// `rs`: what C has for `probe`, as items of an `extern` block.
    fn rs_foreign(&self, _probe: &RustProbe<'_>, _out: &mut SourceWriter) {}

    /// `rs`: how an enabled `probe` brings its event here, within `unsafe`.
    fn rs_call(&self, _probe: &RustProbe<'_>, _out: &mut SourceWriter) {}
}

/// All of them, in the order in which help and `--list-backends` list them.
pub static BACKENDS: &[&dyn Backend] =
    &[&nop::Nop, &dtrace::Dtrace, &ftrace::Ftrace, &log::Log, &simple::Simple, &syslog::Syslog, &ust::Ust];

impl dyn Backend {
    /// The entry of [`BACKENDS`] called `name`.
    pub fn named(name: &str) -> Option<&'static Backend> {
        BACKENDS.iter().copied().find(|backend| backend.name() == name)
    }
}
