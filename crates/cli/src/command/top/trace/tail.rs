//! A file that may grow: where it ends now, whether it is still the same, and whether anybody writes it.

use std::fs::{self, DirEntry, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use super::counts::Shared;

/// How often it is looked whether there is a header.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// A file that changed so lately is written by somebody, though it is not known by whom: a process in a container has another
/// number in its trace than here.
const LATELY: Duration = Duration::from_secs(2);

/// Who writes a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriterState {
    /// Its program, or somebody else.
    Writes,
    /// Its program has ended.
    Ended,
    /// A process of that number runs, but does not write this file now.
    Elsewhere,
}

/// A file by its name.
#[derive(Debug)]
pub struct WatchedFile {
    path: PathBuf,
    file: File,
}

impl WatchedFile {
    /// The file at `path`.
    pub fn open(path: &Path) -> io::Result<WatchedFile> {
        Ok(WatchedFile { path: path.to_owned(), file: File::open(path)? })
    }

    /// Reads it from its start.
    pub fn read(&self, shared: &Arc<Shared>, stop: &Arc<AtomicBool>) -> io::Result<Tail> {
        let place = WatchedFile { path: self.path.clone(), file: self.file.try_clone()? };
        Ok(Tail { place, shared: Arc::clone(shared), stop: Arc::clone(stop), read_bytes: 0 })
    }

    /// Whether there is more than was read through [`WatchedFile::read`].
    pub fn has_more(&self) -> bool {
        use std::io::Seek;
        // Both have the same place in the file.
        let read = (&self.file).stream_position();
        self.file.metadata().is_ok_and(|file| read.is_ok_and(|read| file.len() > read))
    }

    /// Whether another file has its name, or it is shorter than what was read. One that has no name any more stays what it is.
    pub fn was_replaced(&self, read_bytes: u64) -> bool {
        let Ok(own) = self.file.metadata() else { return false };
        own.len() < read_bytes || fs::metadata(&self.path).is_ok_and(|now| !is_same(&now, &own))
    }

    /// Who writes it. Process `pid` has written its first record; `has_ended`: the trace says that its program has ended it.
    pub fn writer(&self, pid: Option<u32>, has_ended: bool) -> WriterState {
        let Ok(file) = self.file.metadata() else { return WriterState::Ended };
        let folder = pid.map(|pid| PathBuf::from(format!("/proc/{pid}")));
        let lives = folder.as_deref().is_some_and(Path::exists);
        let holds = match folder.map(|folder| fs::read_dir(folder.join("fd"))) {
            Some(Ok(descriptors)) => descriptors.flatten().any(|descriptor| {
                let target = fs::metadata(descriptor.path());
                target.is_ok_and(|target| is_same(&target, &file)) && is_for_writing(&descriptor)
            }),
            // It runs, and is none of our business: it may write.
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

/// Whether a descriptor in /proc is open for writing: the link has the permissions.
fn is_for_writing(descriptor: &DirEntry) -> bool {
    const OWNER_MAY_WRITE: u32 = 0o200;
    descriptor.metadata().is_ok_and(|link| link.mode() & OWNER_MAY_WRITE != 0)
}

fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// The bytes of a [`WatchedFile`].
#[derive(Debug)]
pub struct Tail {
    place: WatchedFile,
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
    read_bytes: u64,
}

impl Read for Tail {
    /// Waits for a header. Behind it, the end of the file is an error, after which reading can go on.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.place.file.read(buffer)?;
            self.read_bytes += read as u64;
            if read > 0 {
                return Ok(read);
            }
            let mut progress = self.shared.progress();
            if progress.has_begun {
                progress.is_at_end = true;
                return Err(io::ErrorKind::WouldBlock.into());
            }
            drop(progress);
            if self.stop.load(Ordering::Relaxed) || self.place.was_replaced(self.read_bytes) {
                return Ok(0);
            }
            self.shared.set_end(Some(WriterState::Writes));
            thread::sleep(LOOK_AGAIN);
        }
    }
}
