//! What a probe does when it cannot simply write: getting a slot, waking the writer thread, a full ring.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering, compiler_fence, fence};

use ringtrace_wire::arena::{Full, RING_PAGES, advance, bytes_between, records_between};
use ringtrace_wire::ring;

use crate::arena::{LEFT, Slot, USED};
use crate::probe::Value;
use crate::producer::{self, ATTACHED, NOWHERE, Producer};
use crate::session::{self, Session};
use crate::{Event, backend, clock, wait};

thread_local! {
    /// Set while the thread gets a slot, so that a signal handler does not get another one.
    static ATTACHING: Cell<bool> = const { Cell::new(false) };
}

/// Events that found neither a slot nor a session to count them.
static HOMELESS: AtomicU64 = AtomicU64::new(0);

/// Makes room for a record of `bytes` bytes. `false`: there is none, and the loss is counted.
#[cold]
#[inline(never)]
pub(crate) fn make_room(producer: &'static Producer, bytes: u32) -> bool {
    match producer.kind.load(Ordering::Relaxed) {
        ATTACHED => {}
        NOWHERE => return attach(),
        _ => return session::in_child(),
    }
    let position = producer.position.load(Ordering::Relaxed);
    // SAFETY: it is attached.
    let slot = unsafe { producer.slot() };
    if producer::is_busy(position) {
        count(slot.refused());
        count(slot.dropped());
        return false;
    }
    let Some(session) = session::current().filter(|s| s.id == producer.session.load(Ordering::Relaxed))
    else {
        producer::clear_current();
        return attach();
    };
    let limit = producer.limit.load(Ordering::Relaxed) as u32;
    producer.position.store(producer::busy(limit), Ordering::Relaxed);
    compiler_fence(Ordering::SeqCst);
    let full = FullRing { session, producer, slot, position };
    let found = match session.full {
        Full::Overwrite => full.next_page(bytes),
        Full::Discard => full.look(bytes),
        Full::Block => full.look(bytes).or_else(|| full.wait(bytes)),
    };
    let room = found.unwrap_or_else(|| {
        full.drop_one();
        Room { position, limit }
    });
    // First the limit: the position is still beyond it, wherever it moves.
    producer.limit.store(u64::from(room.limit), Ordering::Relaxed);
    compiler_fence(Ordering::SeqCst);
    producer.position.store(room.position, Ordering::Relaxed);
    found.is_some()
}

/// Adds one to a count that only this thread, and its signal handlers, write.
fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Where the next record goes, and up to where there is room.
#[derive(Clone, Copy)]
struct Room {
    position: u64,
    limit: u32,
}

/// A ring without room up to its limit.
struct FullRing {
    session: &'static Session,
    producer: &'static Producer,
    slot: Slot,
    position: u64,
}

impl FullRing {
    /// Looks how far the writer thread has come.
    fn look(&self, bytes: u32) -> Option<Room> {
        let ring_bytes = self.slot.ring_bytes();
        let quarter = ring_bytes / 4;
        let pending = self.producer.pending.load(Ordering::Relaxed);
        let told = if pending > 0 { ring::DROPPED_BYTES as u32 } else { 0 };
        // Acquire: what the writer thread has copied away may be written again.
        let used = bytes_between(self.slot.consumed().load(Ordering::Acquire), self.position);
        if used >= quarter {
            self.session.wake_writer();
        }
        let free = ring_bytes - used;
        if free < bytes + told {
            return None;
        }
        let mut position = self.position;
        if pending > 0 {
            let since = self.producer.pending_since_ns.load(Ordering::Relaxed);
            let words = ring::dropped(pending, since, self.producer.pid.load(Ordering::Relaxed));
            let at = position as u32 & (ring_bytes - 1);
            // SAFETY: there is room for it, and it is this thread's.
            unsafe { self.slot.ring().add(at as usize).cast::<[u64; 5]>().write(words) };
            position = advance(position, 1, told);
            self.slot.published().store(position, Ordering::Release);
            self.producer.pending.store(0, Ordering::Relaxed);
        }
        let ahead = (free - told).min(quarter.max(bytes));
        Some(Room { position, limit: (position as u32).wrapping_add(ahead) })
    }

    /// Waits for the writer thread, for as long as the program allows.
    fn wait(&self, bytes: u32) -> Option<Room> {
        if !wait::may_block() || !self.session.has_writer() {
            return None;
        }
        for _ in 0..200 {
            if let Some(room) = self.look(bytes) {
                return Some(room);
            }
            std::hint::spin_loop();
        }
        let give_up = self.session.block_timeout.map(|timeout| wait::Deadline::after(timeout));
        let waiting = self.slot.waiting();
        let found = loop {
            let seen = self.slot.room().load(Ordering::Relaxed);
            waiting.store(1, Ordering::Relaxed);
            // Pairs with the fence of the writer thread between making room and asking who waits: one of the two
            // sees what the other did.
            fence(Ordering::SeqCst);
            if let Some(room) = self.look(bytes) {
                break Some(room);
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
    fn next_page(&self, bytes: u32) -> Option<Room> {
        let page_bytes = self.slot.ring_bytes() / RING_PAGES as u32;
        if bytes > page_bytes {
            return None;
        }
        let page_of = |position: u64| (position as u32 / page_bytes) as usize % RING_PAGES;
        // A new ring's first page is entered by its first record, all others from the end of the one before. A position
        // at the very end of a page counts as there.
        let mut begin = self.position;
        let [_, left_end, _] = self.slot.ring_page(page_of(begin.wrapping_sub(8)));
        if begin != 0 {
            left_end.store(begin, Ordering::Release);
            let into = begin as u32 % page_bytes;
            begin = advance(begin, 0, if into == 0 { 0 } else { page_bytes - into });
        }
        for _ in 0..RING_PAGES {
            let [first, end, claim] = self.slot.ring_page(page_of(begin));
            // Acquire: a reader that had it is done. It fails only while one has it.
            if claim.compare_exchange(0, ENTERED, Ordering::Acquire, Ordering::Relaxed).is_ok() {
                let (old_first, old_end) = (first.load(Ordering::Relaxed), end.load(Ordering::Relaxed));
                let lost = if old_end == 0 { 0 } else { records_between(old_first, old_end) };
                self.slot.overwritten().fetch_add(u64::from(lost), Ordering::Relaxed);
                first.store(begin, Ordering::Relaxed);
                end.store(0, Ordering::Relaxed);
                // The page that is being written is the one that holds the published position.
                self.slot.published().store(begin, Ordering::Release);
                claim.store(0, Ordering::Release);
                return Some(Room { position: begin, limit: (begin as u32).wrapping_add(page_bytes) });
            }
            begin = advance(begin, 0, page_bytes);
        }
        // Somebody reads all of them: the thread stays where it is.
        left_end.store(0, Ordering::Release);
        None
    }

    /// Counts a record that is dropped.
    fn drop_one(&self) {
        count(self.slot.dropped());
        let pending = self.producer.pending.load(Ordering::Relaxed);
        if pending == 0 {
            self.producer.pending_since_ns.store(clock::now_ns(), Ordering::Relaxed);
        }
        self.producer.pending.store(pending + 1, Ordering::Relaxed);
    }
}

/// A page whose begin and end are being changed by its thread.
const ENTERED: u64 = 2;

/// Gives this thread a slot. No lock, no allocation and no system call but those that name the thread, so a signal
/// handler may come first.
fn attach() -> bool {
    let Some(session) = session::current() else {
        count(&HOMELESS);
        return false;
    };
    if ATTACHING.replace(true) {
        count(session.unattached());
        return false;
    }
    let taken = session.take_slot();
    if let Some((arena, index)) = taken {
        let slot = arena.slot(index);
        let producer = arena.producer(index);
        let tid = wait::thread_id();
        slot.set_name(wait::thread_name());
        slot.tid().store(tid, Ordering::Relaxed);
        slot.tenant().fetch_add(1, Ordering::Relaxed);
        producer.ring.store(slot.ring(), Ordering::Relaxed);
        producer.page.store(slot.page(), Ordering::Relaxed);
        producer.thread.store(u64::from(tid) << 32, Ordering::Relaxed);
        producer.pid.store(session.pid, Ordering::Relaxed);
        producer.mask.store(slot.ring_bytes() - 1, Ordering::Relaxed);
        producer.session.store(session.id, Ordering::Relaxed);
        producer.pending.store(0, Ordering::Relaxed);
        let position = slot.published().load(Ordering::Relaxed);
        // No room at first: the slow path finds out how much there is.
        producer.limit.store(u64::from(page_rest(session, &slot, position)), Ordering::Relaxed);
        producer.position.store(position, Ordering::Relaxed);
        producer.kind.store(ATTACHED, Ordering::Relaxed);
        slot.state().store(USED, Ordering::Release);
        compiler_fence(Ordering::SeqCst);
        producer::set_current(producer);
        session::call_at_thread_exit();
    } else {
        count(session.unattached());
    }
    ATTACHING.set(false);
    taken.is_some()
}

/// Up to where a thread may write that takes over a slot at `position`.
fn page_rest(session: &Session, slot: &Slot, position: u64) -> u32 {
    let at = position as u32;
    if session.full != Full::Overwrite {
        return at;
    }
    let page_bytes = slot.ring_bytes() / RING_PAGES as u32;
    at.next_multiple_of(page_bytes)
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

/// Counts strings that were longer than a record holds.
#[cold]
pub(crate) fn count_cut(strings: u64) {
    let producer = producer::current();
    if producer.kind.load(Ordering::Relaxed) == ATTACHED {
        // SAFETY: it is attached.
        unsafe { producer.slot() }.cut().fetch_add(strings, Ordering::Relaxed);
    }
}

/// Gives an event to every backend that wants it; `record` writes the binary trace.
#[cold]
#[inline(never)]
pub(crate) fn dispatch(event: &'static Event, values: &[Value<'_>], record: &mut dyn FnMut()) {
    let backends = crate::Backends::from_bits(event.dstate());
    if backends.contains(crate::Backends::SIMPLE) {
        record();
    }
    backend::dispatch(event, values);
}
