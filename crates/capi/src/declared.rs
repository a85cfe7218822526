//! What a group says of its events, as the runtime wants it.

use std::iter::Peekable;

use ringtrace::{Argument, Backends, Declaration, Kind};
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::{CType, Event, SourceFile, Text};

/// What generated code says of an event.
#[derive(Debug, Clone, Copy, Hash)]
pub(crate) struct EventSource {
    pub(crate) name: &'static str,
    /// The declaration as it was written; `None`: the group was not described.
    pub(crate) text: Option<&'static str>,
    pub(crate) traceable: bool,
}

/// The declarations of the events of group `group`, in their order. All texts are those of generated code.
///
/// Groups have thousands of events, and programs that trace nothing register them, too: so all are parsed at once, and nothing is copied.
pub(crate) fn declarations(group: &'static str, source: &[EventSource]) -> Vec<Declaration> {
    let mut parsed = parsed(texts(source)).into_iter().peekable();
    let found: Vec<Option<Event>> = source
        .iter()
        .map(|source| {
            next(&mut parsed, source).or_else(|| self::parsed(source.text?.to_owned()).into_iter().next())
        })
        .collect();
    let mut arguments = Vec::new();
    for (source, event) in source.iter().zip(&found) {
        let Some((event, text)) = event.as_ref().zip(source.text) else { continue };
        arguments.extend(event.arguments.iter().map(|argument| Argument {
            name: in_text(&argument.name, event, text),
            ctype: in_text(&argument.ctype_text, event, text),
            kind: kind(argument.ctype),
        }));
    }
    let mut arguments: &'static [Argument] = Box::leak(arguments.into());
    let mut take_arguments = |count: usize| {
        let (mine, others) = arguments.split_at(count);
        arguments = others;
        mine
    };
    let declaration = |(source, event): (&EventSource, &Option<Event>)| {
        let (count, format) = match event.as_ref().zip(source.text) {
            Some((event, text)) => (event.arguments.len(), format(event, text)),
            None => (0, None),
        };
        Declaration {
            name: source.name,
            group,
            arguments: take_arguments(count),
            format,
            text: event.as_ref().and(source.text).unwrap_or_default(),
            traceable: source.traceable,
        }
    };
    source.iter().zip(&found).map(declaration).collect()
}

/// The declarations as a file: those of a `tcg` event, which is two, once.
fn texts(source: &[EventSource]) -> String {
    let mut file = String::new();
    let mut before = None;
    for text in source.iter().filter_map(|source| source.text) {
        if before.replace(text) != Some(text) {
            file.push_str(text);
            file.push('\n');
        }
    }
    file
}

fn parsed(text: String) -> Vec<Event> {
    parse(vec![SourceFile::new("", text)], Dialect::Read).declarations.events
}

/// The next event, if it is the one that is meant.
fn next(events: &mut Peekable<impl Iterator<Item = Event>>, source: &EventSource) -> Option<Event> {
    events.next_if(|event| &*event.name == source.name && Some(&*event.declaration) == source.text)
}

/// A word of `event`, where it stands in generated code's text of it; one that was derived, as `__cpu`, on its own.
fn in_text(word: &Text, event: &Event, text: &'static str) -> &'static str {
    let (range, whole) = (word.range(), event.declaration.range());
    let range = range.start.saturating_sub(whole.start)..range.end.saturating_sub(whole.start);
    text.get(range).filter(|found| *found == word.as_str()).unwrap_or_else(|| leak(word))
}

fn kind(ctype: CType) -> Kind {
    match ctype {
        CType::Str => Kind::Str,
        CType::Pointer | CType::StrStar => Kind::Pointer,
        _ => Kind::Integer,
    }
}

/// The C text of an event's whole format.
fn format(event: &Event, text: &'static str) -> Option<&'static str> {
    let format = event.format.as_ref().map(|format| in_text(format, event, text));
    if event.format_prefix.is_empty() {
        return format;
    }
    let whole = format!("\"{}\" {}", event.format_prefix, format.unwrap_or_default());
    Some(leak(whole.trim_end()))
}

/// A copy that stays.
fn leak(text: &str) -> &'static str {
    Box::leak(text.into())
}

/// What a group's probes do by themselves: the backends that were compiled in, but for the binary trace.
pub(crate) fn served_elsewhere(compiled: Backends) -> Backends {
    compiled.without(Backends::SIMPLE)
}

/// The backends in a list of tracetool's that can be switched while the program runs; the others (dtrace, ust) have switches of their own.
pub(crate) fn backends(list: &str) -> Backends {
    let names = list.split(',').map(str::trim);
    names.filter_map(|name| name.parse().ok()).fold(Backends::NONE, |all, one| all | one)
}

#[cfg(test)]
mod tests {
    use ringtrace::Kind;

    use super::{EventSource, backends, declarations};
    fn source(name: &'static str, text: &'static str) -> EventSource {
        EventSource { name, text: (!text.is_empty()).then_some(text), traceable: true }
    }

    #[test]
    fn declarations_are_taken_apart() {
        const TCG: &str = "vcpu tcg c(TCGv a) \"t\", \"e=%lx\"";
        let cases = [
            (
                source("a", "a(int x, const char *s, void *p) \"%d\" \"x\""),
                "Integer Str Pointer",
                "\"%d\" \"x\"",
            ),
            (source("b", "disable b(void)"), "", ""),
            (source("c_trans", TCG), "Pointer", "\"cpu=%p \" \"t\""),
            (source("c_exec", TCG), "Pointer Integer", "\"cpu=%p \" \"e=%lx\""),
            (source("d", "nonsense"), "", ""),
            (source("twice", "twice(int x) \"%d\""), "Integer", "\"%d\""),
            (source("twice", "twice(int x) \"%d\""), "Integer", "\"%d\""),
            (source("other_name", "v(uint8_t x)"), "Integer", ""),
            (source("unsaid", ""), "", ""),
            (source("last", "vcpu last(char **s)"), "Pointer Pointer", "\"cpu=%p \""),
        ];
        let found = declarations("g", &cases.map(|(source, ..)| source));
        assert_eq!(found.len(), cases.len());
        for (declared, (source, kinds, format)) in found.iter().zip(cases) {
            let found: Vec<&str> = declared
                .arguments
                .iter()
                .map(|argument| match argument.kind {
                    Kind::Integer => "Integer",
                    Kind::Pointer => "Pointer",
                    Kind::Str => "Str",
                })
                .collect();
            assert_eq!(
                (found.join(" ").as_str(), declared.format.unwrap_or_default()),
                (kinds, format),
                "{source:?}"
            );
            assert_eq!((declared.name, declared.group), (source.name, "g"));
        }
        assert_eq!((found[0].arguments[1].name, found[0].arguments[1].ctype), ("s", "const char *"));
        assert_eq!((found[4].text, found[0].text), ("", cases[0].0.text.unwrap()));
    }

    #[test]
    fn external_tracers_have_switches_of_their_own() {
        for (list, found) in [
            ("log,simple", "simple+log"),
            ("dtrace", "none"),
            ("", "none"),
            ("nop", "none"),
            ("ust, ftrace", "ftrace"),
        ] {
            assert_eq!(backends(list).to_string(), found, "{list}");
        }
    }
}
