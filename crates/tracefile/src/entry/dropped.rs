//! Counts of events that were lost during recording.

use std::ops::AddAssign;

use ringtrace_wire::simpletrace::Version;

use crate::entry::Entry;
use crate::metadata::Cause;

/// The number of dropped records, and the number of lost events that they report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dropped {
    /// The number of dropped records.
    pub records: u64,
    /// The number of lost events, excluding impossible counts.
    pub events: u64,
    /// The number of dropped records whose count is impossible or missing.
    pub miscounted: u64,
    /// The lost events by cause.
    pub causes: Causes,
}

/// Counts of lost events by cause.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Causes {
    /// Events dropped because the ring was full, or lost for an unknown reason.
    pub dropped: u64,
    /// Events overwritten by newer ones.
    pub overwritten: u64,
    /// Events refused because they occurred while another event was being recorded.
    pub refused: u64,
}

impl Causes {
    pub(crate) fn add(&mut self, cause: Option<Cause>, events: u64) {
        let count = match cause {
            Some(Cause::Dropped) | None => &mut self.dropped,
            Some(Cause::Overwritten) => &mut self.overwritten,
            Some(Cause::Refused) => &mut self.refused,
        };
        *count = count.saturating_add(events);
    }

    /// Returns the causes of lost events, each with the number of events. Omits causes without lost
    /// events.
    pub fn iter(&self) -> impl Iterator<Item = (Cause, u64)> + use<> {
        [
            (Cause::Dropped, self.dropped),
            (Cause::Overwritten, self.overwritten),
            (Cause::Refused, self.refused),
        ]
        .into_iter()
        .filter(|&(_, events)| events > 0)
    }
}

impl Dropped {
    /// Counts `entry` if it is a dropped record. Returns whether it is one.
    #[inline]
    pub fn count(&mut self, entry: &Entry<'_>) -> bool {
        let is_dropped = entry.is_dropped();
        if is_dropped {
            self.records += 1;
            match entry.dropped() {
                Some(events) if is_possible(events, entry.version) => {
                    self.events = self.events.saturating_add(events);
                    self.causes.add(entry.lost.map(|lost| lost.cause), events);
                }
                _ => self.miscounted += 1,
            }
        }
        is_dropped
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: Dropped) {
        self.records += other.records;
        self.events = self.events.saturating_add(other.events);
        self.miscounted += other.miscounted;
        self.causes += other.causes;
    }
}

/// Returns whether this many events can have been lost at once, given a writer of `version`. Early
/// writers used an `int`, which could wrap below zero (v0) or be added to the wrong half of a word
/// (v2 on big-endian machines).
pub(crate) fn is_possible(events: u64, version: Version) -> bool {
    events < 1 << 31 || !matches!(version, Version::V0 | Version::V2)
}

impl AddAssign for Causes {
    fn add_assign(&mut self, other: Causes) {
        for (cause, events) in other.iter() {
            self.add(Some(cause), events);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::sample::{Made, Sample};
    use crate::metadata::Lost;

    #[test]
    fn an_impossible_count_is_separate() {
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
        let events = 5 + (1 << 32);
        let causes = Causes { dropped: events, ..Causes::default() };
        let expected = Dropped { records: 5, events, miscounted: 3, causes };
        assert_eq!(dropped, expected);
    }

    #[test]
    fn causes_are_separate() {
        let sample = Sample::new("event(void)\n");
        let mut dropped = Dropped::default();
        for (count, cause) in [
            (1, None),
            (2, Some(Cause::Dropped)),
            (4, Some(Cause::Overwritten)),
            (8, Some(Cause::Refused)),
            (16, Some(Cause::Overwritten)),
        ] {
            let lost = cause.map(|cause| Lost { tid: 7, cause, count });
            dropped.count(&Entry { lost, ..sample.entry(&Made::dropped(count)) });
        }
        assert_eq!((dropped.records, dropped.events), (5, 31));
        assert_eq!(dropped.causes, Causes { dropped: 3, overwritten: 20, refused: 8 });
    }
}
