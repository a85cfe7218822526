//! A trace that grows, by its file: it is over when its program has ended.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use ringtrace_tracefile::recover::ArenaFile;
use ringtrace_tracefile::{FollowFlags, Options};

use crate::command::recover::find_arenas;
use crate::reading::open_trace;

/// How often it is looked whether the program lives.
const STEP: Duration = Duration::from_millis(200);

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
                thread::sleep(STEP);
            }
            until.end.store(true, Ordering::Release);
        });
    }
    until
}

/// The memory of the living program that writes the trace, if it is where such memory is usually.
fn arena_of(path: &Path) -> Option<PathBuf> {
    let path = std::fs::canonicalize(path).ok()?;
    find_arenas().into_iter().find_map(|process| {
        let is_it = process.is_alive() && std::fs::canonicalize(process.trace_path()?).ok()? == path;
        is_it.then(|| process.segments().first().map(|segment| segment.path().to_path_buf()))?
    })
}

/// A program removes its arenas when all is in its file. What a killed one leaves has nobody who holds it.
fn is_alive(arena: &Path) -> bool {
    ArenaFile::open(arena).is_ok_and(|arena| arena.is_alive())
}
