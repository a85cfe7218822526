//! Pauses of recording. They are written to the trace to explain why it contains no events for that
//! time.

use std::sync::Mutex;

use ringtrace_wire::simpletrace::metadata::Metadata;

use crate::os::sync::{AtomicBool, Ordering};
use crate::{clock, os};

/// The maximum number of unwritten changes: a client may switch recording off and on in a loop
/// while the disk is full.
const MAX_CHANGES: usize = 256;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Change {
    on: bool,
    time_ns: u64,
    /// The time of the change, in the unit of records' stamps.
    pub(crate) stamp: u64,
}

impl Change {
    pub(crate) fn to_metadata(self) -> Metadata {
        if self.on { Metadata::Resumed(self.time_ns) } else { Metadata::Paused(self.time_ns) }
    }
}

/// Changes that are not in the trace yet.
#[derive(Debug, Default)]
pub(crate) struct Pauses {
    unwritten: Mutex<Unwritten>,
    /// Set while there are changes, so that the writer thread takes no lock when there are none.
    any: AtomicBool,
}

#[derive(Debug, Default)]
struct Unwritten {
    /// The changes, alternately off and on.
    changes: Vec<Change>,
    is_paused: bool,
}

impl Pauses {
    pub(crate) fn pause(&self) {
        self.note(false);
    }

    /// Records that events are about to be switched on. Does nothing unless recording was paused.
    pub(crate) fn resume(&self) {
        self.note(true);
    }

    fn note(&self, on: bool) {
        let mut unwritten = os::lock(&self.unwritten);
        if unwritten.is_paused == on {
            unwritten.is_paused = !on;
            unwritten.changes.push(Change { on, time_ns: clock::monotonic_ns(), stamp: clock::stamp() });
            unwritten.bound();
            self.any.store(true, Ordering::Release);
        }
    }

    /// Whether recording is off.
    pub(crate) fn is_paused(&self) -> bool {
        os::lock(&self.unwritten).is_paused
    }

    /// Puts back changes that the writer thread took but could not write.
    pub(crate) fn put_back(&self, changes: impl IntoIterator<Item = Change>) {
        let mut unwritten = os::lock(&self.unwritten);
        unwritten.changes.splice(0..0, changes);
        unwritten.bound();
        self.any.store(true, Ordering::Release);
    }

    pub(crate) fn take(&self) -> Vec<Change> {
        if !self.any.load(Ordering::Acquire) {
            return Vec::new();
        }
        let mut unwritten = os::lock(&self.unwritten);
        self.any.store(false, Ordering::Relaxed);
        std::mem::take(&mut unwritten.changes)
    }
}

impl Unwritten {
    /// If there are too many changes, merges the oldest into one pause, from the first start to the
    /// last end.
    fn bound(&mut self) {
        while self.changes.len() > MAX_CHANGES {
            // Remove one change to "on" and one to "off" inside the merged pause. If the first
            // change is to "on", it ends a pause whose start is already written.
            let inner = if self.changes[0].on { 2 } else { 1 };
            self.changes.drain(inner..inner + 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(changes: &[Change]) -> Vec<(bool, u64)> {
        changes.iter().map(|change| (change.on, change.stamp)).collect()
    }

    fn change(stamp: u64) -> Change {
        Change { on: stamp % 2 == 1, time_ns: stamp, stamp }
    }

    #[test]
    fn unwritten_changes_are_bounded_and_keep_first_and_last() {
        for first in [0, 1] {
            let pauses = Pauses::default();
            pauses.put_back((first..1000).map(change));
            let changes = moments(&pauses.take());
            assert!(changes.len() <= MAX_CHANGES, "{}", changes.len());
            assert_eq!(changes[0], (first == 1, first));
            assert_eq!(changes.last(), Some(&(true, 999)));
            assert!(changes.windows(2).all(|pair| pair[0].0 != pair[1].0 && pair[0].1 < pair[1].1));
            assert!(pauses.take().is_empty());
        }
    }

    #[test]
    fn changes_that_are_put_back_precede_new_ones() {
        let pauses = Pauses::default();
        pauses.pause();
        let taken = pauses.take();
        pauses.resume();
        pauses.put_back(taken);
        let changes = pauses.take();
        assert!(!changes[0].on && changes[1].on && changes.len() == 2);
        for _ in 0..1000 {
            pauses.pause();
            pauses.resume();
        }
        assert!(pauses.take().len() <= MAX_CHANGES);
    }
}
