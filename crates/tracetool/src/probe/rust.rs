//! Probes in Rust for QEMU's own crates.

use ringtrace_events::{CType, Diagnostic, Event};

use super::rust_text as text;
use super::rust_types::RustType;
use super::unsupported::{bad_names, no_doubles, no_enumerations, unknown_type};
use crate::{SourceWriter, Template};

const MAX_COLUMNS: usize = 100;

/// A probe in Rust that calls C functions. Backends use this to write their calls.
///
/// [`RustProbe::block`] fills in these placeholders of templates:
///
/// | placeholder | value |
/// | --- | --- |
/// | `{event}` | the event's name |
/// | `{foreign_parameters}` | the event's parameters, as parameters of a C function |
/// | `{foreign_arguments}` | the arguments for a call of that function |
/// | `{printed}` | the arguments of a printf-like call that prints the event |
/// | `{printed_line}` | the same with a newline at the end |
#[derive(Debug)]
pub struct RustProbe<'a> {
    event: &'a Event,
    parameters: Vec<(String, RustType)>,
}

impl<'a> RustProbe<'a> {
    /// Creates the probe of `event`. Fails if the declaration cannot be expressed in Rust.
    pub(crate) fn new(event: &'a Event) -> Result<RustProbe<'a>, Vec<Diagnostic>> {
        let mut diagnostics = bad_names(event, "Rust");
        let mut parameters = Vec::with_capacity(event.arguments.len());
        for argument in &event.arguments {
            match RustType::of(argument) {
                _ if argument.enumeration.is_some() => {
                    diagnostics.push(no_enumerations(event, argument, "QEMU's Rust code"));
                }
                // The `_` prevents warnings about unused parameters, and no keyword starts with it.
                Some(rust_type) => parameters.push((format!("_{}", argument.name), rust_type)),
                None if argument.ctype == CType::Double => {
                    diagnostics.push(no_doubles(event, argument, "QEMU's Rust code"));
                }
                None => diagnostics.push(unknown_type(event, argument, "Rust")),
            }
        }
        if diagnostics.is_empty() { Ok(RustProbe { event, parameters }) } else { Err(diagnostics) }
    }

    /// The event.
    pub fn event(&self) -> &'a Event {
        self.event
    }

    /// The name of the event's state in C.
    pub(crate) fn state(&self) -> String {
        format!("_TRACE_{}_DSTATE", self.event.name.to_ascii_uppercase())
    }

    pub(crate) fn parameters(&self) -> String {
        let parameters = self.list(|name, rust_type| format!("{name}: {}", rust_type.parameter()));
        self.fit(&parameters)
    }

    /// Writes the lines of `template` for this event.
    pub fn block(&self, template: &Template<'_>, out: &mut SourceWriter) {
        let foreign_parameters = self.list(|name, rust_type| format!("{name}: {}", rust_type.foreign()));
        let values = [
            ("event", &*self.event.name),
            ("foreign_parameters", &self.fit(&foreign_parameters)),
            ("foreign_arguments", &self.list(|name, rust_type| rust_type.value(name)).join(", ")),
            ("printed", &self.printed("")),
            ("printed_line", &self.printed("\n")),
        ];
        out.block(template, &values);
    }

    /// The arguments of a printf-like call: a format, which consists of the event's name, its
    /// format and `end`, and the values.
    fn printed(&self, end: &str) -> String {
        let line = format!("{}.as_ptr()", text::line(self.event, end));
        let values = self.list(|name, rust_type| rust_type.variadic_value(name));
        [vec![line], values].concat().join(", ")
    }

    fn list(&self, item: impl Fn(&str, &RustType) -> String) -> Vec<String> {
        self.parameters.iter().map(|(name, rust_type)| item(name, rust_type)).collect()
    }

    /// Joins parameters on one line, or writes each on its own line if they are too long.
    fn fit(&self, parameters: &[String]) -> String {
        let line = parameters.join(", ");
        let others = "    fn _simple_trace_();".len() + self.event.name.len();
        if others + line.len() <= MAX_COLUMNS {
            return line;
        }
        let lines: String = parameters.iter().flat_map(|parameter| ["    ", parameter, ",\n"]).collect();
        format!("\n{lines}")
    }
}
