//! A `tcg` event, in the form that all `tcg-*` formats need.

use std::borrow::Cow;

use ringtrace_events::declaration::Tcg;
use ringtrace_events::declaration::TcgType;
use ringtrace_events::lint::Language;
use ringtrace_events::{Argument, Event};

use crate::Group;
use crate::probe::argument_names;
use crate::probe::is_taken;

/// The name of the CPU that runs translated code. The translator's own name for the CPU is `__cpu`.
const CPU: &str = "__tcg___cpu";

/// The event that a `tcg` declaration describes.
#[derive(Debug)]
pub(super) struct TcgEvent<'a> {
    /// The declared name, without the suffixes of the two derived events.
    pub name: &'a str,
    /// Whether the event is disabled, in which case translated code never records it.
    pub disabled: bool,
    /// Whether the CPU is an argument.
    pub vcpu: bool,
    /// The values passed to translated code. The CPU comes first.
    pub values: Vec<Value<'a>>,
}

/// A value passed to translated code.
#[derive(Debug)]
pub(super) struct Value<'a> {
    pub name: Cow<'a, str>,
    pub kind: ValueSource<'a>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum ValueSource<'a> {
    Cpu,
    /// A value computed by the translated code.
    Tcg(TcgType),
    /// A value known to the translator, with its C type. It becomes a constant in the translated
    /// code.
    Constant(&'a str, TcgType),
}

impl<'a> TcgEvent<'a> {
    /// Returns the `tcg` events of `group`. A lint rejects arguments that cannot be passed to
    /// translated code.
    pub fn all(group: &Group<'a>) -> Vec<TcgEvent<'a>> {
        let executions = group.events.iter().filter(|event| event.tcg == Some(Tcg::Execution));
        executions.map(|execution| TcgEvent::new(execution)).collect()
    }

    /// Returns the `tcg` events that are not disabled.
    pub fn translated(group: &Group<'a>) -> Vec<TcgEvent<'a>> {
        let mut events = TcgEvent::all(group);
        events.retain(|event| !event.disabled);
        events
    }

    fn new(execution: &'a Event) -> TcgEvent<'a> {
        let mut values: Vec<Value<'a>> =
            std::iter::zip(&execution.arguments, argument_names(execution, Language::C, is_taken))
                .map(|(argument, name)| Value { name, kind: ValueSource::of(argument) })
                .collect();
        if let (true, Some(first)) = (execution.vcpu, values.first_mut()) {
            *first = Value { name: CPU.into(), kind: ValueSource::Cpu };
        }
        let name = execution.name.strip_suffix("_exec").unwrap_or(&execution.name);
        TcgEvent { name, disabled: execution.disabled, vcpu: execution.vcpu, values }
    }

    /// Applies `item` to all values, and joins the results with commas.
    pub fn list(&self, item: impl Fn(&Value<'a>) -> String) -> String {
        self.values.iter().map(item).collect::<Vec<String>>().join(", ")
    }

    /// Returns the parameter list of a C function, with `item` applied to each value.
    pub fn parameters(&self, item: impl Fn(&Value<'a>) -> String) -> String {
        if self.values.is_empty() { "void".to_owned() } else { self.list(item) }
    }
}

impl<'a> ValueSource<'a> {
    fn of(argument: &'a Argument) -> ValueSource<'a> {
        match argument.tcg_type {
            Some(tcg_type) => ValueSource::Tcg(tcg_type),
            // Disabled events may have any argument. The types of their values are not used.
            None => {
                ValueSource::Constant(&argument.ctype_text, TcgType::of(argument).unwrap_or(TcgType::Pointer))
            }
        }
    }

    /// The C type of a parameter in functions that the translator calls.
    pub fn parameter(self) -> &'a str {
        match self {
            ValueSource::Cpu => "TCGv_env",
            ValueSource::Tcg(tcg_type) => tcg_type.name(),
            ValueSource::Constant(ctype, _) => ctype,
        }
    }
}

/// Joins type and name of a C parameter.
pub(super) fn parameter(ctype: &str, name: &str) -> String {
    if ctype.ends_with('*') { format!("{ctype}{name}") } else { format!("{ctype} {name}") }
}

/// Returns the path by which QEMU's sources include the header with the probes of `group`. Each
/// folder except the top one has its own header, which includes the generated one.
pub(super) fn probes_header(group: &Group<'_>) -> &'static str {
    if group.name == "root" { "trace/trace-root.h" } else { "trace.h" }
}
