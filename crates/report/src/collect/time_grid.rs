//! Time in a fixed number of buckets, for traces of any length.

/// The smallest and the largest of a set of times, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeRange {
    pub smallest_ns: u64,
    pub largest_ns: u64,
}

impl TimeRange {
    pub const NONE: TimeRange = TimeRange { smallest_ns: u64::MAX, largest_ns: 0 };

    #[inline(always)]
    pub fn add(&mut self, time_ns: u64) {
        self.smallest_ns = self.smallest_ns.min(time_ns);
        self.largest_ns = self.largest_ns.max(time_ns);
    }

    pub fn duration_ns(&self) -> u64 {
        self.largest_ns.saturating_sub(self.smallest_ns)
    }

    pub fn is_some(&self) -> bool {
        self.smallest_ns <= self.largest_ns
    }
}

/// Times in a fixed number of buckets. All buckets have the same width, which is a power of two in
/// nanoseconds and doubles when a time does not fit. A trace of any length can thus be counted in
/// one pass. After the grid has been widened, roughly half of its buckets or more are in use.
#[derive(Debug, Clone)]
pub struct TimeGrid {
    buckets: usize,
    shift: u32,
    /// Number of the first bucket, counted from time 0.
    first: u64,
    /// Number of available buckets, or 0 before the first time.
    used: u64,
}

/// A change from one bucket width to another.
#[derive(Debug, Clone, Copy)]
pub struct Widening {
    from_first: u64,
    to_first: u64,
    by_shift: u32,
}

impl TimeGrid {
    pub fn new(buckets: usize) -> TimeGrid {
        TimeGrid { buckets: buckets.max(2), shift: 0, first: 0, used: 0 }
    }

    pub fn buckets(&self) -> usize {
        self.buckets
    }

    pub fn width_ns(&self) -> u64 {
        1 << self.shift
    }

    /// Returns the start of the bucket `index` in nanoseconds, at most `u64::MAX`.
    pub fn begin_ns(&self, index: usize) -> u64 {
        let begin_ns = u128::from(self.first + index as u64) << self.shift;
        u64::try_from(begin_ns).unwrap_or(u64::MAX)
    }

    /// Returns the bucket of a time, or `None` if the grid does not cover it.
    #[inline(always)]
    pub fn index(&self, time_ns: u64) -> Option<usize> {
        let index = (time_ns >> self.shift).wrapping_sub(self.first);
        (index < self.used).then_some(index as usize)
    }

    /// Widens the grid to cover `span`, which must include the times covered so far. The caller
    /// must apply the result to all counts.
    #[cold]
    pub fn widen_to(&mut self, span: TimeRange) -> Widening {
        let (from_first, from_shift) = (self.first, self.shift);
        while (span.largest_ns >> self.shift) - (span.smallest_ns >> self.shift) >= self.buckets as u64 {
            self.shift += 1;
        }
        self.first = span.smallest_ns >> self.shift;
        self.used = self.buckets as u64;
        Widening { from_first, to_first: self.first, by_shift: self.shift - from_shift }
    }
}

impl Widening {
    /// Moves `slots`, one for each bucket, to their new buckets. Slots of the same bucket are
    /// joined.
    pub fn apply<T: Copy + Default>(&self, slots: &mut [T], join: impl Fn(&mut T, T)) {
        let before = slots.to_vec();
        slots.fill(T::default());
        for (number, slot) in (self.from_first..).zip(before) {
            let index = (number >> self.by_shift).wrapping_sub(self.to_first);
            if let Some(target) = usize::try_from(index).ok().and_then(|index| slots.get_mut(index)) {
                join(target, slot);
            }
        }
    }

    /// Moves counts to their new buckets. Sums are at most `u32::MAX`.
    pub fn apply_to_counts(&self, counts: &mut [u32]) {
        self.apply(counts, |sum, count| *sum = sum.saturating_add(count));
    }
}

#[derive(Debug, Clone)]
pub struct Counts {
    pub count: u64,
    pub span: TimeRange,
    /// The count in each bucket of the [grid](super::Collector::grid).
    pub buckets: Box<[u32]>,
}

impl Counts {
    pub(super) fn new(buckets: usize) -> Counts {
        Counts { count: 0, span: TimeRange::NONE, buckets: vec![0; buckets].into() }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, time_ns: u64, bucket: usize) {
        self.count += 1;
        self.span.add(time_ns);
        if let Some(bucket) = self.buckets.get_mut(bucket) {
            *bucket = bucket.saturating_add(1);
        }
    }

    pub(super) fn widen(&mut self, widening: Widening) {
        widening.apply_to_counts(&mut self.buckets);
    }

    /// Returns the number of events per second from the first to the last one. `None` if there is
    /// only one event, or all have the same time.
    pub fn rate_per_s(&self) -> Option<f64> {
        let steps = self.count.checked_sub(1).filter(|&steps| steps > 0)?;
        let span_ns = self.span.duration_ns();
        (span_ns > 0).then(|| steps as f64 * 1e9 / span_ns as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_time_is_counted_in_its_bucket(times in vec((any::<u64>(), 0_u32..64), 1..200)) {
            let times: Vec<u64> = times.into_iter().map(|(time, shift)| time >> shift).collect();
            let mut grid = TimeGrid::new(16);
            let mut counts = vec![0_u32; grid.buckets()];
            let mut span = TimeRange::NONE;
            for &time in &times {
                span.add(time);
                if grid.index(time).is_none() {
                    grid.widen_to(span).apply_to_counts(&mut counts);
                }
                counts[grid.index(time).unwrap()] += 1;
            }
            let mut expected = vec![0_u32; grid.buckets()];
            for &time in &times {
                let bucket = grid.index(time).unwrap();
                prop_assert!(grid.begin_ns(bucket) <= time);
                prop_assert!(time - grid.begin_ns(bucket) < grid.width_ns());
                expected[bucket] += 1;
            }
            prop_assert_eq!(counts, expected);
            let used = grid.index(span.largest_ns).unwrap() + 1;
            prop_assert!(used > grid.buckets() / 2 || grid.width_ns() == 1, "{used}");
        }
    }
}
