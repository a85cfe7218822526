//! The trace file.

mod in_folder;

use std::fmt::Display;
use std::fs::{File, Metadata};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::fd::{AsFd, IntoRawFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::process::Pid;

use super::folder::TraceFolder;
use crate::options::ExistingFile;
use crate::os::files::{self, LockError, open_new, open_or_create};
use crate::os::{self, error_text};
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

/// How long to wait, at session end, for a stalled reader of a pipe, or for space on a full disk.
const END_TIMEOUT: Duration = Duration::from_secs(2);

/// The interval at which a waiting writer thread checks whether the session is ending.
const POLL_INTERVAL: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// How often to try to open a file, which another process may replace at the same time.
const ATTEMPTS: usize = 100;

const REPLACED: &str = "other processes replace the file again and again";

/// The interval at which a failed write is repeated while the session is ending.
const RETRY_INTERVAL: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub(crate) struct Sink {
    path: PathBuf,
    file: File,
    bytes: u64,
    /// The number of bytes of the current append that are already written. Unless the file can be
    /// truncated, they cannot be removed again.
    begun: usize,
    /// The remaining part of [`END_TIMEOUT`]; zero after the timeout has expired once.
    end_timeout: Duration,
    /// Set for a regular file, which can be truncated, unlike a pipe or a device.
    is_regular: bool,
    identity: (u64, u64),
    /// Set for a new file until recording starts. If something else fails first, the file is removed.
    is_unused: bool,
    /// Set if the last write failed because the reader has closed the pipe.
    is_abandoned: bool,
    /// The folder of the trace, if it consists of several files.
    folder: Option<Arc<TraceFolder>>,
    /// Whether the file still has to get its name in the folder, when it contains its first data.
    is_unnamed: bool,
    /// The size after the first append, which contains no records.
    start_bytes: u64,
    started: Instant,
    reported: Reported,
}

/// The trace file at the named path.
enum Opened {
    /// Another process, which may be known, writes its trace to it.
    Owned(Option<Pid>),
    Free {
        file: File,
        is_new: bool,
    },
}

/// Flags for the reports written to standard error. Each report is written once.
#[derive(Debug, Default)]
struct Reported {
    failure: bool,
    removal: bool,
    shortening: bool,
    closing: bool,
    removing: bool,
}

impl Sink {
    /// Creates the trace file. `existing` says what happens if it exists; a file to which another
    /// process writes its trace is retained in any case, and the new file is `path.PID`. The default
    /// file is always new. If `within` is given, the file must be in that folder, and its path must not
    /// contain symbolic links.
    pub(crate) fn create(
        wanted: Option<&Path>,
        within: Option<&Path>,
        existing: ExistingFile,
        pid: u32,
    ) -> Result<Sink, SinkError> {
        match (wanted, existing) {
            (Some(path), ExistingFile::Replace) => Sink::create_or_replace(path, within, pid),
            (Some(path), ExistingFile::Keep) => Sink::create_or_beside(path, within, pid),
            (Some(path), ExistingFile::Rename) => Sink::create_or_rename(path, within, pid),
            (None, _) => Sink::create_new(&PathBuf::from(format!("trace-{pid}")), None),
        }
    }

    /// Creates `path`, or empties it if it exists.
    fn create_or_replace(path: &Path, within: Option<&Path>, pid: u32) -> Result<Sink, SinkError> {
        match Sink::open_and_lock(path, within)? {
            Opened::Owned(owner) => Sink::create_beside_owned(path, within, owner, pid),
            Opened::Free { file, is_new } => {
                // A device or a pipe has no content.
                if file.metadata().is_ok_and(|found| found.is_file()) {
                    file.set_len(0).map_err(|error| SinkError::new(path, error))?;
                }
                Sink::of(path, file, is_new)
            }
        }
    }

    /// Creates `path`. If it exists and is not empty, renames it to `path.old`, which replaces an
    /// earlier one. A device or a pipe is opened as it is.
    fn create_or_rename(path: &Path, within: Option<&Path>, pid: u32) -> Result<Sink, SinkError> {
        let failed = |error| SinkError::new(path, error);
        let is_link = std::fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
        if is_link && std::fs::metadata(path).map_or(true, |found| found.is_file()) {
            let why = "it is a symbolic link, which `exists=rename` does not rename; name the file itself";
            return Err(failed(io::Error::other(why)));
        }
        for _ in 0..ATTEMPTS {
            let (file, is_new) = match Sink::open_and_lock(path, within)? {
                Opened::Owned(owner) => return Sink::create_beside_owned(path, within, owner, pid),
                Opened::Free { file, is_new } => (file, is_new),
            };
            let found = file.metadata().map_err(failed)?;
            if !found.is_file() || found.len() == 0 {
                return Sink::of(path, file, is_new);
            }
            Sink::rename(path, &found, within).map_err(failed)?;
        }
        Err(failed(io::Error::other(REPLACED)))
    }

    /// Renames the file at `path`, whose metadata are `found`, to `path.old`.
    fn rename(path: &Path, found: &Metadata, within: Option<&Path>) -> io::Result<()> {
        let old = old_path(path);
        let cannot = |why: &str| io::Error::other(format!("cannot rename it to {}: {why}", old.display()));
        match std::fs::symlink_metadata(&old) {
            // For two names of one file, a rename does nothing.
            Ok(known) if (known.dev(), known.ino()) == (found.dev(), found.ino()) => {
                return std::fs::remove_file(path);
            }
            Ok(known) if known.is_file() => {
                // The lock is held until the file is replaced.
                let earlier = files::options().open(&old).ok();
                if let Some(Err(LockError::Owned(_))) = earlier.as_ref().map(files::lock) {
                    return Err(cannot("another process writes its trace to that file"));
                }
                files::rename(path, &old, within)
            }
            _ => files::rename(path, &old, within),
        }
        .map_err(|error| cannot(&error_text(&error)))
    }

    /// Opens `path`, or creates it, and locks it. The content is not changed.
    fn open_and_lock(path: &Path, within: Option<&Path>) -> Result<Opened, SinkError> {
        let failed = |error| SinkError::new(path, error);
        for _ in 0..ATTEMPTS {
            let opened = match open_new(path, within) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    open_or_create(path, within).map(|file| (file, false))
                }
                created => created.map(|file| (file, true)),
            };
            let (file, is_new) = opened.map_err(failed)?;
            let found = file.metadata().map_err(failed)?;
            if !found.is_file() {
                return Ok(Opened::Free { file, is_new });
            }
            // A file system without locks can contain traces, too.
            if let Err(LockError::Owned(owner)) = files::lock(&file) {
                return Ok(Opened::Owned(owner));
            }
            // Another process may have renamed the file before this one has locked it.
            let is_same = |named: Metadata| (named.dev(), named.ino()) == (found.dev(), found.ino());
            if std::fs::metadata(path).is_ok_and(is_same) {
                return Ok(Opened::Free { file, is_new });
            }
        }
        Err(failed(io::Error::other(REPLACED)))
    }

    /// Creates `path.PID`, because process `owner` writes its trace to `path`.
    fn create_beside_owned(
        path: &Path,
        within: Option<&Path>,
        owner: Option<Pid>,
        pid: u32,
    ) -> Result<Sink, SinkError> {
        let owner = owner.map(|pid| format!(" {}", pid.as_raw_nonzero())).unwrap_or_default();
        if path.starts_with("/dev") || path.starts_with("/proc") {
            // This is standard output, for example, beside which no file belongs.
            let why = format!("process{owner} writes its trace to the same file");
            return Err(SinkError::new(path, io::Error::new(io::ErrorKind::ResourceBusy, why)));
        }
        let sink = Sink::create_new(&with_suffix(path, pid), within)?;
        let path = path.display();
        sink.report_text(&format!("process{owner} writes to {path}, so this trace is in another file"));
        Ok(sink)
    }

    /// Creates `path`, or `path.PID` if that file exists. A device or a pipe is opened as it is.
    fn create_or_beside(path: &Path, within: Option<&Path>, pid: u32) -> Result<Sink, SinkError> {
        match open_new(path, within) {
            Ok(file) => Sink::of_created(path, file),
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(SinkError::new(path, error)),
            Err(_) if std::fs::metadata(path).is_ok_and(|found| found.is_file()) => {
                Sink::create_new(&with_suffix(path, pid), within)
            }
            Err(_) => Sink::create_or_replace(path, within, pid),
        }
    }

    /// Creates the trace file of process `pid`, which was forked from a process that records to
    /// `parent`. If the user named the parent's file, the new file is `PARENT.PID`, otherwise
    /// `trace-PID` in the same folder. If the parent's file is a device, both processes use it.
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
            Ok(kind) if kind.is_char_device() => Sink::create_or_replace(parent, within, pid),
            Ok(kind) if !kind.is_file() => {
                let why = "the parent's trace goes to a pipe or socket, which cannot hold a second trace";
                Err(SinkError::new(parent, io::Error::other(why)))
            }
            _ => Sink::create_new(&with_suffix(parent, pid), within),
        }
    }

    /// Creates a new file: `path` or, if that exists, `path.1`, and so on.
    fn create_new(path: &Path, within: Option<&Path>) -> Result<Sink, SinkError> {
        let mut candidate = path.to_path_buf();
        let mut number = 0;
        loop {
            match open_new(&candidate, within) {
                Ok(file) => return Sink::of_created(&candidate, file),
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

    /// Retains the file from now on, because recording has started.
    pub(crate) fn retain(&mut self) {
        self.is_unused = false;
    }

    /// Restarts the time limit for failed writes at the end of the session.
    pub(super) fn restart_timeout(&mut self) {
        self.end_timeout = END_TIMEOUT;
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Creates the sink of a file that this process has created.
    fn of_created(path: &Path, file: File) -> Result<Sink, SinkError> {
        // A file system without locks can contain traces, too.
        let _ = files::lock(&file);
        Sink::of(path, file, true)
    }

    fn of(path: &Path, file: File, is_unused: bool) -> Result<Sink, SinkError> {
        let found = file.metadata().map_err(|error| SinkError::new(path, error))?;
        let is_regular = found.is_file();
        if !is_regular {
            // Set non-blocking mode, so that a stalled reader does not block the writer thread for
            // ever. No other code depends on the flags, because the file was opened here.
            let flags = rustix::fs::fcntl_getfl(&file).unwrap_or(OFlags::empty());
            let _ = rustix::fs::fcntl_setfl(&file, flags | OFlags::NONBLOCK);
        }
        Ok(Sink {
            path: absolute(path),
            file,
            bytes: 0,
            begun: 0,
            end_timeout: END_TIMEOUT,
            is_regular,
            identity: (found.dev(), found.ino()),
            is_unused,
            is_abandoned: false,
            folder: None,
            is_unnamed: false,
            start_bytes: 0,
            started: Instant::now(),
            reported: Reported::default(),
        })
    }

    /// Appends all of `bytes`. If that fails, a regular file is truncated to its previous end. For
    /// other files the next call, which must be for the same bytes, continues where this one ended.
    ///
    /// If the session `is_ending`, there is no later attempt. So this repeats a failed write, for
    /// example until a full disk has space again, and waits for a stalled reader of a pipe. The
    /// time limit for failed writes applies to all calls together; the one for a stalled reader
    /// restarts whenever the reader accepts data.
    ///
    /// # Errors
    /// Fails if the bytes cannot be written. The error is [`io::ErrorKind::TimedOut`] if the
    /// session `is_ending` and a pipe's reader has been stalled for too long.
    pub(crate) fn append(&mut self, bytes: &[u8], is_ending: impl Fn() -> bool) -> io::Result<()> {
        let mut failing_since = None;
        while self.begun < bytes.len() {
            let error = match self.file.write(&bytes[self.begun..]) {
                Ok(0) => io::ErrorKind::WriteZero.into(),
                Ok(written) => {
                    self.begun += written;
                    // For a regular file, do not restart the time limit: a full disk may accept a
                    // few bytes at every attempt.
                    failing_since = failing_since.filter(|_| self.is_regular);
                    continue;
                }
                Err(error) => error,
            };
            let is_stalled = match error.kind() {
                io::ErrorKind::Interrupted => continue,
                io::ErrorKind::WouldBlock => true,
                // The reader has closed the pipe, so another attempt cannot succeed.
                io::ErrorKind::BrokenPipe => return self.failed(error),
                _ => false,
            };
            if is_ending() {
                let since: &mut Instant = failing_since.get_or_insert_with(Instant::now);
                if since.elapsed() >= self.end_timeout {
                    self.end_timeout = Duration::ZERO;
                    return self.failed(if is_stalled { io::ErrorKind::TimedOut.into() } else { error });
                }
            } else if !is_stalled {
                return self.failed(error);
            }
            if is_stalled {
                let mut writable = [PollFd::from_borrowed_fd(self.file.as_fd(), PollFlags::OUT)];
                let _ = poll(&mut writable, Some(&POLL_INTERVAL));
            } else {
                self.cut()?;
                std::thread::sleep(RETRY_INTERVAL);
            }
        }
        if let Some(since) = failing_since {
            self.end_timeout = self.end_timeout.saturating_sub(since.elapsed());
        }
        if let Err(error) = self.publish() {
            return self.failed(error);
        }
        self.bytes += bytes.len() as u64;
        self.begun = 0;
        if self.start_bytes == 0 {
            self.start_bytes = self.bytes;
        }
        Ok(())
    }

    fn failed(&mut self, error: io::Error) -> io::Result<()> {
        self.cut()?;
        Err(error)
    }

    /// Removes the incomplete end of a regular file, so that the file is readable, and another
    /// program can use the space. Truncating needs no disk space.
    fn cut(&mut self) -> io::Result<()> {
        if self.is_regular && self.begun > 0 {
            self.file.set_len(self.bytes)?;
            self.file.seek(SeekFrom::Start(self.bytes))?;
            self.begun = 0;
        }
        Ok(())
    }

    /// Opens the file again, because this program has closed its descriptor. Another file may have the
    /// descriptor's number, which must be neither written nor closed.
    #[cold]
    fn reopen(&mut self) -> io::Result<Metadata> {
        if !std::mem::replace(&mut self.reported.closing, true) {
            self.report_text("its descriptor was closed by this program; it is opened again");
        }
        let nonblocking = OFlags::NONBLOCK.bits() as i32;
        let mut file = files::options().custom_flags(nonblocking).open(&self.path)?;
        let found = file.metadata()?;
        if (found.dev(), found.ino()) != self.identity {
            return Err(io::Error::other("its descriptor was closed, and another file has its name"));
        }
        let _ = files::lock(&file);
        file.seek(SeekFrom::Start(self.bytes))?;
        let _ = std::mem::replace(&mut self.file, file).into_raw_fd();
        Ok(found)
    }

    /// Checks whether programs have closed, removed or truncated the file, and reports it. Returns
    /// `true` if the file was truncated, because data appended to it would be unreadable.
    ///
    /// # Errors
    /// Fails if the file is closed and cannot be opened again.
    pub(crate) fn is_shortened(&mut self) -> io::Result<bool> {
        if !self.is_regular {
            return Ok(false);
        }
        let found = match self.file.metadata() {
            Ok(found) if (found.dev(), found.ino()) == self.identity => found,
            _ => self.reopen()?,
        };
        let is_removed = found.nlink() == 0;
        if is_removed && !std::mem::replace(&mut self.reported.removal, true) && self.folder.is_none() {
            self.report_text(REMOVED);
        }
        let is_shortened = found.size() < self.bytes;
        if is_shortened && !self.reported.shortening {
            self.reported.shortening = true;
            self.report_text("was truncated by another program; it is rewritten");
        }
        Ok(is_shortened)
    }

    /// Returns whether the last check found that the file was removed. Files of a folder are replaced then.
    pub(crate) fn is_removed(&self) -> bool {
        self.reported.removal && self.folder.is_none()
    }

    /// Empties the file.
    ///
    /// # Errors
    /// Fails when the file cannot be truncated.
    pub(crate) fn empty(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        (self.bytes, self.begun) = (0, 0);
        Ok(())
    }

    pub(crate) fn report(&mut self, error: &io::Error) {
        self.is_abandoned = error.kind() == io::ErrorKind::BrokenPipe;
        // Do not report a timeout here: it occurs only at the end of the session, which reports it.
        if !self.reported.failure && error.kind() != io::ErrorKind::TimedOut {
            self.reported.failure = true;
            let error = error_text(error);
            self.report_text(&format!(
                "{error}; until it can be written again, events that do not fit into the rings are dropped and counted"
            ));
        }
    }

    /// Reports that the end of the file cannot be written, although the trace continues in another
    /// file.
    pub(crate) fn report_unended(&self, error: &io::Error) {
        self.report_text(&format!("its end cannot be written: {}", error_text(error)));
    }

    /// Returns whether the reader has closed the pipe, so that nothing more can be written.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.is_abandoned
    }

    /// Reports a message about the file on standard error, unless that would block.
    pub(crate) fn report_text(&self, text: &str) {
        let path = self.path.display();
        os::print_error_if_ready(&format!("ringtrace: trace file {path}: {text}\n"));
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        match &self.folder {
            Some(folder) if self.is_unnamed => folder.discard(),
            _ if self.is_unused => drop(std::fs::remove_file(&self.path)),
            _ => {}
        }
    }
}

/// Returns the name that `exists=rename` gives to an existing file at `path`.
pub(crate) fn old_path(path: &Path) -> PathBuf {
    with_suffix(path, "old")
}

fn with_suffix(path: &Path, suffix: impl Display) -> PathBuf {
    // The components do not contain a slash at the end.
    let mut path = path.components().as_path().as_os_str().to_owned();
    path.push(format!(".{suffix}"));
    path.into()
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
