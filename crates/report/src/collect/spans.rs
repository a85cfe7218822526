//! The spans of a pair: latencies over time, the slowest spans, and the spans that are drawn.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use ringtrace_tracefile::Entry;
use ringtrace_tracefile::pair::SpanId;

use super::heat_map::HeatMap;
use super::record::{KeptRecord, ShownRecord};

/// Number of slowest spans of each pair that are kept with their records.
pub const SLOWEST: usize = 10;

/// Number of longest spans of each pair that can be drawn.
pub const MAX_DRAWN: usize = 1500;

const MAX_STEPS: usize = 64;

/// Maximum size of the steps of all open spans.
const MAX_STEP_BYTES: usize = 32 << 20;

/// The data of a pair, in addition to what [`SpanTracker`](ringtrace_tracefile::pair::SpanTracker)
/// counts.
#[derive(Debug, Clone)]
pub struct PairSpans {
    /// Latencies over time. Each latency is counted at the end of its span.
    pub heat: HeatMap,
    slowest: Vec<SlowSpan>,
    drawn: Vec<DrawnSpan>,
    drawn_from_ns: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlowSpan {
    pub span: SpanId,
    pub latency_ns: u64,
    /// The record that began the span, its steps, and the record that ended it.
    pub records: Vec<ShownRecord>,
    pub steps_omitted: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawnSpan {
    pub begin_ns: u64,
    pub end_ns: u64,
    pub track: u32,
}

impl DrawnSpan {
    fn duration_ns(&self) -> u64 {
        self.end_ns - self.begin_ns
    }
}

impl PairSpans {
    pub(super) fn new(columns: usize) -> PairSpans {
        PairSpans { heat: HeatMap::new(columns), slowest: Vec::new(), drawn: Vec::new(), drawn_from_ns: 0 }
    }

    /// Adds a span that ended in `column`. If the span is one of the slowest, returns its latency:
    /// the caller must then [keep](PairSpans::keep) the span.
    pub(super) fn end(&mut self, span: SpanId, begin_ns: u64, end_ns: u64, column: usize) -> Option<u64> {
        self.draw(DrawnSpan { begin_ns, end_ns: end_ns.max(begin_ns), track: span.track });
        // A span whose end is earlier than its start has no latency.
        let latency_ns = end_ns.checked_sub(begin_ns)?;
        self.heat.add(column, latency_ns);
        let is_slow = self.slowest.len() < SLOWEST
            || self.slowest.last().is_some_and(|fastest| fastest.latency_ns < latency_ns);
        is_slow.then_some(latency_ns)
    }

    pub(super) fn keep(&mut self, slow: SlowSpan) {
        let at = self.slowest.partition_point(|other| other.latency_ns >= slow.latency_ns);
        self.slowest.insert(at, slow);
        self.slowest.truncate(SLOWEST);
    }

    fn draw(&mut self, span: DrawnSpan) {
        if span.duration_ns() < self.drawn_from_ns {
            return;
        }
        self.drawn.push(span);
        if self.drawn.len() >= 2 * MAX_DRAWN {
            let by_length = |span: &DrawnSpan| Reverse(span.duration_ns());
            let (_, last, _) = self.drawn.select_nth_unstable_by_key(MAX_DRAWN - 1, by_length);
            // Spans of this length are no longer added, because there may be any number of them.
            self.drawn_from_ns = last.duration_ns() + 1;
            self.drawn.truncate(MAX_DRAWN);
        }
    }

    pub fn slowest(&self) -> &[SlowSpan] {
        &self.slowest
    }

    /// Returns the `count` longest spans, ordered by start.
    pub fn drawn(&self, count: usize) -> Vec<DrawnSpan> {
        let mut drawn = self.drawn.clone();
        drawn.sort_by_key(|span| (Reverse(span.duration_ns()), span.begin_ns));
        drawn.truncate(count);
        drawn.sort_by_key(|span| (span.begin_ns, span.end_ns));
        drawn
    }
}

#[derive(Debug, Default)]
pub(super) struct OpenSteps {
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
    pub(super) fn add(&mut self, span: u64, entry: &Entry<'_>) {
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
    pub(super) fn take(&mut self, span: u64) -> (Vec<KeptRecord>, u64) {
        let Some(steps) = self.by_span.remove(&span) else { return (Vec::new(), 0) };
        self.bytes -= steps.bytes;
        (steps.kept, steps.omitted)
    }
}

impl SlowSpan {
    pub(super) fn new(
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
