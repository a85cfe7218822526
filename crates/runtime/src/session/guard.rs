//! Starting to trace, and the guard that stops tracing when it is dropped.

#[cfg(feature = "monitor")]
use std::path::Path;
use std::path::PathBuf;

use super::error::StartError;
use super::state::{self, stop};
use crate::options::Settings;
use crate::ring::recording::{Recording, current};

/// A monitor that serves clients as long as the guard lives.
#[cfg(feature = "monitor")]
pub(crate) trait Service: std::fmt::Debug + Send + Sync {
    fn socket(&self) -> &Path;
}

/// Starts tracing: opens every backend of `settings` and sends it the enabled events.
///
/// # Errors
/// Fails if a backend cannot be opened, or tracing is running already. In this case, nothing is
/// changed, with one exception: a recording that a client of a monitor has started ends if the
/// trace file can be created but something else fails.
pub fn start(settings: Settings) -> Result<Guard, StartError> {
    state::start(settings).map(|start| Guard::of(Some(start)))
}

/// Stops the monitors started by options, then tracing, when it is dropped.
///
/// If the process exits without dropping the guard, for example by `std::process::exit`, tracing
/// stops as well. If it is killed or calls `_exit`, `ringtrace recover` can restore its records. In
/// a forked child, dropping the guard stops only the child's tracing.
#[derive(Debug)]
#[must_use = "bind it to a name: `let _tracing = ..`; `let _ = ..` ends tracing at once"]
pub struct Guard {
    /// The number of the start whose session this guard stops.
    start: Option<u64>,
    #[cfg(feature = "monitor")]
    pub(crate) services: Vec<Box<dyn Service>>,
}

impl Guard {
    /// Creates a guard that stops nothing, because nothing was requested.
    pub(crate) fn of_nothing() -> Guard {
        Guard::of(None)
    }

    fn of(start: Option<u64>) -> Guard {
        Guard {
            start,
            #[cfg(feature = "monitor")]
            services: Vec::new(),
        }
    }

    /// The current trace file; `None` if nothing is being recorded.
    pub fn path(&self) -> Option<PathBuf> {
        #[cfg(feature = "monitor")]
        let serves = !self.services.is_empty();
        #[cfg(not(feature = "monitor"))]
        let serves = false;
        // A client may have started the recording.
        current().filter(|_| serves || self.start.is_some()).map(Recording::trace_path)
    }

    /// The sockets of the monitors.
    #[cfg(feature = "monitor")]
    pub fn sockets(&self) -> impl Iterator<Item = &Path> {
        self.services.iter().map(|service| service.socket())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // Drop the monitors before tracing stops, so that no client starts tracing again.
        #[cfg(feature = "monitor")]
        self.services.clear();
        if let Some(start) = self.start {
            stop(start);
        }
    }
}
