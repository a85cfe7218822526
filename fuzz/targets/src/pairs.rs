//! Descriptions of pairs: parses them, binds them to declarations, and matches records.
//!
//! An input is a description up to a zero byte, declarations up to a zero byte, then records: an
//! event, a time, and values.

use std::collections::HashMap;

use ringtrace_events::SourceFile;
use ringtrace_events::ctype::StringRule;
use ringtrace_events::parse::{Dialect, parse as parse_declarations};
use ringtrace_tracefile::pair::{Description, SpanEvent, SpanTracker, parse};
use ringtrace_tracefile::{Entry, Modules, Schema, Schemas, Threads};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::context::RecordContext;
use ringtrace_wire::simpletrace::{ArgumentKind, Version};

use crate::Target;
use crate::choices::Choices;

pub(crate) const TARGET: Target = Target {
    name: "pairs",
    about: "errors have a span; printed descriptions parse to the same description; spans in a lane never overlap; sums are correct",
    max_bytes: 2048,
    run,
};

/// The maximum number of open spans. Some inputs exceed it.
const MAX_OPEN: usize = 3;

fn run(data: &[u8]) {
    let mut choices = Choices::new(data);
    let source = SourceFile::from_bytes("fuzz.pairs", choices.until(0));
    let declarations = SourceFile::from_bytes("fuzz.events", choices.until(0));
    let (description, errors) = parse(&source);
    for error in &errors {
        assert!(source.text().get(error.span.clone()).is_some(), "{error:?}");
    }
    let text = description.to_string();
    let (again, errors) = parse(&SourceFile::new("again", text.clone()));
    assert_eq!(errors, [], "{text}");
    assert_eq!(again.to_string(), text);

    let declared = parse_declarations(vec![declarations], Dialect::Read).declarations;
    let schemas = Schemas::new(&declared, StringRule::OneStar);
    let known = description.clone().known_to(&[&schemas]);
    for description in [description, known.clone()] {
        let is_known = description == known;
        let mut meanings = SpanTracker::with_max_open(description, MAX_OPEN).keep_begins(true);
        match meanings.bind(&[&schemas]).and_then(|()| meanings.check_known(&[&schemas])) {
            Ok(()) => follow(meanings, &schemas, choices),
            Err(error) => {
                assert!(!error.message.is_empty() && !error.help.is_empty());
                // The events of a built-in description exist, so only its keys can be wrong.
                assert!(!is_known || !error.message.contains("no event"), "{error}");
            }
        }
    }
}

fn follow(mut meanings: SpanTracker, schemas: &Schemas, mut choices: Choices<'_>) {
    // Of two events with the same name, only the last is bound.
    let counts = |&(index, schema): &(u32, &Schema)| schemas.find(&schema.name) == Some(index);
    let indices: Vec<u32> = schemas.all().filter(counts).map(|(index, _)| index).collect();
    if indices.is_empty() {
        return;
    }
    let (threads, modules) = (Threads::default(), Modules::default());
    let mut open: HashMap<(u32, u32), u64> = HashMap::new();
    let mut spans = 0;
    while !choices.is_empty() {
        let schema_index = choices.one_of(&indices);
        let schema = schemas.get(schema_index);
        let (id, timestamp_ns) = (u64::from(choices.byte() % 2) << 32, u64::from(choices.byte()));
        let payload = payload(schema, &mut choices);
        let entry = Entry {
            number: 1,
            offset: 0,
            timestamp_ns,
            id: id | u64::from(schema_index),
            pid: u32::from(choices.byte() % 2),
            schema,
            schema_index,
            payload: &payload,
            record_bytes: payload.len(),
            version: Version::V4,
            order: ByteOrder::Little,
            threaded: true,
            lost: None,
            threads: &threads,
            context: RecordContext::default(),
            modules: &modules,
            trace: 0,
            scope: 0,
            date_shift_ns: 0,
        };
        let of_entry = meanings.of(&entry);
        assert!(of_entry.is_ok(), "the schema was bound");
        let Ok((meant, tracks)) = of_entry else { return };
        for meaning in meant.iter() {
            match meaning {
                SpanEvent::Begin(span) => {
                    spans += 1;
                    assert_eq!(span.number, spans);
                    assert_eq!(open.insert((span.track, span.lane), spans), None);
                    assert!((span.track as usize) < tracks.len());
                }
                SpanEvent::End { span, begin } | SpanEvent::Restarted { span, begin } => {
                    assert_eq!(open.remove(&(span.track, span.lane)), Some(span.number));
                    assert!(begin.values().count() <= begin.schema.arguments.len());
                }
                SpanEvent::Step(span) => assert_eq!(open.get(&(span.track, span.lane)), Some(&span.number)),
                SpanEvent::Counter { track, .. } => assert!((*track as usize) < tracks.len()),
            }
        }
    }
    assert_eq!(meanings.open().count(), open.len());
    check_sums(&meanings, meanings.description());
}

/// Returns the arguments of a record. Values are small, so that keys repeat. Some payloads are
/// truncated.
fn payload(schema: &Schema, choices: &mut Choices<'_>) -> Vec<u8> {
    let mut payload = Vec::new();
    for kind in &schema.kinds {
        let value = choices.byte();
        if value == 0xff {
            break;
        }
        match kind {
            ArgumentKind::Integer { .. } => payload.extend(u64::from(value % 4).to_le_bytes()),
            ArgumentKind::Str => {
                let text = choices.bytes(usize::from(value % 4));
                payload.extend((text.len() as u32).to_le_bytes());
                payload.extend(text);
            }
        }
    }
    payload
}

fn check_sums(meanings: &SpanTracker, description: &Description) {
    assert_eq!(meanings.pairs().len(), description.pairs.len());
    for (pair, open) in meanings.pairs().iter().zip(meanings.open_counts()) {
        let counts = pair.statistics();
        assert!(open <= MAX_OPEN as u64 && counts.most_open >= open);
        assert_eq!(
            counts.begins,
            counts.matched + counts.restarted + open + counts.begins_not_followed + counts.begins_without_key
        );
        assert_eq!(
            counts.ends,
            counts.matched + counts.ends_elsewhere + counts.ends_alone + counts.ends_without_key
        );
        assert_eq!(counts.steps, counts.steps_within + counts.steps_alone + counts.steps_without_key);
        assert_eq!(counts.matched, counts.latencies.count() + counts.backward);
    }
}
