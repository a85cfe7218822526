//! Adds the rows of spans, steps and counters.

use ringtrace_wire::simpletrace::Record;

use super::{Collector, ENDED, EventState, Place, RESTARTED, Sink};
use crate::columns::event_rows::fits;
use crate::columns::run::ReadError;
use crate::columns::span_rows::{self, Side};
use crate::entry::Entry;
use crate::query::pair::{SpanEvent, SpanId, SpanTracker, Track};
use crate::read::visitor::OrdinaryRecords;

impl Collector {
    /// Adds the rows of the spans, steps and counters to which `entry` belongs. `tracks` are all
    /// tracks so far.
    ///
    /// # Errors
    /// Returns the error of the sink.
    pub fn spans<E>(
        &mut self,
        entry: &Entry<'_>,
        events: &[SpanEvent<'_>],
        tracks: &[Track],
        sink: &mut impl Sink<E>,
    ) -> Result<(), E> {
        events.iter().try_for_each(|event| self.span_event(entry, event, tracks, sink))
    }

    /// Passes ordinary records to the tracker, and adds the rows of the spans, steps and counters to which
    /// they belong. Stops at the first record that must be passed to [`Collector::entry`].
    pub(super) fn follow_all<E>(
        &mut self,
        records: &mut OrdinaryRecords<'_>,
        tracker: &mut SpanTracker,
        sink: &mut impl Sink<E>,
    ) -> Result<(), ReadError<E>> {
        let schemas = records.schemas();
        while let Some((record, schema_index)) = records.peek() {
            let state = self.states.get(schema_index as usize);
            if matches!(state, None | Some(EventState::Unknown))
                || tracker.concerns(schema_index) && !fits(schemas.get(schema_index), record.payload)
            {
                return Ok(());
            }
            self.follow(records, &record, schema_index, tracker, sink)?;
            records.skip(&record);
        }
        // The next entry can rename threads.
        self.unsure = true;
        Ok(())
    }

    /// Passes the next record to the tracker, and adds the rows of the spans, steps and counters to which it
    /// belongs.
    #[inline(always)]
    pub(super) fn follow<'w, E>(
        &mut self,
        records: &OrdinaryRecords<'w>,
        record: &Record<'w>,
        schema_index: u32,
        tracker: &mut SpanTracker,
        sink: &mut impl Sink<E>,
    ) -> Result<(), ReadError<E>> {
        if !tracker.concerns(schema_index) {
            return Ok(());
        }
        let entry = records.entry(record, schema_index);
        if !self.filter.accepts(&entry) {
            return Ok(());
        }
        let add = |event: &SpanEvent<'_>, tracks: &[Track]| self.span_event(&entry, event, tracks, sink);
        tracker.follow(&entry, add).map_err(ReadError::Pair)?.map_err(ReadError::Sink)
    }

    #[inline(always)]
    pub(super) fn span_event<E>(
        &mut self,
        entry: &Entry<'_>,
        event: &SpanEvent<'_>,
        tracks: &[Track],
        sink: &mut impl Sink<E>,
    ) -> Result<(), E> {
        match event {
            SpanEvent::Begin(_) => Ok(()),
            SpanEvent::End { span, begin } => self.span(*span, ENDED, begin, Some(entry), tracks, sink),
            SpanEvent::Restarted { span, begin } => self.span(*span, RESTARTED, begin, None, tracks, sink),
            SpanEvent::Step(span) => {
                let owner = self.owners.of(entry, &self.request.filter);
                let Some(cells) = &mut self.steps else { return Ok(()) };
                cells.rows.begin_entry(entry, owner);
                cells.push(0, self.pair_words.get(span.pair).copied().map(u64::from));
                cells.push(1, Some(span.number));
                cells.push(2, Some(self.event_names.key(&entry.schema.name).into()));
                self.settle(Place::Steps, sink)
            }
            SpanEvent::Counter { counter, track, value } => {
                let owner = self.owners.of(entry, &self.request.filter);
                let track = self.track(*track, tracks);
                let Some(cells) = &mut self.counters else { return Ok(()) };
                let name = self.description.counters.get(*counter).map_or("", |counter| &counter.name);
                let value = i64::try_from(*value).unwrap_or(i64::MAX);
                cells.rows.begin_entry(entry, owner);
                cells.push(0, Some(self.words.key(name).into()));
                cells.push(1, Some(track.into()));
                cells.push(2, Some(value.cast_unsigned()));
                self.settle(Place::Counters, sink)
            }
        }
    }

    /// Returns the key of the name of the event of `entry`.
    fn event_key(&mut self, entry: &Entry<'_>) -> u32 {
        match self.states.get_mut(entry.schema_index as usize) {
            Some(EventState::Wanted { name, .. }) => *name,
            Some(EventState::Unwanted { name }) => {
                *name.get_or_insert_with(|| self.event_names.key(&entry.schema.name))
            }
            _ => self.event_names.key(&entry.schema.name),
        }
    }

    /// Returns the key of the name of track `number`.
    fn track(&mut self, number: u32, tracks: &[Track]) -> u32 {
        for track in &tracks[self.tracks.len().min(tracks.len())..] {
            self.tracks.push(self.track_names.key(&track.name));
        }
        self.tracks.get(number as usize).copied().unwrap_or_default()
    }

    pub(super) fn span<E>(
        &mut self,
        id: SpanId,
        outcome: u32,
        begin: &Entry<'_>,
        end: Option<&Entry<'_>>,
        tracks: &[Track],
        sink: &mut impl Sink<E>,
    ) -> Result<(), E> {
        if id.pair >= self.spans.len() {
            return Ok(());
        }
        let owner = self.owners.of(begin, &self.request.filter);
        let track = self.track(id.track, tracks);
        let begin_event = self.event_key(begin);
        let end_event = end.map(|end| self.event_key(end));
        let rows = &mut self.spans[id.pair];
        rows.rows.begin_entry(begin, owner);
        rows.push(span_rows::SPAN, Some(id.number));
        rows.push(span_rows::END, end.map(|end| end.timestamp_ns));
        let latency = end.and_then(|end| end.timestamp_ns.checked_sub(begin.timestamp_ns));
        rows.push(span_rows::LATENCY, latency);
        let pair = self.pair_words[id.pair];
        rows.push_keys([Some(pair), Some(track), Some(outcome), Some(begin_event), end_event]);
        rows.push_arguments(Side::Begin, begin);
        if let Some(end) = end {
            rows.push_arguments(Side::End, end);
        }
        self.settle(Place::Spans(id.pair), sink)
    }
}
