//! Counters: values of arguments over time.

use super::binding::{KeyPart, bind_track, unknown_argument, unknown_event};
use super::description::CounterDescription;
use super::open_spans::SpanChange;
use super::spec::PairError;
use super::tracks::{TrackOwner, TrackSet, Tracks};
use crate::entry::{Entry, Schema, Schemas, Value};
use ringtrace_events::CType;
use ringtrace_wire::simpletrace::ArgumentKind;

#[derive(Debug, Default)]
pub(super) struct Counters {
    counters: Vec<Counter>,
    /// Readings by schema index.
    readings: Vec<Box<[Reading]>>,
}

#[derive(Debug)]
struct Counter {
    description: CounterDescription,
    track_set: TrackSet,
    /// For each value of the description, whether its event was found in a schema.
    known: Vec<bool>,
}

/// The source of a counter's value, in records of a known schema.
#[derive(Debug)]
struct Reading {
    counter: usize,
    argument: usize,
    ctype: CType,
    track: Box<[KeyPart]>,
}

impl Counters {
    pub(super) fn new(descriptions: &[CounterDescription]) -> Counters {
        let counters = descriptions.iter().enumerate().map(|(index, description)| Counter {
            description: description.clone(),
            track_set: TrackSet::new(TrackOwner::Counter(index), &description.name, &description.track),
            known: vec![false; description.values.len()],
        });
        Counters { counters: counters.collect(), readings: Vec::new() }
    }

    /// Binds the counters to `schemas`, which are all from the same trace.
    pub(super) fn bind(&mut self, schemas: &Schemas) -> Result<(), PairError> {
        let events = self.counters.iter().flat_map(|counter| &counter.description.values);
        let mut found: Vec<u32> = events.filter_map(|value| schemas.find(&value.event)).collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().try_for_each(|index| self.readings_of(schemas.get(index)).map(drop))
    }

    /// Stores the readings for the schema of `entry`. Returns false if there are none.
    pub(super) fn learn(&mut self, entry: &Entry<'_>) -> Result<bool, PairError> {
        let readings = self.readings_of(entry.schema)?;
        let any = !readings.is_empty();
        let index = entry.schema_index as usize;
        if self.readings.len() <= index {
            self.readings.resize_with(index + 1, Box::default);
        }
        self.readings[index] = readings;
        Ok(any)
    }

    fn readings_of(&mut self, schema: &Schema) -> Result<Box<[Reading]>, PairError> {
        let mut readings = Vec::new();
        for (number, counter) in self.counters.iter_mut().enumerate() {
            for (value, known) in counter.description.values.iter().zip(&mut counter.known) {
                if *value.event != *schema.name {
                    continue;
                }
                *known = true;
                let Some(argument) = schema.argument(&value.argument) else {
                    let error = unknown_argument(schema, &value.argument, "use one of these arguments");
                    return Err(error.at(value.location.as_ref()));
                };
                let is_double = schema.arguments[argument].ctype == CType::Double;
                if schema.kinds.get(argument) == Some(&ArgumentKind::Str) || is_double {
                    let found =
                        if is_double { "floating-point, not an integer" } else { "a string, not a number" };
                    let error = PairError {
                        message: format!(
                            "counter `{}`: `{}` of `{}` is {found}",
                            counter.description.name, value.argument, schema.name
                        ),
                        help: "use an integer argument".to_owned(),
                    };
                    return Err(error.at(value.location.as_ref()));
                }
                readings.push(Reading {
                    counter: number,
                    argument,
                    ctype: schema.arguments[argument].ctype,
                    track: bind_track(&counter.description.name, &counter.description.track, schema)?,
                });
            }
        }
        Ok(readings.into())
    }

    /// Checks that all events are known, as [`Pairing::check_known`](super::Pairing::check_known)
    /// does.
    pub(super) fn check_known(&self, schemas: &[&Schemas]) -> Result<(), PairError> {
        for counter in &self.counters {
            for (value, known) in counter.description.values.iter().zip(&counter.known) {
                if !known && schemas.iter().all(|schemas| schemas.find(&value.event).is_none()) {
                    let subject = format!("counter `{}`", counter.description.name);
                    return Err(unknown_event(&subject, &value.event, schemas).at(value.location.as_ref()));
                }
            }
        }
        Ok(())
    }

    pub(super) fn read(&mut self, entry: &Entry<'_>, tracks: &mut Tracks, changes: &mut Vec<SpanChange>) {
        let Some(readings) = self.readings.get(entry.schema_index as usize) else { return };
        for reading in readings {
            let Some(Value::Integer(bits)) = entry.value(reading.argument) else { continue };
            let track_set = &mut self.counters[reading.counter].track_set;
            let track = tracks.find(track_set, &reading.track, entry);
            changes.push(SpanChange::Counter {
                counter: reading.counter,
                track,
                value: reading.ctype.number(bits),
            });
        }
    }
}
