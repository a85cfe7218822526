//! From the names of a [`PairSpec`] to the arguments of a schema.

use ringtrace_events::CType;
use ringtrace_events::nearest::nearest;
use ringtrace_wire::simpletrace::ArgumentKind;

use super::spec::{KeySource, KeySpec, PairError, PairSpec};
use crate::schema::{Schema, Schemas};

/// Where a record of a known schema has a part of its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Argument { index: usize, ctype: CType },
    Pid,
    Tid,
}

/// The keys of `spec`, which are the one argument that both events have when it names none.
pub(super) fn resolve_keys(spec: &PairSpec, begin: &Schema, end: &Schema) -> Result<Vec<KeySpec>, PairError> {
    if !spec.keys.is_empty() {
        for key in &spec.keys {
            check_kinds(spec, key, begin, end)?;
        }
        return Ok(spec.keys.clone());
    }
    let of_end = integer_arguments(end);
    let mut common = integer_arguments(begin);
    common.retain(|name| of_end.contains(name));
    match common.as_slice() {
        [name] => {
            let source = KeySource::Argument(name.clone());
            Ok(vec![KeySpec { begin: source.clone(), end: source }])
        }
        [] => Err(PairError {
            message: format!(
                "`{}` has {}, `{}` has {}: both call no pointer or integer the same",
                begin.name,
                arguments(begin),
                end.name,
                arguments(end)
            ),
            help: format!("match by two arguments with `{spec}:ARG=ARG`, or by `pid` or `tid`"),
        }),
        several => {
            let endings: Vec<String> = several.iter().map(|name| format!(":{name}")).collect();
            Err(PairError {
                message: format!("`{}` and `{}` both have {}", begin.name, end.name, list(several, "and")),
                help: format!(
                    "say by which to match, with {} at the end, or by all of them, with `:{}`",
                    list(&endings, "or"),
                    several.join(",")
                ),
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

/// Whether values of both sides of `key` can be the same at all.
fn check_kinds(spec: &PairSpec, key: &KeySpec, begin: &Schema, end: &Schema) -> Result<(), PairError> {
    let is_string = |source: &KeySource, schema: &Schema| match source {
        KeySource::Argument(name) => {
            schema.argument(name).map(|index| schema.kinds.get(index) == Some(&ArgumentKind::Str))
        }
        KeySource::Pid | KeySource::Tid => Some(false),
    };
    let kind = |string: bool| if string { "a string" } else { "an integer" };
    match (is_string(&key.begin, begin), is_string(&key.end, end)) {
        (Some(a), Some(b)) if a != b => Err(PairError {
            message: format!(
                "`{}` of `{}` is {}, but `{}` of `{}` is {}: they are never the same",
                key.begin,
                begin.name,
                kind(a),
                key.end,
                end.name,
                kind(b)
            ),
            help: format!("match `{}` and `{}` by arguments of one kind", spec.begin, spec.end),
        }),
        _ => Ok(()),
    }
}

/// Where a record of `schema` has the parts of its key.
pub(super) fn bind<'k>(
    sources: impl Iterator<Item = &'k KeySource>,
    schema: &Schema,
) -> Result<Box<[Part]>, PairError> {
    let part = |source: &KeySource| {
        let name = match source {
            KeySource::Pid => return Ok(Part::Pid),
            KeySource::Tid => return Ok(Part::Tid),
            KeySource::Argument(name) => name,
        };
        match schema.argument(name) {
            Some(index) => Ok(Part::Argument { index, ctype: schema.arguments[index].ctype }),
            None => Err(PairError {
                message: format!("`{}` has no argument `{name}`, it has {}", schema.name, arguments(schema)),
                help: match nearest(name, schema.arguments.iter().map(|argument| argument.name.as_str())) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "where both events call it differently, write ARG=ARG".to_owned(),
                },
            }),
        }
    };
    sources.map(part).collect()
}

/// That none of `schemas` is the event `name` of `spec`.
pub(super) fn unknown_event(spec: &PairSpec, name: &str, schemas: &[&Schemas]) -> PairError {
    let names = || schemas.iter().flat_map(|schemas| schemas.all()).map(|(_, schema)| schema.name.as_str());
    let mut holding: Vec<String> =
        names().filter(|candidate| candidate.contains(name)).map(str::to_owned).collect();
    holding.sort_unstable();
    holding.dedup();
    let help = match (nearest(name, names()), holding.len()) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, 0) if names().next().is_none() => {
            "no event is declared: give the declarations of the program with --events".to_owned()
        }
        (None, 0) => "give an event's whole name; `ringtrace stat` alone shows those that occur".to_owned(),
        (None, 1..=5) => format!("did you mean {}?", list(&holding, "or")),
        (None, many) => format!("{many} names have it in them, among them {}", list(&holding[..5], "and")),
    };
    PairError { message: format!("pair `{spec}`: there is no event `{name}`"), help }
}

fn arguments(schema: &Schema) -> String {
    let names: Vec<String> = schema.arguments.iter().map(|argument| argument.name.to_string()).collect();
    if names.is_empty() { "no arguments".to_owned() } else { list(&names, "and") }
}

/// "`a`", "`a` and `b`", "`a`, `b` and `c`".
fn list(names: &[String], conjunction: &str) -> String {
    match names {
        [] => String::new(),
        [only] => format!("`{only}`"),
        [most @ .., last] => {
            let most: Vec<String> = most.iter().map(|name| format!("`{name}`")).collect();
            format!("{} {conjunction} `{last}`", most.join(", "))
        }
    }
}
