//! Waiting for the trace file, but not for ever: it can be a pipe that nobody empties, and behind a client's call others wait.

use std::io;
use std::time::{Duration, Instant};

use super::{Session, StartError, current, switch_backends_by};
use crate::Backends;

/// What is wrong with a file then.
const STUCK: &str = "it takes what is written too slowly, or not at all";

/// [`flush`](super::flush), for no longer than `limit`. `false`: also when it took longer.
pub(crate) fn flush_within(limit: Duration) -> bool {
    current().is_some_and(|session| session.flush_within(limit))
}

/// Stops to record, and waits until what was recorded is in the file, for no longer than `limit`. `false`: it took longer. Then
/// no thread waits for room either, until the file takes something again: what finds none is dropped and counted.
///
/// # Errors
/// When nothing was started.
pub(crate) fn stop_recording_within(limit: Duration) -> Result<bool, StartError> {
    let before = switch_backends_by(|now| now.without(Backends::SIMPLE))?;
    let recorded = current().filter(|_| before.contains(Backends::SIMPLE));
    // Of a file that takes nothing there is nothing to wait for, and its trouble is told already.
    let Some(session) = recorded.filter(|session| session.has_writer()) else { return Ok(true) };
    let is_written = session.flush_within(limit);
    if !is_written {
        session.set_failure(Some(&io::Error::new(io::ErrorKind::TimedOut, STUCK)));
    }
    Ok(is_written)
}

impl Session {
    fn flush_within(&self, limit: Duration) -> bool {
        let end = Instant::now() + limit;
        let mine = self.flushes.ask();
        self.flushes.wait(mine, || self.has_writer() && Instant::now() < end, || self.want_writer())
    }
}
