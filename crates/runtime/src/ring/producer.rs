//! A thread's end of its ring: reserve, write, publish.
//!
//! Only the thread itself uses a [`Producer`], and signal handlers that interrupt it; but for the end of a session (`quiesce.rs`). The hot
//! path is [`reserve`] and [`Reserved::publish`], which are measured in single cycles:
//!
//! * `next` is the address of the next record, `limit` the address up to which there is room. One addition and one comparison
//!   decide. The ring is mapped twice in a row, so that no record is cut; the slow path goes back a lap.
//! * While a record is being written, the highest byte of `next` is all ones. Whoever comes then, which can only be a
//!   signal handler on the same thread, finds that `next` is beyond `limit`, takes the slow path, sees what it is, and is refused.
//!   So the guard against nesting costs one store, and the store that moves `next` on takes it away.
//! * `limit` is at most a quarter of the ring ahead. The slow path is taken four times a lap, looks how far the
//!   writer thread has come, and wakes it; the hot path knows nothing of that.
//! * A thread without a slot has a producer without room, and a forked child has one full of zeros, that has no room
//!   either. So neither costs a test.
//!
//! **Orderings.** The record's bytes are plain stores; `published` is stored with release after them, and the writer
//! thread loads it with acquire before it reads them. The writer thread stores `consumed` with release after
//! it has copied bytes away, and the slow path loads it with acquire before the bytes are written again. `next` and
//! `limit` are seen by signal handlers, for which program order is all that is needed, and the compiler keeps it at the fences;
//! and by the end of a session, which brings its own barrier.

#![expect(unsafe_code, reason = "the published position is found by address")]

use std::ptr;
use std::sync::atomic::AtomicPtr;

pub(crate) use super::current::{clear_current, current, set_current};
use super::slot::{self, Slot};
use crate::os::sync::{self, AtomicU32, AtomicU64, Ordering, compiler_fence};

/// What only its thread writes, until the session ends. All zero in a child of a fork.
#[derive(Debug)]
#[repr(C, align(128))]
pub(crate) struct Producer {
    /// The address of the next record; marked while the thread is inside a probe.
    pub(crate) next: AtomicU64,
    /// The address up to which there is room.
    pub(crate) limit: AtomicU64,
    /// The slot's page.
    pub(crate) page: AtomicPtr<u8>,
    /// What it is: one of the constants below.
    pub(crate) kind: AtomicU32,
    /// The ring's size.
    pub(crate) ring_bytes: AtomicU32,
    /// The ring.
    pub(crate) ring: AtomicPtr<u8>,
    /// The session that it belongs to.
    pub(crate) session: AtomicU64,
    /// Records dropped since the last one that was recorded, of which the ring does not tell yet.
    pub(crate) pending: AtomicU64,
    /// The number of the page of a flight recorder's ring that is being written.
    pub(crate) page_number: AtomicU64,
}

/// With a ring.
pub(crate) const ATTACHED: u32 = 1;
/// Of threads that have no slot. (0 is that of a child of a fork.)
pub(crate) const DETACHED: u32 = 2;

/// The highest byte of `next` while the thread is inside a probe. No address has it.
const INSIDE: u8 = 0xff;

/// Whether `next` says that the thread is inside a probe.
pub(crate) fn is_inside(next: u64) -> bool {
    next >> 56 == u64::from(INSIDE)
}

/// Room for a record. The thread is inside a probe until it is published.
#[derive(Debug)]
pub(crate) struct Reserved {
    producer: &'static Producer,
    next: u64,
}

/// Room for a record of `bytes` bytes, a multiple of eight. `None`: not at first sight; ask [`reserve_slowly`](super::overflow::reserve_slowly).
#[inline(always)]
pub(crate) fn reserve(bytes: usize) -> Option<Reserved> {
    let producer = current();
    let next = producer.next.load(Ordering::Relaxed);
    if next + bytes as u64 > producer.limit.load(Ordering::Relaxed) {
        std::hint::cold_path();
        return None;
    }
    producer.enter();
    // The end of a session takes room away, and looks who is inside: one who was not yet finds that out here.
    if producer.has_moved(next) {
        std::hint::cold_path();
        producer.leave(producer.unmarked());
        return None;
    }
    Some(Reserved { producer, next })
}

impl Producer {
    /// Marks the thread as inside a probe.
    #[inline(always)]
    pub(crate) fn enter(&self) {
        sync::set_highest_byte(&self.next, INSIDE);
        compiler_fence(Ordering::SeqCst);
    }

    /// Whether `next` has changed between being read and being marked: a signal handler has recorded something, or has forked, or
    /// the session has ended.
    ///
    /// Looks at its lower half, beside the mark: a load of all of it would wait until the mark has left the store buffer.
    #[inline(always)]
    fn has_moved(&self, next: u64) -> bool {
        !sync::lower_half_is(&self.next, next as u32)
    }

    /// Where the next record goes, while the thread is inside a probe.
    pub(crate) fn unmarked(&self) -> u64 {
        self.next.load(Ordering::Relaxed) & (u64::MAX >> 8)
    }

    /// Leaves the probe; the next record goes to `next`.
    #[inline(always)]
    pub(crate) fn leave(&self, next: u64) {
        compiler_fence(Ordering::SeqCst);
        // Release: who sees that the thread is outside sees what it published. (On x86-64 that is any store.)
        self.next.store(next, Ordering::Release);
    }

    /// Makes the records before the address `next` visible to the writer thread.
    ///
    /// # Safety
    /// It is attached.
    #[inline(always)]
    pub(crate) unsafe fn publish(&self, next: u64) {
        let page = self.page.load(Ordering::Relaxed);
        // SAFETY: it is attached, so this is its slot's page.
        let published = unsafe { slot::published(page) };
        published.store(next, Ordering::Release);
    }

    /// Its slot.
    ///
    /// # Safety
    /// It is attached.
    pub(crate) unsafe fn slot(&self) -> Slot {
        let (page, ring) = (self.page.load(Ordering::Relaxed), self.ring.load(Ordering::Relaxed));
        // SAFETY: both were set from one slot when the producer was attached.
        unsafe { Slot::from_raw(page, ring, self.ring_bytes.load(Ordering::Relaxed)) }
    }
}

impl Reserved {
    /// Whose it is and where it begins, for who is not Rust.
    pub(crate) fn into_raw(self) -> (&'static Producer, u64) {
        (self.producer, self.next)
    }

    /// What [`Reserved::into_raw`] has given.
    ///
    /// # Safety
    /// It has, on this thread, and the thread is still inside that probe.
    pub(crate) unsafe fn from_raw(producer: &'static Producer, next: u64) -> Reserved {
        Reserved { producer, next }
    }

    /// Where the record goes.
    #[inline(always)]
    pub(crate) fn record(&self) -> *mut u8 {
        // The ring's mapping was exposed when it was made.
        ptr::with_exposed_provenance_mut(self.next as usize)
    }

    /// Makes the record, of the size that was reserved, visible to the writer thread, and leaves the probe.
    #[inline(always)]
    pub(crate) fn publish(self, bytes: usize) {
        let next = self.next + bytes as u64;
        // SAFETY: a producer that had room is attached.
        unsafe { self.producer.publish(next) };
        self.producer.leave(next);
    }
}
