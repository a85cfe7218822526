//! Declarations that are made while the program runs.

use ringtrace_events::CType;

use super::values::{Encoded, Shape, Values};
use crate::event::registry::dynamic::{self as registry, DYNAMIC_GROUP, DynamicRegistry};
use crate::event::{self, ArgumentKind, Declaration, Event, EventState, Group};
use crate::probe;
use crate::probe::host;
use crate::ring::recording;

/// The type of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// `uint64_t`.
    U64 = 1,
    /// `int64_t`.
    I64 = 2,
    /// `bool`.
    Bool = 3,
    /// `const char *`: text in UTF-8, or other bytes.
    Text = 4,
    /// `double`.
    F64 = 5,
}

impl Kind {
    fn ctype(self) -> &'static str {
        match self {
            Kind::U64 => "uint64_t",
            Kind::I64 => "int64_t",
            Kind::Bool => "bool",
            Kind::Text => "const char *",
            Kind::F64 => "double",
        }
    }

    fn recorded(self) -> ArgumentKind {
        if self == Kind::Text { ArgumentKind::Str } else { ArgumentKind::Integer }
    }

    fn conversion(self) -> &'static str {
        match self {
            Kind::U64 => "%\" PRIu64 \"",
            Kind::I64 => "%\" PRId64 \"",
            Kind::Bool => "%d",
            Kind::Text => "%s",
            // All digits that a double certainly has.
            Kind::F64 => "%.15g",
        }
    }
}

impl From<CType> for Kind {
    /// Returns the kind of the values of an argument that is declared with this type. An enumeration is
    /// an `int`, and a pointer an unsigned integer.
    fn from(ctype: CType) -> Kind {
        match ctype {
            CType::Str => Kind::Text,
            CType::Bool => Kind::Bool,
            CType::Double => Kind::F64,
            CType::Integer { signed: true, .. } => Kind::I64,
            CType::Integer { signed: false, .. }
            | CType::Pointer
            | CType::StrStar
            | CType::Float
            | CType::Unknown => Kind::U64,
        }
    }
}

/// An argument of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument<'a> {
    name: &'a str,
    kind: Kind,
    shown: Shown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Named,
    Bare,
    Hidden,
}

impl<'a> Argument<'a> {
    /// Creates an argument. The event's format shows it as `NAME=VALUE`.
    pub const fn new(name: &'a str, kind: Kind) -> Argument<'a> {
        Argument { name, kind, shown: Shown::Named }
    }

    /// Makes the event's format show the value without the name.
    #[must_use]
    pub const fn bare(self) -> Argument<'a> {
        Argument { shown: Shown::Bare, ..self }
    }

    /// Makes the event's format omit the value. Only the last arguments of an event can be hidden,
    /// because a format uses its arguments in order.
    #[must_use]
    pub const fn hidden(self) -> Argument<'a> {
        Argument { shown: Shown::Hidden, ..self }
    }

    /// The type.
    pub const fn kind(&self) -> Kind {
        self.kind
    }
}

/// An event that was declared while the program runs.
#[derive(Debug, Clone, Copy)]
pub struct DynamicEvent {
    event: &'static Event,
    shape: Shape,
}

impl DynamicEvent {
    /// Declares an event. Each call declares a new event.
    ///
    /// `remark` is metadata of the event: its location in the source code, as `LEVEL TARGET
    /// FILE:LINE`. Arguments beyond [`MAX_ARGUMENTS`](super::MAX_ARGUMENTS) are ignored.
    pub fn declare(name: &str, remark: Option<&str>, arguments: &[Argument<'_>]) -> DynamicEvent {
        DynamicEvent::add(&identifier(name), remark, |name| declaration(name, arguments))
    }

    /// Declares an event as in a `trace-events` file, with all types and formats of the language. Each
    /// call declares a new event. The values of an argument have the [`Kind`] of its C type.
    ///
    /// ```
    /// use ringtrace::dynamic::{DynamicEvent, Values};
    /// use ringtrace_events::{SourceFile, parse};
    ///
    /// let text = "resized(const char *path, int8_t share) \"%s %d%%\"\n";
    /// let parsed = parse::parse(vec![SourceFile::new("script", text)], parse::Dialect::NEW);
    /// let resized = DynamicEvent::declare_parsed(&parsed.declarations.events[0]);
    /// assert!(resized.emit(Values::new().text("disk.img").i64(-20)));
    /// ```
    pub fn declare_parsed(event: &ringtrace_events::Event) -> DynamicEvent {
        DynamicEvent::add(&event.name, None, |name| declaration_of(name, event))
    }

    /// Declares an event with the name `name`, or a similar one if an event has that name already.
    fn add(
        name: &str,
        remark: Option<&str>,
        declaration: impl FnOnce(&'static str) -> (Declaration, Shape),
    ) -> DynamicEvent {
        let remark = remark.map(leak);
        let (event, shape) = registry::with_dynamic(|registry| {
            let (declaration, shape) = declaration(registry.reserve_name(name));
            let group = leak_group(Event::new(declaration));
            if host::host().is_none() {
                registry.add(group, remark);
                declare_in_arena(group, remark);
            }
            (group, shape)
        });
        if host::host().is_some() {
            host::register_group(event);
        }
        DynamicEvent { event: event.events()[0], shape }
    }

    /// Returns whether any backend receives the event now.
    #[inline]
    pub fn is_enabled(&self) -> bool {
        self.event.is_enabled()
    }

    /// The event.
    pub fn event(&self) -> &'static Event {
        self.event
    }

    /// Emits the event if it is on. Returns `false`, and emits nothing, if the types of `values` do
    /// not match the arguments.
    #[inline]
    pub fn emit(&self, values: &Values) -> bool {
        let fits = values.shape() == self.shape;
        if fits {
            emit(self.event, values);
        }
        fits
    }
}

/// Emits an event with values of the right types, if the event is on.
#[inline(always)]
pub(super) fn emit(event: &'static Event, values: &Values) {
    let seen = event.see();
    if seen.is_enabled() {
        probe::emit_seen(event, seen, Encoded::new(event, values));
    }
}

/// Creates a declaration, and the shape of its values.
pub(super) fn declaration(name: &'static str, arguments: &[Argument<'_>]) -> (Declaration, Shape) {
    let arguments = &arguments[..arguments.len().min(super::MAX_ARGUMENTS)];
    let mut names: Vec<&'static str> = Vec::new();
    for argument in arguments {
        let wanted = identifier(argument.name);
        let mut unused = wanted.clone();
        let mut number = 2;
        while names.contains(&unused.as_str()) {
            unused = format!("{wanted}_{number}");
            number += 1;
        }
        names.push(unused.leak());
    }
    let is_shown = |argument: &Argument<'_>| argument.shown != Shown::Hidden;
    let shown = arguments.iter().rposition(is_shown).map_or(0, |last| last + 1);
    let (mut list, mut format) = (String::new(), String::from("\""));
    for (index, (argument, name)) in arguments.iter().zip(&names).enumerate() {
        let separate = |text: &mut String, separator| match text.len() {
            0 | 1 => {}
            _ => text.push_str(separator),
        };
        separate(&mut list, ", ");
        let ctype = argument.kind.ctype();
        list.push_str(ctype);
        list.push_str(if ctype.ends_with('*') { "" } else { " " });
        list.push_str(name);
        if index >= shown {
            continue;
        }
        separate(&mut format, " ");
        match argument.shown {
            Shown::Named | Shown::Hidden => {
                format.push_str(&format!("{name}={}", argument.kind.conversion()));
            }
            Shown::Bare => format.push_str(argument.kind.conversion()),
        }
    }
    format.push('"');
    // If the format ends with a macro, remove the empty string after it.
    let format = leak(format.strip_suffix(" \"\"").unwrap_or(&format));
    let list = if list.is_empty() { "void" } else { &list };
    let declaration = Declaration {
        name,
        group: DYNAMIC_GROUP,
        arguments: arguments
            .iter()
            .zip(names)
            .map(|(argument, name)| event::Argument {
                name,
                ctype: argument.kind.ctype(),
                kind: argument.kind.recorded(),
            })
            .collect::<Vec<_>>()
            .leak(),
        format: Some(format),
        text: leak(format!("{name}({list}) {format}")),
        traceable: true,
    };
    (declaration, Shape::of(arguments.iter().map(Argument::kind)))
}

/// Creates the declaration of `event` with the name `name`, and the shape of its values.
fn declaration_of(name: &'static str, event: &ringtrace_events::Event) -> (Declaration, Shape) {
    let arguments = event.arguments.iter().map(|argument| event::Argument {
        name: leak(argument.name.as_str()),
        ctype: leak(argument.ctype_text.as_str()),
        kind: match argument.ctype {
            CType::Str => ArgumentKind::Str,
            CType::Pointer | CType::StrStar => ArgumentKind::Pointer,
            _ => ArgumentKind::Integer,
        },
    });
    let whole = event.whole_declaration();
    // Enumerations precede the event, and contain no parenthesis.
    let (before, list) = whole.split_at(whole.find('(').unwrap_or(whole.len()));
    let before = before.strip_suffix(event.name.as_str()).unwrap_or_default();
    let declaration = Declaration {
        name,
        group: DYNAMIC_GROUP,
        arguments: arguments.collect::<Vec<_>>().leak(),
        format: event.format.as_ref().map(|format| leak(format.as_str())),
        text: leak(format!("{before}{name}{list}")),
        traceable: !event.disabled,
    };
    (declaration, Shape::of(event.arguments.iter().map(|argument| Kind::from(argument.ctype))))
}

/// Converts the name of an event or an argument to an identifier.
pub(super) fn identifier(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name).replace("::", "__");
    let valid = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(valid).collect();
    match name.chars().next() {
        None => "_".to_owned(),
        Some('0'..='9') => format!("_{name}"),
        _ => name,
    }
}

pub(super) fn leak(text: impl Into<String>) -> &'static str {
    text.into().leak()
}

/// Creates a group with a single event. Neither is ever freed, because call sites refer to them.
pub(super) fn leak_group(event: Event) -> &'static Group {
    let event: &'static Event = Box::leak(Box::new(event));
    let events: &'static [&'static Event] = Box::leak(Box::new([event]));
    Box::leak(Box::new(Group::new(DYNAMIC_GROUP, events)))
}

/// Adds `group` after `beside`, which belongs to the same call site. If `beside` is a placeholder,
/// `group` replaces it.
pub(super) fn add_beside(
    registry: &mut DynamicRegistry<'_>,
    group: &'static Group,
    beside: &'static Group,
    remark: Option<&'static str>,
    enable: bool,
) {
    if host::host().is_none() {
        registry.add_at(group, beside, remark, enable);
        declare_in_arena(group, remark);
    }
}

/// Declares an event in the arena before it can have records. The caller holds the registry's lock.
/// A recording that is just starting waits for the lock, and then declares the event itself.
fn declare_in_arena(group: &'static Group, remark: Option<&str>) {
    let Some(recording) = recording::current() else { return };
    for event in group.events() {
        recording.declare(event.id(), event.name(), event.declaration().text, remark);
    }
}

/// Does in the host's copy of the runtime what [`add_beside`] does in this copy.
pub(super) fn add_beside_at_host(group: &'static Group, beside: &'static Group, enable: bool) {
    if host::host().is_none() {
        return;
    }
    host::register_group(group);
    let event = group.events()[0];
    if (event.state() == EventState::Enabled) != enable {
        let _ = host::switch_at_host(event, enable);
    }
    if beside.events().iter().all(|event| event.is_placeholder()) {
        host::unregister_group(beside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers() {
        for (name, expected) in [
            ("my_app::db::info_42", "my_app__db__info_42"),
            ("http.method", "http_method"),
            ("r#type", "type"),
            ("größe", "gr__e"),
            ("2xx", "_2xx"),
            ("", "_"),
        ] {
            assert_eq!(identifier(name), expected);
        }
    }

    #[test]
    fn declarations_are_valid() {
        let arguments = [
            Argument::new("message", Kind::Text).bare(),
            Argument::new("http.status", Kind::U64),
            Argument::new("http_status", Kind::I64),
            Argument::new("yes", Kind::Bool),
            Argument::new("load", Kind::F64),
            Argument::new("span", Kind::U64).hidden(),
        ];
        let (declaration, _) = declaration("served", &arguments);
        let text = "served(const char *message, uint64_t http_status, int64_t http_status_2, bool yes, double load, uint64_t span) \
                    \"%s http_status=%\" PRIu64 \" http_status_2=%\" PRId64 \" yes=%d load=%.15g\"";
        assert_eq!(declaration.text, text);
        assert_eq!(super::declaration("idle", &[]).0.text, "idle(void) \"\"");
        let one = super::declaration("one", &arguments[1..2]).0.text;
        assert_eq!(one, "one(uint64_t http_status) \"http_status=%\" PRIu64");
        for text in [text, one, "idle(void) \"\""] {
            let source = ringtrace_events::SourceFile::new("made", format!("{text}\n"));
            let dialect = ringtrace_events::parse::Dialect::Extended { strict: false };
            let parsed = ringtrace_events::parse::parse(vec![source], dialect);
            assert_eq!(parsed.diagnostics, [], "{text}");
        }
    }
}
