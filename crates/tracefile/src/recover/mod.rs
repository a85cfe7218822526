//! Recovery of a trace from the files of a killed program, and snapshots of a running one.
//!
//! A traced program stores the rings of its threads in files on tmpfs, the arenas
//! ([`ringtrace_wire::arena`]). It removes them when it ends; if it is killed, they remain. A
//! process creates arenas, also called *segments*, as its threads need them.
//!
//! 1. [`ArenaFile::open`] reads a header and checks whether the process that wrote it is running.
//! 2. [`gather`] groups the segments by process.
//! 3. [`Process::recover`] creates a trace: the committed part of the trace file, followed by the
//!    records in the rings, merged by time.
//!
//! Memory use is limited to the size of the records in the rings, even if the files are damaged.

mod arena;
mod commit;
mod past;
mod process;
mod rings;

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

pub use arena::{ArenaError, ArenaFile, Unfinished};
pub use past::TraceFile;
pub use process::{Process, ProcessState, Recovered, gather};

/// The file name extension of arenas.
pub const EXTENSION: &str = "arena";

/// Returns the paths of the arenas in `directory`, sorted.
///
/// # Errors
/// Returns an error if the directory cannot be read.
pub fn find_arenas(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.extension() == Some(OsStr::new(EXTENSION)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
