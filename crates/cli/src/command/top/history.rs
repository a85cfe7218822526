//! Event counts over time, in constant memory.

const SECOND_NS: u64 = 1_000_000_000;

/// The length of a [`LastMinute`].
pub const MINUTE_SECONDS: usize = 60;

/// The number of retained seconds: a minute, the current second, and a few more for events with
/// early timestamps.
const SLOTS: usize = 64;

/// Counts per second of the last minute.
#[derive(Debug, Clone, PartialEq)]
pub struct LastMinute {
    /// The counts of each second, at index second modulo [`SLOTS`].
    counts: [f64; SLOTS],
    newest: u64,
}

impl Default for LastMinute {
    fn default() -> LastMinute {
        LastMinute { counts: [0.0; SLOTS], newest: 0 }
    }
}

impl LastMinute {
    /// Counts one event.
    #[inline]
    pub fn count(&mut self, time_ns: u64) {
        self.add(time_ns / SECOND_NS, 1.0);
    }

    /// Counts `count` events that occurred at unknown times between `from_ns` and `to_ns`, as if
    /// they were evenly spread.
    pub fn spread(&mut self, from_ns: u64, to_ns: u64, count: u64) {
        let span_ns = to_ns.saturating_sub(from_ns);
        if count == 0 || span_ns == 0 {
            return;
        }
        let per_ns = count as f64 / span_ns as f64;
        // Skip seconds that are already too old.
        let oldest = (to_ns / SECOND_NS).saturating_sub(SLOTS as u64 - 1);
        for second in oldest.max(from_ns / SECOND_NS)..=to_ns / SECOND_NS {
            let start_ns = from_ns.max(second * SECOND_NS);
            let end_ns = to_ns.min((second * SECOND_NS).saturating_add(SECOND_NS));
            self.add(second, end_ns.saturating_sub(start_ns) as f64 * per_ns);
        }
    }

    #[inline]
    fn add(&mut self, second: u64, count: f64) {
        if second > self.newest {
            self.advance(second);
        } else if self.newest - second >= SLOTS as u64 {
            return;
        }
        self.counts[second as usize % SLOTS] += count;
    }

    #[cold]
    fn advance(&mut self, second: u64) {
        let steps = (second - self.newest).min(SLOTS as u64);
        for step in 0..steps {
            self.counts[(second - step) as usize % SLOTS] = 0.0;
        }
        self.newest = second;
    }

    /// Returns the events per second in the minute before `now_ns`, in `columns` steps, oldest
    /// first. Each step covers fixed seconds, so bars move left over time without changing their
    /// shape. Seconds before `since_ns` are not included in the averages.
    pub fn rates(&self, since_ns: u64, now_ns: u64, columns: usize) -> Vec<f64> {
        let per_column = (MINUTE_SECONDS / columns.clamp(1, MINUTE_SECONDS)) as u64;
        let columns = MINUTE_SECONDS as u64 / per_column;
        // Omit the current second: it is incomplete.
        let end = now_ns / SECOND_NS;
        let last = end.saturating_sub(1) / per_column;
        let first = since_ns.div_ceil(SECOND_NS);
        (0..columns)
            .map(|column| {
                let Some(step) = (last + column + 1).checked_sub(columns) else { return 0.0 };
                let seconds = first.max(step * per_column)..(step * per_column + per_column).min(end);
                let whole = seconds.end.saturating_sub(seconds.start);
                if whole == 0 { 0.0 } else { seconds.map(|s| self.at(s)).sum::<f64>() / whole as f64 }
            })
            .collect()
    }

    fn at(&self, second: u64) -> f64 {
        let age = self.newest.checked_sub(second);
        if age.is_some_and(|age| age < SLOTS as u64) { self.counts[second as usize % SLOTS] } else { 0.0 }
    }
}

/// The maximum number of buckets for a whole trace.
const PIECES: usize = 240;

/// Divides a trace's time span into buckets of equal length. The length doubles when there would be
/// too many buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeBuckets {
    origin_ns: u64,
    /// Each bucket lasts `1 << shift` nanoseconds.
    shift: u32,
}

impl TimeBuckets {
    /// Starts at `origin_ns` with buckets of about a microsecond.
    pub fn new(origin_ns: u64) -> TimeBuckets {
        TimeBuckets { origin_ns, shift: 10 }
    }

    /// Returns the bucket of `time_ns`. If it is beyond the last bucket, returns `None`: the caller
    /// must call [`TimeBuckets::double`] first.
    #[inline]
    pub fn at(self, time_ns: u64) -> Option<usize> {
        // Timestamps earlier than the first record's are counted in the first bucket.
        let piece = time_ns.saturating_sub(self.origin_ns) >> self.shift;
        (piece < PIECES as u64).then_some(piece as usize)
    }

    /// Doubles the length of each bucket. The caller must also call [`WholeTrace::halve`] for every
    /// event.
    pub fn double(&mut self) {
        self.shift += 1;
    }
}

/// An event's counts in each bucket of [`TimeBuckets`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WholeTrace {
    counts: Vec<u64>,
}

impl WholeTrace {
    /// Counts one event.
    #[inline]
    pub fn count(&mut self, piece: usize) {
        if self.counts.len() <= piece {
            self.counts.resize(piece + 1, 0);
        }
        self.counts[piece] += 1;
    }

    /// Merges each pair of adjacent buckets.
    pub fn halve(&mut self) {
        self.counts = self.counts.chunks(2).map(|pair| pair.iter().sum()).collect();
    }

    /// Returns the counts of the trace up to bucket `last`, in `columns` steps. The numbers are
    /// meaningful only relative to each other.
    pub fn shape(&self, last: usize, columns: usize) -> Vec<f64> {
        let pieces = last as f64 + 1.0;
        let step = pieces / columns.max(1) as f64;
        (0..columns)
            .map(|column| {
                let (from, to) = (column as f64 * step, (column + 1) as f64 * step);
                let touched = from as usize..=(to.ceil() as usize).saturating_sub(1);
                // A bucket that spans several columns is divided among them.
                touched
                    .map(|piece| {
                        let share = to.min(piece as f64 + 1.0) - from.max(piece as f64);
                        self.counts.get(piece).map_or(0.0, |&count| count as f64 * share.max(0.0))
                    })
                    .sum()
            })
            .collect()
    }

    /// Returns the index of the last bucket that contains an event.
    pub fn last(&self) -> usize {
        self.counts.len().saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_minute_forgets_what_is_older() {
        let mut minute = LastMinute::default();
        minute.spread(100 * SECOND_NS, 102 * SECOND_NS, 10);
        assert_eq!(minute.rates(0, 103 * SECOND_NS, 60)[57..], [5.0, 5.0, 0.0]);
        assert_eq!(minute.rates(0, 161 * SECOND_NS, 60)[..2], [5.0, 0.0]);
        assert_eq!(minute.rates(0, 163 * SECOND_NS, 60), [0.0; 60]);
        minute.spread(1000 * SECOND_NS, 1001 * SECOND_NS, 7);
        assert_eq!(minute.rates(0, 1002 * SECOND_NS, 60).iter().sum::<f64>(), 7.0);
    }

    #[test]
    fn steps_keep_their_values_while_they_move() {
        let mut minute = LastMinute::default();
        for second in 0..60 {
            minute.spread(second * SECOND_NS, (second + 1) * SECOND_NS, second + 1);
        }
        let before = minute.rates(0, 60 * SECOND_NS, 12);
        let after = minute.rates(0, 65 * SECOND_NS, 12);
        assert_eq!(before[1..], after[..11]);
        assert_eq!(minute.rates(0, 62 * SECOND_NS, 12)[..11], before[1..]);
    }

    #[test]
    fn unseen_seconds_do_not_lower_rates() {
        let mut minute = LastMinute::default();
        minute.spread(13 * SECOND_NS, 16 * SECOND_NS, 30);
        assert_eq!(minute.rates(13 * SECOND_NS, 16 * SECOND_NS, 12)[10..], [10.0, 10.0]);
        assert_eq!(minute.rates(0, 16 * SECOND_NS, 12)[10..], [4.0, 10.0]);
    }

    #[test]
    fn the_current_second_is_not_shown() {
        let mut minute = LastMinute::default();
        minute.spread(9_500_000_000, 10_500_000_000, 10);
        assert_eq!(minute.rates(0, 10_500_000_000, 60)[58..], [0.0, 5.0]);
    }

    proptest! {
        #[test]
        fn rates_of_any_counts_are_finite(
            times in prop::collection::vec((any::<u64>(), 0..u64::from(u32::MAX)), 0..50),
            now_ns: u64,
            columns in 0..200_usize,
        ) {
            let mut minute = LastMinute::default();
            let mut last_ns = 0;
            for (step_ns, count) in times {
                let to_ns = last_ns + step_ns % (20 * SECOND_NS);
                minute.spread(last_ns, to_ns, count);
                last_ns = to_ns;
            }
            let _ = minute.rates(0, now_ns, columns);
            let seconds: f64 = minute.rates(0, last_ns, 60).iter().sum();
            let halves: f64 = minute.rates(0, last_ns, 30).iter().sum();
            prop_assert!(seconds.is_finite() && halves.is_finite());
            prop_assert!(minute.rates(0, last_ns, columns).len() <= MINUTE_SECONDS);
        }

        #[test]
        fn the_shape_of_a_trace_holds_all_of_it(times in prop::collection::vec(any::<u64>(), 1..200), columns in 1..200_usize) {
            let mut pieces = TimeBuckets::new(times[0]);
            let mut whole = WholeTrace::default();
            let mut last = 0;
            for &time_ns in &times {
                let piece = loop {
                    match pieces.at(time_ns) {
                        Some(piece) => break piece,
                        None => {
                            pieces.double();
                            whole.halve();
                            last /= 2;
                        }
                    }
                };
                whole.count(piece);
                last = last.max(piece);
            }
            prop_assert_eq!(last, whole.last());
            let shape = whole.shape(last, columns);
            prop_assert_eq!(shape.len(), columns);
            prop_assert!((shape.iter().sum::<f64>() - times.len() as f64).abs() < 1e-6);
        }
    }
}
