//! Recovers the events that killed processes left in memory.

use ringtrace::announcement::Announcement;
use ringtrace_tracefile::recover::ArenaFile;

use crate::arenas;
use crate::terminal::Terminal;

/// The outcome of a process that did not finish its trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessOutcome {
    /// It was killed. This many events were still in memory, and are now in its trace.
    Recovered(u64),
    /// It was killed, and its events could not be recovered.
    NotRecovered,
    /// It is running, and continues its trace.
    Running,
}

/// Recovers what is left in memory of `trace`. Returns `None` if its process finished it.
pub fn recover_killed(trace: &Announcement, terminal: &Terminal) -> Option<ProcessOutcome> {
    // A process that exits normally removes its arenas.
    let arena = ArenaFile::open(&trace.arena).ok()?;
    if arena.is_alive() {
        return Some(ProcessOutcome::Running);
    }
    // Rewrites the trace: the file's contents, followed by those of memory.
    let recovered = arenas::process_of(&trace.arena, trace.pid, terminal)
        .and_then(|process| Ok((arenas::recover(&process, &trace.trace, terminal)?, process)));
    match recovered {
        Ok(((recovered, _), process)) => {
            // A failure only leaves the arena to a later `ringtrace recover`.
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
