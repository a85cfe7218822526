//! Rust for programs that trace with our own runtime.
//!
//! What comes out is included as a module `trace` by the runtime's `include_trace!`. It names nothing of the runtime but
//! `Event`, `Declaration`, `Argument`, `Kind`, `group!`, and of `probe` what probes call; how anything is
//! recorded is the runtime's own matter.
//!
//! For an event `blk_read` the module has the function and the macro `blk_read`, and the function
//! `blk_read_enabled`. Everything else stands in modules and bodies of its own, where no event's name can be in its way.

mod literal;
mod names;
mod types;

use std::borrow::Cow;

use ringtrace_events::lint::rust_names::{identifier, stem};
use ringtrace_events::message::visible;
use ringtrace_events::{Argument, Diagnostic, Event, Severity};

use super::Format;
use crate::{Group, SourceWriter};
use types::Passing;

pub(crate) const FORMAT: Format = Format {
    name: "ringtrace-rs",
    about: "Rust, for programs that trace with ringtrace's own runtime",
    denied_lints: &["duplicate-event", "impossible-type", "probe-clash"],
    generate,
};

/// The most values that the runtime can record of an event.
const MAX_ARGUMENTS: usize = 16;

/// Columns that a line of the output should not exceed.
const MAX_COLUMNS: usize = 100;

fn generate(group: &Group<'_>, out: &mut SourceWriter) -> Result<(), Vec<Diagnostic>> {
    let mut refused = Vec::new();
    let probes: Vec<Probe<'_>> =
        group.events.iter().filter_map(|event| Probe::new(event, &mut refused)).collect();
    if !refused.is_empty() {
        return Err(refused);
    }
    let sources: Vec<String> = group.sources.iter().map(|source| visible::text(source.name())).collect();
    let sources = sources.join(", ");
    out.block(HEAD, &[("group", group.name), ("sources", &sources)]);
    for probe in &probes {
        probe.functions(&sources, out);
    }
    out.block("\nmod macros {\n", &[]);
    out.indented(|out| probes.iter().for_each(|probe| probe.lazy_macro(out)));
    out.block("\n}\n", &[]);
    out.block(EVENTS, &[]);
    out.indented(|out| probes.iter().for_each(|probe| probe.event(group.name, out)));
    out.block("\n}\n", &[]);
    let events: Vec<String> = probes.iter().map(|probe| format!("&events::{}", probe.name)).collect();
    let events = list(GROUP.len(), &events);
    out.block(GROUP, &[("group", &literal::string(group.name)), ("events", &events)]);
    Ok(())
}

const HEAD: &str = "
// The probes of the group `{group}`, generated from {sources}: changes belong there.
";

const FUNCTIONS: &str = r"

    /// Reports the event that is declared in {sources} as
    ///
    /// ```text
    /// {declaration}
    /// ```
    ///
    /// The macro of the same name evaluates its arguments only while the event is enabled.
    #[inline(always)]
    pub fn {name}({parameters}) {
        #[inline(never)]
        fn emit({plain_parameters}) {
            ::ringtrace::probe::emit(&events::{name}, {fields});
        }
        if events::{name}.is_enabled() {
            ::core::hint::cold_path();
            emit({plain_values});
        }
    }

    /// Whether `{event}` is enabled.
    #[inline(always)]
    pub fn {stem}_enabled() -> bool {
        events::{name}.is_enabled()
    }

    pub(crate) use macros::__{stem} as {name};
";

const DISABLED_FUNCTIONS: &str = r"

    /// Does nothing: the event is declared in {sources} as
    ///
    /// ```text
    /// {declaration}
    /// ```
    #[inline(always)]
    #[allow(unused_variables)]
    pub fn {name}({parameters}) {}

    /// Whether `{event}` is enabled: never, it is declared with `disable`.
    #[inline(always)]
    pub fn {stem}_enabled() -> bool {
        false
    }

    pub(crate) use macros::__{stem} as {name};
";

const LAZY_MACRO: &str = r"
    macro_rules! __{stem} {
        ($($argument:expr),* $(,)?) => {
            if trace::{stem}_enabled() {
                ::core::hint::cold_path();
                trace::{name}($($argument),*);
            }
        };
    }
    pub(crate) use __{stem};
";

const EVENTS: &str = r"

    #[allow(non_upper_case_globals)]
    mod events {
        use ::ringtrace::{Argument, Declaration, Event, Kind};

";

const EVENT: &str = r"
    pub(super) static {name}: Event = Event::new(Declaration {
        name: {event},
        group: {group},
        arguments: &[{arguments}],
        format: {format},
        text: {declaration},
        traceable: {traceable},
    });
";

const GROUP: &str = r"

    mod group {
        use super::events;

        ::ringtrace::group! { name: {group}, events: [{events}] }
    }
";

/// An event, and what it is in Rust.
struct Probe<'a> {
    event: &'a Event,
    /// What function, macro and static are called.
    name: Cow<'a, str>,
    arguments: Vec<Passing>,
}

impl<'a> Probe<'a> {
    /// The probe of `event`, unless Rust cannot have it: then why is added to `refused`.
    fn new(event: &'a Event, refused: &mut Vec<Diagnostic>) -> Option<Probe<'a>> {
        let mut arguments = Vec::with_capacity(event.arguments.len());
        for argument in &event.arguments {
            match Passing::of(argument) {
                Some(passing) => arguments.push(passing),
                None => refused.push(unknown_type(event, argument)),
            }
        }
        if event.arguments.len() > MAX_ARGUMENTS {
            refused.push(too_many_arguments(event));
        }
        (arguments.len() == event.arguments.len()).then(|| Probe {
            event,
            name: identifier(&event.name),
            arguments,
        })
    }

    /// The function that reports the event, and the one that says whether it is enabled.
    fn functions(&self, sources: &str, out: &mut SourceWriter) {
        let names = names::parameters(self.event.arguments.iter().map(|argument| &*argument.name), &["emit"]);
        let each = |what: &dyn Fn(Passing, &str) -> String| -> Vec<String> {
            names.iter().zip(&self.arguments).map(|(name, passing)| what(*passing, name)).collect()
        };
        let parameters = each(&|passing, name| format!("{name}: {}", passing.parameter()));
        let plain_parameters = each(&|passing, name| format!("{name}: {}", passing.plain()));
        let fields = match each(&Passing::to_field).as_slice() {
            [one] => format!("({one},)"),
            fields => format!("({})", fields.join(", ")),
        };
        let template = if self.event.disabled { DISABLED_FUNCTIONS } else { FUNCTIONS };
        out.block(
            template,
            &[
                ("sources", sources),
                ("declaration", &visible::text(&self.event.declaration)),
                ("event", &self.event.name),
                ("name", &self.name),
                ("stem", &stem(&self.event.name)),
                ("parameters", &list("pub fn () {".len() + self.name.len(), &parameters)),
                ("plain_parameters", &list("    fn emit() {".len(), &plain_parameters)),
                ("fields", &fields),
                ("plain_values", &each(&Passing::to_plain).join(", ")),
            ],
        );
    }

    /// The macro that evaluates its arguments only while the event is enabled.
    fn lazy_macro(&self, out: &mut SourceWriter) {
        out.block(LAZY_MACRO, &[("stem", &stem(&self.event.name)), ("name", &self.name)]);
    }

    /// The event itself.
    fn event(&self, group: &str, out: &mut SourceWriter) {
        let argument = |(argument, passing): (&Argument, &Passing)| {
            let name = literal::string(&argument.name);
            let ctype = literal::string(&argument.ctype_text);
            let kind = passing.kind();
            format!("Argument {{ name: {name}, ctype: {ctype}, kind: Kind::{kind} }}")
        };
        let arguments: Vec<String> = self.event.arguments.iter().zip(&self.arguments).map(argument).collect();
        out.block(
            EVENT,
            &[
                ("name", &self.name),
                ("event", &literal::string(&self.event.name)),
                ("group", &literal::string(group)),
                ("arguments", &list(MAX_COLUMNS, &arguments)),
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

/// `items` on one line when they fit there with `others` columns of other text, else on a line each.
fn list(others: usize, items: &[String]) -> String {
    let columns: usize = others + items.iter().map(|item| item.len() + ", ".len()).sum::<usize>();
    if items.is_empty() || columns <= MAX_COLUMNS {
        return items.join(", ");
    }
    let lines: String = items.iter().flat_map(|item| ["    ", item, ",\n"]).collect();
    format!("\n{lines}")
}

/// Only files of before 2018 have such types; those of new ones are checked by the parser.
fn unknown_type(event: &Event, argument: &Argument) -> Diagnostic {
    let Argument { ctype_text, name, .. } = argument;
    Diagnostic {
        severity: Severity::Error,
        code: "E0005",
        message: format!("argument type `{ctype_text}` is not allowed"),
        source: event.source,
        span: ctype_text.range(),
        label: "Rust has no counterpart of it".to_owned(),
        help: Some(format!("declare it as an integer of its size, `uint64_t {name}`, or as `void *{name}`")),
    }
}

fn too_many_arguments(event: &Event) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: "E0009",
        message: format!("the event has more than {MAX_ARGUMENTS} arguments"),
        source: event.source,
        span: event.declaration.range(),
        label: format!("there are {}", event.arguments.len()),
        help: Some("make two events of it".to_owned()),
    }
}
