//! What traces tell of events that were lost while recording.

use ringtrace_wire::simpletrace::Version;

use crate::entry::Entry;

/// Counts dropped records, and what they say was lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Dropped records.
    pub records: u64,
    /// Events lost, as these records say, but for numbers that cannot be.
    pub events: u64,
    /// Dropped records whose number of events cannot be, or is missing.
    pub miscounted: u64,
}

impl Dropped {
    /// Counts `entry` if it is a dropped record, and says whether it is.
    #[inline]
    pub fn count(&mut self, entry: &Entry<'_>) -> bool {
        let is_dropped = entry.is_dropped();
        if is_dropped {
            self.records += 1;
            match entry.dropped() {
                Some(events) if is_possible(events, entry.version) => {
                    self.events = self.events.saturating_add(events);
                }
                _ => self.miscounted += 1,
            }
        }
        is_dropped
    }

    /// Takes over what was counted elsewhere.
    pub(crate) fn add(&mut self, other: Dropped) {
        self.records += other.records;
        self.events = self.events.saturating_add(other.events);
        self.miscounted += other.miscounted;
    }
}

/// Whether a writer of `version` can have lost so many events before it said so: the first ones counted them in an
/// `int`, which could run below zero (v0) or be added to the wrong half of a word (v2 on big-endian machines).
pub(crate) fn is_possible(events: u64, version: Version) -> bool {
    events < 1 << 31 || !matches!(version, Version::V0 | Version::V2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Made, Sample};

    #[test]
    fn a_count_that_cannot_be_is_told_apart() {
        let sample = Sample::new("event(void)\n");
        let mut dropped = Dropped::default();
        for (events, version) in
            [(5, Version::V0), (0xffff_fecd, Version::V0), (1 << 32, Version::V2), (1 << 32, Version::V4)]
        {
            let made = Made::dropped(events);
            assert!(dropped.count(&Entry { version, ..sample.entry(&made) }));
        }
        let without_count = Made { payload: Vec::new(), ..Made::dropped(0) };
        assert!(dropped.count(&sample.entry(&without_count)));
        assert!(!dropped.count(&sample.entry(&Made::new("event", 1, &[]))));
        assert_eq!(dropped, Dropped { records: 5, events: 5 + (1 << 32), miscounted: 3 });
    }
}
