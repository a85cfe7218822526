//! Lost events: totals, by thread, over time, and the largest losses.

use std::collections::HashMap;

use ringtrace_tracefile::metadata::Cause;
use ringtrace_tracefile::{Causes, Dropped, Entry};

use super::threads::MAX_THREADS;
use super::time_grid::Widening;

/// The largest losses are kept, up to this number.
pub const KEPT: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loss {
    pub timestamp_ns: u64,
    pub events: u64,
    pub cause: Option<Cause>,
    /// The number of the trace.
    pub trace: u32,
    pub tid: Option<u32>,
}

#[derive(Debug)]
pub struct Losses {
    pub dropped: Dropped,
    /// Lost events by the number of the trace and the thread, if the trace contains threads. At most
    /// [`MAX_THREADS`] entries.
    pub by_thread: HashMap<(u32, u32), Causes>,
    /// Lost events in each bucket of the [grid](super::Collector::grid).
    pub buckets: Box<[u64]>,
    kept: Vec<Loss>,
}

impl Losses {
    pub(super) fn new(buckets: usize) -> Losses {
        Losses {
            dropped: Dropped::default(),
            by_thread: HashMap::new(),
            buckets: vec![0; buckets].into(),
            kept: Vec::new(),
        }
    }

    /// Adds the loss that a dropped record reports. `bucket` is the bucket of the record's time, if
    /// it has one.
    pub(super) fn count(&mut self, entry: &Entry<'_>, bucket: Option<usize>) {
        let mut one = Dropped::default();
        one.count(entry);
        self.dropped.add(one);
        if let Some(thread) = entry.tid().map(|tid| (entry.trace, tid))
            && (self.by_thread.contains_key(&thread) || self.by_thread.len() < MAX_THREADS)
        {
            *self.by_thread.entry(thread).or_default() += one.causes;
        }
        if let Some(bucket) = bucket.and_then(|bucket| self.buckets.get_mut(bucket)) {
            // If the record's count is invalid, at least one event was lost.
            *bucket = bucket.saturating_add(one.events.max(1));
        }
        let loss = Loss {
            timestamp_ns: entry.timestamp_ns,
            events: one.events,
            cause: entry.lost.map(|lost| lost.cause),
            trace: entry.trace,
            tid: entry.tid(),
        };
        self.kept.push(loss);
        if self.kept.len() >= 2 * KEPT {
            keep_largest(&mut self.kept);
        }
    }

    pub(super) fn widen(&mut self, widening: Widening) {
        widening.apply(&mut self.buckets, |sum, events| *sum = sum.saturating_add(events));
    }

    /// Returns the largest losses, in order of time.
    pub fn largest(&self) -> Vec<Loss> {
        let mut largest = self.kept.clone();
        keep_largest(&mut largest);
        largest.sort_by_key(|loss| loss.timestamp_ns);
        largest
    }
}

fn keep_largest(losses: &mut Vec<Loss>) {
    losses.sort_by_key(|loss| (std::cmp::Reverse(loss.events), loss.timestamp_ns));
    losses.truncate(KEPT);
}
