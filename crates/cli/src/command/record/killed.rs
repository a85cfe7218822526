//! What killed processes left in memory, put into their traces.

use ringtrace::announcement::Announcement;
use ringtrace_tracefile::recover::ArenaFile;

use crate::arenas;
use crate::terminal::Terminal;

/// What became of a process that began a trace and did not end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessOutcome {
    /// It was killed: so many events were still in memory, and are in its trace now.
    Recovered(u64),
    /// It was killed, and what it left could not be put into the trace.
    NotRecovered,
    /// It lives, and its trace goes on.
    Running,
}

/// The fates of the processes that did not end `traces` themselves, by their place among them.
pub type Outcomes = Vec<Option<ProcessOutcome>>;

/// Puts what is left in memory into each of `traces`.
pub fn recover_killed(traces: &[Announcement], terminal: &Terminal) -> Outcomes {
    traces.iter().map(|trace| outcome(trace, terminal)).collect()
}

fn outcome(trace: &Announcement, terminal: &Terminal) -> Option<ProcessOutcome> {
    // A process that ends by itself removes its arenas.
    let arena = ArenaFile::open(&trace.arena).ok()?;
    if arena.is_alive() {
        return Some(ProcessOutcome::Running);
    }
    // The trace is written again: what is in the file, and then what is in memory.
    let recovered = arenas::process_of(&trace.arena, trace.pid, terminal)
        .and_then(|process| Ok((arenas::recover(&process, &trace.trace, terminal)?, process)));
    match recovered {
        Ok(((recovered, _), process)) => {
            // What is removed late is found by `ringtrace recover`, no more.
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
