//! The file of an arena: its creation under a lock, and its removal.
//!
//! The file has no name until it is allocated and has a header, so a program that is killed before
//! that leaves nothing behind. On file systems without nameless files, such a program leaves a
//! short file, which a later start removes ([`Directory`]).

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::PathBuf;
use std::sync::Arc;

use ringtrace_wire::arena::Header;
use rustix::fs::{
    AtFlags, CWD, FallocateFlags, FlockOperation, MemfdFlags, Mode, OFlags, linkat, memfd_create, openat,
    unlinkat,
};
use rustix::io::Errno;

use super::directory::{Directory, Identity, at_path};
use crate::os::write_signals::BlockedWriteSignals;

/// An arena's file. It is kept open for its lock, which lets other processes detect that this
/// process is alive.
#[derive(Debug)]
pub(super) struct ArenaFile {
    pid: u32,
    file: File,
    identity: Identity,
    directory: Arc<Directory>,
    /// `None` if the file is in private memory.
    name: Option<String>,
}

/// The maximum number of arenas with the same process id in a directory. Earlier processes may have
/// left some.
const MAX_FILES: usize = 10_000;

impl ArenaFile {
    /// Creates and locks the file, writes its header, and allocates everything except the rings.
    ///
    /// # Errors
    /// Fails when there is not enough space, or a system call fails.
    pub(super) fn create(directory: &Arc<Directory>, header: &Header) -> io::Result<ArenaFile> {
        if directory.is_private() {
            return ArenaFile::create_private(directory, header);
        }
        match ArenaFile::create_nameless(directory, header)? {
            Some(created) => Ok(created),
            None => ArenaFile::create_named(directory, header),
        }
    }

    /// Creates a file in memory, outside any file system. It disappears when the process ends.
    fn create_private(directory: &Arc<Directory>, header: &Header) -> io::Result<ArenaFile> {
        let file = File::from(memfd_create("ringtrace", MemfdFlags::CLOEXEC)?);
        fill(&file, header)?;
        ArenaFile::new(directory, file, header.pid, None)
    }

    /// Creates the file without a name, and then gives it one. Returns `None` if that is
    /// impossible, because of the file system, or because there is no `/proc`.
    fn create_nameless(directory: &Arc<Directory>, header: &Header) -> io::Result<Option<ArenaFile>> {
        let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
        let Ok(file) = openat(directory, ".", flags, Mode::RUSR | Mode::WUSR) else { return Ok(None) };
        let file = File::from(file);
        fill(&file, header)
            .map_err(|error| cannot_allocate(directory, header.file_bytes() as u64, &error))?;
        let source = format!("/proc/self/fd/{}", file.as_raw_fd());
        let name = unused_name(directory, header.pid, |name| {
            let linked = linkat(&file, "", directory, name, AtFlags::EMPTY_PATH);
            // Linking by an empty path requires a capability; otherwise use `/proc`, which may be
            // missing.
            match linked {
                Ok(()) | Err(Errno::EXIST) => linked,
                Err(_) => linkat(CWD, &*source, directory, name, AtFlags::SYMLINK_FOLLOW),
            }
        });
        let Ok(name) = name else { return Ok(None) };
        ArenaFile::new(directory, file, header.pid, Some(name)).map(Some)
    }

    fn create_named(directory: &Arc<Directory>, header: &Header) -> io::Result<ArenaFile> {
        let mut created: Option<OwnedFd> = None;
        let name = unused_name(directory, header.pid, |name| {
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
            created = Some(openat(directory, name, flags, Mode::RUSR | Mode::WUSR)?);
            Ok(())
        })?;
        let file = File::from(created.ok_or(io::ErrorKind::NotFound)?);
        if let Err(error) = fill(&file, header) {
            let _ = unlinkat(directory, &*name, AtFlags::empty());
            return Err(cannot_allocate(directory, header.file_bytes() as u64, &error));
        }
        ArenaFile::new(directory, file, header.pid, Some(name))
    }

    fn new(directory: &Arc<Directory>, file: File, pid: u32, name: Option<String>) -> io::Result<ArenaFile> {
        let identity = Identity::of(&file)?;
        Ok(ArenaFile { pid, file, identity, directory: Arc::clone(directory), name })
    }

    /// The path of the file. If the file is in private memory, nothing exists at this path.
    pub(super) fn path(&self) -> PathBuf {
        self.directory.path().join(self.name.as_deref().unwrap_or("private-memory"))
    }

    pub(super) fn is_private(&self) -> bool {
        self.name.is_none()
    }

    /// Returns the number of bytes for which the file has memory.
    pub(super) fn allocated_bytes(&self) -> u64 {
        self.file.metadata().map_or(0, |found| 512 * found.blocks())
    }

    /// Writes all `bytes` at `offset`.
    ///
    /// # Errors
    /// Fails if a system call fails.
    pub(super) fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.file.write_all_at(bytes, offset)
    }

    pub(super) fn directory(&self) -> &Arc<Directory> {
        &self.directory
    }

    /// Removes the file, and closes it.
    ///
    /// A process that has changed its user may no longer be permitted to remove it. In that case,
    /// the file is emptied if `unmap` succeeds. This frees its memory, and shows that the process
    /// was not killed. A later program of the file's owner removes the empty file.
    pub(super) fn remove(self, unmap: impl FnOnce() -> bool) {
        if self.pid != std::process::id() {
            // The file belongs to the parent.
            return;
        }
        let unlink = |name: &str| unlinkat(&self.directory, name, AtFlags::empty());
        let is_removed =
            self.name.as_deref().is_some_and(|name| self.directory.is_open() && unlink(name).is_ok());
        let is_open = || Identity::of(&self.file).is_ok_and(|found| found == self.identity);
        if !is_removed && is_open() && unmap() {
            let _ = self.file.set_len(0);
        }
    }
}

impl AsFd for ArenaFile {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

/// Locks the file, writes the header, and allocates everything except the rings.
fn fill(file: &File, header: &Header) -> io::Result<()> {
    // Without this, a process with a lower limit for the size of files would be killed.
    let blocked = BlockedWriteSignals::new();
    fill_unguarded(file, header).inspect_err(|_| blocked.take())
}

fn fill_unguarded(file: &File, header: &Header) -> io::Result<()> {
    // While this lock is held, other processes do not mistake the arena for one of a dead process.
    rustix::fs::fcntl_lock(file, FlockOperation::NonBlockingLockExclusive)?;
    rustix::io::pwrite(file, &header.encode(), 0)?;
    rustix::fs::ftruncate(file, header.file_bytes() as u64)?;
    // Allocate now: a page that cannot be allocated later would raise SIGBUS in the program.
    allocate(file.as_fd(), 0..metadata_end(header))?;
    allocate(file.as_fd(), header.slot_at(0)..header.ring_at(0))
}

/// The number of bytes of metadata to allocate at a time.
pub(super) const METADATA_STEP: usize = 64 << 10;

/// Returns the end of the initially allocated metadata.
pub(super) fn metadata_end(header: &Header) -> usize {
    header.metadata_at() + METADATA_STEP.min(header.metadata_capacity as usize)
}

/// Returns the number of allocated bytes in a new file.
pub(crate) fn initial_bytes(header: &Header) -> u64 {
    (metadata_end(header) + header.ring_at(0) - header.slot_at(0)) as u64
}

/// Allocates a part of the file.
pub(super) fn allocate(file: BorrowedFd<'_>, part: Range<usize>) -> io::Result<()> {
    if part.is_empty() {
        return Ok(());
    }
    Ok(rustix::fs::fallocate(file, FallocateFlags::empty(), part.start as u64, part.len() as u64)?)
}

/// Returns the header of an arena that fits into `free` bytes: `wanted` with as many slots as
/// possible. Returns `None` if fewer than `least` slots fit.
pub(super) fn fit_slots(wanted: Header, least: u32, free: u64) -> Option<Header> {
    let fits = |header: &Header| initial_bytes(header) + u64::from(header.slots) * header.ring_bytes <= free;
    (least..=wanted.slots).rev().map(|slots| Header { slots, ..wanted }).find(fits)
}

/// Returns the free space in the file system of `directory`, or `None` if it has no limit.
pub(crate) fn free_bytes(directory: &Directory) -> io::Result<Option<u64>> {
    let found = rustix::fs::fstatvfs(directory)?;
    // A tmpfs without a limit reports no blocks at all.
    Ok((found.f_blocks != 0).then(|| found.f_bavail.saturating_mul(found.f_frsize)))
}

/// Whether an arena could not be created because its file system is full or the user's quota is
/// exceeded.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Describes the failure to allocate or map an arena, with advice.
pub(super) fn cannot_allocate(directory: &Directory, bytes: u64, error: &io::Error) -> io::Error {
    let mib = bytes >> 20;
    let smaller = "use smaller buffers (`buffer=`), fewer of them (`threads=`), or another folder (`dir=`)";
    let advice = match error.kind() {
        io::ErrorKind::StorageFull => {
            format!("{smaller}; `ringtrace list` lists arenas that killed programs have left behind")
        }
        io::ErrorKind::FileTooLarge => "raise the limit for the size of files (`ulimit -f`)".to_owned(),
        _ => smaller.to_owned(),
    };
    let directory = directory.path().display();
    io::Error::new(error.kind(), format!("cannot allocate {mib} MiB in {directory}: {error}; {advice}"))
}

/// Calls `create` with one name after another, until it succeeds.
fn unused_name(
    directory: &Directory,
    pid: u32,
    mut create: impl FnMut(&str) -> rustix::io::Result<()>,
) -> io::Result<String> {
    for number in 0..MAX_FILES {
        let name = format!("{pid}-{number}.arena");
        match create(&name) {
            Ok(()) => return Ok(name),
            Err(Errno::EXIST) => {}
            Err(error) => return Err(at_path(&directory.path().join(name), &error.into())),
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        "there are 10,000 arenas of earlier processes with this process id: `ringtrace recover --remove` removes them",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringtrace_wire::arena::{FullPolicy, PAGE_BYTES, StampUnit};

    fn header() -> Header {
        Header {
            pid: std::process::id(),
            full: FullPolicy::Discard,
            segment: 0,
            slots: 1,
            ring_bytes: PAGE_BYTES as u64,
            metadata_capacity: 0,
            started_ns: 0,
            stamps: StampUnit::Ns,
        }
    }

    type Create = fn(&Arc<Directory>, &Header) -> io::Result<ArenaFile>;

    const WAYS: [Create; 2] = [
        |directory, header| ArenaFile::create_nameless(directory, header).map(|made| made.expect("tmpfs")),
        ArenaFile::create_named,
    ];

    #[test]
    fn both_ways_create_the_same_file() {
        for create in WAYS {
            let folder = tempfile::tempdir_in("/dev/shm").unwrap();
            let directory = Directory::open(Some(folder.path())).unwrap();
            let files: Vec<ArenaFile> = (0..3).map(|_| create(&directory, &header()).unwrap()).collect();
            for (number, file) in files.into_iter().enumerate() {
                let path = folder.path().join(format!("{}-{number}.arena", header().pid));
                assert_eq!(file.path(), path);
                let bytes = std::fs::read(&path).unwrap();
                assert_eq!(bytes.len(), header().file_bytes());
                assert_eq!(Header::decode(&bytes), Ok(header()));
                file.remove(|| panic!("the file can be removed"));
                assert!(!path.exists());
            }
        }
    }

    #[test]
    fn a_failed_creation_leaves_nothing() {
        let wanted = Header { slots: 1 << 30, ..header() };
        let folder = tempfile::tempdir_in("/dev/shm").unwrap();
        let directory = Directory::open(Some(folder.path())).unwrap();
        for create in WAYS {
            assert!(create(&directory, &wanted).is_err(), "/dev/shm has more than 4 TiB");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    #[test]
    fn a_file_that_cannot_be_removed_is_emptied() {
        let folder = tempfile::tempdir_in("/dev/shm").unwrap();
        let directory = Directory::open(Some(folder.path())).unwrap();
        for is_unmapped in [false, true] {
            let mut file = ArenaFile::create(&directory, &header()).unwrap();
            let path = file.path();
            // Removing a file that does not exist fails in the same way as removing one without
            // permission.
            file.name = Some("missing".to_owned());
            file.remove(|| is_unmapped);
            let expected = if is_unmapped { 0 } else { header().file_bytes() as u64 };
            assert_eq!(std::fs::metadata(path).unwrap().len(), expected);
        }
    }
}
