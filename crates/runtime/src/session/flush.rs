//! Waiting until what was recorded is in the trace file.
//!
//! A client of a monitor does not wait for ever: the file can be a pipe that nobody empties, and others wait behind the call.

#[cfg(feature = "monitor")]
use std::io;
#[cfg(feature = "monitor")]
use std::time::{Duration, Instant};

#[cfg(feature = "monitor")]
use super::{StartError, state::switch_backends_by};
#[cfg(feature = "monitor")]
use crate::options::Backends;
#[cfg(feature = "monitor")]
use crate::ring::recording::Recording;
use crate::ring::recording::current;

/// Waits until everything that was recorded before is in the file. `false`: nothing is being recorded, the file takes nothing,
/// or the writer thread is gone. With [`Policy::Overwrite`](crate::Policy::Overwrite) records stay in their rings until the end, or a [`snapshot`](crate::snapshot()).
pub fn flush() -> bool {
    let Some(recording) = current() else { return false };
    let mine = recording.flushes.request();
    recording.flushes.wait(mine, || recording.has_writer(), || recording.want_writer())
}

#[cfg(feature = "monitor")]
/// What is wrong with a file then.
const STUCK: &str = "it takes what is written too slowly, or not at all";

#[cfg(feature = "monitor")]
/// [`flush`], for no longer than `limit`. `false`: also when it took longer.
pub(crate) fn flush_within(limit: Duration) -> bool {
    current().is_some_and(|recording| recording.flush_within(limit))
}

#[cfg(feature = "monitor")]
/// Stops to record, and waits until what was recorded is in the file, for no longer than `limit`. `false`: it took longer. Then
/// no thread waits for room either, until the file takes something again: what finds none is dropped and counted.
///
/// # Errors
/// When nothing was started.
pub(crate) fn stop_recording_within(limit: Duration) -> Result<bool, StartError> {
    let before = switch_backends_by(|now| now.without(Backends::SIMPLE))?;
    let recorded = current().filter(|_| before.contains(Backends::SIMPLE));
    // Of a file that takes nothing there is nothing to wait for, and its trouble is told already.
    let Some(recording) = recorded.filter(|recording| recording.has_writer()) else { return Ok(true) };
    let is_written = recording.flush_within(limit);
    if !is_written {
        recording.set_failure(Some(&io::Error::new(io::ErrorKind::TimedOut, STUCK)));
    }
    Ok(is_written)
}

#[cfg(feature = "monitor")]
impl Recording {
    fn flush_within(&self, limit: Duration) -> bool {
        let end = Instant::now() + limit;
        let mine = self.flushes.request();
        self.flushes.wait(mine, || self.has_writer() && Instant::now() < end, || self.want_writer())
    }
}
