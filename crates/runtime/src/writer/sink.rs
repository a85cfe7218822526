//! The trace file.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::session::{StartError, text_of};
use crate::within;

/// How long the end of a session waits for somebody who reads the other end of a pipe and takes nothing.
const PATIENCE: Duration = Duration::from_secs(2);

/// What is wrong with a file that has no name any more.
pub(crate) const REMOVED: &str =
    "was removed; what is written to it from here on is lost when the program ends";

/// How often somebody who waits looks whether the session ends.
const MOMENT: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// A file that records are appended to.
#[derive(Debug)]
pub(crate) struct Sink {
    path: PathBuf,
    file: File,
    /// How many bytes are whole.
    bytes: u64,
    /// What has been written of what is being appended, where it cannot be taken back.
    begun: usize,
    /// How long who does not take anything is waited for when the session ends.
    patience: Duration,
    /// A file that can be cut, and not a pipe or a device.
    is_regular: bool,
    /// The last failure was that nobody reads it any more.
    is_abandoned: bool,
    /// What was told of on standard error.
    told: Told,
}

/// What was told of, once each.
#[derive(Debug, Default)]
struct Told {
    failure: bool,
    removal: bool,
    shortening: bool,
}

impl Sink {
    /// Makes the file: one that the user named is truncated, or, where it is to stay, another one made beside it; the default one
    /// is a new one. `within`: a folder that it must be in, without a link.
    pub(crate) fn create(
        wanted: Option<&Path>,
        within: Option<&Path>,
        keeps: bool,
        pid: u32,
    ) -> Result<Sink, StartError> {
        match wanted {
            Some(path) if keeps => Sink::create_or_beside(path, within, pid),
            Some(path) => {
                let file = open_emptied(path, within);
                let file = file.map_err(|error| StartError::File(path.to_path_buf(), error))?;
                Sink::of(path, file)
            }
            None => Sink::create_new(&PathBuf::from(format!("trace-{pid}")), None),
        }
    }

    /// Makes `path`, or `path.PID` where there is such a file already. A device or a pipe is what it is.
    fn create_or_beside(path: &Path, within: Option<&Path>, pid: u32) -> Result<Sink, StartError> {
        match open_new(path, within) {
            Ok(file) => Sink::of(path, file),
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                Err(StartError::File(path.to_path_buf(), error))
            }
            Err(_) if std::fs::metadata(path).is_ok_and(|found| found.is_file()) => {
                Sink::create_new(&with_suffix(path, pid), within)
            }
            Err(_) => Sink::create(Some(path), within, false, pid),
        }
    }

    /// Makes the file of process `pid`, which was forked from one that records into `parent`: `PARENT.PID` beside
    /// one that the user named, else `trace-PID` in its folder. A device serves both.
    pub(crate) fn create_beside(
        parent: &Path,
        within: Option<&Path>,
        is_named: bool,
        pid: u32,
    ) -> Result<Sink, StartError> {
        if !is_named {
            return Sink::create_new(&parent.with_file_name(format!("trace-{pid}")), None);
        }
        let kind = std::fs::metadata(parent).map(|found| found.file_type());
        match kind {
            Ok(kind) if kind.is_char_device() => Sink::create(Some(parent), within, false, pid),
            Ok(kind) if !kind.is_file() => {
                let why = "its parent's trace goes to a pipe or socket, which cannot take two";
                Err(StartError::File(parent.to_path_buf(), io::Error::other(why)))
            }
            _ => Sink::create_new(&with_suffix(parent, pid), within),
        }
    }

    /// Makes a file that is not there yet: `path`, else `path.1`, and so on.
    fn create_new(path: &Path, within: Option<&Path>) -> Result<Sink, StartError> {
        let mut candidate = path.to_path_buf();
        let mut number = 0;
        loop {
            match open_new(&candidate, within) {
                Ok(file) => return Sink::of(&candidate, file),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 10_000 => {}
                Err(error) => return Err(StartError::File(candidate, error)),
            }
            number += 1;
            candidate = with_suffix(path, number);
        }
    }

    /// The file's path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes are whole.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    fn of(path: &Path, file: File) -> Result<Sink, StartError> {
        let found = file.metadata().map_err(|error| StartError::File(path.to_path_buf(), error))?;
        let is_regular = found.is_file();
        if !is_regular {
            // Opened here, so nobody else's: who does not take anything must not keep the writer thread for ever.
            let flags = rustix::fs::fcntl_getfl(&file).unwrap_or(OFlags::empty());
            let _ = rustix::fs::fcntl_setfl(&file, flags | OFlags::NONBLOCK);
        }
        Ok(Sink {
            path: absolute(path),
            file,
            bytes: 0,
            begun: 0,
            patience: PATIENCE,
            is_regular,
            is_abandoned: false,
            told: Told::default(),
        })
    }

    /// Appends all of `bytes`. What cannot be written is not half there: a file is cut back, and where that cannot be, the
    /// next call, which must be for the same bytes, goes on where this one ended.
    ///
    /// # Errors
    /// When the file does not take them. [`io::ErrorKind::TimedOut`]: the other end of a
    /// pipe has taken nothing for too long, and the session `is_ending`.
    pub(crate) fn append(&mut self, bytes: &[u8], is_ending: impl Fn() -> bool) -> io::Result<()> {
        let mut give_up = None;
        while self.begun < bytes.len() {
            match self.file.write(&bytes[self.begun..]) {
                Ok(0) => return self.failed(io::ErrorKind::WriteZero.into()),
                Ok(written) => {
                    self.begun += written;
                    give_up = None;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let now = Instant::now();
                    if is_ending() && now >= *give_up.get_or_insert(now + self.patience) {
                        // Once is enough.
                        self.patience = Duration::ZERO;
                        return self.failed(io::ErrorKind::TimedOut.into());
                    }
                    let _ = poll(
                        &mut [PollFd::from_borrowed_fd(self.file.as_fd(), PollFlags::OUT)],
                        Some(&MOMENT),
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
            // Without its torn end the file can be read. Cutting needs no room.
            self.file.set_len(self.bytes)?;
            self.file.seek(SeekFrom::Start(self.bytes))?;
            self.begun = 0;
        }
        Err(error)
    }

    /// Looks what others have done to the file, and tells of it. `true`: it is shorter than it was, so that what would be
    /// appended to it could not be read.
    pub(crate) fn is_shortened(&mut self) -> bool {
        let Some(found) = self.is_regular.then(|| self.file.metadata().ok()).flatten() else { return false };
        if found.nlink() == 0 && !self.told.removal {
            self.told.removal = true;
            self.tell(REMOVED);
        }
        let is_shortened = found.size() < self.bytes;
        if is_shortened && !self.told.shortening {
            self.told.shortening = true;
            self.tell("was shortened by somebody else; it begins anew");
        }
        is_shortened
    }

    /// Whether somebody has removed it, by the last look.
    pub(crate) fn is_removed(&self) -> bool {
        self.told.removal
    }

    /// Empties the file.
    ///
    /// # Errors
    /// When the system does not.
    pub(crate) fn empty(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        (self.bytes, self.begun) = (0, 0);
        Ok(())
    }

    /// Tells of a failure, if it is the first.
    pub(crate) fn report(&mut self, error: &io::Error) {
        self.is_abandoned = error.kind() == io::ErrorKind::BrokenPipe;
        // That nobody reads is told at the end, which is when it is noticed.
        if !self.told.failure && error.kind() != io::ErrorKind::TimedOut {
            self.told.failure = true;
            let error = text_of(error);
            self.tell(&format!(
                "{error}; until it can be written again, what does not fit the rings is dropped, and counted"
            ));
        }
    }

    /// Whether its reader has gone away, so that nobody waits for the rest.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.is_abandoned
    }

    /// Says something of the file on standard error, if that takes it at once.
    pub(crate) fn tell(&self, text: &str) {
        let text = format!("ringtrace: trace file {}: {text}\n", self.path.display());
        let stderr = rustix::stdio::stderr();
        if matches!(poll(&mut [PollFd::new(&stderr, PollFlags::OUT)], Some(&Timespec::default())), Ok(1)) {
            let _ = rustix::io::write(stderr, text.as_bytes());
        }
    }
}

/// For its owner only. The standard library closes it in programs that take over by `exec`.
pub(crate) fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).mode(0o600);
    options
}

/// Makes the file, or empties the one that is there. `within`: a folder that it must be in, without a link.
///
/// # Errors
/// When it cannot be opened.
pub(crate) fn open_emptied(path: &Path, within: Option<&Path>) -> io::Result<File> {
    match within {
        Some(folder) => within::open(path, folder, OFlags::CREATE | OFlags::TRUNC),
        None => options().create(true).truncate(true).open(path),
    }
}

fn open_new(path: &Path, within: Option<&Path>) -> io::Result<File> {
    match within {
        Some(folder) => within::open(path, folder, OFlags::CREATE | OFlags::EXCL),
        None => options().create_new(true).open(path),
    }
}

/// Looks whether opening this path would wait for somebody who reads it. The pipe that is given stays so while it is held.
///
/// # Errors
/// When it is a pipe that nobody reads.
pub(crate) fn look_for_reader(path: &Path) -> io::Result<Option<File>> {
    if !std::fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo()) {
        return Ok(None);
    }
    let opened =
        OpenOptions::new().write(true).custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(path);
    opened.map(Some).map_err(|error| match Errno::from_io_error(&error) {
        Some(Errno::NXIO) => io::Error::other("a pipe that nobody reads"),
        _ => error,
    })
}

fn with_suffix(path: &Path, number: u32) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(format!(".{number}"));
    path.into()
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
