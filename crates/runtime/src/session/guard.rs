//! What ends tracing when it is dropped.

use std::path::Path;

use super::state::stop;
use super::{Session, current};
#[cfg(feature = "monitor")]
use crate::monitor::Serving;

/// Stops tracing when it is dropped, and before that the monitors that options asked for.
///
/// A process that exits without dropping it, by `std::process::exit` for one, stops tracing as well; one that is killed, or
/// calls `_exit`, leaves what it has recorded to `ringtrace recover`. In a child of a fork it stops the child's
/// tracing, and the parent's goes on.
#[derive(Debug)]
#[must_use = "tracing ends when this is dropped"]
pub struct Guard {
    /// Which start it is for.
    start: Option<u64>,
    /// What is served meanwhile.
    #[cfg(feature = "monitor")]
    pub(crate) monitors: Vec<Serving>,
}

impl Guard {
    /// There is nothing to stop: nothing was asked for.
    pub(crate) fn of_nothing() -> Guard {
        Guard::of(None)
    }

    /// What was started by number `start`.
    pub(super) fn of(start: Option<u64>) -> Guard {
        Guard {
            start,
            #[cfg(feature = "monitor")]
            monitors: Vec::new(),
        }
    }

    /// The trace file; `None` when nothing is recorded.
    pub fn path(&self) -> Option<&Path> {
        #[cfg(feature = "monitor")]
        let serves = !self.monitors.is_empty();
        #[cfg(not(feature = "monitor"))]
        let serves = false;
        // A client may have had the recording begin.
        current().filter(|_| serves || self.start.is_some()).map(Session::trace_path)
    }

    /// The sockets of the monitors that are served.
    #[cfg(feature = "monitor")]
    pub fn sockets(&self) -> impl Iterator<Item = &Path> {
        self.monitors.iter().map(Serving::path)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // No client starts anew what ends.
        #[cfg(feature = "monitor")]
        self.monitors.clear();
        if let Some(start) = self.start {
            stop(start);
        }
    }
}
