//! Collects the rows of all tables while a trace is read.

use std::sync::Arc;

use ringtrace_wire::simpletrace::v4;

use super::batch::Batch;
use super::event_rows::{EventRows, Rows, Shared};
use super::extra_rows::{self, CellRows};
use super::names::Names;
use super::owners::Owners;
use super::span_rows::{self, Side, SpanRows};
use super::table::{Request, Table, Tables, event_layout, events_layout};
use crate::entry::{Entry, Pause, Schemas};
use crate::query::Filter;
use crate::query::pair::{Description, SpanEvent, SpanId, SpanTracker, Track};
use crate::read::visitor::OrdinaryRecords;

/// A receiver of batches. It can fail with an error `E`, which ends the reading.
pub trait Sink<E>: FnMut(&mut Batch) -> Result<(), E> {}

impl<E, F: FnMut(&mut Batch) -> Result<(), E>> Sink<E> for F {}

/// Collects records and spans as the rows of tables, and passes batches to a sink.
///
/// Every method that can complete a batch takes the sink, and returns the sink's error.
#[derive(Debug)]
pub struct Collector {
    request: Arc<Request>,
    filter: Filter,
    /// Whether the filter depends only on the event, the process, the thread and the time.
    is_simple: bool,
    from_ns: u64,
    to_ns: u64,
    description: Description,
    /// The events, by schema index.
    states: Vec<EventState>,
    events: Option<Rows>,
    dropped: Option<CellRows>,
    pauses: Option<CellRows>,
    steps: Option<CellRows>,
    counters: Option<CellRows>,
    /// The spans, by pair.
    spans: Vec<SpanRows>,
    owners: Owners,
    event_names: Names,
    track_names: Names,
    /// The keys of the tracks' names.
    tracks: Vec<u32>,
    /// The names of pairs and counters, outcomes, and causes.
    words: Names,
    /// The keys of the names of pairs.
    pair_words: Vec<u32>,
    /// The approximate size of all rows, in bytes.
    bytes: usize,
    /// Whether the next record needs [`Collector::entry`], because the meaning of ids or the names of
    /// threads may have changed.
    unsure: bool,
    /// The schema indices of the events to settle.
    dirty: Vec<u32>,
    /// The batches to emit after a chunk.
    full: Vec<Place>,
}

/// The rows of an event.
#[derive(Debug, Default)]
enum EventState {
    #[default]
    Unknown,
    /// The request does not select the event.
    Unwanted,
    Wanted {
        rows: Option<Box<EventRows>>,
        /// The key of the event's name.
        name: u32,
    },
}

/// The limits of the records on the fast path whose arguments are added to the columns at once. These
/// records stay in the processor's cache.
const CHUNK_RECORDS: u64 = 1 << 11;
const CHUNK_BYTES: usize = 1 << 18;

/// The position of rows that became a batch.
#[derive(Debug, Clone, Copy)]
enum Place {
    Event(usize),
    Events,
    Dropped,
    Pauses,
    Steps,
    Counters,
    Spans(usize),
}

/// The outcomes of spans. They are the first words.
const OUTCOMES: [&str; 3] = ["ended", "restarted", "open"];
const ENDED: u32 = 0;
const RESTARTED: u32 = 1;
const OPEN: u32 = 2;

impl Collector {
    /// Creates a collector. `description` is that of the tracker whose spans will be passed to it.
    pub fn new(request: Request, description: Description) -> Collector {
        let request = Arc::new(request);
        let tables = request.tables;
        let filter = Filter::new(request.filter.clone());
        let (from_ns, to_ns) = filter.time_range_ns();
        let spans = description.pairs.iter().enumerate().filter(|_| tables.spans);
        let mut words = Names::default();
        for outcome in OUTCOMES {
            words.key(outcome);
        }
        let pair_words = description.pairs.iter().map(|pair| words.key(&pair.name)).collect();
        Collector {
            is_simple: request.filter.condition.is_none()
                && request.filter.thread_names.is_empty()
                && request.filter.dated_ns.is_none(),
            filter,
            from_ns,
            to_ns,
            states: Vec::new(),
            events: tables.events.then(|| Rows::new(events_layout(&request))),
            dropped: tables.dropped.then(|| extra_rows::dropped(&request)),
            pauses: tables.pauses.then(|| extra_rows::pauses(&request)),
            steps: tables.steps.then(|| extra_rows::steps(&request)),
            counters: tables.counters.then(|| extra_rows::counters(&request)),
            spans: spans.map(|(index, pair)| SpanRows::new(pair, index, &request)).collect(),
            owners: Owners::default(),
            event_names: Names::default(),
            track_names: Names::default(),
            tracks: Vec::new(),
            words,
            pair_words,
            bytes: 0,
            unsure: true,
            dirty: Vec::new(),
            full: Vec::new(),
            description,
            request,
        }
    }

    /// Adds columns for the arguments of the begin and end events that `schemas` contains. Otherwise,
    /// the columns of spans are added when the events first occur.
    pub fn bind(&mut self, schemas: &Schemas) {
        for (rows, pair) in self.spans.iter_mut().zip(&self.description.pairs) {
            for (side, events) in [(Side::Begin, &pair.begins), (Side::End, &pair.ends)] {
                for event in events {
                    if let Some(index) = schemas.find(&event.event) {
                        rows.add(side, schemas.get(index));
                    }
                }
            }
        }
    }

    /// Returns the tables of the pairs, with the columns that are known so far.
    pub fn span_tables(&self) -> impl Iterator<Item = &Arc<Table>> {
        self.spans.iter().map(|rows| &rows.rows.table)
    }

    /// Returns the tables of lost events, pauses, steps and counters, as far as they are requested.
    pub fn extra_tables(&self) -> impl Iterator<Item = &Arc<Table>> {
        [&self.dropped, &self.pauses, &self.steps, &self.counters]
            .into_iter()
            .flatten()
            .map(|it| &it.rows.table)
    }

    /// Returns whether the request selects `entry`.
    #[inline]
    pub fn accepts(&mut self, entry: &Entry<'_>) -> bool {
        self.filter.accepts(entry) || self.reject(entry)
    }

    /// Prepares the fast path for records like `entry`, which the request does not select.
    fn reject(&mut self, entry: &Entry<'_>) -> bool {
        self.renew(entry);
        if !entry.is_dropped() {
            self.owners.of(entry, &self.request.filter);
            self.learn(entry);
        }
        false
    }

    fn renew(&mut self, entry: &Entry<'_>) {
        if self.unsure {
            self.unsure = false;
            self.owners.renew(entry);
        }
    }

    /// Adds a record that the request selects.
    ///
    /// # Errors
    /// Returns the error of the sink.
    pub fn entry<E>(&mut self, entry: &Entry<'_>, sink: &mut impl Sink<E>) -> Result<(), E> {
        self.renew(entry);
        if entry.is_dropped() {
            return self.drop(entry, sink);
        }
        let owner = self.owners.of(entry, &self.request.filter);
        self.learn(entry);
        let index = entry.schema_index as usize;
        let Self { request, states, events, bytes, .. } = self;
        let Some(EventState::Wanted { rows, name }) = states.get_mut(index) else { return Ok(()) };
        let mut full = [None; 2];
        if let Some(event) = rows {
            event.push_entry(entry, owner);
            event.rows.count(bytes);
            full[0] = event.rows.is_full(request.limits()).then_some(Place::Event(index));
        }
        if let Some(rows) = events {
            rows.begin_entry(entry, owner);
            rows.add_cpu(entry);
            rows.push_event(*name);
            rows.count(bytes);
            full[1] = rows.is_full(request.limits()).then_some(Place::Events);
        }
        for place in full.into_iter().flatten() {
            self.emit(place, sink)?;
        }
        self.keep_small(sink)
    }

    /// Determines whether the request selects the event of `entry`.
    fn learn(&mut self, entry: &Entry<'_>) {
        let index = entry.schema_index as usize;
        if self.states.get(index).is_none_or(|state| matches!(state, EventState::Unknown)) {
            self.learn_new(entry);
        }
    }

    #[cold]
    fn learn_new(&mut self, entry: &Entry<'_>) {
        let index = entry.schema_index as usize;
        if self.states.len() <= index {
            self.states.resize_with(index + 1, EventState::default);
        }
        let Tables { each_event, events, .. } = self.request.tables;
        self.states[index] = if self.filter.rejects_event(index, entry.schema) || !(each_event || events) {
            EventState::Unwanted
        } else {
            let layout = || event_layout(entry.schema, entry.schema_index, entry.version, &self.request);
            EventState::Wanted {
                rows: each_event.then(|| Box::new(EventRows::new(layout(), entry.schema))),
                name: self.event_names.key(&entry.schema.name),
            }
        };
    }

    /// Adds the ordinary records at the start of `records`, and skips them. Stops at the first record
    /// that must be passed to [`Collector::entry`].
    ///
    /// # Errors
    /// Returns the error of the sink.
    #[inline]
    pub fn fast_path<E>(
        &mut self,
        records: &mut OrdinaryRecords<'_>,
        sink: &mut impl Sink<E>,
    ) -> Result<(), E> {
        if self.unsure || !self.is_simple {
            return Ok(());
        }
        if records.bytes_left() == 0 {
            // The next entry can rename threads.
            self.unsure = true;
            return Ok(());
        }
        loop {
            let is_end = self.chunk(records);
            while let Some(place) = self.full.pop() {
                self.emit(place, sink)?;
            }
            self.keep_small(sink)?;
            if is_end {
                return Ok(());
            }
        }
    }

    /// Adds records until there is a certain number of them, or a batch is full. Returns whether the
    /// next record is not for the fast path.
    fn chunk(&mut self, records: &mut OrdinaryRecords<'_>) -> bool {
        let Self { request, states, events, owners, dirty, full, from_ns, to_ns, .. } = self;
        let (from_ns, to_ns, thread_mask) = (*from_ns, *to_ns, owners.thread_mask);
        let mut left = records.clone();
        let (bytes, start) = (left.rest(), left.bytes_left());
        let most = left.count() + CHUNK_RECORDS;
        let mut is_end = false;
        while left.count() < most && start - left.bytes_left() < CHUNK_BYTES {
            let Some((record, schema_index)) = left.peek() else {
                // The next entry can rename threads.
                self.unsure = true;
                is_end = true;
                break;
            };
            let index = schema_index as usize;
            let (event, name) = match states.get_mut(index) {
                Some(EventState::Wanted { rows, name }) => (rows, *name),
                Some(EventState::Unwanted) => {
                    left.skip(&record);
                    continue;
                }
                Some(EventState::Unknown) | None => {
                    is_end = true;
                    break;
                }
            };
            let key = u64::from(record.pid) | record.id & thread_mask;
            let Some(owner) = owners.by_key(key) else {
                is_end = true;
                break;
            };
            if record.timestamp_ns < from_ns || record.timestamp_ns > to_ns || !owners.is_selected(owner) {
                left.skip(&record);
                continue;
            }
            let number = left.number();
            if let Some(event) = event {
                if !event.fits(record.payload) {
                    is_end = true;
                    break;
                }
                if event.is_settled() {
                    dirty.push(schema_index);
                }
                let offset = start - left.bytes_left() + v4::PAYLOAD_AT;
                event.push(record.timestamp_ns, owner, number, offset as u32);
                if event.rows.rows >= request.batch_rows {
                    full.push(Place::Event(index));
                }
            }
            if let Some(rows) = events {
                rows.begin(record.timestamp_ns, owner, number);
                rows.push_event(name);
                if rows.rows >= request.batch_rows {
                    full.push(Place::Events);
                }
            }
            left.skip(&record);
            if !full.is_empty() {
                break;
            }
        }
        *records = left;
        for index in dirty.drain(..) {
            if let EventState::Wanted { rows: Some(event), .. } = &mut states[index as usize] {
                event.settle(bytes);
                event.rows.count(&mut self.bytes);
                if event.rows.text_bytes >= request.batch_text_bytes {
                    full.push(Place::Event(index as usize));
                }
            }
        }
        if let Some(rows) = events {
            rows.count(&mut self.bytes);
        }
        is_end
    }

    /// Passes a batch to the sink, unless it is empty.
    fn emit<E>(&mut self, place: Place, sink: &mut impl Sink<E>) -> Result<(), E> {
        let shared =
            Shared { owners: &self.owners, anchor: self.request.anchor, events: self.event_names.strings() };
        let (words, tracks) = (&self.words, &self.track_names);
        let (rows, mut batch) = match place {
            Place::Event(index) => match self.states.get_mut(index) {
                Some(EventState::Wanted { rows: Some(event), .. }) if event.rows.rows > 0 => {
                    let batch = event.take(shared);
                    (&mut event.rows, batch)
                }
                _ => return Ok(()),
            },
            Place::Spans(index) => {
                let spans = &mut self.spans[index];
                if spans.rows.rows == 0 {
                    return Ok(());
                }
                for cell in [span_rows::PAIR, span_rows::OUTCOME] {
                    spans.set_strings(cell, words);
                }
                spans.set_strings(span_rows::TRACK, tracks);
                for cell in [span_rows::BEGIN_EVENT, span_rows::END_EVENT] {
                    spans.set_strings(cell, &self.event_names);
                }
                spans.set_argument_strings();
                let batch = spans.rows.take(shared);
                (&mut spans.rows, batch)
            }
            Place::Events => {
                let Some(rows) = self.events.as_mut().filter(|rows| rows.rows > 0) else { return Ok(()) };
                let batch = rows.take(shared);
                (rows, batch)
            }
            Place::Dropped | Place::Pauses | Place::Steps | Place::Counters => {
                let (cells, dictionaries): (_, &[(usize, &Names)]) = match place {
                    Place::Dropped => (&mut self.dropped, &[(0, words)]),
                    Place::Steps => (&mut self.steps, &[(0, words), (2, &self.event_names)]),
                    Place::Counters => (&mut self.counters, &[(0, words), (1, tracks)]),
                    _ => (&mut self.pauses, &[]),
                };
                let Some(cells) = cells.as_mut().filter(|cells| cells.rows.rows > 0) else { return Ok(()) };
                for (cell, names) in dictionaries {
                    cells.set_strings(*cell, names.strings());
                }
                let batch = cells.rows.take(shared);
                (&mut cells.rows, batch)
            }
        };
        let result = sink(&mut batch);
        rows.recycle(batch);
        rows.count(&mut self.bytes);
        result
    }

    fn rows(&mut self, place: Place) -> Option<&mut Rows> {
        match place {
            Place::Event(index) => match self.states.get_mut(index)? {
                EventState::Wanted { rows, .. } => rows.as_mut().map(|event| &mut event.rows),
                _ => None,
            },
            Place::Spans(index) => self.spans.get_mut(index).map(|spans| &mut spans.rows),
            Place::Events => self.events.as_mut(),
            Place::Dropped => self.dropped.as_mut().map(|cells| &mut cells.rows),
            Place::Pauses => self.pauses.as_mut().map(|cells| &mut cells.rows),
            Place::Steps => self.steps.as_mut().map(|cells| &mut cells.rows),
            Place::Counters => self.counters.as_mut().map(|cells| &mut cells.rows),
        }
    }

    fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let events = (0..self.states.len()).map(Place::Event);
        let extra = [Place::Events, Place::Dropped, Place::Pauses, Place::Steps, Place::Counters];
        events.chain((0..self.spans.len()).map(Place::Spans)).chain(extra)
    }

    /// Emits the largest batches and frees their memory, until the rest is within the limit.
    #[inline(always)]
    fn keep_small<E>(&mut self, sink: &mut impl Sink<E>) -> Result<(), E> {
        if self.bytes > self.request.memory_bytes { self.shrink(sink) } else { Ok(()) }
    }

    #[cold]
    fn shrink<E>(&mut self, sink: &mut impl Sink<E>) -> Result<(), E> {
        while self.bytes > self.request.memory_bytes {
            let places = self.places();
            let largest = places.max_by_key(|place| self.rows(*place).map_or(0, |rows| rows.counted_bytes()));
            let Some(place) = largest else { return Ok(()) };
            let before = self.bytes;
            self.emit(place, sink)?;
            let mut bytes = self.bytes;
            let Some(rows) = self.rows(place) else { return Ok(()) };
            rows.free();
            rows.count(&mut bytes);
            self.bytes = bytes;
            // A sink that takes the columns has freed them already.
            if bytes == before {
                return Ok(());
            }
        }
        Ok(())
    }

    fn drop<E>(&mut self, entry: &Entry<'_>, sink: &mut impl Sink<E>) -> Result<(), E> {
        let owner = self.owners.of(entry, &self.request.filter);
        let Some(cells) = &mut self.dropped else { return Ok(()) };
        let cause = entry.lost.map(|lost| self.words.key(lost.cause.word()));
        cells.rows.begin_entry(entry, owner);
        cells.push(0, cause.map(u64::from));
        cells.push(1, entry.dropped());
        self.settle(Place::Dropped, sink)
    }

    /// Counts a row that was added, and emits the batch if it is full.
    fn settle<E>(&mut self, place: Place, sink: &mut impl Sink<E>) -> Result<(), E> {
        let mut bytes = self.bytes;
        let limits = self.request.limits();
        let Some(rows) = self.rows(place) else { return Ok(()) };
        rows.count(&mut bytes);
        let is_full = rows.is_full(limits);
        self.bytes = bytes;
        if is_full {
            self.emit(place, sink)?;
        }
        self.keep_small(sink)
    }

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
        for event in events {
            match event {
                SpanEvent::Begin(_) => {}
                SpanEvent::End { span, begin } => {
                    self.span(*span, ENDED, begin, Some(entry), tracks, sink)?;
                }
                SpanEvent::Restarted { span, begin } => {
                    self.span(*span, RESTARTED, begin, None, tracks, sink)?;
                }
                SpanEvent::Step(span) => {
                    let owner = self.owners.of(entry, &self.request.filter);
                    let Some(cells) = &mut self.steps else { continue };
                    cells.rows.begin_entry(entry, owner);
                    cells.push(0, self.pair_words.get(span.pair).copied().map(u64::from));
                    cells.push(1, Some(span.number));
                    cells.push(2, Some(self.event_names.key(&entry.schema.name).into()));
                    self.settle(Place::Steps, sink)?;
                }
                SpanEvent::Counter { counter, track, value } => {
                    let owner = self.owners.of(entry, &self.request.filter);
                    let track = self.track(*track, tracks);
                    let Some(cells) = &mut self.counters else { continue };
                    let name = self.description.counters.get(*counter).map_or("", |counter| &counter.name);
                    let value = i64::try_from(*value).unwrap_or(i64::MAX);
                    cells.rows.begin_entry(entry, owner);
                    cells.push(0, Some(self.words.key(name).into()));
                    cells.push(1, Some(track.into()));
                    cells.push(2, Some(value.cast_unsigned()));
                    self.settle(Place::Counters, sink)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the key of the name of the event of `entry`.
    fn event_key(&mut self, entry: &Entry<'_>) -> u32 {
        match self.states.get(entry.schema_index as usize) {
            Some(EventState::Wanted { name, .. }) => *name,
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

    fn span<E>(
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
        rows.push(span_rows::PAIR, Some(self.pair_words[id.pair].into()));
        rows.push(span_rows::SPAN, Some(id.number));
        rows.push(span_rows::TRACK, Some(track.into()));
        rows.push(span_rows::OUTCOME, Some(outcome.into()));
        rows.push(span_rows::END, end.map(|end| end.timestamp_ns));
        let latency = end.and_then(|end| end.timestamp_ns.checked_sub(begin.timestamp_ns));
        rows.push(span_rows::LATENCY, latency);
        rows.push(span_rows::BEGIN_EVENT, Some(begin_event.into()));
        rows.push(span_rows::END_EVENT, end_event.map(u64::from));
        rows.push_arguments(Side::Begin, begin);
        if let Some(end) = end {
            rows.push_arguments(Side::End, end);
        }
        self.settle(Place::Spans(id.pair), sink)
    }

    /// Adds the remaining rows: open spans and pauses. Passes all incomplete batches to the sink.
    ///
    /// # Errors
    /// Returns the error of the sink.
    pub fn finish<E>(
        &mut self,
        tracker: &SpanTracker,
        pauses: &[Pause],
        sink: &mut impl Sink<E>,
    ) -> Result<(), E> {
        for (id, begin) in tracker.open() {
            self.span(id, OPEN, &begin, None, tracker.tracks(), sink)?;
        }
        for pause in pauses {
            let Some(cells) = &mut self.pauses else { break };
            cells.rows.begin(0, 0, 0);
            cells.push(0, pause.from_ns);
            cells.push(1, pause.to_ns);
            cells.push(2, pause.from_ns.and(pause.to_ns).map(|_| pause.duration_ns()));
            self.settle(Place::Pauses, sink)?;
        }
        self.places().try_for_each(|place| self.emit(place, sink))
    }
}
