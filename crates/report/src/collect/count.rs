//! How many of something, and when.

use super::grid::{Span, Widening};

/// Counts of something over time.
#[derive(Debug, Clone)]
pub struct Count {
    /// How many.
    pub count: u64,
    /// From the first to the last one.
    pub span: Span,
    /// How many in each bucket of the [grid](super::Collector::grid).
    pub buckets: Box<[u32]>,
}

impl Count {
    pub(super) fn new(buckets: usize) -> Count {
        Count { count: 0, span: Span::NONE, buckets: vec![0; buckets].into() }
    }

    /// Counts one at a time whose bucket is `place`.
    #[inline(always)]
    pub(super) fn add(&mut self, time_ns: u64, place: usize) {
        self.count += 1;
        self.span.add(time_ns);
        if let Some(bucket) = self.buckets.get_mut(place) {
            *bucket = bucket.saturating_add(1);
        }
    }

    pub(super) fn widen(&mut self, widening: Widening) {
        widening.apply_to_counts(&mut self.buckets);
    }

    /// How many a second, from the first to the last. `None` for one, or several at one time.
    pub fn rate_per_s(&self) -> Option<f64> {
        let steps = self.count.checked_sub(1).filter(|&steps| steps > 0)?;
        let span_ns = self.span.duration_ns();
        (span_ns > 0).then(|| steps as f64 * 1e9 / span_ns as f64)
    }
}
