//! An arena: a file on tmpfs with a ring for each of its threads. It outlives the process.
//!
//! The file is mapped when it is created, and everything except the rings is allocated. A thread
//! allocates the memory of its ring itself, in parts, before it first uses them. If there is no
//! memory, the kernel returns an error, and the thread drops its records.
//! [`ringtrace_wire::arena`] documents the layout.

#![expect(unsafe_code, reason = "memory that is shared with the crash image")]

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::{ptr, slice};

use ringtrace_wire::arena::{self as layout, Header, at, bank, clock as table};
use ringtrace_wire::ticks::Piece;
use rustix::mm::{Advice, MapFlags, ProtFlags};

use super::arena_file::{self, ArenaFile, cannot_allocate};
use super::directory::Directory;
use super::free_slots::FreeSlots;
use super::producer::Producer;
use super::slot::{IS_ALLOCATED, Slot};
use crate::os;
use crate::os::sync::{AtomicU32, AtomicU64, Ordering, fence};

#[derive(Debug)]
pub(crate) struct Arena {
    pub(crate) header: Header,
    path: PathBuf,
    is_private: bool,
    /// The file, or `None` after the arena was removed or left for a recovery.
    file: Mutex<Option<ArenaFile>>,
    /// The end of the allocated metadata. The lock is held while metadata is appended.
    metadata_end: Mutex<usize>,
    /// The part of the file before the rings.
    fixed: *mut u8,
    /// The rings. Each is mapped twice in a row.
    rings: *mut u8,
    /// The producers, in pages that the kernel zeroes in a forked child.
    producers: *mut Producer,
    free: FreeSlots,
}

/// The size of metadata from which it is written instead of copied.
const MANY_BYTES: usize = 16 << 10;

/// The trace file in a commit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CommittedFile {
    /// The number of the file, from 0.
    pub(crate) number: u64,
    /// The monotonic time of the file's first anchor.
    pub(crate) anchor_ns: u64,
    /// The number of valid bytes in the file.
    pub(crate) bytes: u64,
}

// SAFETY: the pointers point to mappings that live as long as the process. Shared words are
// accessed as atomics, and access to the bytes of rings follows the protocol of `producer.rs`.
unsafe impl Send for Arena {}
// SAFETY: the argument for `Send` also applies to `Sync`.
unsafe impl Sync for Arena {}

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

impl Arena {
    /// Creates a file in `directory` and maps it.
    ///
    /// # Errors
    /// Fails when there is not enough memory, or a system call fails.
    pub(crate) fn create(directory: &Arc<Directory>, header: Header) -> io::Result<Arena> {
        let file = ArenaFile::create(directory, &header)?;
        match Arena::map(file.as_fd(), header) {
            Ok((fixed, rings, producers)) => {
                let free = FreeSlots::all_of(header.slots as usize);
                // Threads store addresses within their rings as integers.
                rings.expose_provenance();
                let (path, is_private) = (file.path(), file.is_private());
                let file = Mutex::new(Some(file));
                let metadata_end = Mutex::new(arena_file::metadata_end(&header));
                Ok(Arena { header, path, is_private, file, metadata_end, fixed, rings, producers, free })
            }
            Err(error) => {
                file.remove(|| false);
                Err(cannot_allocate(directory, header.file_bytes() as u64, &error))
            }
        }
    }

    fn map(file: BorrowedFd<'_>, header: Header) -> io::Result<(*mut u8, *mut u8, *mut Producer)> {
        let fixed_bytes = header.ring_at(0);
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        let shared = MapFlags::SHARED;
        // SAFETY: a new mapping at an address that the kernel chooses does not affect other memory.
        // The advice changes no contents.
        let (fixed, populated) = unsafe {
            let fixed = rustix::mm::mmap(ptr::null_mut(), fixed_bytes, protection, shared, file, 0)?;
            (fixed, rustix::mm::madvise(fixed, layout::PAGE_BYTES, Advice::LinuxPopulateWrite))
        };
        if populated.is_err() {
            // Before Linux 5.14, threads cannot allocate the memory of their rings. Allocate all of
            // it now.
            IS_ALLOCATED.store(true, Ordering::Relaxed);
            arena_file::allocate(file, header.ring_at(0)..header.file_bytes())?;
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
        // Each ring is followed by itself and then by the next ring, which also follows it in the file. So the end
        // of a ring's first mapping is where one mapping of both starts.
        for index in 0..=slots {
            let (first, last) = (index.saturating_sub(1), index.min(slots - 1));
            let address = (2 * index).saturating_sub(1) * ring_bytes;
            let (bytes, offset) = ((last - first + 1) * ring_bytes, header.ring_at(first) as u64);
            // SAFETY: the address range is inside the mapping created above, which is still unused.
            unsafe {
                let address = rings.add(address).cast();
                rustix::mm::mmap(address, bytes, protection, shared | MapFlags::FIXED, file, offset)?;
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

    /// Whether the arena is in private memory, which does not outlive the process.
    pub(crate) fn is_private(&self) -> bool {
        self.is_private
    }

    /// Returns the number of bytes of the directory that threads may still allocate: the rest of the
    /// rings and the next part of the metadata.
    pub(super) fn unallocated_bytes(&self) -> u64 {
        let metadata_end = os::lock(&self.metadata_end);
        let file = os::lock(&self.file);
        let Some(file) = file.as_ref().filter(|file| !file.is_private()) else { return 0 };
        let slots_at = self.header.slot_at(0);
        let metadata_end = (*metadata_end + arena_file::METADATA_STEP).min(slots_at);
        let whole = metadata_end + self.header.file_bytes() - slots_at;
        (whole as u64).saturating_sub(file.allocated_bytes())
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

    /// Appends to the metadata, which must contain only the start of the preamble. Returns all of the
    /// metadata, or `None`, and appends nothing, if `bytes` do not fit. The caller must not use the result
    /// after the arena is disconnected.
    pub(crate) fn append_preamble(&'static self, bytes: &[u8]) -> Option<&'static [u8]> {
        if !self.append_metadata(bytes) {
            return None;
        }
        let length = self.word(at::METADATA_BYTES).load(Ordering::Acquire) as usize;
        // SAFETY: these bytes are in the mapping, which is never unmapped, and have been written. Later
        // metadata is appended after them, so they do not change before the arena is disconnected.
        Some(unsafe { slice::from_raw_parts(self.fixed.add(self.header.metadata_at()), length) })
    }

    /// Appends to the metadata. Returns `false`, and appends nothing, if `bytes` do not fit.
    pub(crate) fn append_metadata(&self, bytes: &[u8]) -> bool {
        let mut allocated = os::lock(&self.metadata_end);
        let length = self.word(at::METADATA_BYTES);
        let used = length.load(Ordering::Relaxed) as usize;
        if bytes.len() > self.header.metadata_capacity as usize - used {
            return false;
        }
        let at = self.header.metadata_at() + used;
        let end = at + bytes.len();
        // For many bytes, a system call is faster than a page fault for each page. It also allocates the memory.
        let is_written = bytes.len() >= MANY_BYTES
            && os::lock(&self.file).as_ref().is_some_and(|file| file.write_at(bytes, at as u64).is_ok());
        if is_written {
            *allocated = end.next_multiple_of(layout::PAGE_BYTES).max(*allocated);
        } else if end > *allocated {
            let new = end.next_multiple_of(arena_file::METADATA_STEP).min(self.header.slot_at(0));
            let file = os::lock(&self.file);
            let Some(file) = file.as_ref() else { return false };
            if arena_file::allocate(file.as_fd(), *allocated..new).is_err() {
                return false;
            }
            *allocated = new;
        }
        if !is_written {
            // SAFETY: the bytes fit, and there is memory for them. This thread holds the lock, and
            // readers do not read past the length.
            unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.fixed.add(at), bytes.len()) };
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

    fn half_word(&self, at: usize) -> &AtomicU32 {
        debug_assert!(at.is_multiple_of(4) && at < self.header.ring_at(0));
        // SAFETY: this is an aligned word of the mapping, accessed only as an atomic.
        unsafe { AtomicU32::from_ptr(self.fixed.add(at).cast()) }
    }

    /// Stores the path of trace file `number` for a recovery. If the paths of this file and the
    /// previous one are too long together, the path is not stored.
    ///
    /// No valid commit may refer to the file whose path this replaces, `number - 2`.
    pub(crate) fn set_trace_path(&self, number: u64, path: &[u8]) {
        let [length_at, other_at, path_at] = match number.is_multiple_of(2) {
            true => [at::PATH_BYTES, at::ODD_PATH_BYTES, at::PATH],
            false => [at::ODD_PATH_BYTES, at::PATH_BYTES, at::MONITOR.saturating_sub(path.len())],
        };
        let max_bytes = layout::MAX_PATH_BYTES - self.half_word(other_at).load(Ordering::Relaxed) as usize;
        self.set_path(length_at, path_at, max_bytes, path);
    }

    /// Stores the path of the monitor's socket for other programs. A path that is too long is not
    /// stored. The caller prevents concurrent calls.
    #[cfg(feature = "monitor")]
    pub(crate) fn set_monitor(&self, path: &[u8]) {
        self.set_path(at::MONITOR_BYTES, at::MONITOR, layout::MAX_MONITOR_BYTES, path);
    }

    fn set_path(&self, length_at: usize, path_at: usize, max_bytes: usize, path: &[u8]) {
        let length = self.half_word(length_at);
        length.store(0, Ordering::Release);
        if path.len() > max_bytes {
            return;
        }
        assert!(path_at + path.len() <= layout::PAGE_BYTES, "the path does not fit into the page");
        // SAFETY: the checks above ensure that the path fits after `path_at` in the header page.
        unsafe { ptr::copy_nonoverlapping(path.as_ptr(), self.fixed.add(path_at), path.len()) };
        length.store(path.len() as u32, Ordering::Release);
    }

    /// Stores the number of enabled events, so that other programs can read it.
    pub(crate) fn set_events_on(&self, count: usize) {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        self.half_word(at::EVENTS_ON).store(count, Ordering::Relaxed);
    }

    /// Writes a commit. For each slot, `positions` yields the ring position up to which records are
    /// in the file or earlier ones, and the counts of dropped and refused records in these files.
    pub(crate) fn commit(
        &self,
        sequence: u64,
        file: &CommittedFile,
        positions: impl Iterator<Item = [u64; 3]>,
    ) {
        let bank_at = bank::AT[(sequence % 2) as usize];
        // While the commit is being written, it must be invalid for other processes that read the
        // file.
        self.word(bank_at + bank::SEQUENCE).store(0, Ordering::Relaxed);
        fence(Ordering::Release);
        self.word(bank_at + bank::FILE_BYTES).store(file.bytes, Ordering::Relaxed);
        self.word(bank_at + bank::FILE).store(file.number, Ordering::Relaxed);
        self.word(bank_at + bank::ANCHOR_NS).store(file.anchor_ns, Ordering::Relaxed);
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

    /// Replaces the mapping of the file with private memory. Later writes by threads are lost, and
    /// removing the file frees its memory. Returns whether the file is now entirely unmapped.
    pub(crate) fn disconnect(&self) -> bool {
        let rings_bytes = 2 * self.header.ring_bytes as usize * self.header.slots as usize;
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        let flags = MapFlags::PRIVATE | MapFlags::FIXED | MapFlags::NORESERVE;
        let mut is_unmapped = true;
        for (at, bytes) in [(self.fixed, self.header.ring_at(0)), (self.rings, rings_bytes)] {
            // SAFETY: the ranges are the arena's own mappings, which a forked child does not have.
            // Zeros are the contents of an unused arena.
            is_unmapped &= unsafe { rustix::mm::mmap_anonymous(at.cast(), bytes, protection, flags) }.is_ok();
        }
        is_unmapped
    }

    /// Returns the directory of the file, or `None` after the arena was removed or left for a
    /// recovery.
    pub(crate) fn directory(&self) -> Option<Arc<Directory>> {
        os::lock(&self.file).as_ref().map(|file| Arc::clone(file.directory()))
    }

    /// Removes the file. Threads that still have a slot write into memory that is never read.
    pub(crate) fn remove(&self) {
        if let Some(file) = os::lock(&self.file).take() {
            // If the file cannot be removed, it is emptied. Threads must not access the missing
            // pages.
            file.remove(|| self.disconnect());
        }
    }

    /// Closes the file in a forked child, whose copy of the descriptor would keep the memory
    /// allocated after the parent has removed the file. Keeps the directory open, for the child's
    /// own arenas.
    pub(crate) fn close_in_child(&self) {
        // If another thread held the lock during the fork, it was closing the file.
        let file = self.file.try_lock().ok().and_then(|mut file| file.take());
        file.into_iter().for_each(|file| std::mem::forget(Arc::clone(file.directory())));
    }

    /// Notes in the file that other rings are in private memory.
    pub(crate) fn note_private_rings(&self) {
        self.half_word(at::PRIVATE).store(1, Ordering::Release);
    }

    /// Leaves the file for a recovery, because the writer thread could not write the last events.
    pub(crate) fn leave(&self) {
        self.half_word(at::UNWRITTEN).store(1, Ordering::Release);
        let file = os::lock(&self.file).take();
        drop(file);
    }
}
