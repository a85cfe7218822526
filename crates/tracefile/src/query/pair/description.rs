//! Which events belong together: what `--pairs FILE` says, and the one description that every teller of a trace uses.

use std::fmt;
use std::sync::Arc;

use super::spec::{KeySource, KeySpec, PairSpec};

/// Pairs of events and counters, as a file or the command line describes them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Description {
    /// What begins and ends.
    pub pairs: Vec<PairDescription>,
    /// Values that go up and down.
    pub counters: Vec<CounterDescription>,
}

/// Something that begins and ends: a request, a phase. What lies between one begin and its end is a *span*.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PairDescription {
    /// What people call it: `virtio-blk request`.
    pub name: String,
    /// Whether the name is the two events and their keys, as `--pair` has it: keys that are found become part of it.
    pub named_by_events: bool,
    /// Whether it came with the program: nobody wants to be told that nothing of it happened.
    pub is_built_in: bool,
    /// Any of these events begins a span.
    pub begins: Vec<EventKeys>,
    /// Any of these ends it.
    pub ends: Vec<EventKeys>,
    /// These happen within it.
    pub steps: Vec<EventKeys>,
    /// Spans with the same values of these stand on one track. They are those of the begin.
    pub track: Vec<KeySource>,
}

/// An event, and where its records have the values by which they belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventKeys {
    /// The event's name.
    pub event: String,
    /// In the same order for all events of a pair. Empty in all of them: by the one argument that all have.
    pub keys: Vec<KeySource>,
    /// Where that is written, if it is in a file.
    pub location: Option<SourceLocation>,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLocation {
    /// What messages call the file.
    pub file: Arc<str>,
    /// Counts from 1.
    pub line: u32,
}

/// Values that are to be seen over time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CounterDescription {
    /// What people call it.
    pub name: String,
    /// What tells the value.
    pub values: Vec<CounterValue>,
    /// Records with the same values of these are about the same counter.
    pub track: Vec<KeySource>,
}

/// Where a counter's value stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterValue {
    /// The event that tells the value.
    pub event: String,
    /// The argument that has it.
    pub argument: String,
    /// Where that is written, if it is in a file.
    pub location: Option<SourceLocation>,
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl Description {
    /// Whether nothing is described.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.counters.is_empty()
    }

    /// What its pairs and counters are called.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let counters = self.counters.iter().map(|counter| counter.name.as_str());
        self.pairs.iter().map(|pair| pair.name.as_str()).chain(counters)
    }

    /// Adds what `other` describes.
    pub fn append(&mut self, mut other: Description) {
        self.pairs.append(&mut other.pairs);
        self.counters.append(&mut other.counters);
    }
}

/// As a file has it.
impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for pair in &self.pairs {
            writeln!(f, "pair {}", pair.name)?;
            for (word, events) in [("begin", &pair.begins), ("step", &pair.steps), ("end", &pair.ends)] {
                for event in events {
                    writeln!(f, "  {}", format!("{word} {} {}", event.event, list(&event.keys)).trim_end())?;
                }
            }
            write_track(&pair.track, f)?;
        }
        for counter in &self.counters {
            writeln!(f, "counter {}", counter.name)?;
            for value in &counter.values {
                writeln!(f, "  value {} {}", value.event, value.argument)?;
            }
            write_track(&counter.track, f)?;
        }
        Ok(())
    }
}

fn write_track(track: &[KeySource], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if track.is_empty() { Ok(()) } else { writeln!(f, "  track {}", list(track)) }
}

fn list(sources: &[KeySource]) -> String {
    sources.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

impl From<&PairSpec> for PairDescription {
    /// A pair that is called as it is written.
    fn from(spec: &PairSpec) -> PairDescription {
        let side = |event: &str, source: fn(&KeySpec) -> &KeySource| EventKeys {
            event: event.to_owned(),
            keys: spec.keys.iter().map(|key| source(key).clone()).collect(),
            location: None,
        };
        PairDescription {
            name: spec.to_string(),
            named_by_events: true,
            begins: vec![side(&spec.begin, |key| &key.begin)],
            ends: vec![side(&spec.end, |key| &key.end)],
            ..PairDescription::default()
        }
    }
}

impl PairDescription {
    /// All its events: begins, ends, steps.
    pub fn events(&self) -> impl Iterator<Item = &EventKeys> {
        self.begins.iter().chain(&self.ends).chain(&self.steps)
    }

    pub(super) fn events_mut(&mut self) -> impl Iterator<Item = &mut EventKeys> {
        self.begins.iter_mut().chain(&mut self.ends).chain(&mut self.steps)
    }

    /// Whether records are matched by the one argument that all its events have, and it is not known yet.
    pub(super) fn lacks_keys(&self) -> bool {
        self.events().all(|event| event.keys.is_empty())
    }

    /// Matches all its events by the argument `name`.
    pub(super) fn match_by(&mut self, name: &str) {
        for event in self.events_mut() {
            event.keys = vec![KeySource::Argument(name.to_owned())];
        }
        if let Some(spec) = self.spec() {
            self.name = spec.to_string();
        }
    }

    /// As `--pair` has it, if it was written so.
    pub fn spec(&self) -> Option<PairSpec> {
        let (true, [begin], [end]) = (self.named_by_events, self.begins.as_slice(), self.ends.as_slice())
        else {
            return None;
        };
        let keys = begin.keys.iter().zip(&end.keys);
        let keys = keys.map(|(begin, end)| KeySpec { begin: begin.clone(), end: end.clone() });
        Some(PairSpec { begin: begin.event.clone(), end: end.event.clone(), keys: keys.collect() })
    }
}
