//! What a group says of its events, as the runtime wants it.

use std::iter::Peekable;

use ringtrace::{Argument, ArgumentKind, Backends, Declaration};
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::{CType, Event, SourceFile, Text};

/// What generated code says of an event.
#[derive(Debug, Clone, Copy, Hash)]
pub(crate) struct Said {
    pub(crate) name: &'static str,
    /// The declaration as it was written; `None`: the group was not described.
    pub(crate) text: Option<&'static str>,
    pub(crate) traceable: bool,
}

/// The declarations of the events of group `group`, in their order. All texts are those of generated code.
///
/// Groups have thousands of events, and programs that trace nothing register them, too: so all are parsed at once, and nothing is copied.
pub(crate) fn declarations(group: &'static str, said: &[Said]) -> Vec<Declaration> {
    let mut parsed = parsed(texts(said)).into_iter().peekable();
    let found: Vec<Option<Event>> = said
        .iter()
        .map(|said| {
            next(&mut parsed, said).or_else(|| self::parsed(said.text?.to_owned()).into_iter().next())
        })
        .collect();
    let mut arguments = Vec::new();
    for (said, event) in said.iter().zip(&found) {
        let Some((event, text)) = event.as_ref().zip(said.text) else { continue };
        arguments.extend(event.arguments.iter().map(|argument| Argument {
            name: place(&argument.name, event, text),
            ctype: place(&argument.ctype_text, event, text),
            kind: kind(argument.ctype),
        }));
    }
    let mut arguments: &'static [Argument] = Box::leak(arguments.into());
    let mut take_arguments = |count: usize| {
        let (mine, others) = arguments.split_at(count);
        arguments = others;
        mine
    };
    let declaration = |(said, event): (&Said, &Option<Event>)| {
        let (count, format) = match event.as_ref().zip(said.text) {
            Some((event, text)) => (event.arguments.len(), format(event, text)),
            None => (0, None),
        };
        Declaration {
            name: said.name,
            group,
            arguments: take_arguments(count),
            format,
            text: event.as_ref().and(said.text).unwrap_or_default(),
            traceable: said.traceable,
        }
    };
    said.iter().zip(&found).map(declaration).collect()
}

/// The declarations as a file: those of a `tcg` event, which is two, once.
fn texts(said: &[Said]) -> String {
    let mut file = String::new();
    let mut before = None;
    for text in said.iter().filter_map(|said| said.text) {
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
fn next(events: &mut Peekable<impl Iterator<Item = Event>>, said: &Said) -> Option<Event> {
    events.next_if(|event| &*event.name == said.name && Some(&*event.declaration) == said.text)
}

/// A word of `event`, where it stands in generated code's text of it; one that was derived, as `__cpu`, on its own.
fn place(word: &Text, event: &Event, text: &'static str) -> &'static str {
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

/// The C text of an event's whole format.
fn format(event: &Event, text: &'static str) -> Option<&'static str> {
    let format = event.format.as_ref().map(|format| place(format, event, text));
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
    use ringtrace::ArgumentKind;

    use super::{Said, backends, declarations};
    fn said(name: &'static str, text: &'static str) -> Said {
        Said { name, text: (!text.is_empty()).then_some(text), traceable: true }
    }

    #[test]
    fn declarations_are_taken_apart() {
        const TCG: &str = "vcpu tcg c(TCGv a) \"t\", \"e=%lx\"";
        let cases = [
            (
                said("a", "a(int x, const char *s, void *p) \"%d\" \"x\""),
                "Integer Str Pointer",
                "\"%d\" \"x\"",
            ),
            (said("b", "disable b(void)"), "", ""),
            (said("c_trans", TCG), "Pointer", "\"cpu=%p \" \"t\""),
            (said("c_exec", TCG), "Pointer Integer", "\"cpu=%p \" \"e=%lx\""),
            (said("d", "nonsense"), "", ""),
            (said("twice", "twice(int x) \"%d\""), "Integer", "\"%d\""),
            (said("twice", "twice(int x) \"%d\""), "Integer", "\"%d\""),
            (said("other_name", "v(uint8_t x)"), "Integer", ""),
            (said("unsaid", ""), "", ""),
            (said("last", "vcpu last(char **s)"), "Pointer Pointer", "\"cpu=%p \""),
        ];
        let found = declarations("g", &cases.map(|(said, ..)| said));
        assert_eq!(found.len(), cases.len());
        for (declared, (said, kinds, format)) in found.iter().zip(cases) {
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
                "{said:?}"
            );
            assert_eq!((declared.name, declared.group), (said.name, "g"));
        }
        assert_eq!((found[0].arguments[1].name, found[0].arguments[1].ctype), ("s", "const char *"));
        assert_eq!((found[4].text, found[0].text), ("", cases[0].0.text.unwrap()));
    }

    #[test]
    fn outside_tracers_are_none_of_ours() {
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
