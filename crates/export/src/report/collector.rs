//! What a report, and a comparison, know of a trace: collected in one pass, in memory that does not grow with it.

use std::collections::HashMap;

use ringtrace_tracefile::pair::{SpanEvent, SpanTracker, PairError, Track};
use ringtrace_tracefile::{Entry, Flow, OrdinaryRecords, Schema, Visitor};
use ringtrace_wire::Little;
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{ArgumentKind, Layout, Record};

use super::count::Count;
use super::counters::Counters;
use super::grid::{Grid, Span};
use super::heat::Heat;
use super::lost::Losses;
use super::record::{KeptRecord, ShownRecord};
use super::spans::{OpenSteps, SlowSpan, Spans};
use super::threads::{Threads, Who};

/// Kinds of events beyond this many are counted together.
pub const MAX_EVENTS: usize = 10_000;

/// Buckets of time. Half of them, or more, are in use in the end.
const BUCKETS: usize = 1024;

/// Columns of time of heat maps.
const HEAT_COLUMNS: usize = 512;

/// Counts what it is shown as a [`Visitor`]. What cannot be read is no matter of it.
#[derive(Debug)]
pub struct Collector {
    meanings: SpanTracker,
    grid: Grid,
    heat_grid: Grid,
    span: Span,
    events: Vec<(String, Count)>,
    other: Count,
    by_name: HashMap<String, u32>,
    /// By schema index.
    plans: Vec<Option<Plan>>,
    threads: Threads,
    losses: Losses,
    spans: Vec<Spans>,
    counters: Counters,
    steps: OpenSteps,
    /// By schema index: the events of steps.
    step_schemas: HashMap<u32, Schema>,
    failed: Option<PairError>,
}

/// What is done with the records of an event.
#[derive(Debug, Clone)]
struct Plan {
    /// Its place among the events; [`NOWHERE`] for those that have none of their own.
    place: u32,
    quick: Option<Quick>,
}

/// What is known of an event's records without looking at them: nothing is described of the event.
#[derive(Debug, Clone)]
struct Quick {
    /// Bytes of arguments that are all integers.
    integer_bytes: Option<usize>,
    kinds: Box<[ArgumentKind]>,
    threaded: bool,
}

/// The place of events that have none.
const NOWHERE: u32 = u32::MAX;

impl Collector {
    /// Collects what there is of traces, and what `meanings`, which are bound to them, see in it.
    pub fn new(meanings: SpanTracker) -> Collector {
        let meanings = meanings.keep_begins(true);
        let (grid, heat_grid) = (Grid::new(BUCKETS), Grid::new(HEAT_COLUMNS));
        let pairs = meanings.description().pairs.len();
        Collector {
            span: Span::NONE,
            events: Vec::new(),
            other: Count::new(grid.buckets()),
            by_name: HashMap::new(),
            plans: Vec::new(),
            threads: Threads::new(grid.buckets()),
            losses: Losses::new(grid.buckets()),
            spans: vec![Spans::new(heat_grid.buckets()); pairs],
            counters: Counters::new(grid.buckets()),
            steps: OpenSteps::default(),
            step_schemas: HashMap::new(),
            failed: None,
            meanings,
            grid,
            heat_grid,
        }
    }

    /// Why it wanted no more before the end: an event does not fit its description.
    pub fn failed(&mut self) -> Option<PairError> {
        self.failed.take()
    }

    /// What is described, and what is open still.
    pub fn meanings(&self) -> &SpanTracker {
        &self.meanings
    }

    /// All tracks.
    pub fn tracks(&self) -> &[Track] {
        self.meanings.tracks()
    }

    /// The buckets of all counts over time.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The columns of heat maps.
    pub fn heat_grid(&self) -> &Grid {
        &self.heat_grid
    }

    /// The times of all records.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Counts by event, in the order of their first records.
    pub fn events(&self) -> &[(String, Count)] {
        &self.events
    }

    /// The events that came when [`MAX_EVENTS`] kinds were known already.
    pub fn other(&self) -> &Count {
        &self.other
    }

    /// How many events there are in all.
    pub fn event_count(&self) -> u64 {
        self.events.iter().map(|(_, count)| count.count).sum::<u64>() + self.other.count
    }

    /// Counts by thread.
    pub fn threads(&self) -> &Threads {
        &self.threads
    }

    /// What was lost.
    pub fn losses(&self) -> &Losses {
        &self.losses
    }

    /// What is kept of each pair of the description; [`SpanTracker::pairs`] has what was counted of it.
    pub fn spans(&self) -> &[Spans] {
        &self.spans
    }

    /// The values of counters.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    #[inline(always)]
    fn count_quick(&mut self, record: &Record<'_>, schema_index: u32) -> bool {
        let Some(Some(Plan { place, quick: Some(quick) })) = self.plans.get(schema_index as usize) else {
            return false;
        };
        let Some(bucket) = self.grid.place(record.timestamp_ns) else { return false };
        let Some(who) = quick.who(record) else { return false };
        let count = match self.events.get_mut(*place as usize) {
            Some((_, count)) => count,
            None => &mut self.other,
        };
        count.add(record.timestamp_ns, bucket);
        self.threads.of(who).add(record.timestamp_ns, bucket);
        self.span.add(record.timestamp_ns);
        true
    }

    /// The bucket of `time_ns`.
    fn bucket(&mut self, time_ns: u64) -> usize {
        self.span.add(time_ns);
        match self.grid.place(time_ns) {
            Some(bucket) => bucket,
            None => {
                let widening = self.grid.reach(self.span);
                self.events.iter_mut().for_each(|(_, count)| count.widen(widening));
                self.other.widen(widening);
                self.threads.widen(widening);
                self.losses.widen(widening);
                self.counters.widen(widening);
                self.grid.place(time_ns).unwrap_or(0)
            }
        }
    }

    /// The column of heat maps of `time_ns`.
    fn column(&mut self, time_ns: u64) -> usize {
        match self.heat_grid.place(time_ns) {
            Some(column) => column,
            None => {
                let widening = self.heat_grid.reach(self.span);
                self.spans.iter_mut().for_each(|spans| Heat::widen(&mut spans.heat, widening));
                self.heat_grid.place(time_ns).unwrap_or(0)
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
        let who = Who { pid: entry.pid, tid: entry.tid() };
        self.threads.of(who).add(entry.timestamp_ns, bucket);
    }

    /// The place of the entry's event.
    fn plan(&mut self, entry: &Entry<'_>) -> u32 {
        match self.plans.get_mut(entry.schema_index as usize) {
            Some(Some(plan)) => {
                // What a trace says of its threads it may say late.
                if let Some(quick) = &mut plan.quick {
                    quick.threaded = entry.threaded;
                }
                plan.place
            }
            _ => self.make_plan(entry),
        }
    }

    #[cold]
    fn make_plan(&mut self, entry: &Entry<'_>) -> u32 {
        let Schema { name, kinds, integer_bytes, .. } = entry.schema;
        let place = match self.by_name.get(name.as_str()) {
            Some(&place) => place,
            None if self.events.len() < MAX_EVENTS => {
                let place = self.events.len() as u32;
                self.events.push((name.to_string(), Count::new(self.grid.buckets())));
                self.by_name.insert(name.to_string(), place);
                place
            }
            None => NOWHERE,
        };
        let quick = (!self.meanings.concerns(entry.schema_index)).then(|| Quick {
            integer_bytes: *integer_bytes,
            kinds: kinds.as_slice().into(),
            threaded: entry.threaded,
        });
        let index = entry.schema_index as usize;
        if self.plans.len() <= index {
            self.plans.resize(index + 1, None);
        }
        self.plans[index] = Some(Plan { place, quick });
        place
    }

    fn understand(&mut self, entry: &Entry<'_>, bucket: usize) -> Result<(), PairError> {
        if !self.meanings.concerns(entry.schema_index) {
            return Ok(());
        }
        let column = self.column(entry.timestamp_ns);
        let (meant, _) = self.meanings.of(entry)?;
        for meaning in meant.iter() {
            match meaning {
                SpanEvent::Begin(_) => {}
                // What was kept of it is not shown.
                SpanEvent::Restarted { span, .. } => drop(self.steps.take(span.number)),
                SpanEvent::Step(span) => {
                    self.step_schemas.entry(entry.schema_index).or_insert_with(|| entry.schema.clone());
                    self.steps.add(span.number, entry);
                }
                SpanEvent::End { span, begin } => {
                    let (kept, left_out) = self.steps.take(span.number);
                    let Some(spans) = self.spans.get_mut(span.pair) else { continue };
                    let Some(latency_ns) = spans.end(*span, begin.timestamp_ns, entry.timestamp_ns, column)
                    else {
                        continue;
                    };
                    let show = |kept: KeptRecord| -> Option<ShownRecord> {
                        Some(kept.show(self.step_schemas.get(&kept.schema_index)?, entry))
                    };
                    let steps = kept.into_iter().filter_map(show);
                    spans.keep(SlowSpan::new(*span, latency_ns, begin, steps, left_out, entry));
                }
                SpanEvent::Counter { counter, track, value } => {
                    self.counters.add(*counter, *track, *value, bucket);
                }
            }
        }
        Ok(())
    }
}

impl Quick {
    /// Who wrote `record`; `None`: it needs a second look.
    #[inline(always)]
    fn who(&self, record: &Record<'_>) -> Option<Who> {
        let fits = match self.integer_bytes {
            Some(bytes) => record.payload.len() == bytes,
            None => self.fits(record.payload),
        };
        let high = (record.id >> 32) as u32;
        let tid = if high == 0 { None } else { self.threaded.then_some(high) };
        (fits && (high == 0 || self.threaded)).then_some(Who { pid: record.pid, tid })
    }

    /// Whether `payload` is exactly the values of the arguments.
    fn fits(&self, payload: &[u8]) -> bool {
        let mut rest = payload;
        let all = self.kinds.iter().all(|kind| match *kind {
            ArgumentKind::Integer { signed } => V4::<Little>::integer(&mut rest, signed).is_some(),
            ArgumentKind::Str => V4::<Little>::string(&mut rest).is_some(),
        });
        all && rest.is_empty()
    }
}

impl Visitor for Collector {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        if entry.is_dropped() {
            // v0 wrote no time into dropped records.
            let bucket = (entry.timestamp_ns != 0).then(|| self.bucket(entry.timestamp_ns));
            self.losses.count(entry, bucket);
            return Flow::Continue;
        }
        let bucket = self.bucket(entry.timestamp_ns);
        if let Err(error) = self.understand(entry, bucket) {
            self.failed = Some(error);
            return Flow::Stop;
        }
        self.count(entry, bucket);
        Flow::Continue
    }

    #[inline(always)]
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        records.skip_while(|record, schema_index| self.count_quick(record, schema_index));
        Flow::Continue
    }
}
