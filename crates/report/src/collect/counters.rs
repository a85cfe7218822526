//! The values of counters over time.

use std::collections::BTreeMap;

use super::time_grid::Widening;

/// Maximum number of tracks. Counters on further tracks are not kept.
pub const MAX_TRACKS: usize = 200;

#[derive(Debug)]
pub struct Counters {
    buckets: usize,
    by_track: BTreeMap<u32, CounterValues>,
    pub omitted: u64,
}

#[derive(Debug, Clone)]
pub struct CounterValues {
    pub count: u64,
    pub smallest: i128,
    pub largest: i128,
    /// The values in each bucket of the [grid](super::Collector::grid).
    pub buckets: Box<[CounterBucket]>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CounterBucket {
    /// The number of values. If it is 0, the other fields are meaningless.
    pub count: u32,
    pub smallest: i128,
    pub largest: i128,
    pub last: i128,
}

impl CounterBucket {
    fn join(&mut self, later: CounterBucket) {
        *self = match (self.count, later.count) {
            (_, 0) => *self,
            (0, _) => later,
            (count, more) => CounterBucket {
                count: count.saturating_add(more),
                smallest: self.smallest.min(later.smallest),
                largest: self.largest.max(later.largest),
                last: later.last,
            },
        };
    }
}

impl Counters {
    pub(super) fn new(buckets: usize) -> Counters {
        Counters { buckets, by_track: BTreeMap::new(), omitted: 0 }
    }

    pub(super) fn add(&mut self, track: u32, value: i128, bucket: usize) {
        if self.by_track.len() >= MAX_TRACKS && !self.by_track.contains_key(&track) {
            self.omitted += 1;
            return;
        }
        let values = self.by_track.entry(track).or_insert_with(|| CounterValues {
            count: 0,
            smallest: value,
            largest: value,
            buckets: vec![CounterBucket::default(); self.buckets].into(),
        });
        values.count += 1;
        values.smallest = values.smallest.min(value);
        values.largest = values.largest.max(value);
        if let Some(level) = values.buckets.get_mut(bucket) {
            level.join(CounterBucket { count: 1, smallest: value, largest: value, last: value });
        }
    }

    pub(super) fn widen(&mut self, widening: Widening) {
        for values in self.by_track.values_mut() {
            widening.apply(&mut values.buckets, CounterBucket::join);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, &CounterValues)> {
        self.by_track.iter().map(|(&track, values)| (track, values))
    }
}
