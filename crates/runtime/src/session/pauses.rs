//! When recording went off and on: the trace says so, because what happens meanwhile is not in it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use ringtrace_wire::simpletrace::metadata::Metadata;

use crate::clock;

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
    untold: Mutex<Untold>,
    /// There are some: the writer thread takes no lock to find out that there are none.
    any: AtomicBool,
}

#[derive(Debug, Default)]
struct Untold {
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
        let mut untold = self.untold.lock().unwrap_or_else(PoisonError::into_inner);
        if untold.is_paused == on {
            untold.is_paused = !on;
            untold.changes.push(Change { on, time_ns: clock::monotonic_ns(), stamp: clock::stamp() });
            self.any.store(true, Ordering::Release);
        }
    }

    /// For the writer thread: takes what it has to tell.
    pub(crate) fn take(&self) -> Vec<Change> {
        if !self.any.load(Ordering::Acquire) {
            return Vec::new();
        }
        let mut untold = self.untold.lock().unwrap_or_else(PoisonError::into_inner);
        self.any.store(false, Ordering::Relaxed);
        std::mem::take(&mut untold.changes)
    }
}
