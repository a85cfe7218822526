//! Follows one trace file as it grows, until its program ends.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use ringtrace_tracefile::metadata::Metadata;
use ringtrace_tracefile::recover::{ArenaFile, Process};
use ringtrace_tracefile::{FollowFlags, Options, folder};

use crate::arenas;
use crate::reading::open_trace;

const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Returns whether the program has finished this trace, so that the trace cannot grow.
pub fn has_ended(path: &Path, options: &Options) -> bool {
    let Ok(mut reader) = open_trace(path, options) else { return false };
    let summary = reader.summarize(false);
    // A trace without threads may still grow: its program has not recorded anything yet.
    reader.metadata().iter().any(Metadata::marks_copy)
        || (summary.ended == Some(true) && !summary.threads.is_empty())
}

/// Returns flags that stop the reader when `stop` is set or, if the program that writes the trace
/// is known, when that program ends.
pub fn until(path: &Path, stop: Arc<AtomicBool>) -> FollowFlags {
    let until = FollowFlags { stop, ..FollowFlags::default() };
    let writer = arenas::writer_of(path);
    match writer.as_ref().and_then(arena_of) {
        Some(arena) => set_at_end(until.clone(), arena, || None),
        // The program was killed. If it had not written anything, the file may be that of another one.
        None => until.end.store(writer.is_some_and(|writer| writer.has_committed()), Ordering::Release),
    }
    until
}

/// Returns flags that stop the reader of a folder when `stop` is set or, if the program that writes
/// to the folder is known, when that program ends.
pub fn until_folder_ends(folder: &Path, stop: Arc<AtomicBool>, options: &Options) -> FollowFlags {
    let until = FollowFlags { stop, ..FollowFlags::default() };
    // The arenas of an earlier run may still exist.
    let last = folder::list(folder).ok().and_then(|mut files| files.pop());
    let writer = last.as_ref().and_then(|last| arenas::writer_of(&last.path));
    let is_killed = writer.is_some_and(|writer| !writer.is_alive());
    // The program has new arenas for each file, or keeps its arenas.
    let path = folder.to_owned();
    let arena = move || arena_of(&arenas::writer_in(&path)?);
    match arena() {
        _ if is_killed => until.end.store(true, Ordering::Release),
        Some(first) => set_at_end(until.clone(), first, arena),
        None => {
            let is_complete = last.is_some_and(|file| has_ended(&file.path, options));
            until.end.store(is_complete, Ordering::Release);
        }
    }
    until
}

/// Sets `until.end` when nobody owns `arena` any more, and `next` returns no other arena.
fn set_at_end(until: FollowFlags, mut arena: PathBuf, next: impl Fn() -> Option<PathBuf> + Send + 'static) {
    // If the thread cannot be started, the user has to stop the reader with Ctrl-C.
    let _ = thread::Builder::new().name("arena".to_owned()).spawn(move || {
        loop {
            while is_alive(&arena) {
                if until.stop.load(Ordering::Relaxed) {
                    return;
                }
                thread::sleep(POLL_INTERVAL);
            }
            let Some(other) = next() else { break };
            arena = other;
        }
        until.end.store(true, Ordering::Release);
    });
}

/// Returns an arena of `process`, if it is running.
fn arena_of(process: &Process) -> Option<PathBuf> {
    process.segments().first().filter(|_| process.is_alive()).map(|segment| segment.path().to_path_buf())
}

/// Returns whether a program still owns the arena. A program removes its arenas after its last
/// write to the file. If it was killed, its arenas remain, but nobody holds their locks.
fn is_alive(arena: &Path) -> bool {
    ArenaFile::open(arena).is_ok_and(|arena| arena.is_alive())
}
