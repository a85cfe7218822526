//! Collects the rows of all tables while a trace is read.

mod batches;
mod spans;
mod taken;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use ringtrace_wire::simpletrace::{Record, v4};
use taken::TakenRecords;

use super::batch::Batch;
use super::event_rows::{EventRows, Rows};
use super::extra_rows::{self, CellRows};
use super::names::Names;
use super::owners::Owners;
use super::run::ReadError;
use super::span_rows::{Side, SpanRows};
use super::table::{Request, Table, Tables, event_layout, events_layout};
use crate::entry::{Entry, Pause, Schemas};
use crate::error::unpoisoned;
use crate::query::Filter;
use crate::query::pair::{Description, SpanTracker};
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
    /// The names of the values of enumerations, by schema index and argument.
    enumerations: Arc<Mutex<HashMap<(u32, usize), Names>>>,
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
    /// Records of the current block of a compact trace.
    taken: TakenRecords,
}

/// The rows of an event.
#[derive(Debug, Default)]
enum EventState {
    #[default]
    Unknown,
    /// There are no rows of the event.
    Unwanted {
        /// The key of the event's name, if spans need it.
        name: Option<u32>,
        /// Whether the request selects its records for spans.
        is_selected: bool,
    },
    Wanted {
        rows: Option<Box<EventRows>>,
        /// The key of the event's name.
        name: u32,
    },
}

/// The limits of the records on the fast path whose arguments are added to the columns at once. These
/// records stay in the processor's cache.
const CHUNK_RECORDS: u64 = 1 << 11;
pub(super) const CHUNK_BYTES: usize = 1 << 18;

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
        Collector::with(Arc::new(request), description)
    }

    fn with(request: Arc<Request>, description: Description) -> Collector {
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
            owners: Owners::new(request.origins.as_deref()),
            event_names: Names::default(),
            enumerations: Arc::default(),
            track_names: Names::default(),
            tracks: Vec::new(),
            words,
            pair_words,
            bytes: 0,
            unsure: true,
            dirty: Vec::new(),
            full: Vec::new(),
            taken: TakenRecords::default(),
            description,
            request,
        }
    }

    /// Creates a collector without rows for other parts of the same trace, on another thread. Keys mean the
    /// same in the batches of both.
    pub(super) fn sibling(&self) -> Collector {
        Collector {
            owners: self.owners.sibling(),
            event_names: self.event_names.clone(),
            enumerations: Arc::clone(&self.enumerations),
            words: self.words.clone(),
            ..Collector::with(Arc::clone(&self.request), self.description.clone())
        }
    }

    pub(super) fn request(&self) -> &Arc<Request> {
        &self.request
    }

    /// Prepares for another part of the trace, which can have other names of threads.
    pub(super) fn restart(&mut self) {
        self.unsure = true;
        self.owners.restart();
    }

    /// Returns the threads since [`Collector::restart`] that had no name.
    pub(super) fn unnamed(&mut self) -> HashSet<u32> {
        self.owners.unnamed()
    }

    /// Returns whether rows, or their selection, depend on the names of threads.
    pub(super) fn uses_thread_names(&self) -> bool {
        self.request.wants("thread") || self.filter.uses_thread_names()
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
        self.owners.of(entry, &self.request.filter);
        if !entry.is_dropped() {
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
        let has_event_rows = self.has_event_rows();
        let names = |argument| {
            let key = (entry.schema_index, argument);
            unpoisoned(self.enumerations.lock()).entry(key).or_default().clone()
        };
        let is_selected = !self.filter.rejects_event(index, entry.schema);
        self.states[index] = if !is_selected || !has_event_rows {
            EventState::Unwanted { name: None, is_selected }
        } else {
            let layout = || event_layout(entry.schema, entry.schema_index, entry.version, &self.request);
            EventState::Wanted {
                rows: self
                    .request
                    .tables
                    .each_event
                    .then(|| Box::new(EventRows::new(layout(), entry.schema, names))),
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
        if !self.is_ready(records) {
            return Ok(());
        }
        loop {
            let is_end = self.chunk(records, |_, _| true);
            self.emit_full(sink)?;
            if is_end {
                return Ok(());
            }
        }
    }

    /// Does the same as [`Collector::fast_path`], and adds the rows of the spans, steps and counters to which
    /// the records belong. `tracker` follows the spans.
    ///
    /// # Errors
    /// Returns the error of the sink or of the tracker.
    #[inline]
    pub fn fast_path_with_spans<E>(
        &mut self,
        records: &mut OrdinaryRecords<'_>,
        tracker: &mut SpanTracker,
        sink: &mut impl Sink<E>,
    ) -> Result<(), ReadError<E>> {
        if !self.is_ready(records) {
            return Ok(());
        }
        let schemas = records.schemas();
        if !self.has_event_rows() {
            return self.follow_all(records, tracker, sink);
        }
        loop {
            let mut again = records.clone();
            let is_end = self.chunk(records, |record, schema_index| {
                !tracker.concerns(schema_index) || schemas.get(schema_index).fits(record.payload)
            });
            self.emit_full(sink).map_err(ReadError::Sink)?;
            // The records are still in the processor's cache.
            while again.count() < records.count()
                && let Some((record, schema_index)) = again.peek()
            {
                self.follow(&again, &record, schema_index, tracker, sink)?;
                again.skip(&record);
            }
            if is_end {
                return Ok(());
            }
        }
    }

    /// Returns whether there are tables with a row for each record of an event.
    fn has_event_rows(&self) -> bool {
        let Tables { each_event, events, .. } = self.request.tables;
        each_event || events
    }

    /// Returns whether the fast path can start at `records`.
    #[inline(always)]
    fn is_ready(&mut self, records: &OrdinaryRecords<'_>) -> bool {
        if self.unsure || !self.is_simple {
            return false;
        }
        // The next entry can rename threads.
        self.unsure = records.bytes_left() == 0;
        !self.unsure
    }

    /// Emits the batches that a chunk has filled.
    fn emit_full<E>(&mut self, sink: &mut impl Sink<E>) -> Result<(), E> {
        while let Some(place) = self.full.pop() {
            self.emit(place, sink)?;
        }
        self.keep_small(sink)
    }

    /// Adds records until there is a certain number of them, a batch is full, or `takes` returns false for a
    /// record. Returns whether the next record is not for the fast path.
    fn chunk(&mut self, records: &mut OrdinaryRecords<'_>, takes: impl Fn(&Record<'_>, u32) -> bool) -> bool {
        let Self { request, states, events, owners, dirty, full, from_ns, to_ns, .. } = self;
        let (from_ns, to_ns) = (*from_ns, *to_ns);
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
            if !takes(&record, schema_index) {
                is_end = true;
                break;
            }
            let index = schema_index as usize;
            let (event, name) = match states.get_mut(index) {
                Some(EventState::Wanted { rows, name }) => (rows, *name),
                Some(EventState::Unwanted { .. }) => {
                    left.skip(&record);
                    continue;
                }
                Some(EventState::Unknown) | None => {
                    is_end = true;
                    break;
                }
            };
            let Some(owner) = owners.of_id(record.id, record.pid) else {
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

    fn drop<E>(&mut self, entry: &Entry<'_>, sink: &mut impl Sink<E>) -> Result<(), E> {
        let owner = self.owners.of(entry, &self.request.filter);
        let Some(cells) = &mut self.dropped else { return Ok(()) };
        let cause = entry.lost.map(|lost| self.words.key(lost.cause.word()));
        cells.rows.begin_entry(entry, owner);
        cells.push(0, cause.map(u64::from));
        cells.push(1, entry.dropped());
        self.settle(Place::Dropped, sink)
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
            cells.rows.begin(0, self.owners.of_trace(pause.trace), 0);
            cells.push(0, pause.from_ns);
            cells.push(1, pause.to_ns);
            cells.push(2, pause.from_ns.and(pause.to_ns).map(|_| pause.duration_ns()));
            self.settle(Place::Pauses, sink)?;
        }
        self.flush(sink)
    }
}
