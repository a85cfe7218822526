//! What killed processes left in memory, put into their traces.

use std::io;
use std::path::Path;

use ringtrace::announcement::Announcement;
use ringtrace_tracefile::recover::{ArenaFile, Process, find_arenas, gather};

use crate::command::recover::write_trace;
use crate::exit::Failure;
use crate::terminal::Terminal;

/// What became of a process that began a trace and did not end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It was killed: so many events were still in memory, and are in its trace now.
    Rescued(u64),
    /// It was killed, and what it left could not be put into the trace.
    Left,
    /// It lives, and its trace goes on.
    Lives,
}

/// The fates of the processes that did not end `traces` themselves, by their place among them.
pub type Fates = Vec<Option<Fate>>;

/// Puts what is left in memory into each of `traces`.
pub fn rescue(traces: &[Announcement], terminal: &Terminal) -> Fates {
    traces.iter().map(|trace| fate(trace, terminal)).collect()
}

fn fate(trace: &Announcement, terminal: &Terminal) -> Option<Fate> {
    // A process that ends by itself removes its arenas.
    let arena = ArenaFile::open(&trace.arena).ok()?;
    if arena.is_alive() {
        return Some(Fate::Lives);
    }
    // The trace is written anew, with what is in memory behind what is in the file.
    let written =
        process_of(arena).and_then(|process| Ok((write_trace(&process, &trace.trace, terminal)?, process)));
    match written {
        Ok(((recovered, _), process)) => {
            // What is removed late is found by `ringtrace recover`, no more.
            process.segments().iter().for_each(|segment| drop(segment.remove()));
            Some(Fate::Rescued(recovered.ring_records))
        }
        Err(failure) => {
            terminal.warn(
                &format!(
                    "process {} was killed, and what it left in memory is still there: {}",
                    trace.pid, failure.message
                ),
                Some(&format!("`ringtrace recover {}` tries again", trace.arena.display())),
            );
            Some(Fate::Left)
        }
    }
}

/// The process of `arena`, with what other arenas it has beside it.
fn process_of(arena: ArenaFile) -> Result<Process, Failure> {
    let refused = |error: &io::Error| Failure::system("its arenas", error);
    let path = arena.path().to_path_buf();
    let folder = path.parent().unwrap_or(Path::new("."));
    let identity = |arena: &ArenaFile| (arena.header().pid, arena.header().started_ns);
    let wanted = identity(&arena);
    let others = find_arenas(folder).map_err(|error| refused(&error))?;
    let others =
        others.iter().filter(|other| **other != path).filter_map(|other| ArenaFile::open(other).ok());
    let arenas = others.filter(|other| identity(other) == wanted).chain([arena]).collect();
    let process = gather(arenas).map_err(|error| refused(&error))?.into_iter().next();
    process.ok_or_else(|| Failure::input("its arenas are gone"))
}
