//! Descriptions of event pairs and counters, from `--pairs FILE` or the command line.

use std::fmt;
use std::sync::Arc;

use super::spec::{KeySource, KeySpec, PairSpec};

/// Event pairs and counters, as described in a file or on the command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Description {
    /// The pairs of events.
    pub pairs: Vec<PairDescription>,
    /// The counters.
    pub counters: Vec<CounterDescription>,
}

/// A pair describes an activity with a start and an end, such as a request or a phase. The time
/// between them is a *span*.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PairDescription {
    /// The display name, such as `virtio-blk request`.
    pub name: String,
    /// True if the name consists of the two events and their keys, as in `--pair`. Keys that are
    /// determined later are added to the name.
    pub named_by_events: bool,
    /// True for a built-in description. No warning is printed if its events did not occur.
    pub is_built_in: bool,
    /// Any of these events begins a span.
    pub begins: Vec<EventKeys>,
    /// Any of these events ends a span.
    pub ends: Vec<EventKeys>,
    /// These events occur within a span.
    pub steps: Vec<EventKeys>,
    /// Arguments of the begin event. Spans with equal values of these arguments share a track.
    pub track: Vec<KeySource>,
    /// Where a viewer that nests spans draws them.
    pub drawn_on: DrawnOn,
}

/// Where a viewer that nests spans draws the spans of a pair.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DrawnOn {
    /// On the tracks of the pair.
    #[default]
    OwnTracks,
    /// On a track that an outermost span shares with the spans within it.
    Tree,
    /// On the track of the thread.
    Thread,
}

/// An event and its key. Records of a pair's events match if their keys have equal values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventKeys {
    /// The event's name.
    pub event: String,
    /// The parts of the key, in the same order for all events of a pair. If no event has parts, the
    /// key is the single argument that all events share.
    pub keys: Vec<KeySource>,
    /// The position in the file, if the description is from a file.
    pub location: Option<SourceLocation>,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLocation {
    /// The file's name in messages.
    pub file: Arc<str>,
    /// The line number, from 1.
    pub line: u32,
}

/// A counter: a value that changes over time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CounterDescription {
    /// The display name.
    pub name: String,
    /// The sources of the value.
    pub values: Vec<CounterValue>,
    /// Arguments. Records with equal values of these arguments belong to the same counter.
    pub track: Vec<KeySource>,
}

/// A source of a counter's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterValue {
    /// The event that contains the value.
    pub event: String,
    /// The argument with the value.
    pub argument: String,
    /// The position in the file, if the description is from a file.
    pub location: Option<SourceLocation>,
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl Description {
    /// Returns true if there are no pairs and no counters.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.counters.is_empty()
    }

    /// Returns the names of the pairs and counters.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let counters = self.counters.iter().map(|counter| counter.name.as_str());
        self.pairs.iter().map(|pair| pair.name.as_str()).chain(counters)
    }

    /// Appends the pairs and counters of `other`.
    pub fn append(&mut self, mut other: Description) {
        self.pairs.append(&mut other.pairs);
        self.counters.append(&mut other.counters);
    }

    /// Appends those pairs and counters of `other` whose names are new.
    pub fn add_new(&mut self, mut other: Description) {
        let names: Vec<String> = self.names().map(ToString::to_string).collect();
        other.pairs.retain(|pair| !names.contains(&pair.name));
        other.counters.retain(|counter| !names.contains(&counter.name));
        self.append(other);
    }
}

/// Prints the description in the language of `--pairs` files.
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
    /// Creates a pair whose name is its specification on the command line.
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
    /// Returns all events of the pair: first begin events, then end events, then step events.
    pub fn events(&self) -> impl Iterator<Item = &EventKeys> {
        self.begins.iter().chain(&self.ends).chain(&self.steps)
    }

    pub(super) fn events_mut(&mut self) -> impl Iterator<Item = &mut EventKeys> {
        self.begins.iter_mut().chain(&mut self.ends).chain(&mut self.steps)
    }

    /// Returns true if the key is the single shared argument and has not been determined yet.
    pub(super) fn lacks_keys(&self) -> bool {
        self.events().all(|event| event.keys.is_empty())
    }

    pub(super) fn match_by(&mut self, name: &str) {
        for event in self.events_mut() {
            event.keys = vec![KeySource::Argument(name.to_owned())];
        }
        if let Some(spec) = self.spec() {
            self.name = spec.to_string();
        }
    }

    /// Returns the pair in the form of `--pair`, if it was given that way.
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
