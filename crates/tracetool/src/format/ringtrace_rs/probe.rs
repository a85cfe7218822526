//! One event of the output.

use std::borrow::Cow;

use ringtrace_events::lint::rust_names::{identifier, stem};
use ringtrace_events::message::visible;
use ringtrace_events::{Argument, Event};

use super::outside::Outside;
use super::types::Passing;
use super::{list, literal, names};
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
        names::parameters(
            event.arguments.iter().map(|argument| &*argument.name),
            &["emit", "seen", "SEMAPHORE"],
        )
    }

    /// The function that reports the event, and the one that says whether it is enabled.
    pub fn functions(
        &self,
        template: &Template<'_>,
        outside: &Outside,
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
                ("parameters", &list::one_line("pub fn () {".len() + self.name.len(), &parameters)),
                ("inline", if self.is_small() && !outside.asks_far() { "always" } else { "never" }),
                ("plain_parameters", &list::one_line("    fn emit() {".len(), &plain_parameters)),
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
            format!("Argument {{ name: {name}, ctype: {ctype}, kind: ArgumentKind::{kind} }}")
        };
        let arguments: Vec<String> = self.event.arguments.iter().zip(&self.arguments).map(argument).collect();
        out.block(
            template,
            &[
                ("name", &self.name),
                ("event", &literal::string(&self.event.name)),
                ("group", &literal::string(group)),
                ("arguments", &list::one_each(&arguments)),
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
