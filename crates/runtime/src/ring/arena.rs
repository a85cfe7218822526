//! Memory that outlives the process: a file on tmpfs with a ring for each thread.
//!
//! All of it is allocated, mapped and touched when it is made: a thread that gets a slot makes no system call, and
//! no page of it is missing when memory is short. Where what stands is written down in [`ringtrace_wire::arena`].

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
use super::slot::Slot;
use crate::os;

/// A file of rings, mapped.
#[derive(Debug)]
pub(crate) struct Arena {
    pub(crate) header: Header,
    path: PathBuf,
    /// Kept open for its lock, which tells others that the process lives.
    file: Mutex<Option<OwnedFd>>,
    /// The file up to the rings.
    fixed: *mut u8,
    /// Each ring, mapped twice in a row.
    rings: *mut u8,
    /// What only the threads themselves write, in pages that are empty in a forked child.
    producers: *mut Producer,
    free: FreeSlots,
}

// SAFETY: the pointers are to mappings that live as long as the process; what is shared in them is reached through
// atomics, and the bytes of rings by the protocol of `producer.rs`.
unsafe impl Send for Arena {}
// SAFETY: as above.
unsafe impl Sync for Arena {}

/// The directory for arenas: the option's, else `RINGTRACE_DIR`, else one in the user's run-time directory, else one in `/dev/shm`.
///
/// # Errors
/// When it cannot be made, or belongs to somebody else.
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
        let text = format!("{} is not a directory of this user's only", directory.display());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
    }
    Ok(directory)
}

/// The sticky bit of an arena's file: its process was killed, and that was reported. It has no other meaning for a file.
const REPORTED: Mode = Mode::SVTX;

/// The processes that were killed and left arenas in `directory`, without those that an earlier call of any process of this
/// user returned. What cannot be read is passed over.
pub(crate) fn take_left_behind(directory: &Path) -> Vec<u32> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let own = std::process::id();
    let mut found = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let pid = name.strip_suffix(".arena").and_then(|name| name.split_once('-')?.0.parse().ok());
        // Closing a file of this process's own would give its lock away.
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

/// Whether the machine may have the memory for the rings that are made at the start.
///
/// tmpfs gives out more than there is, and who is killed for it learns no reason.
pub(crate) fn has_memory(rings: usize, ring_bytes: u64) -> io::Result<()> {
    let wanted = ring_bytes.saturating_mul(rings as u64);
    let system = rustix::system::sysinfo();
    let half = (system.totalram as u64).saturating_mul(system.mem_unit.into()) / 2;
    if wanted <= half {
        return Ok(());
    }
    let text = format!(
        "{} rings of {} MiB are {} MiB, more than half of this machine's memory: ask for less by `buffer=` or `threads=`",
        rings,
        ring_bytes >> 20,
        wanted >> 20,
    );
    Err(io::Error::new(io::ErrorKind::OutOfMemory, text))
}

impl Arena {
    /// Makes a file in `directory` and maps it.
    ///
    /// # Errors
    /// When there is no room, or the system refuses.
    pub(crate) fn create(directory: &Path, header: Header) -> io::Result<Arena> {
        let (path, file) = create_file(directory, header.pid)?;
        let made = Arena::map(&file, header);
        match made {
            Ok((fixed, rings, producers)) => {
                let free = FreeSlots::all_of(header.slots as usize);
                // Threads have addresses in their rings as numbers; a recovery compares with them, too.
                rings.expose_provenance();
                Ok(Arena { header, path, file: Mutex::new(Some(file)), fixed, rings, producers, free })
            }
            Err(error) => {
                let _ = fs::remove_file(&path);
                let mib = header.file_bytes() >> 20;
                let advice =
                    "smaller buffers (`buffer=`), fewer of them (`threads=`), or another folder (`dir=`)";
                let text = format!("{mib} MiB in {}: {error}; it takes {advice}", directory.display());
                Err(io::Error::new(error.kind(), text))
            }
        }
    }

    fn map(file: &OwnedFd, header: Header) -> io::Result<(*mut u8, *mut u8, *mut Producer)> {
        // Another process of ours that looks for what a dead one left tells by the lock that this one lives.
        rustix::fs::fcntl_lock(file, FlockOperation::NonBlockingLockExclusive)?;
        // Allocated now: a page that cannot be had later is a SIGBUS in the middle of somebody's work.
        rustix::fs::fallocate(file, FallocateFlags::empty(), 0, header.file_bytes() as u64)?;
        rustix::io::pwrite(file, &header.encode(), 0)?;

        let protection = ProtFlags::READ | ProtFlags::WRITE;
        let populated = MapFlags::SHARED | MapFlags::POPULATE;
        let fixed_bytes = header.ring_at(0);
        // SAFETY: a new mapping at an address of the kernel's choice changes nobody's memory.
        let fixed =
            unsafe { rustix::mm::mmap(ptr::null_mut(), fixed_bytes, protection, populated, file, 0) }?;
        let ring_bytes = header.ring_bytes as usize;
        let slots = header.slots as usize;
        // SAFETY: as above.
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
            // SAFETY: the address range lies within the mapping made above, which nothing uses yet.
            unsafe {
                let address = rings.add(index * ring_bytes).cast();
                rustix::mm::mmap(address, ring_bytes, protection, populated | MapFlags::FIXED, file, offset)?;
            }
        }
        let bytes = size_of::<Producer>() * layout::MAX_SLOTS;
        // SAFETY: the mappings made above, whole. A child of a fork must not even be able to write to them.
        unsafe {
            rustix::mm::madvise(fixed, fixed_bytes, Advice::LinuxDontFork)?;
            rustix::mm::madvise(rings.cast(), 2 * ring_bytes * slots, Advice::LinuxDontFork)?;
        }
        // SAFETY: a new mapping at an address of the kernel's choice.
        let producers = unsafe {
            let flags = MapFlags::PRIVATE | MapFlags::POPULATE;
            let producers = rustix::mm::mmap_anonymous(ptr::null_mut(), bytes, protection, flags)?;
            rustix::mm::madvise(producers, bytes, Advice::LinuxWipeOnFork)?;
            producers
        };
        Ok((fixed.cast(), rings, producers.cast()))
    }

    /// The file's path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The slots that no thread has.
    pub(crate) fn free(&self) -> &FreeSlots {
        &self.free
    }

    /// What only the thread with slot `slot` writes.
    pub(crate) fn producer(&self, slot: usize) -> &'static Producer {
        debug_assert!(slot < self.header.slots as usize);
        // SAFETY: there is a producer for each slot, zeroed memory is a producer, and its mapping is never unmapped.
        unsafe { &*self.producers.add(slot) }
    }

    /// What the threads of all slots write.
    pub(crate) fn all_producers(&self) -> impl Iterator<Item = &'static Producer> + Clone {
        (0..self.header.slots as usize).map(|slot| self.producer(slot))
    }

    /// Slot `slot`.
    pub(crate) fn slot(&self, slot: usize) -> Slot {
        debug_assert!(slot < self.header.slots as usize);
        // SAFETY: both places are within mappings of that many slots, which are never unmapped.
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
        // SAFETY: an aligned word of the mapping, which is only reached as an atomic while it can change.
        unsafe { AtomicU64::from_ptr(self.fixed.add(at).cast()) }
    }

    /// Records that were dropped because their thread got no slot.
    pub(crate) fn unattached(&self) -> &AtomicU64 {
        self.word(at::UNATTACHED)
    }

    /// Appends to the metadata. What does not fit is left out, and said so.
    pub(crate) fn append_metadata(&self, bytes: &[u8]) -> bool {
        let length = self.word(at::METADATA_BYTES);
        let used = length.load(Ordering::Relaxed) as usize;
        if bytes.len() > self.header.metadata_capacity as usize - used {
            return false;
        }
        // SAFETY: the room was tested; only the writer thread appends, and readers stay below the length.
        unsafe {
            let place = self.fixed.add(self.header.metadata_at() + used);
            ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len());
        }
        length.store((used + bytes.len()) as u64, Ordering::Release);
        true
    }

    /// Writes the piece number `number`, from 1 on, of the clock table.
    pub(crate) fn set_clock_piece(&self, number: u64, piece: &Piece) {
        let at = table::AT + (number % table::PIECES as u64) as usize * table::PIECE_BYTES;
        // Whoever finds it half written finds none.
        self.word(at + table::NUMBER).store(0, Ordering::Relaxed);
        fence(Ordering::Release);
        self.word(at + table::FIRST_TICKS).store(piece.first_ticks, Ordering::Relaxed);
        self.word(at + table::FIRST_NS).store(piece.first_ns, Ordering::Relaxed);
        self.word(at + table::RATE).store(piece.rate.0, Ordering::Relaxed);
        self.word(at + table::NUMBER).store(number, Ordering::Release);
    }

    /// Tells where the trace file is, so that a recovery finds it. A path that is too long is not told.
    pub(crate) fn set_trace_path(&self, path: &[u8]) {
        // SAFETY: the word is aligned and within the mapping.
        let length = unsafe { AtomicU32::from_ptr(self.fixed.add(at::PATH_BYTES).cast()) };
        length.store(0, Ordering::Release);
        if path.len() > layout::MAX_PATH_BYTES {
            return;
        }
        // SAFETY: it fits behind `at::PATH` in the header page, as was tested.
        unsafe { ptr::copy_nonoverlapping(path.as_ptr(), self.fixed.add(at::PATH), path.len()) };
        length.store(path.len() as u32, Ordering::Release);
    }

    /// Writes a commit: `positions` gives for each slot how far its ring is in the file, the dropped records that
    /// the file tells of, and the refused ones among them.
    pub(crate) fn commit(&self, sequence: u64, file_bytes: u64, positions: impl Iterator<Item = [u64; 3]>) {
        let bank_at = bank::AT[(sequence % 2) as usize];
        // No commit while it is written, for who reads the file of a process that lives.
        self.word(bank_at + bank::SEQUENCE).store(0, Ordering::Relaxed);
        fence(Ordering::Release);
        self.word(bank_at + bank::FILE_BYTES).store(file_bytes, Ordering::Relaxed);
        for (index, words) in positions.enumerate() {
            let at = bank_at + bank::SLOTS + index * bank::SLOT_BYTES;
            for (word_at, word) in words.into_iter().enumerate() {
                self.word(at + 8 * word_at).store(word, Ordering::Relaxed);
            }
        }
        // Release: whoever sees the number, also in the file of a process that is gone, sees what it numbers.
        self.word(bank_at + bank::SEQUENCE).store(sequence, Ordering::Release);
    }

    /// Puts memory of this process alone where the file is mapped: whoever still writes there is heard by nobody, and the file's
    /// memory is free when it is removed.
    pub(crate) fn disconnect(&self) {
        let rings_bytes = 2 * self.header.ring_bytes as usize * self.header.slots as usize;
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        let flags = MapFlags::PRIVATE | MapFlags::FIXED | MapFlags::NORESERVE;
        for (at, bytes) in [(self.fixed, self.header.ring_at(0)), (self.rings, rings_bytes)] {
            // SAFETY: exactly where the arena's own mappings are, or, in a child of a fork, are missing. Zeros are what
            // is in an arena that nobody has used.
            let _ = unsafe { rustix::mm::mmap_anonymous(at.cast(), bytes, protection, flags) };
        }
    }

    /// Removes the file. Threads that still have a slot write into memory that nobody reads.
    pub(crate) fn remove(&self) {
        let _ = fs::remove_file(&self.path);
        self.leave();
    }

    /// Leaves the file there for a recovery.
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
        "ten thousand arenas of this process's number are left over",
    ))
}
