//! Adds the rows of spans, steps and counters.

use ringtrace_wire::simpletrace::Record;

use super::{Collector, ENDED, EventState, Place, RESTARTED, Sink};
use crate::columns::run::ReadError;
use crate::columns::span_rows::{self, PlainSpan, Side};
use crate::entry::Entry;
use crate::query::pair::{
    Open, OpenSpan, PlainEvent, PlainRecord, SchemaRole, SpanEvent, SpanId, SpanTracker, Track,
};
use crate::read::visitor::OrdinaryRecords;

/// The result of adding the row of a span to the pending rows.
enum Pushed {
    Row,
    /// There are so many rows that they must be settled.
    LastRow,
    /// The row needs the general path.
    Nothing,
}

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
                || tracker.concerns(schema_index) && !schemas.get(schema_index).fits(record.payload)
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
        let role = match tracker.role(schema_index) {
            SchemaRole::Irrelevant => return Ok(()),
            SchemaRole::Plain(role) => role,
            SchemaRole::Unknown | SchemaRole::Relevant => {
                return self.follow_any(&records.entry(record, schema_index), tracker, sink);
            }
        };
        if !self.filter.is_everything() && !self.selects(records, record, schema_index) {
            return Ok(());
        }
        let plain = PlainRecord::next(records, record, schema_index);
        match tracker.follow_plain(role, plain) {
            Some(PlainEvent::Began) => Ok(()),
            Some(PlainEvent::Ended(pair, open)) => {
                let result = match self.push_plain_span(pair, &open, &plain) {
                    Pushed::Row => Ok(()),
                    Pushed::LastRow => {
                        self.spans[pair].settle();
                        self.settle(Place::Spans(pair), sink)
                    }
                    Pushed::Nothing => {
                        self.push_any_span(pair, &open, &records.entry(record, schema_index), tracker, sink)
                    }
                };
                tracker.recycle(open);
                result.map_err(ReadError::Sink)
            }
            None => self.follow_any(&records.entry(record, schema_index), tracker, sink),
        }
    }

    /// Returns whether the request selects a record of a known event on the fast path.
    #[inline(never)]
    fn selects(&mut self, records: &OrdinaryRecords<'_>, record: &Record<'_>, schema_index: u32) -> bool {
        let is_selected = match self.states.get(schema_index as usize) {
            Some(EventState::Unwanted { is_selected, .. }) => *is_selected,
            _ => true,
        };
        if !is_selected || record.timestamp_ns < self.from_ns || record.timestamp_ns > self.to_ns {
            return false;
        }
        let owner = match self.owners.of_id(record.id, record.pid) {
            Some(owner) => owner,
            None => self.owners.of(&records.entry(record, schema_index), &self.request.filter),
        };
        self.owners.is_selected(owner)
    }

    #[inline(never)]
    fn follow_any<E>(
        &mut self,
        entry: &Entry<'_>,
        tracker: &mut SpanTracker,
        sink: &mut impl Sink<E>,
    ) -> Result<(), ReadError<E>> {
        if !self.filter.accepts(entry) {
            return Ok(());
        }
        let add = |event: &SpanEvent<'_>, tracks: &[Track]| self.span_event(entry, event, tracks, sink);
        tracker.follow(entry, add).map_err(ReadError::Pair)?.map_err(ReadError::Sink)
    }

    /// Adds the row of a span that `end` ended, if there is a plain shape for its two events.
    #[inline(always)]
    fn push_plain_span(&mut self, pair: usize, open: &Open<OpenSpan>, end: &PlainRecord<'_>) -> Pushed {
        let Some(rows) = self.spans.get_mut(pair) else { return Pushed::Row };
        let (id, pid, begin_event) = open.kept.source();
        if rows.has_shape([begin_event, end.schema_index])
            && let Some(owner) = self.owners.of_id(id, pid)
            && let Some(&track) = self.tracks.get(open.kept.track() as usize)
            && rows.push_plain(PlainSpan {
                number: open.kept.number(),
                begin_ns: open.begin_ns,
                end_ns: end.timestamp_ns,
                owner,
                track,
                payloads: [open.kept.payload(), end.payload],
            })
        {
            rows.rows.count(&mut self.bytes);
            let is_full = rows.rows.rows >= self.request.batch_rows || self.bytes > self.request.memory_bytes;
            return if is_full || rows.are_many_pending() { Pushed::LastRow } else { Pushed::Row };
        }
        Pushed::Nothing
    }

    /// Adds the row of any span that `entry` ended, and a shape for rows like it.
    #[inline(never)]
    fn push_any_span<E>(
        &mut self,
        pair: usize,
        open: &Open<OpenSpan>,
        entry: &Entry<'_>,
        tracker: &SpanTracker,
        sink: &mut impl Sink<E>,
    ) -> Result<(), E> {
        let Some((begin, tracks)) = tracker.begin_of(open, entry) else { return Ok(()) };
        let events = [(begin.schema_index, begin.schema), (entry.schema_index, entry.schema)];
        if !self.spans[pair].has_shape(events.map(|(index, _)| index)) {
            let track = self.track(open.kept.track(), tracks);
            let keys = [self.event_key(&begin), self.event_key(entry)];
            let keys = [self.pair_words[pair], track, ENDED, keys[0], keys[1]].map(Some);
            self.spans[pair].add_shape(events, keys);
        }
        self.span(open.kept.id(pair), ENDED, &begin, Some(entry), tracks, sink)
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
            Some(EventState::Unwanted { name, .. }) => {
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
        rows.settle();
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
