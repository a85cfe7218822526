//! A thread's end of its ring: it reserves room, writes records and publishes them.
//!
//! Only the thread itself, with the signal handlers that interrupt it, uses its [`Producer`]. The
//! exception is the end of a session (`quiesce.rs`). The hot path is [`reserve`] and
//! [`Reserved::publisher`], where single cycles matter:
//!
//! * `next` is the address of the next record, and `limit` the end of the known room. A reservation
//!   costs one addition and one comparison. The ring is mapped twice in a row, so records are never
//!   split; the slow path subtracts the ring's size from `next` after each lap.
//! * While a record is being written, the highest byte of `next` is all ones. A signal handler on
//!   the same thread finds `next` beyond `limit`, and takes the slow path, which drops its record.
//!   So the guard against nested probes costs one store. The store that advances `next` removes the
//!   mark.
//! * `limit` is at most a quarter of the ring ahead, so the slow path runs four times a lap. It
//!   checks the writer thread's progress, and wakes it. The hot path does neither.
//! * The slow path marks `next` with another byte, and changes it by read-modify-write instructions
//!   only. So the end of a session can cut off a thread that does not run (`quiesce.rs`).
//! * A thread without a slot has a producer without room. The producer of a forked child is all
//!   zeros, which also means no room. So neither case needs a test.
//!
//! **Orderings.** The record's bytes are plain stores. The thread then stores `published` with
//! release, and the writer thread loads it with acquire before it reads the bytes. The writer
//! thread stores `consumed` with release after it has copied bytes, and the slow path loads it with
//! acquire before the thread overwrites them. Signal handlers read `next` and `limit`. For them
//! program order suffices, which the compiler fences preserve. The end of a session also reads
//! these words, and uses its own barrier.

#![expect(unsafe_code, reason = "the published position is found by address")]

use std::ptr;
use std::sync::atomic::AtomicPtr;

pub(crate) use super::current::{clear_current, current, set_current};
use super::slot::{self, Slot};
use crate::os::sync::{self, AtomicU32, AtomicU64, Ordering, compiler_fence};

/// The words that only the slot's thread writes until the session ends. They are zeroed in a forked
/// child.
#[derive(Debug)]
#[repr(C, align(128))]
pub(crate) struct Producer {
    /// The address of the next record; marked while the thread is inside a probe.
    pub(crate) next: AtomicU64,
    /// The end of the known room.
    pub(crate) limit: AtomicU64,
    pub(crate) page: AtomicPtr<u8>,
    /// 0 in a forked child, else one of the constants below.
    pub(crate) kind: AtomicU32,
    pub(crate) ring_bytes: AtomicU32,
    /// 1 after a record was counted as dropped, until it is counted for its event, too.
    pub(crate) is_unnamed: AtomicU32,
    pub(crate) ring: AtomicPtr<u8>,
    pub(crate) session: AtomicU64,
    /// Records dropped since the last recorded one, and not yet reported in the ring.
    pub(crate) pending: AtomicU64,
    /// The number of the page that is being written in a flight recorder's ring.
    pub(crate) page_number: AtomicU64,
    /// The number of records that the slot's threads have dropped, including refused ones, and
    /// [`CLOSED`] after the end of the session.
    pub(crate) dropped: AtomicU64,
    /// The part of the ring that has memory: the number of bytes from its start or, in a flight
    /// recorder, a bit for each page.
    pub(crate) allocated: AtomicU64,
}

/// The bit of [`Producer::dropped`] that stops the counting.
pub(crate) const CLOSED: u64 = 1 << 63;

pub(crate) const ATTACHED: u32 = 1;
pub(crate) const DETACHED: u32 = 2;

/// The highest byte of `next` while the thread is inside a probe. No address has this value, or the
/// one below it.
const INSIDE: u8 = 0xff;

/// The highest byte of `next` while the thread is on the slow path and looks for room.
const LOOKING: u8 = 0xfe;

/// Returns whether the thread is inside a probe, with or without room.
pub(crate) fn is_inside(next: u64) -> bool {
    next >> 56 >= u64::from(LOOKING)
}

/// Returns whether the thread is inside a probe and has room. Then only the check after the mark
/// can still keep it from writing its record.
pub(crate) fn has_room(next: u64) -> bool {
    next >> 56 == u64::from(INSIDE)
}

/// Set in `next` when the session has ended. The upper bit makes `next` greater than every limit,
/// so a thread that reads it finds no room. The lowest bit changes the half that [`reserve`]
/// compares, so a thread that has read `next` before finds that it has moved. Neither bit is set in
/// the address of a record.
pub(crate) const REVOKED: u64 = 1 << 55 | 1;

/// Set in `next`, in addition to [`REVOKED`], when the session ended while the thread was inside a
/// probe, and its event was counted as dropped.
pub(crate) const COUNTED: u64 = 2;

/// Returns the address in `next`.
pub(crate) fn address(next: u64) -> u64 {
    next & (u64::MAX >> 9) & !7
}

/// Room for a record. The thread is inside a probe until the record is published.
#[derive(Debug)]
pub(crate) struct Reserved {
    producer: &'static Producer,
    next: u64,
}

/// Reserves room for a record of `bytes` bytes, a multiple of eight. If this returns `None`, call
/// [`reserve_slowly`](super::overflow::reserve_slowly).
#[inline(always)]
pub(crate) fn reserve(bytes: usize) -> Option<Reserved> {
    let producer = current();
    let next = producer.next.load(Ordering::Relaxed);
    if next + bytes as u64 > producer.limit.load(Ordering::Relaxed) {
        std::hint::cold_path();
        return None;
    }
    producer.enter();
    // The end of a session revokes all room, and then checks which threads are inside a probe. A
    // thread that the check did not find inside detects the end here.
    if producer.has_moved(next) {
        std::hint::cold_path();
        producer.unmark();
        return None;
    }
    Some(Reserved { producer, next })
}

impl Producer {
    #[inline(always)]
    pub(crate) fn enter(&self) {
        sync::set_highest_byte(&self.next, INSIDE);
        compiler_fence(Ordering::SeqCst);
    }

    /// Returns whether `next` changed between the load and the mark: a signal handler has recorded
    /// or forked, or the session has ended.
    ///
    /// Loads only the lower half, which does not overlap the mark: a load of the whole word would
    /// wait until the mark has left the store buffer.
    #[inline(always)]
    fn has_moved(&self, next: u64) -> bool {
        !sync::lower_half_is(&self.next, next as u32)
    }

    /// Leaves a probe because `next` has moved. Keeps the bits that the end of a session may set at
    /// this moment.
    pub(crate) fn unmark(&self) {
        compiler_fence(Ordering::SeqCst);
        self.next.fetch_and(u64::MAX >> 8, Ordering::Relaxed);
    }

    /// Enters the slow path. Returns `next` without its mark.
    pub(crate) fn start_looking(&self) -> u64 {
        let next = self.next.fetch_or(u64::from(LOOKING) << 56, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        next
    }

    /// Enters the slow path for a thread that takes the slot. Discards the previous thread's
    /// position and [`REVOKED`].
    pub(crate) fn start_attaching(&self) {
        self.next.swap(u64::from(LOOKING) << 56, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
    }

    /// Leaves the slow path, which the thread entered with `next` at `from`. Its next record will
    /// be at `to`. Returns `false` if the session has ended meanwhile. The thread is then outside
    /// the probe and has no room.
    ///
    /// Release: as for [`Producer::leave`].
    pub(crate) fn finish_looking(&self, from: u64, to: u64) -> bool {
        compiler_fence(Ordering::SeqCst);
        let looking = from | u64::from(LOOKING) << 56;
        let left = self.next.compare_exchange(looking, to, Ordering::Release, Ordering::Relaxed).is_ok();
        if !left {
            self.limit.store(0, Ordering::Relaxed);
            self.leave(from | REVOKED);
        }
        left
    }

    /// Revokes all room in a forked child, where the thread is inside a probe of the parent's
    /// session. Otherwise the child would continue in memory that nobody reads.
    pub(crate) fn revoke_inherited(&self) {
        self.limit.store(0, Ordering::Relaxed);
        let next = self.next.load(Ordering::Relaxed);
        if is_inside(next) && !has_room(next) {
            self.next.store(next | REVOKED, Ordering::Relaxed);
        }
    }

    /// Returns whether the end of a session has counted this thread's current event as dropped,
    /// because the thread did not run between entering a probe and the check for the end.
    pub(crate) fn is_cut_off(&self) -> bool {
        let next = self.next.load(Ordering::Relaxed);
        next & COUNTED != 0 && !is_inside(next)
    }

    /// Returns [`Producer::is_cut_off`], and resets it.
    pub(crate) fn take_cut_off(&self) -> bool {
        let is_cut_off = self.is_cut_off();
        if is_cut_off {
            self.next.fetch_and(!COUNTED, Ordering::Relaxed);
        }
        is_cut_off
    }

    /// Returns and clears the flag that says that this thread has counted a dropped record which is
    /// not yet attributed to an event.
    pub(crate) fn take_unnamed(&self) -> bool {
        let is_unnamed = self.is_unnamed.load(Ordering::Relaxed) != 0;
        if is_unnamed {
            self.is_unnamed.store(0, Ordering::Relaxed);
        }
        is_unnamed
    }

    /// Counts dropped records. Returns the new count, or `None` if the session has ended. In that
    /// case, its file does not report the records.
    pub(crate) fn add_dropped(&self, records: u64) -> Option<u64> {
        let mut dropped = self.dropped.load(Ordering::Relaxed);
        while dropped & CLOSED == 0 {
            // Release: if a thread has just attached, a reader that takes its count also sees that
            // the slot has an owner. A signal handler of this thread may count, too.
            let sum = dropped + records;
            match self.dropped.compare_exchange(dropped, sum, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return Some(sum),
                Err(now) => dropped = now,
            }
        }
        None
    }

    #[inline(always)]
    pub(crate) fn leave(&self, next: u64) {
        compiler_fence(Ordering::SeqCst);
        // Release: a reader that sees the thread outside a probe sees what it published. (On x86-64
        // every store is a release.)
        self.next.store(next, Ordering::Release);
    }

    /// Returns the word that shows the writer thread the end of the published records.
    ///
    /// # Safety
    /// The producer must be attached.
    #[inline(always)]
    pub(crate) unsafe fn published(&self) -> &'static AtomicU64 {
        let page = self.page.load(Ordering::Relaxed);
        // SAFETY: the producer is attached, so this is its slot's page.
        unsafe { slot::published(page) }
    }

    /// Returns the producer's slot.
    ///
    /// # Safety
    /// The producer must be attached.
    pub(crate) unsafe fn slot(&self) -> Slot {
        let (page, ring) = (self.page.load(Ordering::Relaxed), self.ring.load(Ordering::Relaxed));
        // SAFETY: both were set from one slot when the producer was attached.
        unsafe { Slot::from_raw(page, ring, self.ring_bytes.load(Ordering::Relaxed)) }
    }
}

impl Reserved {
    /// Returns the producer and the record's address, for code in other languages.
    pub(crate) fn into_raw(self) -> (&'static Producer, u64) {
        (self.producer, self.next)
    }

    /// Rebuilds a reservation from the result of [`Reserved::into_raw`].
    ///
    /// # Safety
    /// The values must be from `into_raw` on this thread, and the thread must still be inside that
    /// probe.
    pub(crate) unsafe fn from_raw(producer: &'static Producer, next: u64) -> Reserved {
        Reserved { producer, next }
    }

    #[inline(always)]
    pub(crate) fn record(&self) -> *mut u8 {
        // The provenance of the ring's mapping was exposed when it was created.
        ptr::with_exposed_provenance_mut(self.next as usize)
    }

    /// Returns a function that publishes the record with its reserved size, and leaves the probe. It
    /// loads nothing.
    #[inline(always)]
    pub(crate) fn publisher(self, bytes: usize) -> impl FnOnce() {
        let Reserved { producer, next } = self;
        let next = next + bytes as u64;
        // SAFETY: the producer had room, so it is attached.
        let published = unsafe { producer.published() };
        move || {
            published.store(next, Ordering::Release);
            producer.leave(next);
        }
    }
}
