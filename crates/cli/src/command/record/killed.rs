//! Recovers the events that killed processes left in memory.

use ringtrace::announcement::Announcement;
use ringtrace_tracefile::recover::ArenaFile;

use crate::arenas;
use crate::terminal::Terminal;

/// The outcome of a process that did not finish its trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessOutcome {
    /// The process was killed. This many events were still in memory, and are now in its trace.
    Recovered(u64),
    /// The process was killed, and its events could not be recovered.
    NotRecovered,
    /// The process is running, and continues its trace.
    Running,
}

/// Recovers the events of `trace` that are still in memory. Returns `None` if the process finished
/// the trace.
pub fn recover_killed(trace: &Announcement, terminal: &Terminal) -> Option<ProcessOutcome> {
    // A process that exits normally removes its arenas.
    let arena = ArenaFile::open(&trace.arena).ok()?;
    if arena.is_alive() {
        return Some(ProcessOutcome::Running);
    }
    // Rewrite the trace: the file's contents, followed by the events from memory.
    let recovered = arenas::process_of(&trace.arena, trace.pid, terminal)
        .and_then(|process| Ok((arenas::recover(&process, &trace.trace, terminal)?, process)));
    match recovered {
        Ok(((recovered, _), process)) => {
            // If an arena cannot be removed, a later `ringtrace recover` can still remove it.
            process.segments().iter().for_each(|segment| drop(segment.remove()));
            Some(ProcessOutcome::Recovered(recovered.ring_records))
        }
        Err(failure) => {
            terminal.warn(
                &format!(
                    "process {} was killed, and what it left in memory is still there: {}",
                    trace.pid, failure.message
                ),
                Some(&format!("`ringtrace recover {}` tries again", trace.arena.display())),
            );
            Some(ProcessOutcome::NotRecovered)
        }
    }
}
