//! What a probe does when it cannot simply write: getting a slot, waking the writer thread, a full ring.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering, compiler_fence, fence};

use ringtrace_wire::arena::{Full, RING_PAGES, ring_page_at};
use ringtrace_wire::ring::{self, ALIGNMENT};

use crate::arena::{ENTERED, LEFT, NOBODY, Slot, USED};
use crate::producer::{self, ATTACHED, NOWHERE, Producer};
use crate::session::{self, Session};
use crate::signal::{self, KeptErrno};
use crate::{clock, exit, fork, wait};

thread_local! {
    /// Set while the thread gets a slot, so that a signal handler does not get another one.
    static ATTACHING: Cell<bool> = const { Cell::new(false) };
}

/// Events that found neither a slot nor a session to count them.
static HOMELESS: AtomicU64 = AtomicU64::new(0);

/// Makes room for a record of `bytes` bytes. `false`: there is none, and the loss is counted.
#[cold]
#[inline(never)]
pub(crate) fn make_room(producer: &'static Producer, bytes: usize) -> bool {
    let _errno = KeptErrno::new();
    match producer.kind.load(Ordering::Relaxed) {
        ATTACHED => {}
        NOWHERE => return attach(),
        _ => return session::in_child(),
    }
    let next = producer.next.load(Ordering::Relaxed);
    // SAFETY: it is attached.
    let slot = unsafe { producer.slot() };
    if producer::is_inside(next) {
        count(slot.refused());
        count(slot.dropped());
        return false;
    }
    let Some(session) = session::current().filter(|s| s.id == producer.session.load(Ordering::Relaxed))
    else {
        producer::clear_current();
        return attach();
    };
    producer.enter();
    // A handler may have recorded something before, or have forked: then this is the child.
    let next = producer.unmarked();
    if producer.kind.load(Ordering::Relaxed) != ATTACHED {
        producer.leave(next);
        return true;
    }
    // Pairs with the writer thread's at the end: it sees this thread inside, or this one sees the end.
    fence(Ordering::SeqCst);
    if session.is_stopping() {
        producer.leave(next);
        producer::clear_current();
        return attach();
    }
    let full = FullRing { session, producer, slot, next };
    let found = match session.full {
        Full::Overwrite => full.next_page(bytes),
        Full::Discard => full.look(bytes),
        Full::Block => full.look(bytes).or_else(|| full.wait(bytes)),
    };
    if found.is_none() {
        full.drop_one();
    }
    producer.leave(found.unwrap_or(next));
    found.is_some()
}

/// Adds one to a count that only this thread, and its signal handlers, write.
fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// A ring without room up to its limit, and the thread inside a probe.
struct FullRing {
    session: &'static Session,
    producer: &'static Producer,
    slot: Slot,
    next: u64,
}

impl FullRing {
    /// Looks how far the writer thread has come. Sets the limit and says where the next record goes.
    fn look(&self, bytes: usize) -> Option<u64> {
        let (ring_bytes, bytes) = (u64::from(self.slot.ring_bytes()), bytes as u64);
        let quarter = ring_bytes / 4;
        let pending = self.producer.pending.load(Ordering::Relaxed);
        let told = if pending > 0 { ring::DROPPED_BYTES as u64 } else { 0 };
        let base = self.slot.ring().addr() as u64;
        // Acquire: what the writer thread has copied away may be written again.
        let consumed = self.slot.consumed().load(Ordering::Acquire);
        let used = (self.next - base).wrapping_sub(consumed) & (ring_bytes - 1);
        if used >= quarter {
            self.session.wake_writer();
        }
        // Never to the last word: a full ring would look like an empty one.
        let free = ring_bytes - ALIGNMENT as u64 - used;
        if free < bytes + told {
            return None;
        }
        let mut next = if self.next - base < ring_bytes { self.next } else { self.next - ring_bytes };
        let limit = next + free.min(told + quarter.max(bytes));
        if pending > 0 {
            let since = self.producer.pending_since.load(Ordering::Relaxed);
            let words = ring::dropped(pending, since);
            // SAFETY: there is room for it in the ring, and it is this thread's.
            unsafe { self.slot.ring().add((next - base) as usize).cast::<[u64; 3]>().write(words) };
            next += told;
            self.slot.published().store(next, Ordering::Release);
            self.producer.pending.store(0, Ordering::Relaxed);
        }
        self.producer.limit.store(limit, Ordering::Relaxed);
        Some(next)
    }

    /// Waits for the writer thread, for as long as the program allows.
    fn wait(&self, bytes: usize) -> Option<u64> {
        if !wait::may_block() || !self.session.has_writer() {
            return None;
        }
        for _ in 0..200 {
            if let Some(next) = self.look(bytes) {
                return Some(next);
            }
            std::hint::spin_loop();
        }
        let give_up = self.session.block_timeout.map(wait::Deadline::after);
        let waiting = self.slot.waiting();
        let found = loop {
            let seen = self.slot.room().load(Ordering::Relaxed);
            waiting.store(1, Ordering::Relaxed);
            // Pairs with the fence of the writer thread between making room and asking who waits: one of the two
            // sees what the other did.
            fence(Ordering::SeqCst);
            if let Some(next) = self.look(bytes) {
                break Some(next);
            }
            self.session.wake_writer();
            if !wait::for_change(self.slot.room(), seen, give_up.as_ref()) || !self.session.has_writer() {
                break self.look(bytes);
            }
        };
        waiting.store(0, Ordering::Relaxed);
        found
    }

    /// Goes to the next page that nobody reads, whose records are lost.
    fn next_page(&self, bytes: usize) -> Option<u64> {
        let page_bytes = self.slot.ring_bytes() as usize / RING_PAGES;
        if bytes > page_bytes {
            return None;
        }
        let base = self.slot.ring().addr() as u64;
        let left_number = self.producer.page_number.load(Ordering::Relaxed);
        let left = self.slot.ring_page(left_number);
        for number in left_number + 1..=left_number + RING_PAGES as u64 {
            let page = self.slot.ring_page(number);
            // Acquire: a reader that had it is done. It fails only while one has it.
            if page.claim.compare_exchange(NOBODY, ENTERED, Ordering::Acquire, Ordering::Relaxed).is_err() {
                continue;
            }
            let mut before = 0;
            if left_number != 0 {
                let first = base + ring_page_at(left_number, page_bytes) as u64;
                // Counted here, because counting on the hot path costs a twentieth of it.
                // SAFETY: the page is this thread's, and is written up to `next`.
                let written = unsafe { self.slot.bytes(first - base, (self.next - first) as usize) };
                let records = ring::count(written);
                before = left.before.load(Ordering::Relaxed) + records;
                left.records.store(records, Ordering::Relaxed);
                // Release: a reader that sees how much it is sees what it is.
                left.bytes.store(self.next - first, Ordering::Release);
            }
            if page.number.load(Ordering::Relaxed) != 0 {
                let lost = page.records.load(Ordering::Relaxed);
                self.slot.overwritten().fetch_add(lost, Ordering::Relaxed);
            }
            page.bytes.store(0, Ordering::Relaxed);
            page.records.store(0, Ordering::Relaxed);
            page.before.store(before, Ordering::Relaxed);
            page.tid.store(self.slot.tid().load(Ordering::Relaxed), Ordering::Relaxed);
            page.number.store(number, Ordering::Relaxed);
            self.producer.page_number.store(number, Ordering::Relaxed);
            let next = base + ring_page_at(number, page_bytes) as u64;
            self.producer.limit.store(next + page_bytes as u64, Ordering::Relaxed);
            // Release, after the size of the page that was left: a reader of that one who sees an address in another
            // page looks at its size again.
            self.slot.published().store(next, Ordering::Release);
            page.claim.store(NOBODY, Ordering::Release);
            return Some(next);
        }
        None
    }

    /// Counts a record that is dropped.
    fn drop_one(&self) {
        count(self.slot.dropped());
        let pending = self.producer.pending.load(Ordering::Relaxed);
        if pending == 0 {
            self.producer.pending_since.store(clock::stamp(), Ordering::Relaxed);
        }
        self.producer.pending.store(pending + 1, Ordering::Relaxed);
    }
}

/// Gives this thread a slot. No lock, no allocation and no system call but those that name the thread, so a signal
/// handler may come first.
fn attach() -> bool {
    let Some(session) = session::current().or_else(fork::session_of_child) else {
        count(&HOMELESS);
        return false;
    };
    if ATTACHING.replace(true) {
        count(session.unattached());
        return false;
    }
    let taken = session.take_slot();
    signal::note_usually_blocked();
    if let Some((arena, index)) = taken {
        let slot = arena.slot(index);
        let producer = arena.producer(index);
        let tid = wait::thread_id();
        slot.set_name(wait::thread_name());
        slot.tid().store(tid, Ordering::Relaxed);
        slot.tenant().fetch_add(1, Ordering::Relaxed);
        if producer.kind.load(Ordering::Relaxed) != ATTACHED {
            // Its first thread. No room yet: the slow path finds out how much there is.
            let base = slot.ring().addr() as u64;
            slot.base().store(base, Ordering::Relaxed);
            slot.published().store(base, Ordering::Relaxed);
            producer.ring.store(slot.ring(), Ordering::Relaxed);
            producer.ring_bytes.store(slot.ring_bytes(), Ordering::Relaxed);
            producer.page.store(slot.page(), Ordering::Relaxed);
            producer.session.store(session.id, Ordering::Relaxed);
            producer.next.store(base, Ordering::Relaxed);
            producer.limit.store(base, Ordering::Relaxed);
            producer.kind.store(ATTACHED, Ordering::Relaxed);
        }
        producer.pending.store(0, Ordering::Relaxed);
        if session.full == Full::Overwrite {
            // It begins a page of its own: a page says whose records it has.
            producer.limit.store(0, Ordering::Relaxed);
        }
        slot.state().store(USED, Ordering::Release);
        compiler_fence(Ordering::SeqCst);
        producer::set_current(producer);
        exit::call_at_thread_exit();
    } else {
        count(session.unattached());
    }
    ATTACHING.set(false);
    taken.is_some()
}

/// Gives this thread's slot back. Called when the thread exits.
pub(crate) fn detach() {
    let producer = producer::current();
    if producer.kind.load(Ordering::Relaxed) != ATTACHED {
        return;
    }
    producer::clear_current();
    compiler_fence(Ordering::SeqCst);
    // SAFETY: it is attached.
    let slot = unsafe { producer.slot() };
    // Release: what the thread did with the slot is done.
    slot.state().store(LEFT, Ordering::Release);
    if let Some(session) = session::current().filter(|s| s.id == producer.session.load(Ordering::Relaxed)) {
        session.slot_left();
    }
}

/// Whether this thread is inside a probe: then this is a signal handler.
pub(crate) fn is_inside_probe() -> bool {
    ATTACHING.get() || producer::is_inside(producer::current().next.load(Ordering::Relaxed))
}

/// Counts strings that were longer than a record holds.
#[cold]
pub(crate) fn count_cut(strings: u64) {
    let producer = producer::current();
    if producer.kind.load(Ordering::Relaxed) == ATTACHED {
        // SAFETY: it is attached.
        unsafe { producer.slot() }.cut().fetch_add(strings, Ordering::Relaxed);
    }
}
