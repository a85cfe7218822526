//! Arena files that are open for reading.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ringtrace_wire::arena::{
    Bank, ClockTable, Header, HeaderError, PAGE_BYTES, SlotWords, Start, VERSION, is_unwritten, pid_of_name,
};
use rustix::fs::{AtFlags, CWD, Mode, OFlags, SeekFrom, openat, statat, unlinkat};
use rustix::io::Errno;
use rustix::process::{Flock, FlockType, Pid, fcntl_getlk, test_kill_process};

/// An arena that is open for reading. This type never writes to it.
#[derive(Debug)]
pub struct ArenaFile {
    path: PathBuf,
    file: File,
    /// The device and inode, so that only the file that was read is removed.
    identity: (u64, u64),
    owner: u32,
    header: Header,
    is_alive: bool,
}

/// The reason why a file cannot be read as an arena.
#[derive(Debug)]
pub enum ArenaError {
    /// The operating system refused an operation.
    System(io::Error),
    /// The path does not refer to a regular file. Symbolic links are not followed.
    NoFile,
    /// The file belongs to this user, who is neither the caller nor the owner of the folder.
    Owner(u32),
    /// The file has no header yet.
    Unfinished(Unfinished),
    /// The file is not an arena, or is from another machine or version.
    Header(HeaderError),
    /// The file ends within its rings.
    Cut {
        /// The size according to the header.
        expected_bytes: u64,
        /// The size of the file.
        found_bytes: u64,
    },
}

impl From<io::Error> for ArenaError {
    fn from(error: io::Error) -> ArenaError {
        ArenaError::System(error)
    }
}

impl fmt::Display for ArenaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArenaError::System(error) => f.write_str(&crate::error::reason(error)),
            ArenaError::NoFile => f.write_str("not a regular file"),
            ArenaError::Owner(uid) => write!(f, "the arena belongs to user {uid}"),
            ArenaError::Unfinished(_) => f.write_str("the arena has no header"),
            ArenaError::Header(HeaderError::Magic) => f.write_str("not an arena"),
            ArenaError::Header(HeaderError::Version(version)) => {
                write!(f, "the arena has layout version {version}; this tool supports version {VERSION}")
            }
            ArenaError::Header(HeaderError::ByteOrder) => {
                f.write_str("the arena was written by a machine with another byte order")
            }
            ArenaError::Header(HeaderError::Sizes) => f.write_str("the arena's header is invalid"),
            ArenaError::Cut { expected_bytes, found_bytes } => {
                write!(f, "the arena is truncated to {found_bytes} of {expected_bytes} bytes")
            }
        }
    }
}

impl ArenaFile {
    /// Opens `path`, regardless of its owner. A symbolic link is not followed.
    ///
    /// # Errors
    /// Returns an error if the file is not an arena that can be read here.
    pub fn open(path: &Path) -> Result<ArenaFile, ArenaError> {
        ArenaFile::open_of(path, |_| true)
    }

    /// Opens `path`, if `is_trusted` accepts the id of its owner. A symbolic link is not followed.
    ///
    /// # Errors
    /// Returns an error if the file is not an arena that can be read here.
    pub fn open_of(path: &Path, is_trusted: impl Fn(u32) -> bool) -> Result<ArenaFile, ArenaError> {
        // Check the type before opening the path: opening a pipe or a device may have side effects.
        let named = std::fs::symlink_metadata(path)?;
        if !named.is_file() {
            return Err(ArenaError::NoFile);
        }
        if !is_trusted(named.uid()) {
            return Err(ArenaError::Owner(named.uid()));
        }
        // The path may have been replaced by a pipe, and opening it must not wait for a writer.
        let flags = (OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC).bits().cast_signed();
        let file = File::options().read(true).custom_flags(flags).open(path)?;
        let metadata = file.metadata()?;
        let identity = (metadata.dev(), metadata.ino());
        if identity != (named.dev(), named.ino()) {
            return Err(ArenaError::NoFile);
        }
        let mut start = Vec::new();
        (&file).take(PAGE_BYTES as u64).read_to_end(&mut start)?;
        let is_alive =
            || Ok::<_, io::Error>(fcntl_getlk(&file, &Flock::from(FlockType::WriteLock))?.is_some());
        let name = path.file_name().unwrap_or_default().as_bytes();
        if let Some(pid) = pid_of_name(name).filter(|_| is_unwritten(&start)) {
            let age = metadata.modified()?.elapsed().unwrap_or_default();
            let is_abandoned = !is_alive()? && (age >= ABANDONED_AFTER || has_ended(pid));
            let path = path.to_path_buf();
            let bytes = metadata.blocks() * 512;
            return Err(ArenaError::Unfinished(Unfinished { path, identity, pid, bytes, is_abandoned }));
        }
        let header = Header::decode(&start).map_err(ArenaError::Header)?;
        let (expected_bytes, found_bytes) = (header.file_bytes() as u64, metadata.len());
        if found_bytes < expected_bytes {
            return Err(ArenaError::Cut { expected_bytes, found_bytes });
        }
        let (is_alive, owner) = (is_alive()?, metadata.uid());
        Ok(ArenaFile { path: path.to_path_buf(), file, identity, owner, header, is_alive })
    }

    /// Returns the path of the arena.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the header of the arena.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns whether the process that owns the arena is running.
    pub fn is_alive(&self) -> bool {
        self.is_alive
    }

    /// Returns the id of the user that owns the file.
    pub fn owner(&self) -> u32 {
        self.owner
    }

    /// Removes the arena, provided that the process has ended and the path still refers to the file
    /// that was opened.
    ///
    /// # Errors
    /// Returns an error if the process is running, the file was replaced, or the operating system
    /// cannot remove it.
    pub fn remove(&self) -> io::Result<()> {
        if self.is_alive {
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, "the process is running"));
        }
        remove(&self.path, self.identity)
    }

    /// Returns the number of dropped records so far, including refused ones.
    ///
    /// # Errors
    /// Returns an error if the arena cannot be read.
    pub fn dropped(&self) -> io::Result<u64> {
        // In a damaged file the counts can have any value, so their sum may overflow.
        let add = |sum: u64, slot| Ok::<_, io::Error>(sum.saturating_add(self.slot(slot)?.dropped));
        let dropped = (0..self.header.slots as usize).try_fold(0, add)?;
        Ok(dropped.saturating_add(self.start()?.unattached))
    }

    pub(super) fn start(&self) -> io::Result<Start> {
        Ok(Start::decode(&self.header, &self.read(0, PAGE_BYTES)?))
    }

    pub(super) fn banks(&self) -> io::Result<[Bank; 2]> {
        let page = self.read(Bank::PAGE.start as u64, Bank::PAGE.len())?;
        Ok(Bank::decode(&page))
    }

    pub(super) fn clock_table(&self) -> io::Result<ClockTable> {
        let table = self.read(ClockTable::RANGE.start as u64, ClockTable::RANGE.len())?;
        Ok(ClockTable::decode(&self.header, &table))
    }

    pub(super) fn slot(&self, slot: usize) -> io::Result<SlotWords> {
        Ok(SlotWords::decode(&self.read(self.header.slot_at(slot) as u64, PAGE_BYTES)?))
    }

    /// Returns a reader of the metadata, which is a copy of the first bytes of the trace file.
    pub(super) fn metadata(&self) -> io::Result<impl Read + '_> {
        let at = self.header.metadata_at() as u64;
        let bytes = self.start()?.metadata_bytes as u64;
        // A sparse file can claim gigabytes. Metadata has no holes, so it ends at the first hole.
        let hole = rustix::fs::seek(&self.file, SeekFrom::Hole(at)).unwrap_or(at);
        Ok(At { file: &self.file, at, rest_bytes: bytes.min(hole - at) })
    }

    /// Appends `length` bytes from the ring of slot `slot` to `out`, starting at offset `place` in
    /// the ring.
    pub(super) fn append_ring(
        &self,
        slot: usize,
        place: usize,
        length: usize,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let ring_bytes = self.header.ring_bytes as usize;
        let place = place % ring_bytes;
        let first = length.min(ring_bytes - place);
        let ring_at = self.header.ring_at(slot);
        for (at, length) in [(ring_at + place, first), (ring_at, length - first)] {
            let start = out.len();
            out.resize(start + length, 0);
            self.file.read_exact_at(&mut out[start..], at as u64)?;
        }
        Ok(())
    }

    fn read(&self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, at)?;
        Ok(bytes)
    }
}

/// A file that is named like an arena and has no header. A program that was killed while it created
/// an arena can leave such a file behind. If the file is empty, its program has ended normally and
/// was not permitted to remove it.
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
    identity: (u64, u64),
    pid: u32,
    bytes: u64,
    is_abandoned: bool,
}

/// The age at which a file without a header counts as abandoned, even if there is a process with
/// the id in its name. It may be another process: in a container, most programs have the same id.
const ABANDONED_AFTER: Duration = Duration::from_secs(60);

impl Unfinished {
    /// Returns the process id in the name of the file.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Returns the memory that the file uses, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns whether no process will complete the file.
    pub fn is_abandoned(&self) -> bool {
        self.is_abandoned
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the file, provided that it is abandoned and the path still refers to it.
    ///
    /// # Errors
    /// Returns an error if the file may still be completed, was replaced, or cannot be removed.
    pub fn remove(&self) -> io::Result<()> {
        if !self.is_abandoned {
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, "the process is running"));
        }
        remove(&self.path, self.identity)
    }
}

/// Removes `path`, if it is still the file with this device and inode.
fn remove(path: &Path, identity: (u64, u64)) -> io::Result<()> {
    let (Some(name), Some(folder)) = (path.file_name(), path.parent()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    // Keep the folder open, so that both calls use the same one.
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = openat(CWD, folder, flags, Mode::empty())?;
    let found = statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    if (found.st_dev, found.st_ino) != identity {
        return Err(io::Error::new(io::ErrorKind::NotFound, "the file was replaced"));
    }
    Ok(unlinkat(&folder, name, AtFlags::empty())?)
}

fn has_ended(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_none_or(|pid| test_kill_process(pid) == Err(Errno::SRCH))
}

struct At<'f> {
    file: &'f File,
    at: u64,
    rest_bytes: u64,
}

impl Read for At<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.rest_bytes).map_or(buffer.len(), |rest| rest.min(buffer.len()));
        let read = self.file.read_at(&mut buffer[..most], self.at)?;
        self.at += read as u64;
        self.rest_bytes -= read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use ringtrace_wire::arena::{FullPolicy, StampUnit, slot};

    use super::*;

    #[test]
    fn counts_of_a_hostile_file_do_not_overflow() {
        let header = Header {
            pid: 1,
            full: FullPolicy::Discard,
            segment: 0,
            slots: 2,
            ring_bytes: 1 << 17,
            metadata_capacity: PAGE_BYTES as u64,
            started_ns: 0,
            stamps: StampUnit::Ns,
        };
        let written = tempfile::NamedTempFile::new().unwrap();
        let file = written.as_file();
        file.set_len(header.file_bytes() as u64).unwrap();
        file.write_all_at(&header.encode(), 0).unwrap();
        for at in 0..2 {
            let place = header.slot_at(at) + slot::DROPPED;
            file.write_all_at(&u64::MAX.to_ne_bytes(), place as u64).unwrap();
        }
        assert_eq!(ArenaFile::open(written.path()).unwrap().dropped().unwrap(), u64::MAX);
    }
}
