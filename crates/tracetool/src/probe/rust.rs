//! One event of the output.

use ringtrace_events::{Diagnostic, Event};

use super::rust_text as text;
use super::rust_types::RustType;
use super::unsupported::{bad_names, unknown_type};

/// Columns that a line should not exceed.
const MAX_COLUMNS: usize = 100;

/// An event, and what it is in Rust that calls C: what backends make their calls of.
#[derive(Debug)]
pub struct RustProbe<'a> {
    event: &'a Event,
    /// Names and types of the arguments.
    parameters: Vec<(String, RustType)>,
}

impl<'a> RustProbe<'a> {
    /// The probe of `event`; or what it has that Rust has not.
    pub(crate) fn new(event: &'a Event) -> Result<RustProbe<'a>, Vec<Diagnostic>> {
        let mut refused = bad_names(event, "Rust");
        let mut parameters = Vec::with_capacity(event.arguments.len());
        for argument in &event.arguments {
            match RustType::of(argument) {
                // No keyword begins with `_`, and no lint minds when nobody uses it.
                Some(rust_type) => parameters.push((format!("_{}", argument.name), rust_type)),
                None => refused.push(unknown_type(event, argument, "Rust")),
            }
        }
        if refused.is_empty() { Ok(RustProbe { event, parameters }) } else { Err(refused) }
    }

    /// The event.
    pub fn event(&self) -> &'a Event {
        self.event
    }

    /// What C calls its state.
    pub(crate) fn state(&self) -> String {
        format!("_TRACE_{}_DSTATE", self.event.name.to_ascii_uppercase())
    }

    /// The parameters of the probe.
    pub(crate) fn parameters(&self) -> String {
        let parameters = self.list(|name, rust_type| format!("{name}: {}", rust_type.parameter()));
        self.fit(&parameters)
    }

    /// The parameters of a C function that has those of the event.
    pub fn foreign_parameters(&self) -> String {
        let parameters = self.list(|name, rust_type| format!("{name}: {}", rust_type.foreign()));
        self.fit(&parameters)
    }

    /// The arguments of a call of that function.
    pub fn foreign_arguments(&self) -> String {
        self.list(|name, rust_type| rust_type.value(name)).join(", ")
    }

    /// The arguments of a call of a function like C's printf: a line of the event's name and text, which ends in `end`,
    /// and its values.
    pub fn print_arguments(&self, end: &str) -> String {
        let line = format!("{}.as_ptr()", text::line(self.event, end));
        let values = self.list(|name, rust_type| rust_type.variadic_value(name));
        [vec![line], values].concat().join(", ")
    }

    fn list(&self, item: impl Fn(&str, &RustType) -> String) -> Vec<String> {
        self.parameters.iter().map(|(name, rust_type)| item(name, rust_type)).collect()
    }

    /// Parameters on one line, or where they are long, on a line each.
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
