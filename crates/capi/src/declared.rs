//! What a group says of its events, as the runtime wants it: everything on the heap, for as long as the process lives.

use ringtrace::{Argument, Backends, Declaration, Kind};
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::{CType, Source};

/// The declaration of an event of group `group`, whose text is `text` if it was described.
pub(crate) fn declaration(
    name: &str,
    group: &'static str,
    text: Option<&str>,
    traceable: bool,
) -> Declaration {
    let name: &'static str = leak(name);
    let unknown = Declaration { name, group, arguments: &[], format: None, text: "", traceable };
    let Some(text) = text else { return unknown };
    let parsed = parse(vec![Source::new(group, text)], Dialect::Read).declarations;
    // A `tcg` declaration makes two events.
    let found = parsed.events.iter().find(|event| &*event.name == name).or(parsed.events.first());
    let Some(event) = found else { return unknown };
    let argument = |argument: &ringtrace_events::Argument| Argument {
        name: leak(&argument.name),
        ctype: leak(&argument.ctype_text),
        kind: match argument.ctype {
            CType::Str => Kind::Str,
            CType::Pointer | CType::StrStar => Kind::Pointer,
            _ => Kind::Integer,
        },
    };
    let arguments: Vec<Argument> = event.arguments.iter().map(argument).collect();
    let format = match (event.format_prefix, &event.format) {
        ("", format) => format.as_ref().map(|format| format.as_str().to_owned()),
        (prefix, None) => Some(format!("\"{prefix}\"")),
        (prefix, Some(format)) => Some(format!("\"{prefix}\" {format}")),
    };
    Declaration {
        arguments: Box::leak(arguments.into()),
        format: format.map(|format| leak(&format)),
        text: leak(text),
        ..unknown
    }
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

/// A copy that stays.
pub(crate) fn leak(text: &str) -> &'static str {
    Box::leak(text.into())
}

#[cfg(test)]
mod tests {
    use super::{backends, declaration};
    use ringtrace::Kind;

    #[test]
    fn declarations_are_taken_apart() {
        for (name, text, arguments, format) in [
            (
                "a",
                "a(int x, const char *s, void *p) \"%d\" \"x\"",
                "Integer Str Pointer",
                Some("\"%d\" \"x\""),
            ),
            ("b", "disable b(void)", "", None),
            (
                "c_exec",
                "vcpu tcg c(TCGv a) \"t\", \"e=%lx\"",
                "Pointer Integer",
                Some("\"cpu=%p \" \"e=%lx\""),
            ),
            ("d", "nonsense", "", None),
        ] {
            let declared = declaration(name, "g", Some(text), true);
            let kinds: Vec<String> = declared
                .arguments
                .iter()
                .map(|argument| match argument.kind {
                    Kind::Integer => "Integer",
                    Kind::Pointer => "Pointer",
                    Kind::Str => "Str",
                })
                .map(str::to_owned)
                .collect();
            assert_eq!((kinds.join(" ").as_str(), declared.format), (arguments, format), "{text}");
        }
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
