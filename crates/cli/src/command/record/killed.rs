//! What killed processes left in memory, put into their traces.

use std::io;
use std::path::Path;

use ringtrace::announcement::Announcement;
use ringtrace_tracefile::recover::{ArenaFile, Process, gather, look_for};

use crate::command::recover::write_trace;
use crate::exit::CliError;
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
    // The trace is written anew, with what is in memory behind what is in the file.
    let written =
        process_of(arena).and_then(|process| Ok((write_trace(&process, &trace.trace, terminal)?, process)));
    match written {
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

/// The process of `arena`, with what other arenas it has beside it.
fn process_of(arena: ArenaFile) -> Result<Process, CliError> {
    let refused = |error: &io::Error| CliError::system("its arenas", error);
    let path = arena.path().to_path_buf();
    let folder = path.parent().unwrap_or(Path::new("."));
    let identity = |arena: &ArenaFile| (arena.header().pid, arena.header().started_ns);
    let wanted = identity(&arena);
    let others = look_for(folder).map_err(|error| refused(&error))?;
    let others =
        others.iter().filter(|other| **other != path).filter_map(|other| ArenaFile::open(other).ok());
    let arenas = others.filter(|other| identity(other) == wanted).chain([arena]).collect();
    let process = gather(arenas).map_err(|error| refused(&error))?.into_iter().next();
    process.ok_or_else(|| CliError::input("its arenas are gone"))
}
