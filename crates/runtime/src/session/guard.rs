//! Starting tracing, and the guard that ends it when it is dropped.

use std::path::Path;

use super::error::StartError;
use super::state::{self, stop};
use crate::options::Settings;
use crate::ring::recording::{Recording, current};

/// A monitor that is served as long as the guard lives.
#[cfg(feature = "monitor")]
pub(crate) trait Service: std::fmt::Debug + Send + Sync {
    /// Its socket.
    fn socket(&self) -> &Path;
}

/// Starts tracing: makes every backend of `settings` ready and sends it the events that are enabled.
///
/// # Errors
/// When a backend cannot be made ready, or something was started already. Nothing is changed then; but what a client of a monitor has
/// begun ends when the trace file can be made and something else cannot.
pub fn start(settings: Settings) -> Result<Guard, StartError> {
    state::start(settings).map(|start| Guard::of(Some(start)))
}

/// Stops tracing when it is dropped, and before that the monitors that options asked for.
///
/// A process that exits without dropping it, by `std::process::exit` for one, stops tracing as well; one that is killed, or
/// calls `_exit`, leaves what it has recorded to `ringtrace recover`. In a child of a fork it stops the child's
/// tracing, and the parent's goes on.
#[derive(Debug)]
#[must_use = "bind it to a name: `let _tracing = ..`; `let _ = ..` ends tracing at once"]
pub struct Guard {
    /// Which start it is for.
    start: Option<u64>,
    /// What is served meanwhile.
    #[cfg(feature = "monitor")]
    pub(crate) services: Vec<Box<dyn Service>>,
}

impl Guard {
    /// There is nothing to stop: nothing was asked for.
    pub(crate) fn of_nothing() -> Guard {
        Guard::of(None)
    }

    /// What was started by number `start`.
    fn of(start: Option<u64>) -> Guard {
        Guard {
            start,
            #[cfg(feature = "monitor")]
            services: Vec::new(),
        }
    }

    /// The trace file; `None` when nothing is recorded.
    pub fn path(&self) -> Option<&Path> {
        #[cfg(feature = "monitor")]
        let serves = !self.services.is_empty();
        #[cfg(not(feature = "monitor"))]
        let serves = false;
        // A client may have had the recording begin.
        current().filter(|_| serves || self.start.is_some()).map(Recording::trace_path)
    }

    /// The sockets of the monitors that are served.
    #[cfg(feature = "monitor")]
    pub fn sockets(&self) -> impl Iterator<Item = &Path> {
        self.services.iter().map(|service| service.socket())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // No client starts anew what ends.
        #[cfg(feature = "monitor")]
        self.services.clear();
        if let Some(start) = self.start {
            stop(start);
        }
    }
}
