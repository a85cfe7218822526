//! Reads a file that may grow, and finds out whether it was replaced and which process writes it.

use std::fs::{self, DirEntry, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use super::counts::Shared;

/// The time between two checks for a header.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// A file modified within this time is assumed to have a writer, even if none is found. For
/// example, the trace of a process in a container contains a process id that is not valid here.
const LATELY: Duration = Duration::from_secs(2);

/// The state of a trace's writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriterState {
    /// The program, or an unknown process, still writes the trace.
    Writes,
    Ended,
    /// A process with the writer's id is running, but does not have this file open.
    Elsewhere,
}

/// An open file and its path.
#[derive(Debug)]
pub struct WatchedFile {
    path: PathBuf,
    file: File,
}

impl WatchedFile {
    pub fn open(path: &Path) -> io::Result<WatchedFile> {
        Ok(WatchedFile { path: path.to_owned(), file: File::open(path)? })
    }

    /// Returns a reader of the file from its start.
    pub fn read(&self, shared: &Arc<Shared>, stop: &Arc<AtomicBool>) -> io::Result<Tail> {
        let place = WatchedFile { path: self.path.clone(), file: self.file.try_clone()? };
        Ok(Tail { place, shared: Arc::clone(shared), stop: Arc::clone(stop), read_bytes: Arc::default() })
    }

    /// Returns whether the file has more data than the reader from [`WatchedFile::read`] has read.
    pub fn has_more(&self) -> bool {
        use std::io::Seek;
        // Both descriptors share one file position.
        let read = (&self.file).stream_position();
        self.file.metadata().is_ok_and(|file| read.is_ok_and(|read| file.len() > read))
    }

    /// Returns whether the path now refers to another file, or the file was truncated to less than
    /// was read. A deleted file does not count as replaced.
    pub fn was_replaced(&self) -> bool {
        use std::io::Seek;
        let (Ok(own), Ok(read)) = (self.file.metadata(), (&self.file).stream_position()) else {
            return false;
        };
        own.len() < read || fs::metadata(&self.path).is_ok_and(|now| !is_same(&now, &own))
    }

    /// Finds out whether the trace still has a writer. `pid` is the process of the first record;
    /// `has_ended` means that the trace is complete according to its contents.
    pub fn writer(&self, pid: Option<u32>, has_ended: bool) -> WriterState {
        let Ok(file) = self.file.metadata() else { return WriterState::Ended };
        let folder = pid.map(|pid| PathBuf::from(format!("/proc/{pid}")));
        let lives = folder.as_deref().is_some_and(Path::exists);
        let holds = match folder.map(|folder| fs::read_dir(folder.join("fd"))) {
            Some(Ok(descriptors)) => descriptors.flatten().any(|descriptor| {
                let target = fs::metadata(descriptor.path());
                target.is_ok_and(|target| is_same(&target, &file)) && is_for_writing(&descriptor)
            }),
            // The process belongs to another user, so it may be the writer.
            Some(Err(_)) => lives && !has_ended,
            None => false,
        };
        let changed = file.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let lately = SystemTime::now().duration_since(changed).is_ok_and(|age| age < LATELY);
        match (holds || lately && !has_ended, lives) {
            (true, _) => WriterState::Writes,
            (false, true) => WriterState::Elsewhere,
            (false, false) => WriterState::Ended,
        }
    }
}

/// Returns whether a descriptor in /proc is open for writing. The permissions of its symbolic link
/// are the descriptor's access mode.
fn is_for_writing(descriptor: &DirEntry) -> bool {
    const OWNER_MAY_WRITE: u32 = 0o200;
    descriptor.metadata().is_ok_and(|link| link.mode() & OWNER_MAY_WRITE != 0)
}

fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Reads the bytes of a [`WatchedFile`].
#[derive(Debug)]
pub struct Tail {
    place: WatchedFile,
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
    /// The number of bytes of the file that were read. The reader counts the bytes of a compact trace as v4.
    pub read_bytes: Arc<AtomicU64>,
}

impl Read for Tail {
    /// Reads bytes. Until the header has been read, waits at the end of the file. Later, the end of
    /// the file is an error after which reading can continue.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.place.file.read(buffer)?;
            if read > 0 {
                self.read_bytes.fetch_add(read as u64, Ordering::Relaxed);
                return Ok(read);
            }
            let mut progress = self.shared.progress();
            if progress.begun {
                progress.at_end = true;
                return Err(io::ErrorKind::WouldBlock.into());
            }
            if self.stop.load(Ordering::Relaxed) || self.place.was_replaced() {
                return Ok(0);
            }
            progress.writer = Some(WriterState::Writes);
            drop(progress);
            thread::sleep(LOOK_AGAIN);
        }
    }
}
