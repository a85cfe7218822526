//! Binds the names of a [`PairDescription`] to the arguments of a schema.

use ringtrace_events::CType;
use ringtrace_events::nearest::nearest;
use ringtrace_wire::simpletrace::ArgumentKind;

use super::description::{EventKeys, PairDescription};
use super::spec::{KeySource, PairError};
use crate::entry::{Schema, Schemas};

/// The source of a part of a key, in records of a known schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyPart {
    Argument { index: usize, ctype: CType },
    Pid,
    Tid,
}

/// Checks the keys of `pair` against `schemas`, if they contain both a begin event and an end event
/// of the pair. If the description of the pair contains no keys, the key is the single argument
/// that all its events share.
pub(super) fn resolve_keys(pair: &mut PairDescription, schemas: &Schemas) -> Result<(), PairError> {
    let find = |event: &EventKeys| schemas.find(&event.event).map(|index| &**schemas.get(index));
    if pair.begins.iter().find_map(find).is_none() || pair.ends.iter().find_map(find).is_none() {
        return Ok(());
    }
    let known: Vec<(&EventKeys, &Schema)> =
        pair.events().filter_map(|event| Some((event, find(event)?))).collect();
    if !pair.lacks_keys() {
        return check_kinds(&known);
    }
    let mut common = known.first().map_or_else(Vec::new, |(_, schema)| integer_arguments(schema));
    for (_, schema) in &known {
        let these = integer_arguments(schema);
        common.retain(|name| these.contains(name));
    }
    let mut names: Vec<String> = known.iter().map(|(_, schema)| schema.name.to_string()).collect();
    names.dedup();
    let both = if names.len() > 2 { "all" } else { "both" };
    match common.as_slice() {
        [name] => {
            let name = name.clone();
            pair.match_by(&name);
            Ok(())
        }
        [] => {
            let each: Vec<String> = known
                .iter()
                .map(|(_, schema)| format!("`{}` has {}", schema.name, arguments(schema)))
                .collect();
            Err(PairError {
                message: format!("{}: the events share no pointer or integer argument", each.join(", ")),
                help: match pair.spec() {
                    Some(spec) => {
                        format!("match different names with `{spec}:ARG=ARG`, or match by `pid` or `tid`")
                    }
                    None => "add a key after each event: an argument, `pid` or `tid`".to_owned(),
                },
            })
        }
        several => {
            let endings: Vec<String> = several.iter().map(|name| format!(":{name}")).collect();
            let begins: Vec<String> =
                several.iter().map(|name| format!("begin {} {name}", names[0])).collect();
            Err(PairError {
                message: format!(
                    "the key is ambiguous: {} {both} have {}",
                    list(&names, "and"),
                    list(several, "and")
                ),
                help: if pair.named_by_events {
                    let all = several.join(",");
                    format!("choose a key with {}, or use all with `:{all}`", list(&endings, "or"))
                } else {
                    format!("add the key after each event, as in {}", list(&begins, "or"))
                },
            })
        }
    }
}

fn integer_arguments(schema: &Schema) -> Vec<String> {
    let arguments = schema.kinds.iter().zip(&schema.arguments);
    arguments
        .filter(|(kind, _)| **kind != ArgumentKind::Str)
        .map(|(_, argument)| argument.name.to_string())
        .collect()
}

/// Checks that the keys of `events` have types that can be compared.
fn check_kinds(events: &[(&EventKeys, &Schema)]) -> Result<(), PairError> {
    let is_string = |source: &KeySource, schema: &Schema| match source {
        KeySource::Argument(name) => {
            schema.argument(name).map(|index| schema.kinds.get(index) == Some(&ArgumentKind::Str))
        }
        KeySource::Pid | KeySource::Tid => Some(false),
    };
    let kind = |string: bool| if string { "a string" } else { "an integer" };
    let Some((&(first, begin), others)) = events.split_first() else { return Ok(()) };
    for &(other, schema) in others {
        for (one, another) in first.keys.iter().zip(&other.keys) {
            if let (Some(a), Some(b)) = (is_string(one, begin), is_string(another, schema))
                && a != b
            {
                return Err(PairError {
                    message: format!(
                        "`{one}` of `{}` is {}, but `{another}` of `{}` is {}, so they never match",
                        begin.name,
                        kind(a),
                        schema.name,
                        kind(b)
                    ),
                    help: format!(
                        "match `{}` and `{}` by arguments of the same type",
                        begin.name, schema.name
                    ),
                });
            }
        }
    }
    Ok(())
}

/// Returns the positions of `sources` in records of `schema`. If an argument is missing, the error
/// suggests a similar name, or gives the advice `otherwise`.
pub(super) fn bind<'k>(
    sources: impl IntoIterator<Item = &'k KeySource>,
    schema: &Schema,
    otherwise: &str,
) -> Result<Box<[KeyPart]>, PairError> {
    let part = |source: &KeySource| {
        let name = match source {
            KeySource::Pid => return Ok(KeyPart::Pid),
            KeySource::Tid => return Ok(KeyPart::Tid),
            KeySource::Argument(name) => name,
        };
        match schema.argument(name) {
            Some(index) => Ok(KeyPart::Argument { index, ctype: schema.arguments[index].ctype }),
            None => Err(unknown_argument(schema, name, otherwise)),
        }
    };
    sources.into_iter().map(part).collect()
}

pub(super) fn bind_track(
    name: &str,
    track: &[KeySource],
    schema: &Schema,
) -> Result<Box<[KeyPart]>, PairError> {
    let otherwise = "use `pid`, `tid`, or arguments that every `begin` or `value` event has";
    bind(track, schema, otherwise).map_err(|error| PairError {
        message: format!("track of `{name}`: {}", error.message),
        help: error.help,
    })
}

/// Creates the error for an argument that `schema` does not have. It suggests a similar name, or
/// gives the advice `otherwise`.
pub(super) fn unknown_argument(schema: &Schema, name: &str, otherwise: &str) -> PairError {
    PairError {
        message: format!("`{}` has no argument `{name}`; it has {}", schema.name, arguments(schema)),
        help: match nearest(name, schema.arguments.iter().map(|argument| argument.name.as_str())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => otherwise.to_owned(),
        },
    }
}

/// Creates the error for an event `name` that is not in `schemas`. `subject` is the pair or
/// counter, such as "pair `read`".
pub(super) fn unknown_event(subject: &str, name: &str, schemas: &[&Schemas]) -> PairError {
    let names = || schemas.iter().flat_map(|schemas| schemas.all()).map(|(_, schema)| schema.name.as_str());
    let mut holding: Vec<String> =
        names().filter(|candidate| candidate.contains(name)).map(str::to_owned).collect();
    holding.sort_unstable();
    holding.dedup();
    let help = match (nearest(name, names()), holding.len()) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, 0) if names().next().is_none() => {
            "no event is declared: pass the program's declarations with --events".to_owned()
        }
        (None, 0) => "use the full event name; `ringtrace stat` lists the events that occur".to_owned(),
        (None, 1..=5) => format!("did you mean {}?", list(&holding, "or")),
        (None, many) => format!("{many} event names contain it, such as {}", list(&holding[..5], "and")),
    };
    PairError { message: format!("{subject}: unknown event `{name}`"), help }
}

fn arguments(schema: &Schema) -> String {
    let names: Vec<String> = schema.arguments.iter().map(|argument| argument.name.to_string()).collect();
    if names.is_empty() { "no arguments".to_owned() } else { list(&names, "and") }
}

/// Formats a list: "`a`", "`a` and `b`", "`a`, `b` and `c`".
pub(super) fn list(names: &[String], conjunction: &str) -> String {
    match names {
        [] => String::new(),
        [only] => format!("`{only}`"),
        [most @ .., last] => {
            let most: Vec<String> = most.iter().map(|name| format!("`{name}`")).collect();
            format!("{} {conjunction} `{last}`", most.join(", "))
        }
    }
}
