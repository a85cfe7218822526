//! An arena: a file on tmpfs with a ring for each of its threads. It outlives the process.
//!
//! The file is mapped when it is created, and everything but the rings is allocated. A thread
//! allocates the memory of its ring itself, in parts, before it first uses them. Without memory the
//! kernel returns an error then, and the thread drops its records. [`ringtrace_wire::arena`]
//! documents the layout.

#![expect(unsafe_code, reason = "memory that is shared with the crash image")]

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

use ringtrace_wire::arena::{self as layout, Header, at, bank, clock as table};
use ringtrace_wire::ticks::Piece;
use rustix::fs::{FallocateFlags, FlockOperation, Mode, OFlags};
use rustix::mm::{Advice, MapFlags, ProtFlags};
use rustix::process::{Flock, FlockType, fcntl_getlk};

use super::free_slots::FreeSlots;
use super::producer::Producer;
use super::slot::{IS_ALLOCATED, Slot};
use crate::os;

#[derive(Debug)]
pub(crate) struct Arena {
    pub(crate) header: Header,
    path: PathBuf,
    /// Kept open for its lock, which lets other processes detect that this process is alive.
    file: Mutex<Option<OwnedFd>>,
    /// The part of the file before the rings.
    fixed: *mut u8,
    /// The rings. Each is mapped twice in a row.
    rings: *mut u8,
    /// The producers, in pages that the kernel zeroes in a forked child.
    producers: *mut Producer,
    free: FreeSlots,
}

// SAFETY: the pointers are to mappings that live as long as the process. Shared words are accessed
// as atomics; access to the bytes of rings follows the protocol of `producer.rs`.
unsafe impl Send for Arena {}
// SAFETY: as above.
unsafe impl Sync for Arena {}

/// Returns the directory for arenas: `wanted` if given, else `RINGTRACE_DIR`, else one in
/// `XDG_RUNTIME_DIR`, else one in `/dev/shm`. Creates it if necessary.
///
/// # Errors
/// When the directory cannot be created, or belongs to another user.
#[expect(
    clippy::disallowed_methods,
    reason = "RINGTRACE_DIR and XDG_RUNTIME_DIR name the folder of the rings"
)]
pub(crate) fn directory(wanted: Option<&Path>) -> io::Result<PathBuf> {
    let uid = rustix::process::getuid().as_raw();
    let wanted = wanted.map(Path::to_path_buf);
    let wanted = wanted.or_else(|| std::env::var_os("RINGTRACE_DIR").map(PathBuf::from));
    let directory = match (&wanted, std::env::var_os("XDG_RUNTIME_DIR")) {
        (Some(wanted), _) => wanted.clone(),
        (None, Some(run)) if Path::new(&run).is_dir() => Path::new(&run).join("ringtrace"),
        _ => PathBuf::from(format!("/dev/shm/ringtrace-{uid}")),
    };
    match fs::DirBuilder::new().mode(0o700).create(&directory) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(at_path(&directory, &error));
        }
        _ => {}
    }
    let found = fs::symlink_metadata(&directory)?;
    let shared = found.mode() & 0o077 != 0 && wanted.is_none();
    if !found.is_dir() || found.uid() != uid || shared {
        let text = format!("{} is not a private directory of this user", directory.display());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
    }
    Ok(directory)
}

/// The sticky bit, which has no other meaning for a file. It is set on an arena's file once the
/// death of its process has been reported.
const REPORTED: Mode = Mode::SVTX;

/// Returns the killed processes that left arenas in `directory`. Processes that an earlier call has
/// returned, in any process of this user, are omitted. Unreadable files are skipped.
pub(crate) fn take_left_behind(directory: &Path) -> Vec<u32> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let own = std::process::id();
    let mut found = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let pid = name.strip_suffix(".arena").and_then(|name| name.split_once('-')?.0.parse().ok());
        // Closing a file of this process would release its own lock.
        let Some(pid) = pid.filter(|&pid: &u32| pid != own) else { continue };
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let Ok(file) = rustix::fs::open(&path, flags, Mode::empty()) else { continue };
        let lock = Flock::from(FlockType::WriteLock);
        let Ok(status) = rustix::fs::fstat(&file) else { continue };
        let mode = Mode::from_raw_mode(status.st_mode);
        if !mode.contains(REPORTED) && matches!(fcntl_getlk(&file, &lock), Ok(None)) {
            found.push(pid);
            let _ = rustix::fs::fchmod(&file, mode | REPORTED);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Checks that the initially allocated rings take at most half of the machine's memory.
///
/// tmpfs overcommits. If memory runs out, the kernel kills a process without an explanation.
pub(crate) fn has_memory(rings: usize, ring_bytes: u64) -> io::Result<()> {
    let wanted = ring_bytes.saturating_mul(rings as u64);
    let system = rustix::system::sysinfo();
    let half = (system.totalram as u64).saturating_mul(system.mem_unit.into()) / 2;
    if wanted <= half {
        return Ok(());
    }
    let text = format!(
        "{} rings of {} MiB need {} MiB, more than half of this machine's memory: use smaller buffers (`buffer=`) or fewer of them (`threads=`)",
        rings,
        ring_bytes >> 20,
        wanted >> 20,
    );
    Err(io::Error::new(io::ErrorKind::OutOfMemory, text))
}

/// Checks that `bytes` fit into the file system of `directory`. They are allocated later.
pub(crate) fn has_space(directory: &Path, bytes: u64) -> io::Result<()> {
    let found = rustix::fs::statvfs(directory)?;
    // A tmpfs without a limit reports no blocks at all.
    if found.f_blocks == 0 || bytes <= found.f_bavail.saturating_mul(found.f_frsize) {
        return Ok(());
    }
    Err(no_space(directory, bytes, &rustix::io::Errno::NOSPC.into()))
}

fn no_space(directory: &Path, bytes: u64, error: &io::Error) -> io::Error {
    let advice = "use smaller buffers (`buffer=`), fewer of them (`threads=`), or another folder (`dir=`)";
    let text = format!("cannot allocate {} MiB in {}: {error}; {advice}", bytes >> 20, directory.display());
    io::Error::new(error.kind(), text)
}

impl Arena {
    /// Creates a file in `directory` and maps it.
    ///
    /// # Errors
    /// When there is not enough memory, or a system call fails.
    pub(crate) fn create(directory: &Path, header: Header) -> io::Result<Arena> {
        let (path, file) = create_file(directory, header.pid)?;
        let made = Arena::map(&file, header);
        match made {
            Ok((fixed, rings, producers)) => {
                let free = FreeSlots::all_of(header.slots as usize);
                // Threads store addresses in their rings as integers, and so does recovery.
                rings.expose_provenance();
                Ok(Arena { header, path, file: Mutex::new(Some(file)), fixed, rings, producers, free })
            }
            Err(error) => {
                let _ = fs::remove_file(&path);
                Err(no_space(directory, header.file_bytes() as u64, &error))
            }
        }
    }

    fn map(file: &OwnedFd, header: Header) -> io::Result<(*mut u8, *mut u8, *mut Producer)> {
        // The lock shows processes that look for dead ones that this process is alive.
        rustix::fs::fcntl_lock(file, FlockOperation::NonBlockingLockExclusive)?;
        rustix::fs::ftruncate(file, header.file_bytes() as u64)?;
        // Allocate now: a page that cannot be allocated later would raise SIGBUS in the program.
        let fixed_bytes = header.ring_at(0);
        rustix::fs::fallocate(file, FallocateFlags::empty(), 0, fixed_bytes as u64)?;
        rustix::io::pwrite(file, &header.encode(), 0)?;

        let protection = ProtFlags::READ | ProtFlags::WRITE;
        let shared = MapFlags::SHARED;
        // SAFETY: a new mapping at an address that the kernel chooses does not affect other memory.
        // The advice changes no contents.
        let (fixed, populated) = unsafe {
            let fixed = rustix::mm::mmap(ptr::null_mut(), fixed_bytes, protection, shared, file, 0)?;
            (fixed, rustix::mm::madvise(fixed, layout::PAGE_BYTES, Advice::LinuxPopulateWrite))
        };
        if populated.is_err() {
            // Before Linux 5.14, threads cannot allocate the memory of their rings.
            IS_ALLOCATED.store(true, Ordering::Relaxed);
            rustix::fs::fallocate(file, FallocateFlags::empty(), 0, header.file_bytes() as u64)?;
        }
        let ring_bytes = header.ring_bytes as usize;
        let slots = header.slots as usize;
        // SAFETY: as above, this is a new mapping.
        let rings = unsafe {
            rustix::mm::mmap_anonymous(
                ptr::null_mut(),
                2 * ring_bytes * slots,
                ProtFlags::empty(),
                MapFlags::PRIVATE,
            )
        }?
        .cast::<u8>();
        for index in 0..2 * slots {
            let offset = header.ring_at(index / 2) as u64;
            // SAFETY: the address range is inside the mapping created above, which is still unused.
            unsafe {
                let address = rings.add(index * ring_bytes).cast();
                rustix::mm::mmap(address, ring_bytes, protection, shared | MapFlags::FIXED, file, offset)?;
            }
        }
        let bytes = size_of::<Producer>() * layout::MAX_SLOTS;
        // SAFETY: these are exactly the mappings created above. A forked child must not write to
        // them.
        unsafe {
            rustix::mm::madvise(fixed, fixed_bytes, Advice::LinuxDontFork)?;
            rustix::mm::madvise(rings.cast(), 2 * ring_bytes * slots, Advice::LinuxDontFork)?;
        }
        // SAFETY: this is a new mapping at an address that the kernel chooses.
        let producers = unsafe {
            let flags = MapFlags::PRIVATE | MapFlags::POPULATE;
            let producers = rustix::mm::mmap_anonymous(ptr::null_mut(), bytes, protection, flags)?;
            rustix::mm::madvise(producers, bytes, Advice::LinuxWipeOnFork)?;
            producers
        };
        Ok((fixed.cast(), rings, producers.cast()))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn free(&self) -> &FreeSlots {
        &self.free
    }

    /// Returns the producer of slot `slot`. Only the slot's thread writes to it.
    pub(crate) fn producer(&self, slot: usize) -> &'static Producer {
        debug_assert!(slot < self.header.slots as usize);
        // SAFETY: there is a producer for each slot, zeroed memory is a valid producer, and the
        // mapping is never unmapped.
        unsafe { &*self.producers.add(slot) }
    }

    pub(crate) fn all_producers(&self) -> impl Iterator<Item = &'static Producer> + Clone {
        (0..self.header.slots as usize).map(|slot| self.producer(slot))
    }

    pub(crate) fn slot(&self, slot: usize) -> Slot {
        debug_assert!(slot < self.header.slots as usize);
        // SAFETY: both mappings have room for that many slots, and are never unmapped.
        unsafe {
            Slot::from_raw(
                self.fixed.add(self.header.slot_at(slot)),
                self.rings.add(2 * slot * self.header.ring_bytes as usize),
                self.header.ring_bytes as u32,
            )
        }
    }

    fn word(&self, at: usize) -> &AtomicU64 {
        debug_assert!(at.is_multiple_of(8) && at < self.header.ring_at(0));
        // SAFETY: this is an aligned word of the mapping, accessed only as an atomic while it can
        // change.
        unsafe { AtomicU64::from_ptr(self.fixed.add(at).cast()) }
    }

    /// The number of records dropped because their thread got no slot.
    pub(crate) fn unattached(&self) -> &AtomicU64 {
        self.word(at::UNATTACHED)
    }

    /// Appends to the metadata. Returns `false`, and appends nothing, if `bytes` do not fit.
    pub(crate) fn append_metadata(&self, bytes: &[u8]) -> bool {
        let length = self.word(at::METADATA_BYTES);
        let used = length.load(Ordering::Relaxed) as usize;
        if bytes.len() > self.header.metadata_capacity as usize - used {
            return false;
        }
        // SAFETY: the bytes fit. Only the writer thread appends, and readers do not read past the
        // length.
        unsafe {
            let place = self.fixed.add(self.header.metadata_at() + used);
            ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len());
        }
        length.store((used + bytes.len()) as u64, Ordering::Release);
        true
    }

    /// Writes piece `number`, counted from 1, of the clock table.
    pub(crate) fn set_clock_piece(&self, number: u64, piece: &Piece) {
        let at = table::AT + (number % table::PIECES as u64) as usize * table::PIECE_BYTES;
        // A reader that finds a half-written piece sees number 0, which means that there is no
        // piece.
        self.word(at + table::NUMBER).store(0, Ordering::Relaxed);
        fence(Ordering::Release);
        self.word(at + table::FIRST_TICKS).store(piece.first_ticks, Ordering::Relaxed);
        self.word(at + table::FIRST_NS).store(piece.first_ns, Ordering::Relaxed);
        self.word(at + table::RATE).store(piece.rate.0, Ordering::Relaxed);
        self.word(at + table::NUMBER).store(number, Ordering::Release);
    }

    /// Stores the path of the trace file for a recovery. A path that is too long is not stored.
    pub(crate) fn set_trace_path(&self, path: &[u8]) {
        // SAFETY: the word is aligned and within the mapping.
        let length = unsafe { AtomicU32::from_ptr(self.fixed.add(at::PATH_BYTES).cast()) };
        length.store(0, Ordering::Release);
        if path.len() > layout::MAX_PATH_BYTES {
            return;
        }
        // SAFETY: the check above ensures that the path fits after `at::PATH` in the header page.
        unsafe { ptr::copy_nonoverlapping(path.as_ptr(), self.fixed.add(at::PATH), path.len()) };
        length.store(path.len() as u32, Ordering::Release);
    }

    /// Writes a commit. For each slot, `positions` yields the ring position up to which records are
    /// in the file, and the numbers of dropped and refused records that the file reports.
    pub(crate) fn commit(&self, sequence: u64, file_bytes: u64, positions: impl Iterator<Item = [u64; 3]>) {
        let bank_at = bank::AT[(sequence % 2) as usize];
        // Invalidate the commit while it is written, for readers of a living process's file.
        self.word(bank_at + bank::SEQUENCE).store(0, Ordering::Relaxed);
        fence(Ordering::Release);
        self.word(bank_at + bank::FILE_BYTES).store(file_bytes, Ordering::Relaxed);
        for (index, words) in positions.enumerate() {
            let at = bank_at + bank::SLOTS + index * bank::SLOT_BYTES;
            for (word_at, word) in words.into_iter().enumerate() {
                self.word(at + 8 * word_at).store(word, Ordering::Relaxed);
            }
        }
        // Release: a reader that sees the sequence number also sees the rest of the commit, even in
        // the file of a dead process.
        self.word(bank_at + bank::SEQUENCE).store(sequence, Ordering::Release);
    }

    /// Replaces the mapping of the file by private memory. Later writes of threads are lost, and
    /// removing the file frees its memory.
    pub(crate) fn disconnect(&self) {
        let rings_bytes = 2 * self.header.ring_bytes as usize * self.header.slots as usize;
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        let flags = MapFlags::PRIVATE | MapFlags::FIXED | MapFlags::NORESERVE;
        for (at, bytes) in [(self.fixed, self.header.ring_at(0)), (self.rings, rings_bytes)] {
            // SAFETY: the ranges are the arena's own mappings, which a forked child does not have.
            // Zeros are the contents of an unused arena.
            let _ = unsafe { rustix::mm::mmap_anonymous(at.cast(), bytes, protection, flags) };
        }
    }

    /// Removes the file. Threads that still have a slot write into memory that is never read.
    pub(crate) fn remove(&self) {
        let _ = fs::remove_file(&self.path);
        self.leave();
    }

    /// Leaves the file for a recovery.
    pub(crate) fn leave(&self) {
        let file = os::lock(&self.file).take();
        drop(file);
    }
}

fn at_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn create_file(directory: &Path, pid: u32) -> io::Result<(PathBuf, OwnedFd)> {
    for number in 0..10_000 {
        let path = directory.join(format!("{pid}-{number}.arena"));
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        match rustix::fs::open(&path, flags, Mode::RUSR | Mode::WUSR) {
            Ok(file) => return Ok((path, file)),
            Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(at_path(&path, &error.into())),
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        "this process id has 10,000 arenas left from earlier processes: `ringtrace recover --remove` removes them",
    ))
}
