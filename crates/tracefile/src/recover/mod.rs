//! What a killed program left behind, as a trace; and a living one's rings, as they are now.
//!
//! A program that traces keeps the rings of its threads in files on tmpfs, the arenas ([`ringtrace_wire::arena`]). When it ends, it
//! removes them; when it is killed, they stay. Of one process there are as many as it needed for its threads: its *segments*.
//!
//! 1. [`ArenaFile::open`] reads a header and asks the system whether the process lives that wrote it.
//! 2. [`gather`] puts the segments of each process together.
//! 3. [`Process::recover`] makes a trace: what the process had committed of its trace file, then what stands in the rings behind
//!    that, merged by time.
//!
//! Whatever the files contain, memory stays within what the rings really hold.

mod arena;
mod commit;
mod past;
mod process;
mod rings;

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

pub use arena::{ArenaError, ArenaFile};
pub use past::TraceFile;
pub use process::{Process, Recovered, gather};

/// What the names of arenas end with.
pub const EXTENSION: &str = "arena";

/// The arenas in `directory`, by name.
///
/// # Errors
/// When it cannot be read.
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
