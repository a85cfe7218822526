//! The slowest spans of each pair, with their records.

use std::collections::{BTreeMap, HashMap};

use ringtrace_tracefile::pair::{SpanEvent, SpanId};
use ringtrace_tracefile::{Entry, Schema};

use super::record::{KeptRecord, ShownRecord};

const MAX_STEPS: usize = 64;

/// Maximum total size of the steps that are kept for open spans, in bytes.
const MAX_STEP_BYTES: usize = 32 << 20;

/// Finds the slowest spans of each pair, and keeps their records.
#[derive(Debug)]
pub struct SlowestSpans {
    limit: usize,
    by_pair: Vec<Vec<SlowSpan>>,
    steps: OpenSteps,
    /// Schemas of step events, by schema index.
    step_schemas: HashMap<u32, Schema>,
}

/// A span that is one of the slowest of its pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlowSpan {
    /// The id of the span.
    pub span: SpanId,
    /// The time from the begin event to the end event, in nanoseconds.
    pub latency_ns: u64,
    /// The record that began the span, its steps, and the record that ended it.
    pub records: Vec<ShownRecord>,
    /// The number of steps beyond those in `records`.
    pub steps_omitted: u64,
}

impl SlowestSpans {
    /// Creates a collector that keeps the `limit` slowest spans of each of `pairs` pairs.
    pub fn new(pairs: usize, limit: usize) -> SlowestSpans {
        SlowestSpans {
            limit,
            by_pair: vec![Vec::new(); pairs],
            steps: OpenSteps::default(),
            step_schemas: HashMap::new(),
        }
    }

    /// Processes a span event of `entry`. The span tracker must [keep the records of begin
    /// events](ringtrace_tracefile::pair::SpanTracker::keep_begins).
    pub fn follow(&mut self, event: &SpanEvent<'_>, entry: &Entry<'_>) {
        match event {
            SpanEvent::Begin(_) | SpanEvent::Counter { .. } => {}
            // The steps before the restart are discarded, because they are not shown.
            SpanEvent::Restarted { span, .. } => drop(self.steps.take(span.number)),
            SpanEvent::Step(span) => {
                self.step_schemas.entry(entry.schema_index).or_insert_with(|| entry.schema.clone());
                self.steps.add(span.number, entry);
            }
            SpanEvent::End { span, begin } => {
                let (kept, omitted) = self.steps.take(span.number);
                let Some(slowest) = self.by_pair.get_mut(span.pair) else { return };
                // A span whose end is earlier than its start has no latency.
                let Some(latency_ns) = entry.timestamp_ns.checked_sub(begin.timestamp_ns) else { return };
                if !is_slow(slowest, self.limit, latency_ns) {
                    return;
                }
                let show = |kept: KeptRecord| -> Option<ShownRecord> {
                    Some(kept.show(self.step_schemas.get(&kept.schema_index)?, entry))
                };
                let steps = kept.into_iter().filter_map(show);
                let slow = SlowSpan::new(*span, latency_ns, begin, steps, omitted, entry);
                let at = slowest.partition_point(|other| other.latency_ns >= latency_ns);
                slowest.insert(at, slow);
                slowest.truncate(self.limit);
            }
        }
    }

    /// Returns whether [`SlowestSpans::follow`] must be called for the end of `span`.
    #[inline]
    pub fn wants(&self, span: SpanId, begin_ns: u64, end_ns: u64) -> bool {
        if !self.steps.by_span.is_empty() {
            return true;
        }
        let latency_ns = end_ns.checked_sub(begin_ns);
        let slowest = self.by_pair.get(span.pair);
        slowest.zip(latency_ns).is_some_and(|(slowest, latency_ns)| is_slow(slowest, self.limit, latency_ns))
    }

    /// Returns the slowest spans of a pair, the slowest first.
    pub fn of(&self, pair: usize) -> &[SlowSpan] {
        self.by_pair.get(pair).map_or(&[], Vec::as_slice)
    }
}

#[inline]
fn is_slow(slowest: &[SlowSpan], limit: usize, latency_ns: u64) -> bool {
    slowest.len() < limit || slowest.last().is_some_and(|fastest| fastest.latency_ns < latency_ns)
}

#[derive(Debug, Default)]
struct OpenSteps {
    by_span: BTreeMap<u64, Steps>,
    bytes: usize,
}

#[derive(Debug, Default)]
struct Steps {
    kept: Vec<KeptRecord>,
    omitted: u64,
    bytes: usize,
}

impl OpenSteps {
    fn add(&mut self, span: u64, entry: &Entry<'_>) {
        let steps = self.by_span.entry(span).or_default();
        if steps.kept.len() >= MAX_STEPS {
            steps.omitted += 1;
            return;
        }
        let record = KeptRecord::new(entry);
        let bytes = record.bytes();
        steps.kept.push(record);
        steps.bytes += bytes;
        self.bytes += bytes;
        // Discard the oldest spans first: they may never end.
        while self.bytes > MAX_STEP_BYTES
            && let Some((_, oldest)) = self.by_span.pop_first()
        {
            self.bytes -= oldest.bytes;
        }
    }

    /// Removes a span. Returns its steps, and the number of steps that were not kept.
    fn take(&mut self, span: u64) -> (Vec<KeptRecord>, u64) {
        let Some(steps) = self.by_span.remove(&span) else { return (Vec::new(), 0) };
        self.bytes -= steps.bytes;
        (steps.kept, steps.omitted)
    }
}

impl SlowSpan {
    fn new(
        span: SpanId,
        latency_ns: u64,
        begin: &Entry<'_>,
        steps: impl Iterator<Item = ShownRecord>,
        steps_omitted: u64,
        end: &Entry<'_>,
    ) -> SlowSpan {
        let begin = std::iter::once(ShownRecord::new(begin));
        let records = begin.chain(steps).chain(std::iter::once(ShownRecord::new(end))).collect();
        SlowSpan { span, latency_ns, records, steps_omitted }
    }
}
