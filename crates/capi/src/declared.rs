//! Converts event descriptions in generated C to the runtime's declarations.

use std::iter::Peekable;

use ringtrace::{Argument, ArgumentKind, Backends, Declaration};
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::{CType, Event, SourceFile, Text};

/// The description of an event in generated C.
#[derive(Debug, Clone, Copy, Hash)]
pub(crate) struct EventSource {
    pub(crate) name: &'static str,
    /// The declaration as written. `None` if the group has no description.
    pub(crate) text: Option<&'static str>,
    pub(crate) traceable: bool,
}

/// Returns the declarations of the group's events, in order. All strings point into generated C.
///
/// Programs with thousands of events register them even if they trace nothing. For speed, all
/// declarations are parsed at once and no string is copied.
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

/// Joins the declarations into one source file. The two events of a `tcg` declaration share one
/// line.
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

/// Takes the next parsed event if it belongs to `source`.
fn next(events: &mut Peekable<impl Iterator<Item = Event>>, source: &EventSource) -> Option<Event> {
    let line = source.text.map(last_line);
    events.next_if(|event| &*event.name == source.name && Some(&*event.declaration) == line)
}

/// The declaration of an event in `text`. Declarations of enumerations precede it.
fn last_line(text: &str) -> &str {
    text.rsplit_once('\n').map_or(text, |(_, line)| line)
}

/// Returns a word of `event` as a slice of `text`. Derived words such as `__cpu` are copied.
fn in_text(word: &Text, event: &Event, text: &'static str) -> &'static str {
    let text = last_line(text);
    let (range, whole) = (word.range(), event.declaration.range());
    let range = range.start.saturating_sub(whole.start)..range.end.saturating_sub(whole.start);
    text.get(range).filter(|found| *found == word.as_str()).unwrap_or_else(|| leak(word))
}

fn kind(ctype: CType) -> ArgumentKind {
    match ctype {
        CType::Str => ArgumentKind::Str,
        CType::Pointer | CType::StrStar => ArgumentKind::Pointer,
        _ => ArgumentKind::Integer,
    }
}

/// Returns the C source of an event's complete format.
fn format(event: &Event, text: &'static str) -> Option<&'static str> {
    let format = event.format.as_ref().map(|format| in_text(format, event, text));
    if event.format_prefix.is_empty() {
        return format;
    }
    let whole = format!("\"{}\" {}", event.format_prefix, format.unwrap_or_default());
    Some(leak(whole.trim_end()))
}

fn leak(text: &str) -> &'static str {
    Box::leak(text.into())
}

/// Returns the backends that a group's probes call directly: all backends that were compiled in,
/// except the binary trace.
pub(crate) fn served_elsewhere(compiled: Backends) -> Backends {
    compiled.without(Backends::SIMPLE)
}

/// Parses tracetool's list of backends. External tracers (dtrace, ust) are omitted, because they
/// enable and disable events themselves.
pub(crate) fn backends(list: &str) -> Backends {
    let names = list.split(',').map(str::trim);
    names.filter_map(|name| name.parse().ok()).fold(Backends::NONE, |all, one| all | one)
}

#[cfg(test)]
mod tests {
    use ringtrace::ArgumentKind;

    use super::{EventSource, backends, declarations};
    fn source(name: &'static str, text: &'static str) -> EventSource {
        EventSource { name, text: (!text.is_empty()).then_some(text), traceable: true }
    }

    #[test]
    fn declarations_are_parsed() {
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
                    ArgumentKind::Integer => "Integer",
                    ArgumentKind::Pointer => "Pointer",
                    ArgumentKind::Str => "Str",
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
