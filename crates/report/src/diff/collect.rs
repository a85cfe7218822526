//! The visitor that collects a recording's data for a comparison.

use ringtrace_tracefile::pair::{PairError, SpanEvent, SpanTracker};
use ringtrace_tracefile::statistics::Sketch;
use ringtrace_tracefile::{
    Dropped, Entry, Error as TraceError, Flow, OrdinaryRecords, Traces, Visitor, pauses,
};

use super::nesting::Nesting;
use super::recording::{EventCounts, Recording, Spans};
use super::steps::{EventNumber, Steps};
use super::timeline::{BLOCKS, Timeline, fold};

#[derive(Debug)]
struct Collector<'m> {
    timeline: Timeline,
    times_ns: Option<(u64, u64)>,
    events: Vec<EventCounts>,
    /// Information about events, by schema index.
    by_schema: Vec<Option<EventInfo>>,
    steps: Steps,
    tracker: &'m mut SpanTracker,
    /// Latencies of spans, by pair, then by block.
    spans: Vec<Vec<Sketch>>,
    doubtful: Vec<u64>,
    nesting: Nesting,
    dropped: Dropped,
    lossy: Vec<bool>,
    /// Time of the latest loss. Spans that began before it are doubtful.
    lost_ns: Option<u64>,
    threaded: bool,
    error: Option<PairError>,
}

#[derive(Debug, Clone, Copy)]
struct EventInfo {
    event: u32,
    number: EventNumber,
    /// Size of the payload, if records of the event can be counted without decoding them.
    plain_bytes: Option<usize>,
}

impl Recording {
    /// Reads `traces`, whose spans `tracker` follows. Read errors are returned with the recording.
    ///
    /// # Errors
    /// Fails if an event does not fit its pair.
    pub fn read(
        traces: &mut Traces,
        tracker: &mut SpanTracker,
    ) -> Result<(Recording, Vec<TraceError>), PairError> {
        let pairs = tracker.description().pairs.len();
        let mut collector = Collector {
            timeline: Timeline::default(),
            times_ns: None,
            events: Vec::new(),
            by_schema: Vec::new(),
            steps: Steps::default(),
            tracker,
            spans: vec![vec![Sketch::default(); BLOCKS]; pairs],
            doubtful: vec![0; pairs],
            nesting: Nesting::new(pairs),
            dropped: Dropped::default(),
            lossy: vec![false; BLOCKS],
            lost_ns: None,
            threaded: false,
            error: None,
        };
        let errors = traces.for_each(&mut collector).err().unwrap_or_default();
        let Collector { timeline, times_ns, events, steps, spans, doubtful, nesting, .. } = collector;
        let Collector { dropped, lossy, error, tracker, .. } = collector;
        if let Some(error) = error {
            return Err(error);
        }
        let kept = spans.into_iter().zip(doubtful).zip(nesting.pairs);
        let pairs = tracker.description().pairs.iter().zip(kept).map(|(pair, ((blocks, doubtful), own))| {
            let edges = pair.begins.iter().chain(&pair.ends).map(|edge| edge.event.clone());
            Spans { name: pair.name.clone(), edges: edges.collect(), blocks, doubtful, own }
        });
        let pairs = pairs.collect();
        let pauses = traces.readers().iter().flat_map(|reader| pauses(reader.metadata())).collect();
        Ok((Recording { timeline, times_ns, events, steps, pairs, dropped, lossy, pauses }, errors))
    }
}

impl Collector<'_> {
    #[inline]
    fn block(&mut self, ns: u64) -> usize {
        match self.timeline.block(ns) {
            Ok(block) => block,
            Err(doublings) => self.widen(doublings, ns),
        }
    }

    #[cold]
    fn widen(&mut self, doublings: u32, ns: u64) -> usize {
        self.timeline.widen(doublings);
        for event in &mut self.events {
            fold(&mut event.blocks, doublings, |sum, count| *sum += count);
        }
        for blocks in &mut self.spans {
            fold(blocks, doublings, |sum, block| {
                if sum.count() == 0 {
                    *sum = block;
                } else if block.count() > 0 {
                    sum.merge(&block);
                }
            });
        }
        self.steps.widen(doublings);
        fold(&mut self.lossy, doublings, |sum, lossy| *sum |= lossy);
        self.timeline.block(ns).unwrap_or(0)
    }

    #[inline]
    fn count(&mut self, info: EventInfo, thread: u32, ns: u64) {
        let block = self.block(ns);
        self.events[info.event as usize].blocks[block] += 1;
        self.steps.count(thread, info.number, ns, block);
        self.times_ns = Some(self.times_ns.map_or((ns, ns), |(first, last)| (first.min(ns), last.max(ns))));
    }

    #[cold]
    fn add_event(&mut self, entry: &Entry<'_>) -> EventInfo {
        let event = self.events.len();
        self.events.push(EventCounts { name: entry.schema.name.to_string(), blocks: vec![0; BLOCKS] });
        let info = EventInfo {
            event: event as u32,
            number: EventNumber::new(event),
            plain_bytes: entry.schema.integer_bytes,
        };
        let index = entry.schema_index as usize;
        if self.by_schema.len() <= index {
            self.by_schema.resize(index + 1, None);
        }
        self.by_schema[index] = Some(info);
        info
    }

    /// Notes that events of `thread` were dropped. `ns` is the time of the dropped record.
    fn lose(&mut self, thread: u32, ns: u64) {
        self.steps.forget();
        // Dropped records in v0 traces have no time.
        let ns = if ns > 0 { Some(ns) } else { self.times_ns.map(|(_, last_ns)| last_ns) };
        let Some(ns) = ns else { return };
        self.lost_ns = self.lost_ns.max(Some(ns));
        let block = self.block(ns);
        // Events may have been lost at any time since the thread's last record.
        let last_ns = self.steps.last_ns(thread).or(self.times_ns.map(|(_, last_ns)| last_ns)).unwrap_or(ns);
        let from = self.block(last_ns.min(ns)).min(block.saturating_sub(1));
        for lossy in &mut self.lossy[from..=block] {
            *lossy = true;
        }
    }

    fn end(&mut self, pair: usize, begin_ns: u64, end_ns: u64, thread: u32) {
        let is_doubtful = end_ns < begin_ns || self.lost_ns.is_some_and(|lost_ns| begin_ns <= lost_ns);
        if is_doubtful {
            self.doubtful[pair] += 1;
            return;
        }
        let block = self.block(end_ns);
        self.spans[pair][block].add(end_ns - begin_ns);
        self.nesting.end(thread, pair, begin_ns, end_ns);
    }
}

impl Visitor for Collector<'_> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        let thread = thread(entry.threaded, entry.id, entry.pid);
        if self.dropped.count(entry) {
            self.lose(thread, entry.timestamp_ns);
            return Flow::Continue;
        }
        self.threaded = entry.threaded;
        let info = self.by_schema.get(entry.schema_index as usize).copied().flatten();
        let info = info.unwrap_or_else(|| self.add_event(entry));
        self.count(info, thread, entry.timestamp_ns);
        let mut ended: Vec<(usize, u64)> = Vec::new();
        match self.tracker.of(entry) {
            Ok((span_events, _)) => {
                ended.extend(span_events.iter().filter_map(|span_event| match span_event {
                    SpanEvent::End { span, begin } => Some((span.pair, begin.timestamp_ns)),
                    _ => None,
                }));
            }
            Err(error) => {
                self.error = Some(error);
                return Flow::Stop;
            }
        }
        for (pair, begin_ns) in ended {
            self.end(pair, begin_ns, entry.timestamp_ns, thread);
        }
        Flow::Continue
    }

    #[inline(always)]
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        records.skip_while(|record, schema_index| {
            let info = self.by_schema.get(schema_index as usize).copied().flatten();
            match info {
                Some(info)
                    if info.plain_bytes == Some(record.payload.len())
                        && !self.tracker.concerns(schema_index) =>
                {
                    let thread = thread(self.threaded, record.id, record.pid);
                    self.count(info, thread, record.timestamp_ns);
                    true
                }
                _ => false,
            }
        });
        Flow::Continue
    }
}

/// Returns the id of the thread, or of the process if the trace contains no thread ids.
fn thread(threaded: bool, id: u64, pid: u32) -> u32 {
    if threaded { (id >> 32) as u32 } else { pid }
}
