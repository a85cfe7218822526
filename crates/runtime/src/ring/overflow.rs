//! The slow path of a reservation: it checks the writer thread's progress, waits for it, drops the
//! record, or moves to the next page of a flight recorder's ring.

#![expect(unsafe_code, reason = "bytes of the thread's own ring")]

use std::cell::Cell;

use ringtrace_wire::arena::FullPolicy;
use ringtrace_wire::ring::{self, ALIGNMENT};

use super::attach;
use super::producer::{ATTACHED, Producer, REVOKED, Reserved, current, reserve};
use super::recording::Recording;
use super::slot::{ENTERED, NOBODY, RING_PAGES, Slot, ring_page_at};
use crate::clock;
use crate::os::sync::{self, AtomicU64, Ordering, SPINS, fence};
use crate::os::wait;

/// The amount by which a ring's allocated memory grows, up to the ring's size. A thread with few
/// events thus needs little memory, and no event waits for the kernel to clear a whole ring.
const GROWTH_BYTES: u64 = 64 << 10;

/// Reserves room for a record of `bytes` bytes, a multiple of eight. If there is none, counts the
/// record as dropped and returns `None`.
pub(crate) fn reserve_slowly(bytes: usize) -> Option<Reserved> {
    loop {
        if let Some(reserved) = reserve(bytes) {
            return Some(reserved);
        }
        if current().is_cut_off() || !attach::make_room(current(), bytes) {
            return None;
        }
    }
}

/// Makes room for a record of `bytes` bytes in the ring of `producer`, which must be attached and
/// not inside a probe. If there is no room, counts the loss and returns `false`.
pub(crate) fn make_room(
    recording: &'static Recording,
    producer: &'static Producer,
    slot: Slot,
    bytes: usize,
) -> bool {
    // A signal handler may have recorded before this point. It may also have forked, so this may be
    // the child.
    let next = producer.start_looking();
    if producer.kind.load(Ordering::Relaxed) != ATTACHED {
        producer.leave(next);
        return true;
    }
    // Pairs with the writer thread's fence at session end: either it sees this thread inside a
    // probe, or this thread sees that the session has ended.
    fence(Ordering::SeqCst);
    if next & REVOKED != 0 || recording.is_stopping() {
        producer.leave(next);
        return attach::change_session();
    }
    let full = FullRing { recording, producer, slot, next, lacks_memory: Cell::new(false) };
    let found = match recording.full {
        FullPolicy::Overwrite => full.enter_next_page(bytes),
        FullPolicy::Discard => full.find_space(bytes),
        FullPolicy::Block => full.find_space(bytes).or_else(|| full.wait(bytes)),
    };
    if let Some(found) = found {
        // If the session has ended meanwhile, the room is in a ring that is no longer read.
        return producer.finish_looking(next, found) || attach::change_session();
    }
    // While this thread waited for room, the trace may have continued in another file, or ended.
    if recording.is_followed() || !full.count_dropped() {
        producer.leave(next);
        return attach::change_session();
    }
    if recording.full != FullPolicy::Overwrite {
        // Shorter records might still fit. Send them to the slow path, too, which first reports the
        // loss in the ring.
        producer.limit.store(next, Ordering::Relaxed);
    }
    // If the session has ended after the drop was counted, its file reports the drop.
    producer.finish_looking(next, next);
    false
}

/// Refuses a record of a signal handler that has interrupted a probe, and counts it.
pub(crate) fn refuse(producer: &Producer, slot: Slot) {
    // Count the drop first, so that a reader that sees the refusal also sees the drop.
    if count_dropped(producer, slot) {
        slot.refused().fetch_add(1, Ordering::Release);
    } else {
        // The probe's session has ended, so the event belongs to the next one.
        attach::drop_without_slot();
    }
}

/// Counts a record that the slot's thread drops. Returns `false` if the session has ended.
pub(crate) fn count_dropped(producer: &Producer, slot: Slot) -> bool {
    if !add_dropped(producer, slot, 1) {
        return false;
    }
    producer.is_unnamed.store(1, Ordering::Relaxed);
    true
}

/// Adds to the number of records that the slot's thread has dropped. They must already be counted
/// for their events. Returns `false` if the session has ended.
pub(crate) fn add_dropped(producer: &Producer, slot: Slot, records: u64) -> bool {
    let Some(dropped) = producer.add_dropped(records) else { return false };
    // Handlers of this thread may store a later count before this one.
    slot.dropped().fetch_max(dropped, Ordering::Relaxed);
    true
}

/// Adds one to a count that only this thread and its signal handlers write.
pub(crate) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// A ring that is full up to its limit, and whose thread is inside a probe.
struct FullRing {
    recording: &'static Recording,
    producer: &'static Producer,
    slot: Slot,
    next: u64,
    /// Set when there was no memory for the ring, because waiting does not help in this case.
    lacks_memory: Cell<bool>,
}

impl FullRing {
    /// Checks the writer thread's progress and sets the limit. Returns the position for the next
    /// record.
    fn find_space(&self, bytes: usize) -> Option<u64> {
        let (ring_bytes, bytes) = (u64::from(self.slot.ring_bytes()), bytes as u64);
        let quarter = ring_bytes / 4;
        let pending = self.producer.pending.load(Ordering::Relaxed);
        let marker_bytes = if pending > 0 { ring::DROPPED_BYTES as u64 } else { 0 };
        let base = self.slot.ring().addr() as u64;
        // Acquire: bytes that the writer thread has copied may be overwritten.
        let consumed = self.slot.consumed().load(Ordering::Acquire);
        let used = (self.next - base).wrapping_sub(consumed) & (ring_bytes - 1);
        if used >= 2 * quarter {
            self.recording.wake_writer();
        } else if used >= quarter {
            self.recording.remind_writer();
        }
        // Never fill the last word: a full ring would look empty.
        let free = ring_bytes - ALIGNMENT as u64 - used;
        if free < bytes + marker_bytes {
            return None;
        }
        let mut next = if self.next - base < ring_bytes { self.next } else { self.next - ring_bytes };
        let end = next - base + free.min(marker_bytes + quarter.max(bytes));
        let limit = base + self.provide_memory(next - base + marker_bytes + bytes, end)?;
        if pending > 0 {
            // Use the current time, because later records of other threads may already be written.
            let words = ring::dropped(pending, clock::stamp());
            // SAFETY: the ring has room for the words, and belongs to this thread.
            unsafe { self.slot.put(next - base, words) };
            next += marker_bytes;
            self.slot.published().store(next, Ordering::Release);
            self.producer.pending.store(0, Ordering::Relaxed);
        }
        self.producer.limit.store(limit, Ordering::Relaxed);
        Some(next)
    }

    /// Provides memory for the ring up to offset `needed` or more. Returns the offset up to which
    /// there is memory, at most `end`.
    ///
    /// Memory can be missing only in the thread's first lap. A page of the ring's file that cannot
    /// be allocated would raise SIGBUS in the hot path, so it must be allocated before.
    fn provide_memory(&self, needed: u64, end: u64) -> Option<u64> {
        let ring_bytes = u64::from(self.slot.ring_bytes());
        let mut allocated = self.producer.allocated.load(Ordering::Relaxed);
        if allocated < needed && allocated < ring_bytes {
            let grown = needed.max(allocated + GROWTH_BYTES).next_multiple_of(GROWTH_BYTES).min(ring_bytes);
            if !self.allocate(allocated, grown - allocated) {
                return None;
            }
            allocated = grown;
            self.producer.allocated.store(allocated, Ordering::Relaxed);
        }
        // A fully allocated ring also has memory beyond its end, because it continues at its start.
        Some(if allocated == ring_bytes { end } else { end.min(allocated) })
    }

    fn allocate(&self, offset: u64, bytes: u64) -> bool {
        let is_allocated = self.slot.allocate(offset, bytes);
        if !is_allocated {
            self.lacks_memory.set(true);
            self.recording.note_no_memory(self.slot.tid().load(Ordering::Relaxed));
        }
        is_allocated
    }

    /// Waits for the writer thread, up to the policy's timeout.
    fn wait(&self, bytes: usize) -> Option<u64> {
        if self.lacks_memory.get() || !wait::may_block() || !self.recording.has_writer() {
            return None;
        }
        for _ in 0..SPINS {
            if let Some(next) = self.find_space(bytes) {
                return Some(next);
            }
            sync::spin_loop();
        }
        let give_up = self.recording.block_timeout.map(wait::Deadline::after);
        let waiting = self.slot.waiting();
        let found = loop {
            let seen = self.slot.room().load(Ordering::Relaxed);
            waiting.store(1, Ordering::Relaxed);
            // Pairs with the writer thread's fence between making room and reading `waiting`: at
            // least one of the two sees the other's store.
            fence(Ordering::SeqCst);
            if let Some(next) = self.find_space(bytes) {
                break Some(next);
            }
            if self.lacks_memory.get() || !self.recording.has_writer() {
                break None;
            }
            // Ring even if the writer thread seems awake, because it may be about to sleep.
            self.recording.want_writer();
            if !wait::for_change(self.slot.room(), seen, give_up.as_ref()) {
                break self.find_space(bytes);
            }
        };
        waiting.store(0, Ordering::Relaxed);
        found
    }

    /// Moves to the next page that has memory and that no reader has claimed. That page's old records
    /// are lost.
    fn enter_next_page(&self, bytes: usize) -> Option<u64> {
        let page_bytes = self.slot.ring_bytes() as usize / RING_PAGES;
        if bytes > page_bytes {
            return None;
        }
        let base = self.slot.ring().addr() as u64;
        let left_number = self.producer.page_number.load(Ordering::Relaxed);
        let left = self.slot.ring_page(left_number);
        for number in left_number + 1..=left_number + RING_PAGES as u64 {
            if !self.provide_page(number, page_bytes) {
                continue;
            }
            let page = self.slot.ring_page(number);
            // Acquire: a reader that had claimed the page has finished. The exchange fails only
            // while a reader holds the page.
            if page.claim.compare_exchange(NOBODY, ENTERED, Ordering::Acquire, Ordering::Relaxed).is_err() {
                continue;
            }
            let mut before = 0;
            if left_number != 0 {
                let first = base + ring_page_at(left_number, page_bytes) as u64;
                // Count here, because counting on the hot path would make it 5 % slower.
                // SAFETY: the page belongs to this thread, and is written up to `next`.
                let written = unsafe { self.slot.bytes(first - base, (self.next - first) as usize) };
                let records = ring::count(written);
                before = left.before.load(Ordering::Relaxed) + records;
                left.records.store(records, Ordering::Relaxed);
                // Release: a reader that sees the size sees the records.
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
            // Release, after storing the size of the previous page: a reader of that page that sees
            // an address in another page reads the size again.
            self.slot.published().store(next, Ordering::Release);
            page.claim.store(NOBODY, Ordering::Release);
            return Some(next);
        }
        None
    }

    /// Provides memory for page `number`.
    fn provide_page(&self, number: u64, page_bytes: usize) -> bool {
        let allocated = self.producer.allocated.load(Ordering::Relaxed);
        let bit = 1 << (number % RING_PAGES as u64);
        if allocated & bit != 0 {
            return true;
        }
        let is_allocated = self.allocate(ring_page_at(number, page_bytes) as u64, page_bytes as u64);
        if is_allocated {
            self.producer.allocated.store(allocated | bit, Ordering::Relaxed);
        }
        is_allocated
    }

    /// Counts the record as dropped. Returns `false` if the session has ended.
    fn count_dropped(&self) -> bool {
        let is_counted = count_dropped(self.producer, self.slot);
        if is_counted {
            let pending = self.producer.pending.load(Ordering::Relaxed);
            self.producer.pending.store(pending + 1, Ordering::Relaxed);
        }
        is_counted
    }
}
