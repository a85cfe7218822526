//! The visitor that collects a report's data.

use std::collections::HashMap;
use std::convert::Infallible;

use ringtrace_tracefile::pair::{PairError, SpanEvent, SpanId, SpanTracker, Track};
use ringtrace_tracefile::{Dropped, Entry, Flow, OrdinaryRecords, Schema, Schemas, Visitor};
use ringtrace_wire::simpletrace::Record;

use super::counters::Counters;
use super::heat_map::HeatMap;
use super::losses::Losses;
use super::slowest::SlowestSpans;
use super::spans::{PairSpans, SLOWEST};
use super::threads::{ThreadId, Threads};
use super::time_grid::{Counts, TimeGrid, TimeRange};

/// Maximum number of event names that are counted separately. All others are counted together.
const MAX_EVENTS: usize = 10_000;

/// Number of buckets in the time grid. After the grid has been widened, roughly half of them or
/// more are in use.
const BUCKETS: usize = 1024;

const HEAT_COLUMNS: usize = 512;

/// Collects a report's data as a [`Visitor`]. The caller handles read errors.
#[derive(Debug)]
pub struct Collector {
    tracker: SpanTracker,
    pub(crate) grid: TimeGrid,
    pub(crate) heat_grid: TimeGrid,
    pub(crate) span: TimeRange,
    /// The events, in the order of their first records.
    pub(crate) events: Vec<(String, Counts)>,
    /// Total of the events beyond the first [`MAX_EVENTS`] names.
    pub(crate) other: Counts,
    by_name: HashMap<String, u32>,
    /// The events' plans, by schema index.
    plans: Vec<Option<EventPlan>>,
    pub(crate) threads: Threads,
    pub(crate) losses: Losses,
    pub(crate) spans: Vec<PairSpans>,
    /// Number of spans that ended, by track.
    pub(crate) ended: Vec<u64>,
    pub(crate) counters: Counters,
    pub(crate) slowest: SlowestSpans,
    error: Option<PairError>,
}

#[derive(Debug, Clone)]
struct EventPlan {
    index: u32,
    /// Size of the payload, if all arguments are integers.
    integer_bytes: Option<usize>,
    threaded: bool,
    /// Whether the records can belong to spans or counters.
    is_tracked: bool,
}

const OTHER: u32 = u32::MAX;

impl Collector {
    /// Creates a collector. `tracker` follows the spans; it must be bound to the traces.
    pub fn new(tracker: SpanTracker) -> Collector {
        let tracker = tracker.keep_begins(true);
        let (grid, heat_grid) = (TimeGrid::new(BUCKETS), TimeGrid::new(HEAT_COLUMNS));
        let pairs = tracker.description().pairs.len();
        Collector {
            span: TimeRange::NONE,
            events: Vec::new(),
            other: Counts::new(grid.buckets()),
            by_name: HashMap::new(),
            plans: Vec::new(),
            threads: Threads::new(grid.buckets()),
            losses: Losses::new(grid.buckets()),
            spans: vec![PairSpans::new(heat_grid.buckets()); pairs],
            ended: Vec::new(),
            counters: Counters::new(grid.buckets()),
            slowest: SlowestSpans::new(pairs, SLOWEST),
            error: None,
            tracker,
            grid,
            heat_grid,
        }
    }

    /// Returns the error that stopped the collection, if an event does not fit its description.
    pub fn take_error(&mut self) -> Option<PairError> {
        self.error.take()
    }

    /// Returns the span tracker, which contains the statistics and the open spans.
    pub fn tracker(&self) -> &SpanTracker {
        &self.tracker
    }

    /// Returns the total losses.
    pub fn dropped(&self) -> Dropped {
        self.losses.dropped
    }

    pub(crate) fn tracks(&self) -> &[Track] {
        self.tracker.tracks()
    }

    pub(crate) fn event_count(&self) -> u64 {
        self.events.iter().map(|(_, count)| count.count).sum::<u64>() + self.other.count
    }

    /// Counts `record`, the next one of `records`, without creating its entry. Returns false if it must be passed to
    /// [`Collector::entry`] instead.
    #[inline(always)]
    fn count_fast<'w>(
        &mut self,
        records: &OrdinaryRecords<'w>,
        record: &Record<'w>,
        schema_index: u32,
    ) -> bool {
        let Some(Some(plan)) = self.plans.get(schema_index as usize) else { return false };
        let (index, is_tracked) = (plan.index, plan.is_tracked);
        let Some(bucket) = self.grid.index(record.timestamp_ns) else { return false };
        let Some(thread) = plan.thread(record, records.schemas(), schema_index) else { return false };
        if is_tracked && !self.follow_fast(records, record, schema_index) {
            return false;
        }
        let count = match self.events.get_mut(index as usize) {
            Some((_, count)) => count,
            None => &mut self.other,
        };
        count.add(record.timestamp_ns, bucket);
        self.threads.of(thread).add(record.timestamp_ns, bucket);
        self.span.add(record.timestamp_ns);
        true
    }

    /// Follows the spans of `record`, unless it has to be passed to [`Collector::entry`].
    #[inline(always)]
    fn follow_fast<'w>(
        &mut self,
        records: &OrdinaryRecords<'w>,
        record: &Record<'w>,
        schema_index: u32,
    ) -> bool {
        let Collector { tracker, heat_grid, spans, ended, slowest, .. } = self;
        let Some(column) = heat_grid.index(record.timestamp_ns) else { return false };
        tracker.follow_ordinary(records, record, schema_index, |end| {
            count_ended(spans, ended, end.span, (end.begin_ns, end.end_ns), column);
            if slowest.wants(end.span, end.begin_ns, end.end_ns) {
                let span = end.span;
                end.visit_records(|begin, entry| slowest.follow(&SpanEvent::End { span, begin }, entry));
            }
        })
    }

    /// Returns the bucket of `time_ns`. Widens the grid if necessary.
    fn bucket(&mut self, time_ns: u64) -> usize {
        self.span.add(time_ns);
        match self.grid.index(time_ns) {
            Some(bucket) => bucket,
            None => {
                let widening = self.grid.widen_to(self.span);
                self.events.iter_mut().for_each(|(_, count)| count.widen(widening));
                self.other.widen(widening);
                self.threads.widen(widening);
                self.losses.widen(widening);
                self.counters.widen(widening);
                self.grid.index(time_ns).unwrap_or(0)
            }
        }
    }

    /// Returns the heat map column of `time_ns`. Widens the grid if necessary.
    fn column(&mut self, time_ns: u64) -> usize {
        match self.heat_grid.index(time_ns) {
            Some(column) => column,
            None => {
                let widening = self.heat_grid.widen_to(self.span);
                self.spans.iter_mut().for_each(|spans| HeatMap::widen(&mut spans.heat, widening));
                self.heat_grid.index(time_ns).unwrap_or(0)
            }
        }
    }

    fn count(&mut self, entry: &Entry<'_>, bucket: usize) {
        let plan = self.plan(entry);
        let count = match self.events.get_mut(plan as usize) {
            Some((_, count)) => count,
            None => &mut self.other,
        };
        count.add(entry.timestamp_ns, bucket);
        let thread = ThreadId { trace: entry.trace, pid: entry.pid, tid: entry.tid() };
        self.threads.of(thread).add(entry.timestamp_ns, bucket);
    }

    fn plan(&mut self, entry: &Entry<'_>) -> u32 {
        match self.plans.get_mut(entry.schema_index as usize) {
            Some(Some(plan)) => {
                // The trace's declaration of threads may follow its first records.
                plan.threaded = entry.threaded;
                plan.index
            }
            _ => self.make_plan(entry),
        }
    }

    #[cold]
    fn make_plan(&mut self, entry: &Entry<'_>) -> u32 {
        let Schema { name, integer_bytes, .. } = entry.schema;
        let event = match self.by_name.get(name.as_str()) {
            Some(&event) => event,
            None if self.events.len() < MAX_EVENTS => {
                let event = self.events.len() as u32;
                self.events.push((name.to_string(), Counts::new(self.grid.buckets())));
                self.by_name.insert(name.to_string(), event);
                event
            }
            None => OTHER,
        };
        let plan = EventPlan {
            index: event,
            integer_bytes: *integer_bytes,
            threaded: entry.threaded,
            is_tracked: self.tracker.concerns(entry.schema_index),
        };
        let index = entry.schema_index as usize;
        if self.plans.len() <= index {
            self.plans.resize(index + 1, None);
        }
        self.plans[index] = Some(plan);
        event
    }

    fn follow_spans(&mut self, entry: &Entry<'_>, bucket: usize) -> Result<(), PairError> {
        if !self.tracker.concerns(entry.schema_index) {
            return Ok(());
        }
        let column = self.column(entry.timestamp_ns);
        let Collector { tracker, spans, ended, counters, slowest, .. } = self;
        let Ok(()) = tracker.follow(entry, |span_event, _| -> Result<(), Infallible> {
            slowest.follow(span_event, entry);
            match span_event {
                SpanEvent::Begin(_) | SpanEvent::Restarted { .. } | SpanEvent::Step(_) => {}
                SpanEvent::End { span, begin } => {
                    count_ended(spans, ended, *span, (begin.timestamp_ns, entry.timestamp_ns), column);
                }
                SpanEvent::Counter { track, value, .. } => counters.add(*track, *value, bucket),
            }
            Ok(())
        })?;
        Ok(())
    }
}

/// Counts a span that ended in `column`, and began and ended at these times.
#[inline(always)]
fn count_ended(
    spans: &mut [PairSpans],
    ended: &mut Vec<u64>,
    span: SpanId,
    (begin_ns, end_ns): (u64, u64),
    column: usize,
) {
    if let Some(spans) = spans.get_mut(span.pair) {
        spans.end(span, begin_ns, end_ns, column);
    }
    let track = span.track as usize;
    if ended.len() <= track {
        ended.resize(track + 1, 0);
    }
    ended[track] += 1;
}

impl EventPlan {
    /// Returns the thread that wrote `record`, or `None` if the record must be decoded. A trace can declare
    /// an event after its first records, so the schema is not part of the plan.
    #[inline(always)]
    fn thread(&self, record: &Record<'_>, schemas: &Schemas, schema_index: u32) -> Option<ThreadId> {
        let fits = match self.integer_bytes {
            Some(bytes) => record.payload.len() == bytes,
            None => schemas.get(schema_index).fits(record.payload),
        };
        let high = (record.id >> 32) as u32;
        let tid = if high == 0 { None } else { self.threaded.then_some(high) };
        // Only a single trace has a fast path.
        (fits && (high == 0 || self.threaded)).then_some(ThreadId { trace: 0, pid: record.pid, tid })
    }
}

impl Visitor for Collector {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        if entry.is_dropped() {
            // Dropped records in v0 traces have no time.
            let bucket = (entry.timestamp_ns != 0).then(|| self.bucket(entry.timestamp_ns));
            self.losses.count(entry, bucket);
            return Flow::Continue;
        }
        let bucket = self.bucket(entry.timestamp_ns);
        if let Err(error) = self.follow_spans(entry, bucket) {
            self.error = Some(error);
            return Flow::Stop;
        }
        self.count(entry, bucket);
        Flow::Continue
    }

    #[inline(always)]
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        records
            .skip_while_next(|records, record, schema_index| self.count_fast(records, record, schema_index));
        Flow::Continue
    }
}
