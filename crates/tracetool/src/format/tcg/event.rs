//! A `tcg` event, as all of its outputs see it.

use std::borrow::Cow;

use ringtrace_events::declaration::Tcg;
use ringtrace_events::declaration::TcgType;
use ringtrace_events::lint::Language;
use ringtrace_events::{Argument, Event};

use crate::Group;
use crate::probe::argument_names;
use crate::probe::is_taken;

/// What the translator calls the CPU that code is made for, beside `__cpu`, which it is known by while it makes it.
const CPU: &str = "__tcg___cpu";

/// What a `tcg` declaration stands for.
#[derive(Debug)]
pub(super) struct TcgEvent<'a> {
    /// Its name, without what its halves have behind it.
    pub name: &'a str,
    /// Nothing of it gets into translated code.
    pub disabled: bool,
    /// Whether it has the CPU.
    pub vcpu: bool,
    /// What gets into translated code, the CPU first if it has it.
    pub values: Vec<Value<'a>>,
}

/// What gets into translated code by an argument of an event.
#[derive(Debug)]
pub(super) struct Value<'a> {
    pub name: Cow<'a, str>,
    pub kind: Kind<'a>,
}

/// Where a [`Value`] comes from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind<'a> {
    /// The CPU.
    Cpu,
    /// A value of the translated code.
    Tcg(TcgType),
    /// A value of the translator, of this C type, that becomes a constant of the translated code.
    Constant(&'a str, TcgType),
}

impl<'a> TcgEvent<'a> {
    /// The `tcg` events of `group`. Whoever passes values that cannot get into translated code was told by a lint before.
    pub fn all(group: &Group<'a>) -> Vec<TcgEvent<'a>> {
        let executions = group.events.iter().filter(|event| event.tcg == Some(Tcg::Execution));
        executions.map(|execution| TcgEvent::new(execution)).collect()
    }

    /// Those of which something gets into translated code.
    pub fn translated(group: &Group<'a>) -> Vec<TcgEvent<'a>> {
        let mut events = TcgEvent::all(group);
        events.retain(|event| !event.disabled);
        events
    }

    fn new(execution: &'a Event) -> TcgEvent<'a> {
        let mut values: Vec<Value<'a>> =
            std::iter::zip(&execution.arguments, argument_names(execution, Language::C, is_taken))
                .map(|(argument, name)| Value { name, kind: Kind::of(argument) })
                .collect();
        if let (true, Some(first)) = (execution.vcpu, values.first_mut()) {
            *first = Value { name: CPU.into(), kind: Kind::Cpu };
        }
        let name = execution.name.strip_suffix("_exec").unwrap_or(&execution.name);
        TcgEvent { name, disabled: execution.disabled, vcpu: execution.vcpu, values }
    }

    /// `item` of each value, as a list.
    pub fn list(&self, item: impl Fn(&Value<'a>) -> String) -> String {
        self.values.iter().map(item).collect::<Vec<String>>().join(", ")
    }

    /// The parameters of a C function, `item` of each value.
    pub fn parameters(&self, item: impl Fn(&Value<'a>) -> String) -> String {
        if self.values.is_empty() { "void".to_owned() } else { self.list(item) }
    }
}

impl<'a> Kind<'a> {
    fn of(argument: &'a Argument) -> Kind<'a> {
        match argument.tcg_type {
            Some(tcg_type) => Kind::Tcg(tcg_type),
            // Of disabled events, which may have anything, the type of what is passed is never asked for.
            None => Kind::Constant(&argument.ctype_text, TcgType::of(argument).unwrap_or(TcgType::Pointer)),
        }
    }

    /// The C type of a parameter of what the translator calls.
    pub fn parameter(self) -> &'a str {
        match self {
            Kind::Cpu => "TCGv_env",
            Kind::Tcg(tcg_type) => tcg_type.name(),
            Kind::Constant(ctype, _) => ctype,
        }
    }
}

/// A parameter of C.
pub(super) fn parameter(ctype: &str, name: &str) -> String {
    if ctype.ends_with('*') { format!("{ctype}{name}") } else { format!("{ctype} {name}") }
}

/// The header with the probes of `group`, as QEMU's sources include it: a shim in each folder, but not for the top one.
pub(super) fn probes_header(group: &Group<'_>) -> &'static str {
    if group.name == "root" { "trace/trace-root.h" } else { "trace.h" }
}
