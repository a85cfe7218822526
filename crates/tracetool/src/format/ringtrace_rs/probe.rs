//! Probes for ringtrace's runtime.

use std::borrow::Cow;

use ringtrace_events::lint::rust_names::{identifier, stem};
use ringtrace_events::message::visible;
use ringtrace_events::{Argument, Diagnostic, Event};

use super::external::ExternalTracers;
use super::literal;
use super::types::Passing;
use crate::probe::unsupported::{bad_names, too_many_arguments, unknown_type};
use crate::{SourceWriter, Template};

/// Maximum number of integers in a record that is written inline, in a cold block of the caller. A
/// call would add three cycles to the thirty that a record takes. A cold block is about ninety
/// bytes long, and is fetched only while the event is on.
const MAX_INLINE: usize = 4;

/// An event with its Rust names and types.
pub(super) struct Probe<'a> {
    pub event: &'a Event,
    /// The name of the function, the macro and the static.
    pub name: Cow<'a, str>,
    arguments: Vec<Passing<'a>>,
}

impl<'a> Probe<'a> {
    /// Creates the probe of `event`. Returns `None` if Rust does not support one of its types.
    pub fn new(event: &'a Event) -> Option<Probe<'a>> {
        let arguments = event.arguments.iter().map(Passing::of).collect::<Option<Vec<Passing<'a>>>>()?;
        Some(Probe { event, name: identifier(&event.name), arguments })
    }

    fn parameters(&self) -> Vec<Cow<'a, str>> {
        let event: &'a Event = self.event;
        parameter_names(
            event.arguments.iter().map(|argument| &*argument.name),
            &["emit", "seen", "SEMAPHORE"],
        )
    }

    /// Writes two functions: one records the event, the other tests whether it is on.
    pub fn functions(
        &self,
        template: &Template<'_>,
        outside: &ExternalTracers,
        sources: &str,
        out: &mut SourceWriter,
    ) {
        let names = self.parameters();
        let each = |what: &dyn Fn(Passing<'a>, &str) -> String| -> Vec<String> {
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
                ("inline", if self.is_small() && !outside.reads_other_object() { "always" } else { "never" }),
                ("plain_parameters", &one_line("    fn emit() {".len(), &plain_parameters)),
                ("fields", &fields),
                ("plain_values", &plain_values.join(", ")),
                ("is_listening", &outside.is_listening(&self.name)),
                ("fire", &outside.fire(&self.name, &names.join(", "))),
            ],
        );
    }

    /// Writes the code for an external tracer.
    pub fn item(&self, template: &Template<'_>, provider: &str, word: &str, out: &mut SourceWriter) {
        let parameter =
            |(name, passing): (Cow<'a, str>, &Passing<'a>)| format!("{name}: {}", passing.plain());
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

    /// Whether a record needs only a few stores.
    fn is_small(&self) -> bool {
        self.arguments.len() <= MAX_INLINE && !self.arguments.iter().any(|passing| passing.kind() == "Str")
    }

    /// Writes the macro that evaluates its arguments only while the event is on.
    pub fn lazy_macro(&self, template: &Template<'_>, out: &mut SourceWriter) {
        let parameters = self.parameters();
        let arguments: Vec<(&str, &str, &Passing)> = parameters
            .iter()
            .zip(&self.arguments)
            .map(|(name, passing)| (&**name, name.trim_start_matches("r#"), passing))
            .collect();
        let each = |what: &dyn Fn(&str, &str, &Passing) -> String| -> Vec<String> {
            arguments.iter().map(|(name, variable, passing)| what(name, variable, passing)).collect()
        };
        let patterns = each(&|_, variable, _| format!("${variable}:expr")).join(", ");
        let given = each(&|_, variable, passing| passing.given(variable)).join(", ");
        let kept = each(&|name, variable, passing| format!(", {name} = {}", passing.kept(variable)));
        let names = each(&|_, variable, _| variable.to_owned()).join(", ");
        let usage = format!("expected the arguments of the event: `{}({names})`", self.event.name);
        out.block(
            template,
            &[
                ("stem", &stem(&self.event.name)),
                ("name", &self.name),
                ("patterns", &patterns),
                ("given", &given),
                ("kept", &kept.concat()),
                ("usage", &literal::string(&usage)),
            ],
        );
    }

    /// Writes the static of the event.
    pub fn event(&self, template: &Template<'_>, group: &str, out: &mut SourceWriter) {
        let argument = |(argument, passing): (&Argument, &Passing<'a>)| {
            let name = literal::string(&argument.name);
            let ctype = literal::string(&argument.ctype_text);
            let kind = passing.kind();
            format!("Argument {{ name: {name}, ctype: {ctype}, kind: ArgumentKind::{kind} }}")
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
                ("declaration", &literal::string(&self.event.whole_declaration())),
                ("traceable", if self.event.disabled { "false" } else { "true" }),
            ],
        );
    }
}

/// Returns the C source of the event's format, including the prefix.
fn format_text(event: &Event) -> Option<String> {
    match (event.format_prefix, &event.format) {
        ("", format) => format.as_ref().map(|text| text.as_str().to_owned()),
        (prefix, None) => Some(format!("\"{prefix}\"")),
        (prefix, Some(format)) => Some(format!("\"{prefix}\" {format}")),
    }
}

/// Returns distinct identifiers for `names` that are not in `taken`.
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

const MAX_COLUMNS: usize = 100;

/// Joins `items` on one line if they and `others` more columns fit on it. Otherwise, puts each on a
/// line of its own.
pub(super) fn one_line(others: usize, items: &[String]) -> String {
    let columns: usize = others + items.iter().map(|item| item.len() + ", ".len()).sum::<usize>();
    if columns <= MAX_COLUMNS { items.join(", ") } else { one_each(items) }
}

/// Puts each item on its own line, indented by one step.
pub(super) fn one_each(items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let lines: String = items.iter().flat_map(|item| ["    ", item, ",\n"]).collect();
    format!("\n{lines}")
}

/// The maximum number of values that the runtime records.
const MAX_ARGUMENTS: usize = 16;

/// Returns diagnostics if `event` is not supported.
pub(super) fn diagnostics(event: &Event) -> Vec<Diagnostic> {
    let mut diagnostics = bad_names(event, "Rust");
    for argument in &event.arguments {
        if Passing::of(argument).is_none() {
            diagnostics.push(unknown_type(event, argument, "Rust"));
        }
    }
    if event.arguments.len() > MAX_ARGUMENTS {
        diagnostics.push(too_many_arguments(event, MAX_ARGUMENTS));
    }
    diagnostics
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
