//! Follows one trace file as it grows, until its program ends.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use ringtrace_tracefile::recover::{ArenaFile, Process};
use ringtrace_tracefile::{FollowFlags, Options};

use crate::arenas;
use crate::reading::open_trace;

const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Returns whether the program has finished this trace, so that the trace cannot grow.
pub fn has_ended(path: &Path, options: &Options) -> bool {
    let options = Options { live: false, ..options.clone() };
    let summary = open_trace(path, &options).map(|mut reader| reader.summarize(false));
    // A trace without threads may still grow: its program has not recorded anything yet.
    summary.is_ok_and(|summary| summary.ended == Some(true) && !summary.threads.is_empty())
}

/// Returns flags that stop the reader when `stop` is set or, if the program that writes the trace
/// is known, when that program ends.
pub fn until(path: &Path, stop: Arc<AtomicBool>) -> FollowFlags {
    let until = FollowFlags { stop, ..FollowFlags::default() };
    if let Some(arena) = arena_of(path) {
        let until = until.clone();
        // If the thread cannot be started, the user has to stop the reader with Ctrl-C.
        let _ = thread::Builder::new().name("arena".to_owned()).spawn(move || {
            while is_alive(&arena) {
                if until.stop.load(Ordering::Relaxed) {
                    return;
                }
                thread::sleep(POLL_INTERVAL);
            }
            until.end.store(true, Ordering::Release);
        });
    }
    until
}

/// Returns an arena of the running program that writes the trace, if that arena is in a default
/// folder.
fn arena_of(path: &Path) -> Option<PathBuf> {
    let process = arenas::writer_of(path).filter(Process::is_alive)?;
    process.segments().first().map(|segment| segment.path().to_path_buf())
}

/// Returns whether a program still owns the arena. A program removes its arenas after its last
/// write to the file. If it was killed, its arenas remain, but nobody holds their locks.
fn is_alive(arena: &Path) -> bool {
    ArenaFile::open(arena).is_ok_and(|arena| arena.is_alive())
}
