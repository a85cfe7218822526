//! Pairs recognized by the names of their events.
//!
//! `NAME__begin` and `NAME__end` are a pair if both have the integer argument `span`. So are
//! `NAME__enter` and `NAME__exit`, for each thread. Programs that use `ringtrace-tracing` emit such
//! events; other programs may do the same. `docs/pairs.md` describes the names.

use std::collections::BTreeMap;

use ringtrace_wire::simpletrace::ArgumentKind;

use super::description::{Description, DrawnOn, EventKeys, PairDescription};
use super::spec::KeySource;
use crate::entry::{Schema, Schemas};

/// The argument that contains the number of a span.
pub(super) const SPAN: &str = "span";

/// The argument of a begin event that contains the number of the surrounding span, or 0.
pub(super) const PARENT: &str = "parent";

/// The events of spans with the same name.
#[derive(Debug, Default)]
struct Family {
    begins: Vec<String>,
    ends: Vec<String>,
    enters: Vec<String>,
    exits: Vec<String>,
    steps: Vec<String>,
}

impl Description {
    /// Returns the pairs recognized by the names of events in `traces`, sorted by name.
    pub fn by_names(traces: &[&Schemas]) -> Description {
        let mut families: BTreeMap<&str, Family> = BTreeMap::new();
        for (_, schema) in traces.iter().flat_map(|schemas| schemas.all()) {
            let Some((name, word)) = split(&schema.name).filter(|_| has_span(schema)) else { continue };
            let family = families.entry(name).or_default();
            let events = match word {
                "begin" => &mut family.begins,
                "end" => &mut family.ends,
                "enter" => &mut family.enters,
                "exit" => &mut family.exits,
                "record" | "follows" => &mut family.steps,
                _ => continue,
            };
            let event = schema.name.to_string();
            if !events.contains(&event) {
                events.push(event);
            }
        }
        let mut description = Description::default();
        for (name, family) in families {
            let name = name.replace("__", "::");
            let pair = |name: String, [begins, ends, steps]: [&[String]; 3], drawn_on, more: &[KeySource]| {
                let keys = [&[KeySource::Argument(SPAN.to_owned()), KeySource::Pid], more].concat();
                let with_keys = |events: &[String]| {
                    let keys = |event: &String| EventKeys {
                        event: event.clone(),
                        keys: keys.clone(),
                        location: None,
                    };
                    events.iter().map(keys).collect()
                };
                (!begins.is_empty() && !ends.is_empty()).then(|| PairDescription {
                    name,
                    is_built_in: true,
                    begins: with_keys(begins),
                    ends: with_keys(ends),
                    steps: with_keys(steps),
                    track: [&[KeySource::Pid], more].concat(),
                    drawn_on,
                    ..PairDescription::default()
                })
            };
            let busy = format!("{name} (busy)");
            let lasts = [&family.begins[..], &family.ends, &family.steps];
            description.pairs.extend(pair(name, lasts, DrawnOn::Tree, &[]));
            let runs = [&family.enters[..], &family.exits, &[]];
            description.pairs.extend(pair(busy, runs, DrawnOn::Thread, &[KeySource::Tid]));
        }
        description
    }
}

/// Splits `NAME__WORD` or `NAME__WORD__vN` into NAME and WORD.
fn split(event: &str) -> Option<(&str, &str)> {
    let is_variant = |word: &str| word.strip_prefix('v').is_some_and(|number| number.parse::<u32>().is_ok());
    match event.rsplit_once("__")? {
        (event, variant) if is_variant(variant) => event.rsplit_once("__"),
        halves => Some(halves),
    }
}

fn has_span(schema: &Schema) -> bool {
    let kind = schema.argument(SPAN).and_then(|index| schema.kinds.get(index));
    kind.is_some_and(|kind| *kind != ArgumentKind::Str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::sample::Sample;

    #[test]
    fn events_are_pairs_by_their_names() {
        let sample = Sample::new(
            "app__db__query__begin(uint64_t span, uint64_t parent, uint64_t id) \"\"\n\
             app__db__query__begin__v2(uint64_t span, uint64_t parent, const char *id) \"\"\n\
             app__db__query__end(uint64_t span) \"\"\n\
             app__db__query__enter(uint64_t span) \"\"\n\
             app__db__query__exit(uint64_t span) \"\"\n\
             app__db__query__record(uint64_t span, uint64_t rows) \"\"\n\
             app__db__query__other(uint64_t span) \"\"\n\
             no_span__begin(uint64_t id) \"\"\n\
             no_span__end(uint64_t id) \"\"\n\
             text__begin(const char *span) \"\"\n\
             text__end(const char *span) \"\"\n\
             alone__begin(uint64_t span) \"\"\n\
             v7(uint64_t span) \"\"\n",
        );
        let description = Description::by_names(&[&sample.schemas]);
        assert_eq!(
            description.to_string(),
            "pair app::db::query\n\
             \x20 begin app__db__query__begin span,pid\n\
             \x20 begin app__db__query__begin__v2 span,pid\n\
             \x20 step app__db__query__record span,pid\n\
             \x20 end app__db__query__end span,pid\n\
             \x20 track pid\n\
             pair app::db::query (busy)\n\
             \x20 begin app__db__query__enter span,pid,tid\n\
             \x20 end app__db__query__exit span,pid,tid\n\
             \x20 track pid,tid\n"
        );
        assert!(Description::by_names(&[]).is_empty());
    }
}
