//! Arena files that are open for reading.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use ringtrace_wire::arena::{Bank, ClockTable, Header, HeaderError, PAGE_BYTES, SlotWords, Start, VERSION};
use rustix::fs::OFlags;
use rustix::process::{Flock, FlockType, fcntl_getlk};

/// An arena that is open for reading. This type never writes to it.
#[derive(Debug)]
pub struct ArenaFile {
    path: PathBuf,
    file: File,
    /// The device and inode, so that only the file that was read is removed.
    identity: (u64, u64),
    header: Header,
    is_alive: bool,
}

/// The reason why a file cannot be read as an arena.
#[derive(Debug)]
pub enum ArenaError {
    /// The operating system refused an operation.
    System(io::Error),
    /// The file is not a regular file.
    NoFile,
    /// The header is not an arena's, or is from another machine or version.
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
            ArenaError::Header(HeaderError::Magic) => f.write_str("not an arena"),
            ArenaError::Header(HeaderError::Version(version)) => {
                write!(f, "the arena has layout version {version}; this tool supports version {VERSION}")
            }
            ArenaError::Header(HeaderError::ByteOrder) => {
                f.write_str("the arena was written by a machine with another byte order")
            }
            ArenaError::Header(HeaderError::Sizes) => f.write_str("the arena's header is invalid"),
            ArenaError::Cut { expected_bytes, found_bytes } => {
                write!(f, "the arena is truncated: it needs {expected_bytes} bytes and has {found_bytes}")
            }
        }
    }
}

impl ArenaFile {
    /// Opens `path`.
    ///
    /// # Errors
    /// Returns an error if the file is not an arena that can be read here.
    pub fn open(path: &Path) -> Result<ArenaFile, ArenaError> {
        // Opening a pipe must not wait for a writer.
        let flags = (OFlags::NONBLOCK | OFlags::CLOEXEC).bits().cast_signed();
        let file = File::options().read(true).custom_flags(flags).open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(ArenaError::NoFile);
        }
        let identity = (metadata.dev(), metadata.ino());
        let mut start = Vec::new();
        (&file).take(PAGE_BYTES as u64).read_to_end(&mut start)?;
        let header = Header::decode(&start).map_err(ArenaError::Header)?;
        let (expected_bytes, found_bytes) = (header.file_bytes() as u64, metadata.len());
        if found_bytes < expected_bytes {
            return Err(ArenaError::Cut { expected_bytes, found_bytes });
        }
        let is_alive =
            fcntl_getlk(&file, &Flock::from(FlockType::WriteLock)).map_err(io::Error::from)?.is_some();
        Ok(ArenaFile { path: path.to_path_buf(), file, identity, header, is_alive })
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
        let found = std::fs::symlink_metadata(&self.path)?;
        if (found.dev(), found.ino()) != self.identity {
            return Err(io::Error::new(io::ErrorKind::NotFound, "the file was replaced"));
        }
        std::fs::remove_file(&self.path)
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
        let bytes = self.start()?.metadata_bytes;
        Ok(At { file: &self.file, at: self.header.metadata_at() as u64, rest_bytes: bytes as u64 })
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
