//! When recording went off and on: the trace says so, because what happens meanwhile is not in it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use ringtrace_wire::simpletrace::metadata::Metadata;

use crate::{clock, os};

/// How many changes wait at most: a client may switch on and off in a loop while the disk is full.
const MAX_CHANGES: usize = 256;

/// A moment at which recording went off or on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Change {
    on: bool,
    time_ns: u64,
    /// The same moment, as records have it.
    pub(crate) stamp: u64,
}

impl Change {
    /// What the trace says of it.
    pub(crate) fn to_metadata(self) -> Metadata {
        if self.on { Metadata::Resumed(self.time_ns) } else { Metadata::Paused(self.time_ns) }
    }
}

/// Changes that the trace does not tell of yet.
#[derive(Debug, Default)]
pub(crate) struct Pauses {
    unwritten: Mutex<Unwritten>,
    /// There are some: the writer thread takes no lock to find out that there are none.
    any: AtomicBool,
}

#[derive(Debug, Default)]
struct Unwritten {
    /// Off and on in turn.
    changes: Vec<Change>,
    /// Recording is off.
    is_paused: bool,
}

impl Pauses {
    /// Recording is off now: events were switched off.
    pub(crate) fn pause(&self) {
        self.note(false);
    }

    /// Recording will be on: events are about to be switched on. Says nothing of a trace that begins just now.
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

    /// For the writer thread: it could not tell these of what it has taken.
    pub(crate) fn put_back(&self, changes: impl IntoIterator<Item = Change>) {
        let mut unwritten = os::lock(&self.unwritten);
        unwritten.changes.splice(0..0, changes);
        unwritten.bound();
        self.any.store(true, Ordering::Release);
    }

    /// For the writer thread: takes what it has to tell.
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
    /// Makes one pause of the oldest ones, from when the first began until the last ended, when there are too many.
    fn bound(&mut self) {
        while self.changes.len() > MAX_CHANGES {
            // On and off again, within what is one pause then; an on before all of it ends one that was told of.
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
    fn what_nobody_takes_is_bounded_and_begins_and_ends_as_it_did() {
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
    fn what_is_put_back_comes_before_what_is_new() {
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
