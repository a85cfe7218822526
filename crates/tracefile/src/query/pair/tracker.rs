//! The engine that converts records to span events.

use super::binding::bind_track;
use super::by_name::{PARENT, SPAN};
use super::counters::Counters;
use super::description::{Description, DrawnOn};
use super::open::Open;
use super::open_spans::{OpenSpan, OpenSpans, SpanChange, Visiting};
use super::pairing::{DEFAULT_MAX_OPEN, Pair, Pairing};
use super::plain::{PlainEvent, PlainRecord, PlainRole, SchemaRole};
use super::span_event::{SpanEvent, SpanEvents, SpanId};
use super::spec::PairError;
use super::tracks::{Track, TrackOwner, TrackSet};
use crate::entry::{Entry, Schema, Schemas};

/// Tracks the spans and counters of a [`Description`] through a sequence of entries.
#[derive(Debug)]
pub struct SpanTracker {
    description: Description,
    pairing: Pairing<OpenSpan>,
    spans: OpenSpans,
    counters: Counters,
    /// Roles by schema index.
    roles: Vec<SchemaRole>,
}

impl Default for SpanTracker {
    /// Creates a tracker without pairs or counters.
    fn default() -> SpanTracker {
        SpanTracker::new(Description::default())
    }
}

impl SpanTracker {
    /// Creates a tracker for `description`, with the default limit of open spans.
    pub fn new(description: Description) -> SpanTracker {
        let max_open = DEFAULT_MAX_OPEN / description.pairs.len().max(1);
        SpanTracker::with_max_open(description, max_open)
    }

    /// Creates a tracker for `description`. Each pair can have `max_open` open spans.
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

    /// Sets whether the values of begin events are still available when their spans end. This uses
    /// memory for every open span.
    #[must_use]
    pub fn keep_begins(mut self, keep: bool) -> SpanTracker {
        self.spans.keeps_begins = keep;
        self
    }

    /// Returns true if there are no pairs and no counters.
    pub fn is_empty(&self) -> bool {
        self.description.is_empty()
    }

    /// Returns the description, including the keys that were determined.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Returns the tracks so far. Their indices never change.
    pub fn tracks(&self) -> &[Track] {
        self.spans.tracks.list()
    }

    /// Returns the number of spans and values that share a track because there were too many
    /// tracks.
    pub fn untracked(&self) -> u64 {
        self.spans.tracks.untracked()
    }

    /// Returns the pairs with their statistics, in the order of the description.
    pub fn pairs(&self) -> &[Pair<OpenSpan>] {
        self.pairing.pairs()
    }

    /// Finds events and arguments in the schemas of the traces that will be processed. Events that
    /// a trace declares later are bound when they occur.
    ///
    /// # Errors
    /// Returns an error if declared events cannot be matched as described.
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

    /// Checks that every event of the description is known: it was bound, or it is in `schemas`,
    /// the schemas of all traces.
    ///
    /// # Errors
    /// Returns an error for the first unknown event, with suggestions of similar names.
    pub fn check_known(&self, schemas: &[&Schemas]) -> Result<(), PairError> {
        self.pairing.check_known(schemas)?;
        self.counters.check_known(schemas)
    }

    /// Returns false if entries of this schema are known to cause no span events.
    #[inline]
    pub fn concerns(&self, schema_index: u32) -> bool {
        self.role(schema_index) != SchemaRole::Irrelevant
    }

    /// Returns the span events of `entry`, and all tracks so far. Most entries have no span events.
    /// A schema index must always refer to the same schema, as it does within one reader or merge.
    ///
    /// # Errors
    /// Returns an error if the entry is the first of an event that does not match the description.
    #[inline]
    pub fn of<'m>(&'m mut self, entry: &Entry<'m>) -> Result<(SpanEvents<'m>, &'m [Track]), PairError> {
        if !self.concerns(entry.schema_index) {
            return Ok((SpanEvents::Nothing, self.tracks()));
        }
        self.track(entry)
    }

    /// Passes the span events of `entry`, and all tracks so far, to `visit`. Does the same as
    /// [`SpanTracker::of`], without collecting the events.
    ///
    /// # Errors
    /// Returns the errors of [`SpanTracker::of`]. The inner error is the first one of `visit`.
    #[inline]
    pub fn follow<E>(
        &mut self,
        entry: &Entry<'_>,
        visit: impl FnMut(&SpanEvent<'_>, &[Track]) -> Result<(), E>,
    ) -> Result<Result<(), E>, PairError> {
        if !self.concerns(entry.schema_index) {
            return Ok(Ok(()));
        }
        self.prepare(entry)?;
        let mut visiting = Visiting { spans: &mut self.spans, visit, result: Ok(()) };
        self.pairing.count(entry, &mut visiting)?;
        let Visiting { mut visit, mut result, .. } = visiting;
        let OpenSpans { tracks, changes, .. } = &mut self.spans;
        self.counters.read(entry, tracks, changes);
        for change in changes {
            if let SpanChange::Counter { counter, track, value } = *change
                && result.is_ok()
            {
                result = visit(&SpanEvent::Counter { counter, track, value }, tracks.list());
            }
        }
        Ok(result)
    }

    /// Returns the role of a schema's records.
    #[inline(always)]
    pub(crate) fn role(&self, schema_index: u32) -> SchemaRole {
        self.roles.get(schema_index as usize).copied().unwrap_or(SchemaRole::Unknown)
    }

    /// Determines the role of the schema of `entry`, whose tracks and keys are bound.
    fn plain_role_of(&self, entry: &Entry<'_>) -> Option<PlainRole> {
        let (pair, action, key) = self.pairing.only_action(entry.schema_index)?;
        if self.description.pairs[pair].drawn_on == DrawnOn::Tree {
            return None;
        }
        let track = self.spans.track_parts[pair].get(entry.schema_index as usize).map_or(&[][..], |it| it);
        PlainRole::new(pair, action, key, track, entry.schema)
    }

    /// Matches `record`, which has the role `role`. If it does not simply begin or end a span, nothing is
    /// changed, the result is `None`, and its entry must be passed to [`SpanTracker::follow`].
    #[inline(always)]
    pub(crate) fn follow_plain(&mut self, role: PlainRole, record: PlainRecord<'_>) -> Option<PlainEvent> {
        let SpanTracker { pairing, spans, .. } = self;
        let key = role.key(&record)?;
        let index = role.pair as usize;
        let pair = pairing.pair_mut(index);
        if role.is_begin {
            let track = spans.track_sets[index].track_for(role.track(&record)?)?;
            let is_new = pair.try_begin_one(key, record.timestamp_ns, || spans.open_plain(track, record));
            return is_new.then_some(PlainEvent::Began);
        }
        let open = pair.try_end_one(key, record.timestamp_ns)?;
        spans.free_lane(&open);
        Some(PlainEvent::Ended(index, open))
    }

    /// Keeps the memory of a span that has ended.
    #[inline(always)]
    pub(crate) fn recycle(&mut self, open: Open<OpenSpan>) {
        self.spans.recycle_one(open);
    }

    /// Returns the record that began `open`, as [`SpanEvent::End`] contains it, and the tracks. `later` is a
    /// later record.
    pub(crate) fn begin_of<'m>(
        &'m self,
        open: &'m Open<OpenSpan>,
        later: &Entry<'m>,
    ) -> Option<(Entry<'m>, &'m [Track])> {
        Some((self.spans.begin_of(open, Some(later))?, self.spans.tracks.list()))
    }

    fn track<'m>(&'m mut self, entry: &Entry<'m>) -> Result<(SpanEvents<'m>, &'m [Track]), PairError> {
        self.prepare(entry)?;
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

    /// Prepares for the changes that `entry` makes.
    #[inline]
    fn prepare(&mut self, entry: &Entry<'_>) -> Result<(), PairError> {
        if self.role(entry.schema_index) == SchemaRole::Unknown {
            self.learn(entry)?;
        }
        self.spans.recycle();
        Ok(())
    }

    #[cold]
    fn learn(&mut self, entry: &Entry<'_>) -> Result<(), PairError> {
        let index = entry.schema_index as usize;
        if self.roles.len() <= index {
            self.roles.resize(index + 1, SchemaRole::Unknown);
        }
        let is_dropped = entry.schema_index == Schema::DROPPED;
        if !is_dropped {
            self.pairing.prepare(entry)?;
        }
        let has_counters = self.counters.learn(entry)?;
        let mut is_relevant = has_counters;
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
                let tree_parts = &mut self.spans.tree_parts[number];
                if tree_parts.len() <= index {
                    tree_parts.resize(index + 1, None);
                }
                tree_parts[index] = match pair.drawn_on {
                    DrawnOn::Tree => {
                        entry.schema.argument(SPAN).zip(entry.schema.argument(PARENT)).map(Into::into)
                    }
                    DrawnOn::OwnTracks | DrawnOn::Thread => None,
                };
                self.spans.keep_schema(entry.schema_index, entry.schema);
            }
        }
        self.roles[index] = match self.plain_role_of(entry) {
            _ if is_dropped || !is_relevant => SchemaRole::Irrelevant,
            Some(role) if !has_counters => SchemaRole::Plain(role),
            _ => SchemaRole::Relevant,
        };
        Ok(())
    }

    /// Returns the number of open spans of each pair.
    pub fn open_counts(&self) -> Vec<u64> {
        self.pairs().iter().map(|pair| pair.open_count() as u64).collect()
    }

    /// Returns the open spans in the order in which they began. Each has the record that began it,
    /// as in [`SpanEvent::End`].
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
    #[inline]
    fn span_event<'m>(&'m self, change: &'m SpanChange, entry: &Entry<'m>) -> Option<SpanEvent<'m>> {
        Some(match change {
            SpanChange::Begin(span) => SpanEvent::Begin(*span),
            SpanChange::Step(span) => SpanEvent::Step(*span),
            SpanChange::End(span, begun) => {
                SpanEvent::End { span: *span, begin: self.begin_of(begun, Some(entry))? }
            }
            SpanChange::Restarted(span, begun) => {
                SpanEvent::Restarted { span: *span, begin: self.begin_of(begun, Some(entry))? }
            }
            SpanChange::Counter { counter, track, value } => {
                SpanEvent::Counter { counter: *counter, track: *track, value: *value }
            }
        })
    }
}
