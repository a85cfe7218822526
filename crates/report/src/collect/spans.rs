//! The spans of a pair: latencies over time, and the spans that are drawn.

use std::cmp::Reverse;

use ringtrace_tracefile::pair::SpanId;

use super::heat_map::HeatMap;

/// Number of slowest spans of each pair that are kept with their records.
pub const SLOWEST: usize = 10;

/// Maximum number of spans that can be drawn, of one pair and of all pairs together.
pub const MAX_DRAWN: usize = 5000;

/// The data of a pair, in addition to what [`SpanTracker`](ringtrace_tracefile::pair::SpanTracker)
/// counts.
#[derive(Debug, Clone)]
pub struct PairSpans {
    /// Latencies over time. Each latency is counted at the end of its span.
    pub heat: HeatMap,
    drawn: Vec<DrawnSpan>,
    drawn_from_ns: u64,
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
        PairSpans { heat: HeatMap::new(columns), drawn: Vec::new(), drawn_from_ns: 0 }
    }

    /// Adds a span that ended in `column`.
    pub(super) fn end(&mut self, span: SpanId, begin_ns: u64, end_ns: u64, column: usize) {
        self.draw(DrawnSpan { begin_ns, end_ns: end_ns.max(begin_ns), track: span.track });
        // A span whose end is earlier than its start has no latency.
        if let Some(latency_ns) = end_ns.checked_sub(begin_ns) {
            self.heat.add(column, latency_ns);
        }
    }

    fn draw(&mut self, span: DrawnSpan) {
        if span.duration_ns() < self.drawn_from_ns {
            return;
        }
        self.drawn.push(span);
        if self.drawn.len() >= 2 * MAX_DRAWN {
            let by_length = |span: &DrawnSpan| Reverse(span.duration_ns());
            let (_, last, _) = self.drawn.select_nth_unstable_by_key(MAX_DRAWN - 1, by_length);
            // From now on, add only longer spans, because any number of spans may have this length.
            self.drawn_from_ns = last.duration_ns() + 1;
            self.drawn.truncate(MAX_DRAWN);
        }
    }

    /// Returns the number of spans that can be drawn. Includes all spans if there are at most
    /// [`MAX_DRAWN`].
    pub fn drawable(&self) -> usize {
        self.drawn.len()
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
