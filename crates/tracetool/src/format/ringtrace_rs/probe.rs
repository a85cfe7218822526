//! One event of the output.

use std::borrow::Cow;

use ringtrace_events::lint::rust_names::{identifier, stem};
use ringtrace_events::message::visible;
use ringtrace_events::{Argument, Diagnostic, Event};

use super::external::ExternalTracers;
use super::literal;
use super::types::Passing;
use crate::probe::unsupported::{bad_names, too_many_arguments, unknown_type};
use crate::{SourceWriter, Template};

/// The most integers of an event whose record is written at the cold end of the caller, not in a function of its own. A
/// call costs three cycles of thirty, and a cold end some ninety bytes, which are fetched only while the event is on.
const MAX_INLINE: usize = 4;

/// An event, and what it is in Rust.
pub(super) struct Probe<'a> {
    pub event: &'a Event,
    /// What function, macro and static are called.
    pub name: Cow<'a, str>,
    arguments: Vec<Passing>,
}

impl<'a> Probe<'a> {
    /// The probe of `event`; `None` when one of its types has no counterpart.
    pub fn new(event: &'a Event) -> Option<Probe<'a>> {
        let arguments = event.arguments.iter().map(Passing::of).collect::<Option<Vec<Passing>>>()?;
        Some(Probe { event, name: identifier(&event.name), arguments })
    }

    /// What its parameters are called.
    fn parameters(&self) -> Vec<Cow<'a, str>> {
        let event: &'a Event = self.event;
        parameter_names(
            event.arguments.iter().map(|argument| &*argument.name),
            &["emit", "seen", "SEMAPHORE"],
        )
    }

    /// The function that reports the event, and the one that says whether it is enabled.
    pub fn functions(
        &self,
        template: &Template<'_>,
        outside: &ExternalTracers,
        sources: &str,
        out: &mut SourceWriter,
    ) {
        let names = self.parameters();
        let each = |what: &dyn Fn(Passing, &str) -> String| -> Vec<String> {
            names.iter().zip(&self.arguments).map(|(name, passing)| what(*passing, name)).collect()
        };
        let parameters = each(&|passing, name| format!("{name}: {}", passing.parameter()));
        let plain_parameters = each(&|passing, name| format!("{name}: {}", passing.plain()));
        let plain_parameters = [vec!["seen: ::ringtrace::probe::Seen".to_owned()], plain_parameters].concat();
        let plain_values = [vec!["seen".to_owned()], each(&Passing::to_plain)].concat();
        let fields = match each(&Passing::to_field).as_slice() {
            [one] => format!("({one},)"),
            fields => format!("({})", fields.join(", ")),
        };
        out.block(
            template,
            &[
                ("sources", sources),
                ("declaration", &visible::text(&self.event.declaration)),
                ("event", &self.event.name),
                ("name", &self.name),
                ("stem", &stem(&self.event.name)),
                ("parameters", &one_line("pub fn () {".len() + self.name.len(), &parameters)),
                ("inline", if self.is_small() && !outside.asks_far() { "always" } else { "never" }),
                ("plain_parameters", &one_line("    fn emit() {".len(), &plain_parameters)),
                ("fields", &fields),
                ("plain_values", &plain_values.join(", ")),
                ("is_listening", &outside.is_listening(&self.name)),
                ("fire", &outside.fire(&self.name, &names.join(", "))),
            ],
        );
    }

    /// What a tracer from outside needs for it.
    pub fn item(&self, template: &Template<'_>, provider: &str, word: &str, out: &mut SourceWriter) {
        let parameter = |(name, passing): (Cow<'a, str>, &Passing)| format!("{name}: {}", passing.plain());
        let parameters: Vec<String> =
            self.parameters().into_iter().zip(&self.arguments).map(parameter).collect();
        out.block(
            template,
            &[
                ("provider", &literal::string(provider)),
                ("word", word),
                ("event_name", &self.event.name),
                ("event", &literal::string(&self.event.name)),
                ("name", &self.name),
                ("parameters", &parameters.join(", ")),
            ],
        );
    }

    /// Whether the record is a handful of stores.
    fn is_small(&self) -> bool {
        self.arguments.len() <= MAX_INLINE && !self.arguments.iter().any(|passing| passing.kind() == "Str")
    }

    /// The macro that evaluates its arguments only while the event is enabled.
    pub fn lazy_macro(&self, template: &Template<'_>, out: &mut SourceWriter) {
        out.block(template, &[("stem", &stem(&self.event.name)), ("name", &self.name)]);
    }

    /// The event itself.
    pub fn event(&self, template: &Template<'_>, group: &str, out: &mut SourceWriter) {
        let argument = |(argument, passing): (&Argument, &Passing)| {
            let name = literal::string(&argument.name);
            let ctype = literal::string(&argument.ctype_text);
            let kind = passing.kind();
            format!("Argument {{ name: {name}, ctype: {ctype}, kind: Kind::{kind} }}")
        };
        let arguments: Vec<String> = self.event.arguments.iter().zip(&self.arguments).map(argument).collect();
        out.block(
            template,
            &[
                ("name", &self.name),
                ("event", &literal::string(&self.event.name)),
                ("group", &literal::string(group)),
                ("arguments", &one_each(&arguments)),
                (
                    "format",
                    &format_text(self.event)
                        .map_or("None".to_owned(), |text| format!("Some({})", literal::string(&text))),
                ),
                ("declaration", &literal::string(&self.event.declaration)),
                ("traceable", if self.event.disabled { "false" } else { "true" }),
            ],
        );
    }
}

/// The C text of an event's whole format.
fn format_text(event: &Event) -> Option<String> {
    match (event.format_prefix, &event.format) {
        ("", format) => format.as_ref().map(|text| text.as_str().to_owned()),
        (prefix, None) => Some(format!("\"{prefix}\"")),
        (prefix, Some(format)) => Some(format!("\"{prefix}\" {format}")),
    }
}

/// The identifiers of parameters called `names`: no two are the same, and none is a word of `taken`.
fn parameter_names<'a>(names: impl Iterator<Item = &'a str>, taken: &[&str]) -> Vec<Cow<'a, str>> {
    let mut parameters: Vec<Cow<'a, str>> = Vec::new();
    for name in names {
        let mut parameter = identifier(name);
        while taken.contains(&&*parameter) || parameters.contains(&parameter) {
            parameter = format!("{}_", parameter.trim_start_matches("r#")).into();
        }
        parameters.push(parameter);
    }
    parameters
}

/// Columns that a line should not exceed.
const MAX_COLUMNS: usize = 100;

/// `items` on one line when they fit there with `others` columns of other text, else on a line each.
pub(super) fn one_line(others: usize, items: &[String]) -> String {
    let columns: usize = others + items.iter().map(|item| item.len() + ", ".len()).sum::<usize>();
    if columns <= MAX_COLUMNS { items.join(", ") } else { one_each(items) }
}

/// `items` on a line each, all of them indented by a step.
pub(super) fn one_each(items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let lines: String = items.iter().flat_map(|item| ["    ", item, ",\n"]).collect();
    format!("\n{lines}")
}

/// The most values that the runtime can record of an event.
const MAX_ARGUMENTS: usize = 16;

/// Why there can be no probe of `event`; nothing for most.
pub(super) fn refusals(event: &Event) -> Vec<Diagnostic> {
    let mut refused = bad_names(event, "Rust");
    for argument in &event.arguments {
        if Passing::of(argument).is_none() {
            refused.push(unknown_type(event, argument, "Rust"));
        }
    }
    if event.arguments.len() > MAX_ARGUMENTS {
        refused.push(too_many_arguments(event, MAX_ARGUMENTS));
    }
    refused
}

#[cfg(test)]
mod tests {
    use super::parameter_names;

    #[test]
    fn parameters_differ() {
        let names = ["emit", "emit_", "fn", "fn", "fn_", "a"];
        assert_eq!(
            parameter_names(names.into_iter(), &["emit"]),
            ["emit_", "emit__", "r#fn", "fn_", "fn__", "a"]
        );
    }
}
