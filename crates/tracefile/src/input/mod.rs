//! Where the bytes come from: a mapped file, a pipe, or a file that grows. All look like a window that moves.

pub mod map;
mod stream;

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::error::{Error, reason};
use map::MappedFile;
use stream::StreamWindow;

/// How much of a mapped file is shown at once: pages are populated ahead and given back behind, so that a file of
/// any size takes this much memory. Walking a gigabyte takes as long with 32 MiB, or with the whole file populated at
/// once; with 2 MiB it takes 5% longer.
const MAPPED_WINDOW_BYTES: usize = 8 << 20;

/// How far back pages are given back: more than the steps it is done in.
const RELEASE_BYTES: usize = 2 * MAPPED_WINDOW_BYTES;

/// A source of bytes, as a window onto the part that is being looked at.
pub struct Input {
    backing: Backing,
    /// Offset of the window's start in the file.
    offset: u64,
}

enum Backing {
    Mapped { map: Arc<MappedFile>, at: usize, end: usize, ahead: usize, releases: bool },
    Stream(StreamWindow),
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Input").field("offset", &self.offset).field("file_bytes", &self.file_bytes()).finish()
    }
}

impl Input {
    /// Opens `path`; `-` is standard input. A regular file is mapped, anything else is read as it comes.
    ///
    /// # Errors
    /// When it cannot be opened, or is a directory.
    pub fn open(path: &Path) -> io::Result<Input> {
        if path.as_os_str() == "-" {
            let stdin = io::stdin();
            // A file given as standard input is a file, if it is at its start.
            if let Ok(file) = std::os::fd::AsFd::as_fd(&stdin).try_clone_to_owned() {
                let mut file = File::from(file);
                if file.metadata().is_ok_and(|metadata| metadata.is_file())
                    && file.stream_position().is_ok_and(|position| position == 0)
                {
                    return Input::from_file(file);
                }
            }
            return Ok(Input::from_reader(Box::new(io::stdin())));
        }
        Input::from_file(File::open(path)?)
    }

    /// Takes an open file.
    ///
    /// # Errors
    /// When it is a directory or cannot be mapped.
    pub fn from_file(file: File) -> io::Result<Input> {
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory, not a trace"));
        }
        if !metadata.is_file() {
            return Ok(Input::from_reader(Box::new(file)));
        }
        match MappedFile::new(&file)? {
            Some(map) => Ok(Input::from_map(Arc::new(map))),
            // Empty, or a file of /proc, that has no size.
            None => Ok(Input::from_reader(Box::new(file))),
        }
    }

    /// A mapped file, from its start.
    pub fn from_map(map: Arc<MappedFile>) -> Input {
        let backing = Backing::Mapped { map, at: 0, end: 0, ahead: MAPPED_WINDOW_BYTES, releases: true };
        Input { backing, offset: 0 }
    }

    /// A stream: it is read forward, once.
    pub fn from_reader(reader: Box<dyn Read + Send>) -> Input {
        Input { backing: Backing::Stream(StreamWindow::new(reader)), offset: 0 }
    }

    /// A file that grows: at its end more is waited for, until `stop` is set.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn follow(path: &Path, stop: Arc<AtomicBool>) -> io::Result<Input> {
        Input::follow_until(path, FollowFlags { stop, end: Arc::default() })
    }

    /// A file that grows: at its end more is waited for, as long as `until` says.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn follow_until(path: &Path, until: FollowFlags) -> io::Result<Input> {
        let file = File::open(path)?;
        Ok(Input::from_reader(Box::new(GrowingFile { file, until, stopped: false, read_bytes: 0 })))
    }

    /// The bytes that can be looked at now.
    pub(crate) fn window(&self) -> &[u8] {
        match &self.backing {
            Backing::Mapped { map, at, end, .. } => map.bytes().get(*at..*end).unwrap_or_default(),
            Backing::Stream(stream) => stream.window(),
        }
    }

    /// Where the window starts in the file, in bytes.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Size of the file, where it is known.
    pub(crate) fn file_bytes(&self) -> Option<u64> {
        match &self.backing {
            Backing::Mapped { map, .. } => Some(map.bytes().len() as u64),
            Backing::Stream(_) => None,
        }
    }

    /// The whole file, where it is mapped.
    pub(crate) fn mapped(&self) -> Option<&Arc<MappedFile>> {
        match &self.backing {
            Backing::Mapped { map, .. } => Some(map),
            Backing::Stream(_) => None,
        }
    }

    /// Moves the window's start `bytes` forward; they are not needed again.
    pub(crate) fn consume(&mut self, bytes: usize) {
        self.offset += bytes as u64;
        match &mut self.backing {
            Backing::Mapped { at, end, .. } => *at = (*at + bytes).min(*end),
            Backing::Stream(stream) => stream.consume(bytes),
        }
    }

    /// Makes the window hold `bytes` or more, if the input has them. `false` at the end of the input: the window
    /// has all that is left.
    ///
    /// # Errors
    /// When reading fails.
    pub(crate) fn grow(&mut self, bytes: usize) -> io::Result<bool> {
        match &mut self.backing {
            Backing::Mapped { map, at, end, ahead, releases } => {
                let size = map.bytes().len();
                if *end < size {
                    let target = at.saturating_add(bytes.max(*ahead)).clamp(*end, size);
                    map.populate(*end..target);
                    if *releases {
                        map.release(at.saturating_sub(RELEASE_BYTES)..*at);
                    }
                    *end = target;
                }
                Ok(*end - *at >= bytes)
            }
            Backing::Stream(stream) => stream.grow(bytes),
        }
    }

    /// From now on shows `bytes` of a mapped file at once, or what is asked for if that is more, and leaves it to
    /// others to give pages back.
    pub(crate) fn set_ahead(&mut self, bytes: usize) {
        if let Backing::Mapped { ahead, releases, .. } = &mut self.backing {
            *ahead = bytes;
            *releases = false;
        }
    }

    /// Goes to `offset` of a mapped file; a stream stays where it is.
    pub(crate) fn seek(&mut self, offset: u64) {
        if let Backing::Mapped { map, at, end, .. } = &mut self.backing {
            let target = usize::try_from(offset).unwrap_or(usize::MAX).min(map.bytes().len());
            *at = target;
            *end = target;
            self.offset = target as u64;
        }
    }
}

/// `input`, whole and mapped. An empty one stays as it is.
///
/// # Errors
/// When it cannot be read, or the temporary file cannot be written.
pub(crate) fn spool(name: &str, mut input: Input) -> Result<Input, Error> {
    #[expect(clippy::disallowed_methods, reason = "temporary files are in the system's folder for them")]
    let folder = std::env::temp_dir();
    let refused = |error: io::Error| temporary_file_error(name, &folder, &error);
    let mut file = tempfile::tempfile_in(&folder).map_err(refused)?;
    while input.grow(1).map_err(|error| Error::io(name, &error))? {
        let window = input.window();
        file.write_all(window).map_err(refused)?;
        input.consume(window.len());
    }
    if input.offset() == 0 {
        return Ok(input);
    }
    Input::from_file(file).map_err(refused)
}

pub(crate) fn temporary_file_error(file: &str, folder: &Path, error: &io::Error) -> Error {
    let message =
        format!("sorting needs a temporary file, but {} takes none: {}", folder.display(), reason(error));
    Error::new(file, message)
        .by_system()
        .help("name a folder with room for it in the environment variable TMPDIR")
}

/// How long more of a growing file is waited for. Both can be set at any time, by any thread.
#[derive(Debug, Clone, Default)]
pub struct FollowFlags {
    /// FollowFlags this is set: then reading ends soon.
    pub stop: Arc<AtomicBool>,
    /// FollowFlags this is set, because nothing more will be written: then what is there is read to its end.
    pub end: Arc<AtomicBool>,
}

/// How often a growing file is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Reads a file that another process appends to.
struct GrowingFile {
    file: File,
    until: FollowFlags,
    /// Whether it was seen that `stop` is set.
    stopped: bool,
    read_bytes: u64,
}

impl Read for GrowingFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.stopped {
                return Ok(0);
            }
            // What was written before the stop is still read, but there is no end to wait for: a file can grow as fast
            // as it is read.
            self.stopped = self.until.stop.load(Ordering::Relaxed);
            // Asked before the read: so what was written before it was set is read.
            let at_end = self.until.end.load(Ordering::Acquire);
            let read = self.file.read(buffer)?;
            self.read_bytes += read as u64;
            if read > 0 || self.stopped || at_end {
                return Ok(read);
            }
            let metadata = self.file.metadata()?;
            if metadata.is_file() && metadata.len() < self.read_bytes {
                return Err(io::Error::other(
                    "the file became shorter: it was cut or written anew; follow it again",
                ));
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}
