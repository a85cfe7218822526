//! A file that may grow: at its end more is waited for, and it is found out whether anybody writes it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::tally::Shared;

/// How often the end of the file is looked at.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// How often it is asked who writes it: all files of a process are looked at.
const ASK_AGAIN: Duration = Duration::from_millis(500);

/// A file that changed so lately is written by somebody, though it is not known by whom: a process in a container has another
/// number in its trace than here.
const LATELY: Duration = Duration::from_secs(2);

/// Who writes a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    /// Its program, or somebody else.
    Writes,
    /// Its program has ended.
    Ended,
    /// A process of that number runs, but does not write this file now.
    Elsewhere,
}

/// The file.
pub struct Tail {
    path: PathBuf,
    file: File,
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
    read_bytes: u64,
    asked: Option<(Instant, Writer)>,
}

impl Tail {
    /// Reads the file at `path` until `stop` is set.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path, shared: Arc<Shared>, stop: Arc<AtomicBool>) -> io::Result<Tail> {
        let file = File::open(path)?;
        Ok(Tail { path: path.to_owned(), file, shared, stop, read_bytes: 0, asked: None })
    }

    /// Whether another file has its name, or it was cut. One that has no name any more stays what it is.
    pub fn was_replaced(&self) -> bool {
        let Ok(own) = self.file.metadata() else { return false };
        let other =
            fs::metadata(&self.path).is_ok_and(|now| (now.dev(), now.ino()) != (own.dev(), own.ino()));
        other || own.len() < self.read_bytes
    }

    /// Who writes it. It is not asked each time.
    fn writer(&mut self) -> Writer {
        match self.asked {
            Some((at, writer)) if at.elapsed() < ASK_AGAIN => writer,
            _ => {
                let pid = self.shared.lock().pid;
                let writer = self.file.metadata().map_or(Writer::Ended, |file| find_writer(&file, pid));
                self.asked = Some((Instant::now(), writer));
                writer
            }
        }
    }
}

impl Read for Tail {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.file.read(buffer)?;
            if read > 0 {
                self.read_bytes += read as u64;
                self.shared.set_end(None);
                self.asked = None;
                return Ok(read);
            }
            if self.stop.load(Ordering::Relaxed) || self.was_replaced() {
                return Ok(0);
            }
            let writer = self.writer();
            self.shared.set_end(Some(writer));
            thread::sleep(LOOK_AGAIN);
        }
    }
}

/// Who writes `file`, of whose records the first was written by process `pid`.
fn find_writer(file: &fs::Metadata, pid: Option<u32>) -> Writer {
    let folder = pid.map(|pid| PathBuf::from(format!("/proc/{pid}")));
    let lives = folder.as_deref().is_some_and(Path::exists);
    let descriptors = folder.map(|folder| fs::read_dir(folder.join("fd")));
    let holds = match descriptors {
        Some(Ok(mut descriptors)) => descriptors.any(|descriptor| {
            let target = descriptor.and_then(|descriptor| fs::metadata(descriptor.path()));
            target.is_ok_and(|target| (target.dev(), target.ino()) == (file.dev(), file.ino()))
        }),
        // It runs, and is none of our business: it may write.
        Some(Err(_)) => lives,
        None => false,
    };
    let changed = file.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    let lately = SystemTime::now().duration_since(changed).is_ok_and(|age| age < LATELY);
    match (holds || lately, lives) {
        (true, _) => Writer::Writes,
        (false, true) => Writer::Elsewhere,
        (false, false) => Writer::Ended,
    }
}
