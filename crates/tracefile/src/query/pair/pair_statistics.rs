//! Counts of a pair.

use crate::query::statistics::Sketch;

/// Counts of a pair. These equations always hold:
///
/// `begins = matched + restarted + open + begins_not_followed + begins_without_key`, `ends =
/// matched + ends_elsewhere + ends_alone + ends_without_key`, `steps = steps_within + steps_alone +
/// steps_without_key`.
#[derive(Debug, Clone, Default)]
pub struct PairStatistics {
    /// Records of begin events.
    pub begins: u64,
    /// Records of end events.
    pub ends: u64,
    /// End records that were matched with a begin record.
    pub matched: u64,
    /// Durations of spans in nanoseconds, excluding backward spans.
    pub latencies: Sketch,
    /// Spans whose end record has an earlier time than their begin record.
    pub backward: u64,
    /// The largest difference in a backward span, in nanoseconds.
    pub largest_backward_ns: u64,
    /// Begin records that were replaced by another one with the same key, before an end record.
    pub restarted: u64,
    /// End records whose key was not open.
    pub ends_alone: u64,
    /// End records whose key was not open, but which ended a span of another pair with the same
    /// key. Only pairs from a file are counted this way.
    pub ends_elsewhere: u64,
    /// Begin records that exceeded the limit on open records. Their end records count as
    /// `ends_alone`.
    pub begins_not_followed: u64,
    /// Begin records without a key, because the record is truncated or its trace has no thread ids.
    pub begins_without_key: u64,
    /// End records without a key.
    pub ends_without_key: u64,
    /// The largest number of begin records that were open simultaneously.
    pub most_open: u64,
    /// Records of step events.
    pub steps: u64,
    /// Step records within an open span.
    pub steps_within: u64,
    /// Step records whose key was not open.
    pub steps_alone: u64,
    /// Step records without a key.
    pub steps_without_key: u64,
}

impl PairStatistics {
    /// Counts a span that ended.
    #[inline]
    pub(super) fn count_matched(&mut self, begin_ns: u64, end_ns: u64) {
        self.matched += 1;
        match end_ns.checked_sub(begin_ns) {
            Some(latency_ns) => self.latencies.add(latency_ns),
            None => {
                self.backward += 1;
                self.largest_backward_ns = self.largest_backward_ns.max(begin_ns - end_ns);
            }
        }
    }

    /// Adds the counts of `other`, except the largest number of open begin records.
    pub(super) fn append(&mut self, other: &PairStatistics) {
        let PairStatistics { latencies, largest_backward_ns, most_open: _, .. } = other;
        self.begins += other.begins;
        self.ends += other.ends;
        self.matched += other.matched;
        self.latencies.merge(latencies);
        self.backward += other.backward;
        self.largest_backward_ns = self.largest_backward_ns.max(*largest_backward_ns);
        self.restarted += other.restarted;
        self.ends_alone += other.ends_alone;
        self.ends_elsewhere += other.ends_elsewhere;
        self.begins_not_followed += other.begins_not_followed;
        self.begins_without_key += other.begins_without_key;
        self.ends_without_key += other.ends_without_key;
        self.steps += other.steps;
        self.steps_within += other.steps_within;
        self.steps_alone += other.steps_alone;
        self.steps_without_key += other.steps_without_key;
    }

    /// Sets all counts to zero, but keeps the memory.
    pub(super) fn clear(&mut self) {
        let mut latencies = std::mem::take(&mut self.latencies);
        latencies.clear();
        *self = PairStatistics { latencies, ..PairStatistics::default() };
    }
}
