//! Waiting until records are in the trace file.
//!
//! Clients of a monitor wait with a time limit, because the file may be a pipe that nobody reads,
//! and other clients have to wait for the same call to end.

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

/// Waits until everything recorded so far is in the file. Returns `false` if nothing is being
/// recorded, writing to the file fails, or the writer thread has ended. With
/// [`Policy::Overwrite`](crate::Policy::Overwrite), records stay in their rings until the end or a
/// [`snapshot`](crate::snapshot()).
pub fn flush() -> bool {
    let Some(recording) = current() else { return false };
    let mine = recording.flushes.request();
    recording.flushes.wait(mine, || recording.has_writer(), || recording.want_writer())
}

#[cfg(feature = "monitor")]
const STUCK: &str = "writing is too slow or blocked";

#[cfg(feature = "monitor")]
/// Like [`flush`], but with a time limit. Also returns `false` if the limit is exceeded.
pub(crate) fn flush_within(limit: Duration) -> bool {
    current().is_some_and(|recording| recording.flush_within(limit))
}

#[cfg(feature = "monitor")]
/// Stops recording, and waits until all records are in the file, up to a time limit. Returns
/// `false` if the limit is exceeded. From then on, until the file accepts data again, threads do
/// not wait for space in full rings: their records are dropped and counted.
///
/// # Errors
/// Fails if tracing was not started.
pub(crate) fn stop_recording_within(limit: Duration) -> Result<bool, StartError> {
    let before = switch_backends_by(|now| now.without(Backends::SIMPLE))?;
    let recorded = current().filter(|_| before.contains(Backends::SIMPLE));
    // Do not wait if writing to the file fails. The error is already reported.
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
