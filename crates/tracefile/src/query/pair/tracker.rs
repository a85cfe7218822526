//! The engine that tells what records mean.

use super::binding::bind_track;
use super::counters::Counters;
use super::description::Description;
use super::open::Open;
use super::open_spans::{OpenSpan, OpenSpans, SpanChange};
use super::pairing::{DEFAULT_MAX_OPEN, Pair, Pairing};
use super::span_event::{SpanEvent, SpanEvents, SpanId};
use super::spec::PairError;
use super::tracks::{Track, TrackOwner, TrackSet};
use crate::entry::{Entry, Schema, Schemas};

/// Follows the spans and counters of a [`Description`] through a run of entries.
#[derive(Debug)]
pub struct SpanTracker {
    description: Description,
    pairing: Pairing<OpenSpan>,
    spans: OpenSpans,
    counters: Counters,
    /// By schema index.
    roles: Vec<SchemaRole>,
}

/// What is known of the entries of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SchemaRole {
    Unknown,
    Irrelevant,
    Relevant,
}

impl Default for SpanTracker {
    /// Nothing means anything.
    fn default() -> SpanTracker {
        SpanTracker::new(Description::default())
    }
}

impl SpanTracker {
    /// Follows what `description` tells of, with the usual number of open spans.
    pub fn new(description: Description) -> SpanTracker {
        let max_open = DEFAULT_MAX_OPEN / description.pairs.len().max(1);
        SpanTracker::with_max_open(description, max_open)
    }

    /// Follows what `description` tells of; of each pair `max_open` spans can be open at a time.
    pub fn with_max_open(description: Description, max_open: usize) -> SpanTracker {
        let track_sets = description
            .pairs
            .iter()
            .enumerate()
            .map(|(index, pair)| TrackSet::new(TrackOwner::Pair(index), &pair.name, &pair.track));
        SpanTracker {
            pairing: Pairing::new(description.pairs.iter().cloned(), max_open),
            spans: OpenSpans::new(track_sets.collect()),
            counters: Counters::new(&description.counters),
            roles: Vec::new(),
            description,
        }
    }

    /// Whether the values of begins are to be there when their spans end, which takes memory for those that are open.
    #[must_use]
    pub fn keep_begins(mut self, keep: bool) -> SpanTracker {
        self.spans.keeps_begins = keep;
        self
    }

    /// Whether no record can mean anything.
    pub fn is_empty(&self) -> bool {
        self.description.is_empty()
    }

    /// What is described, with the keys that were found.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The tracks that there are by now; what stands on one is never moved.
    pub fn tracks(&self) -> &[Track] {
        self.spans.tracks.list()
    }

    /// How many spans and values stand on a track of all that are too many.
    pub fn untracked(&self) -> u64 {
        self.spans.tracks.refused()
    }

    /// What was counted of each pair, in the order of the description.
    pub fn pairs(&self) -> &[Pair<OpenSpan>] {
        self.pairing.pairs()
    }

    /// Finds events and arguments among the schemas of the traces that will be fed. Events that a trace declares only
    /// later are bound when they come.
    ///
    /// # Errors
    /// When events are known but cannot be matched as described.
    pub fn bind(&mut self, traces: &[&Schemas]) -> Result<(), PairError> {
        self.pairing.bind(traces)?;
        for (index, pair) in self.pairing.pairs().iter().enumerate() {
            self.description.pairs[index] = pair.description().clone();
            self.spans.track_sets[index].rename(&pair.description().name);
        }
        for schemas in traces {
            self.counters.bind(schemas)?;
            for pair in &self.description.pairs {
                for begin in &pair.begins {
                    if let Some(index) = schemas.find(&begin.event) {
                        bind_track(&pair.name, &pair.track, schemas.get(index))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// That an event of the description was never changes, nor is it among `schemas`, which are those of all traces by now.
    ///
    /// # Errors
    /// The first such event, with names that are like it.
    pub fn check_known(&self, schemas: &[&Schemas]) -> Result<(), PairError> {
        self.pairing.check_known(schemas)?;
        self.counters.check_known(schemas)
    }

    /// Whether entries of the schema with this index can mean something, as far as is known.
    #[inline]
    pub fn concerns(&self, schema_index: u32) -> bool {
        self.roles.get(schema_index as usize) != Some(&SchemaRole::Irrelevant)
    }

    /// What `entry` means, and all tracks so far. Nothing for most. The same schema index must always mean the same schema,
    /// as within one reader or merge.
    ///
    /// # Errors
    /// When it is the first of an event that does not fit the description.
    #[inline]
    pub fn of<'m>(&'m mut self, entry: &Entry<'m>) -> Result<(SpanEvents<'m>, &'m [Track]), PairError> {
        if !self.concerns(entry.schema_index) {
            return Ok((SpanEvents::Nothing, self.tracks()));
        }
        self.track(entry)
    }

    fn track<'m>(&'m mut self, entry: &Entry<'m>) -> Result<(SpanEvents<'m>, &'m [Track]), PairError> {
        let roles = self.roles.get(entry.schema_index as usize);
        if roles.is_none_or(|&roles| roles == SchemaRole::Unknown) {
            self.learn(entry)?;
        }
        self.spans.forget();
        self.pairing.count(entry, &mut self.spans)?;
        let OpenSpans { tracks, changes, .. } = &mut self.spans;
        self.counters.read(entry, tracks, changes);

        let spans = &self.spans;
        let event = |change: &'m SpanChange| spans.span_event(change, entry);
        let events = match spans.changes.as_slice() {
            [] => SpanEvents::Nothing,
            [change] => event(change).map_or(SpanEvents::Nothing, |event| SpanEvents::One([event])),
            several => SpanEvents::Several(several.iter().filter_map(event).collect()),
        };
        Ok((events, self.spans.tracks.list()))
    }

    #[cold]
    fn learn(&mut self, entry: &Entry<'_>) -> Result<(), PairError> {
        let index = entry.schema_index as usize;
        if self.roles.len() <= index {
            self.roles.resize(index + 1, SchemaRole::Unknown);
        }
        let mut is_relevant = self.counters.learn(entry)?;
        for (number, pair) in self.description.pairs.iter().enumerate() {
            let is_this = |event: &super::EventKeys| *event.event == *entry.schema.name;
            is_relevant |= pair.events().any(is_this);
            if pair.begins.iter().any(is_this) {
                let parts = bind_track(&pair.name, &pair.track, entry.schema)?;
                let parts_of = &mut self.spans.track_parts[number];
                if parts_of.len() <= index {
                    parts_of.resize(index + 1, Box::default());
                }
                parts_of[index] = parts;
                self.spans.keep_schema(entry.schema_index, entry.schema);
            }
        }
        is_relevant &= entry.schema_index != Schema::DROPPED;
        self.roles[index] = if is_relevant { SchemaRole::Relevant } else { SchemaRole::Irrelevant };
        Ok(())
    }

    /// How many spans of each pair are open.
    pub fn open_counts(&self) -> Vec<u64> {
        self.pairs().iter().map(|pair| pair.open_count() as u64).collect()
    }

    /// The spans that are open, in the order of their begins, each with the record that began it, as in
    /// [`SpanEvent::End`].
    pub fn open(&self) -> impl Iterator<Item = (SpanId, Entry<'_>)> {
        let mut open: Vec<(SpanId, &Open<OpenSpan>)> = Vec::new();
        for (index, pair) in self.pairs().iter().enumerate() {
            open.extend(pair.open_spans().map(|open| (open.kept.id(index), open)));
        }
        open.sort_unstable_by_key(|(span, _)| span.number);
        open.into_iter().filter_map(|(span, open)| Some((span, self.spans.begin_of(open, None)?)))
    }
}

impl OpenSpans {
    fn span_event<'m>(&'m self, change: &'m SpanChange, entry: &Entry<'m>) -> Option<SpanEvent<'m>> {
        Some(match change {
            SpanChange::Begin(span) => SpanEvent::Begin(*span),
            SpanChange::Step(span) => SpanEvent::Step(*span),
            SpanChange::End(span, begun) => {
                SpanEvent::End { span: *span, begin: self.begin_of(begun, Some(entry.threads))? }
            }
            SpanChange::Restarted(span, begun) => {
                SpanEvent::Restarted { span: *span, begin: self.begin_of(begun, Some(entry.threads))? }
            }
            SpanChange::Counter { counter, track, value } => {
                SpanEvent::Counter { counter: *counter, track: *track, value: *value }
            }
        })
    }
}
