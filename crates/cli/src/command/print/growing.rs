//! A trace that grows, by its file: it is over when its program has ended.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use ringtrace_tracefile::recover::{ArenaFile, Process};
use ringtrace_tracefile::{FollowFlags, Options};

use crate::arenas;
use crate::reading::open_trace;

/// How often it is looked whether the program lives.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Whether the program has ended this trace: then there is nothing to wait for.
pub fn has_ended(path: &Path, options: &Options) -> bool {
    let options = Options { live: false, ..options.clone() };
    let summary = open_trace(path, &options).map(|mut reader| reader.summarize(false));
    // One without any record yet has nothing that could not be ended.
    summary.is_ok_and(|summary| summary.ended == Some(true) && !summary.threads.is_empty())
}

/// How long the trace grows: until `stop` is set or, where a program is known to write it, until that has ended.
pub fn until(path: &Path, stop: Arc<AtomicBool>) -> FollowFlags {
    let until = FollowFlags { stop, ..FollowFlags::default() };
    if let Some(arena) = arena_of(path) {
        let until = until.clone();
        // Without a thread, the user says when it is over.
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

/// An arena of the running program that writes the trace, if it is where arenas usually are.
fn arena_of(path: &Path) -> Option<PathBuf> {
    let process = arenas::writer_of(path).filter(Process::is_alive)?;
    process.segments().first().map(|segment| segment.path().to_path_buf())
}

/// A program removes its arenas when all is in its file. What a killed one leaves has nobody who holds it.
fn is_alive(arena: &Path) -> bool {
    ArenaFile::open(arena).is_ok_and(|arena| arena.is_alive())
}
