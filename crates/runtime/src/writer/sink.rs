//! The trace file.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;

use crate::os::error_text;
use crate::os::files::{open_emptied, open_new};
use crate::ring::recording::REMOVED;

#[derive(Debug)]
pub(crate) struct SinkError {
    pub(crate) path: PathBuf,
    pub(crate) error: io::Error,
}

impl SinkError {
    fn new(path: impl Into<PathBuf>, error: io::Error) -> SinkError {
        SinkError { path: path.into(), error }
    }
}

/// How long to wait, at session end, for a stalled reader of a pipe.
const READER_TIMEOUT: Duration = Duration::from_secs(2);

/// How often a waiting writer thread checks whether the session ends.
const POLL_INTERVAL: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

#[derive(Debug)]
pub(crate) struct Sink {
    path: PathBuf,
    file: File,
    bytes: u64,
    /// The number of bytes of the current append that are written and cannot be cut off again.
    begun: usize,
    reader_timeout: Duration,
    /// Set for a file that can be truncated, unlike a pipe or a device.
    is_regular: bool,
    /// Set if the last failure was that the reader has gone.
    is_abandoned: bool,
    reported: Reported,
}

/// The reports on standard error so far. Each is made once.
#[derive(Debug, Default)]
struct Reported {
    failure: bool,
    removal: bool,
    shortening: bool,
}

impl Sink {
    /// Creates the file. An existing file that the user named is truncated or, with `keeps`, kept,
    /// and another one created beside it. The default file is always new. With `within`, the file
    /// must be in that folder, without symbolic links.
    pub(crate) fn create(
        wanted: Option<&Path>,
        within: Option<&Path>,
        keeps: bool,
        pid: u32,
    ) -> Result<Sink, SinkError> {
        match wanted {
            Some(path) if keeps => Sink::create_or_beside(path, within, pid),
            Some(path) => {
                let file = open_emptied(path, within);
                let file = file.map_err(|error| SinkError::new(path, error))?;
                Sink::of(path, file)
            }
            None => Sink::create_new(&PathBuf::from(format!("trace-{pid}")), None),
        }
    }

    /// Creates `path`, or `path.PID` if that file exists. A device or a pipe is opened as it is.
    fn create_or_beside(path: &Path, within: Option<&Path>, pid: u32) -> Result<Sink, SinkError> {
        match open_new(path, within) {
            Ok(file) => Sink::of(path, file),
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(SinkError::new(path, error)),
            Err(_) if std::fs::metadata(path).is_ok_and(|found| found.is_file()) => {
                Sink::create_new(&with_suffix(path, pid), within)
            }
            Err(_) => Sink::create(Some(path), within, false, pid),
        }
    }

    /// Creates the file of process `pid`, which was forked from a process that records into
    /// `parent`. If the user named the parent's file, it is `PARENT.PID`, else `trace-PID` in the
    /// same folder. A device serves both processes.
    pub(crate) fn create_beside(
        parent: &Path,
        within: Option<&Path>,
        is_named: bool,
        pid: u32,
    ) -> Result<Sink, SinkError> {
        if !is_named {
            return Sink::create_new(&parent.with_file_name(format!("trace-{pid}")), None);
        }
        let kind = std::fs::metadata(parent).map(|found| found.file_type());
        match kind {
            Ok(kind) if kind.is_char_device() => Sink::create(Some(parent), within, false, pid),
            Ok(kind) if !kind.is_file() => {
                let why = "the parent's trace goes to a pipe or socket, which cannot take a second trace";
                Err(SinkError::new(parent, io::Error::other(why)))
            }
            _ => Sink::create_new(&with_suffix(parent, pid), within),
        }
    }

    /// Creates a file that does not exist yet: `path`, else `path.1`, and so on.
    fn create_new(path: &Path, within: Option<&Path>) -> Result<Sink, SinkError> {
        let mut candidate = path.to_path_buf();
        let mut number = 0;
        loop {
            match open_new(&candidate, within) {
                Ok(file) => return Sink::of(&candidate, file),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 10_000 => {}
                Err(error) => return Err(SinkError::new(candidate, error)),
            }
            number += 1;
            candidate = with_suffix(path, number);
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    fn of(path: &Path, file: File) -> Result<Sink, SinkError> {
        let found = file.metadata().map_err(|error| SinkError::new(path, error))?;
        let is_regular = found.is_file();
        if !is_regular {
            // The file was opened here, so no other code depends on its flags. A stalled reader
            // must not block the writer thread for ever.
            let flags = rustix::fs::fcntl_getfl(&file).unwrap_or(OFlags::empty());
            let _ = rustix::fs::fcntl_setfl(&file, flags | OFlags::NONBLOCK);
        }
        Ok(Sink {
            path: absolute(path),
            file,
            bytes: 0,
            begun: 0,
            reader_timeout: READER_TIMEOUT,
            is_regular,
            is_abandoned: false,
            reported: Reported::default(),
        })
    }

    /// Appends all of `bytes`. If that fails, a regular file is truncated to its previous end.
    /// Otherwise the next call, which must be for the same bytes, continues where this one ended.
    ///
    /// # Errors
    /// When the file does not take them. [`io::ErrorKind::TimedOut`]: the reader of a pipe has
    /// taken nothing for too long, and the session `is_ending`.
    pub(crate) fn append(&mut self, bytes: &[u8], is_ending: impl Fn() -> bool) -> io::Result<()> {
        let mut deadline = None;
        while self.begun < bytes.len() {
            match self.file.write(&bytes[self.begun..]) {
                Ok(0) => return self.failed(io::ErrorKind::WriteZero.into()),
                Ok(written) => {
                    self.begun += written;
                    deadline = None;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let now = Instant::now();
                    if is_ending() && now >= *deadline.get_or_insert(now + self.reader_timeout) {
                        self.reader_timeout = Duration::ZERO;
                        return self.failed(io::ErrorKind::TimedOut.into());
                    }
                    let _ = poll(
                        &mut [PollFd::from_borrowed_fd(self.file.as_fd(), PollFlags::OUT)],
                        Some(&POLL_INTERVAL),
                    );
                }
                Err(error) => return self.failed(error),
            }
        }
        self.bytes += bytes.len() as u64;
        self.begun = 0;
        Ok(())
    }

    fn failed(&mut self, error: io::Error) -> io::Result<()> {
        if self.is_regular && self.begun > 0 {
            // Without its torn end the file is readable. Truncating needs no disk space.
            self.file.set_len(self.bytes)?;
            self.file.seek(SeekFrom::Start(self.bytes))?;
            self.begun = 0;
        }
        Err(error)
    }

    /// Checks whether other programs have removed or truncated the file, and reports it. Returns
    /// `true` if the file is shorter than it was: data appended to it would be unreadable.
    pub(crate) fn is_shortened(&mut self) -> bool {
        let Some(found) = self.is_regular.then(|| self.file.metadata().ok()).flatten() else { return false };
        if found.nlink() == 0 && !self.reported.removal {
            self.reported.removal = true;
            self.report_text(REMOVED);
        }
        let is_shortened = found.size() < self.bytes;
        if is_shortened && !self.reported.shortening {
            self.reported.shortening = true;
            self.report_text("was truncated by another program; it is rewritten");
        }
        is_shortened
    }

    /// Returns whether the last check found that the file was removed.
    pub(crate) fn is_removed(&self) -> bool {
        self.reported.removal
    }

    /// Empties the file.
    ///
    /// # Errors
    /// When the file cannot be truncated.
    pub(crate) fn empty(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        (self.bytes, self.begun) = (0, 0);
        Ok(())
    }

    pub(crate) fn report(&mut self, error: &io::Error) {
        self.is_abandoned = error.kind() == io::ErrorKind::BrokenPipe;
        // A timeout is reported at the end, which is when it occurs.
        if !self.reported.failure && error.kind() != io::ErrorKind::TimedOut {
            self.reported.failure = true;
            let error = error_text(error);
            self.report_text(&format!(
                "{error}; until it can be written again, events that do not fit into the rings are dropped and counted"
            ));
        }
    }

    /// Returns whether its reader has gone, so that the rest is not wanted.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.is_abandoned
    }

    /// Reports a text about the file on standard error, unless that would block.
    pub(crate) fn report_text(&self, text: &str) {
        let text = format!("ringtrace: trace file {}: {text}\n", self.path.display());
        let stderr = rustix::stdio::stderr();
        if matches!(poll(&mut [PollFd::new(&stderr, PollFlags::OUT)], Some(&Timespec::default())), Ok(1)) {
            let _ = rustix::io::write(stderr, text.as_bytes());
        }
    }
}

fn with_suffix(path: &Path, number: u32) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(format!(".{number}"));
    path.into()
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
