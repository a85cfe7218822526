//! A thread's end of its ring: reserve, write, publish.
//!
//! Only the thread itself writes a [`Producer`], and signal handlers that interrupt it. The hot path is
//! [`reserve`] and [`Reserved::publish`]:
//!
//! * `position` is where the next record begins, `limit` up to where there is room. One subtraction and one test decide.
//! * While a record is being written, `position` is far beyond `limit` and no multiple of eight: whoever comes then, which
//!   can only be a signal handler on the same thread, finds less than no room, takes the slow path, sees what it is,
//!   and is refused. So the guard against nesting costs one store.
//! * `limit` is at most a quarter of the ring ahead. The slow path is taken four times a round, looks how far the
//!   writer thread has come, and wakes it; the hot path knows nothing of that.
//! * A thread without a slot has a producer without room, and a forked child has one full of zeros, that has no room
//!   either. So neither costs a test.
//!
//! **Orderings.** The record's bytes are plain stores; `published` is stored with release after them, and the writer
//! thread loads it with acquire before it reads them. The writer thread stores `consumed` with release after
//! it has copied bytes away, and the slow path loads it with acquire before the bytes are written again. `position` and
//! `limit` are atomics only because a signal handler may see them; on one thread program order is all that is needed, and
//! the compiler keeps it at the fences.

use std::cell::Cell;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering, compiler_fence};

use ringtrace_wire::arena::advance;

use crate::arena::Slot;
use crate::slow;

/// What only its thread writes. All zero in a child of a fork.
#[derive(Debug)]
#[repr(C, align(128))]
pub(crate) struct Producer {
    /// Where the next record begins; no multiple of eight while the thread is inside a probe.
    pub(crate) position: AtomicU64,
    /// Up to where there is room, in the lower half.
    pub(crate) limit: AtomicU64,
    /// The ring.
    pub(crate) ring: AtomicPtr<u8>,
    /// The slot's page.
    pub(crate) page: AtomicPtr<u8>,
    /// The thread, where the id of a record has it.
    pub(crate) thread: AtomicU64,
    /// The process.
    pub(crate) pid: AtomicU32,
    /// The ring's size, less one.
    pub(crate) mask: AtomicU32,
    /// What it is: one of the constants below.
    pub(crate) kind: AtomicU32,
    /// The slot's place among all slots of the session.
    pub(crate) index: AtomicU32,
    /// The session that it belongs to.
    pub(crate) session: AtomicU64,
    /// Records dropped since the last one that was recorded, of which the ring does not tell yet.
    pub(crate) pending: AtomicU64,
    /// When the first of them happened.
    pub(crate) pending_since_ns: AtomicU64,
}

/// In a child of a fork.
pub(crate) const WIPED: u32 = 0;
/// With a ring.
pub(crate) const ATTACHED: u32 = 1;
/// Of threads that have no slot.
pub(crate) const NOWHERE: u32 = 2;

/// The producer of threads that have no slot: it never has room, and nobody writes to it.
static NO_SLOT: Producer = Producer {
    position: AtomicU64::new(0),
    limit: AtomicU64::new(0),
    ring: AtomicPtr::new(std::ptr::null_mut()),
    page: AtomicPtr::new(std::ptr::null_mut()),
    thread: AtomicU64::new(0),
    pid: AtomicU32::new(0),
    mask: AtomicU32::new(0),
    kind: AtomicU32::new(NOWHERE),
    index: AtomicU32::new(0),
    session: AtomicU64::new(0),
    pending: AtomicU64::new(0),
    pending_since_ns: AtomicU64::new(0),
};

thread_local! {
    static CURRENT: Cell<&'static Producer> = const { Cell::new(&NO_SLOT) };
}

/// This thread's producer.
#[inline(always)]
pub(crate) fn current() -> &'static Producer {
    CURRENT.get()
}

/// Makes `producer` this thread's.
pub(crate) fn set_current(producer: &'static Producer) {
    CURRENT.set(producer);
}

/// Takes this thread's producer away.
pub(crate) fn clear_current() {
    CURRENT.set(&NO_SLOT);
}

/// How far beyond the limit the position of a thread is that is inside a probe. The slow path moves the limit
/// meanwhile, by less than the size of a ring, which is at most half of this.
const BUSY: u32 = 0x4000_0007;

/// The position that says that the thread is inside a probe.
#[inline(always)]
pub(crate) fn busy(limit: u32) -> u64 {
    u64::from(limit.wrapping_add(BUSY))
}

/// Whether `position` says that the thread is inside a probe.
pub(crate) fn is_busy(position: u64) -> bool {
    !position.is_multiple_of(8)
}

/// Room for a record. The thread is inside a probe until it is published.
#[derive(Debug)]
pub(crate) struct Reserved {
    producer: &'static Producer,
    position: u64,
}

/// Room for a record of `bytes` bytes, a multiple of eight. `None`: it is dropped, and counted.
#[inline(always)]
pub(crate) fn reserve(bytes: u32) -> Option<Reserved> {
    loop {
        let producer = current();
        let position = producer.position.load(Ordering::Relaxed);
        let limit = producer.limit.load(Ordering::Relaxed) as u32;
        // Signed: beyond the limit there is less than no room.
        if limit.wrapping_sub(position as u32).cast_signed() >= bytes.cast_signed() {
            producer.position.store(busy(limit), Ordering::Relaxed);
            compiler_fence(Ordering::SeqCst);
            return Some(Reserved { producer, position });
        }
        std::hint::cold_path();
        if !slow::make_room(producer, bytes) {
            return None;
        }
    }
}

impl Reserved {
    /// Where the record goes.
    #[inline(always)]
    pub(crate) fn record(&self) -> *mut u8 {
        let offset = self.position as u32 & self.producer.mask.load(Ordering::Relaxed);
        self.producer.ring.load(Ordering::Relaxed).wrapping_add(offset as usize)
    }

    /// The thread, where the id of a record has it.
    #[inline(always)]
    pub(crate) fn thread(&self) -> u64 {
        self.producer.thread.load(Ordering::Relaxed)
    }

    /// The process.
    #[inline(always)]
    pub(crate) fn pid(&self) -> u32 {
        self.producer.pid.load(Ordering::Relaxed)
    }

    /// Makes the record, of the size that was reserved, visible to the writer thread, and leaves the probe.
    #[inline(always)]
    pub(crate) fn publish(self, bytes: u32) {
        let next = advance(self.position, 1, bytes);
        let page = self.producer.page.load(Ordering::Relaxed);
        // SAFETY: a producer that had room is attached, so `page` is its slot's; it is never unmapped.
        let published = unsafe { AtomicU64::from_ptr(page.cast()) };
        published.store(next, Ordering::Release);
        compiler_fence(Ordering::SeqCst);
        self.producer.position.store(next, Ordering::Relaxed);
    }
}

impl Producer {
    /// Its slot.
    ///
    /// # Safety
    /// It is attached.
    pub(crate) unsafe fn slot(&self) -> Slot {
        let (page, ring) = (self.page.load(Ordering::Relaxed), self.ring.load(Ordering::Relaxed));
        // SAFETY: both were set from one slot when the producer was attached.
        unsafe { Slot::from_raw(page, ring, self.mask.load(Ordering::Relaxed).wrapping_add(1)) }
    }
}
