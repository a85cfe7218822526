//! Slot ownership: how threads attach to slots and detach from them.
//!
//! A new owner sees everything that the previous owner wrote, because slots pass through
//! [`FreeSlots`](super::free_slots::FreeSlots). The new owner continues at the ring's current
//! position, because the writer thread has emptied the ring.

use ringtrace_wire::arena::FullPolicy;

use super::producer::{ATTACHED, Producer, REVOKED};
use super::recording::Recording;
use super::slot::{FREE, LEFT, Slot, USED};
use super::{flight, overflow};
use crate::os::sync::{Ordering, fence};

/// Attaches thread `tid`, which has taken the slot and set its name. `dropped` returns the number
/// of records that the thread has dropped so far. It is added to the slot's count.
///
/// # Errors
/// Fails if the session has ended. The error is the number of records that `dropped` has returned
/// but the slot has not counted.
pub(crate) fn attach(
    recording: &Recording,
    slot: &Slot,
    producer: &Producer,
    tid: u32,
    dropped: impl FnOnce() -> u64,
) -> Result<(), u64> {
    producer.start_attaching();
    // Pairs with the writer thread's fence at session end: either it sees this thread inside a
    // probe, and waits, or this thread sees that the session has ended.
    fence(Ordering::SeqCst);
    if recording.is_stopping() {
        producer.leave(REVOKED);
        return Err(0);
    }
    slot.tid().store(tid, Ordering::Relaxed);
    slot.owner_number().fetch_add(1, Ordering::Relaxed);
    if producer.kind.load(Ordering::Relaxed) != ATTACHED {
        // This is the slot's first thread. Start without room: the slow path determines the room.
        let base = slot.ring().addr() as u64;
        slot.base().store(base, Ordering::Relaxed);
        slot.published().store(base, Ordering::Relaxed);
        producer.ring.store(slot.ring(), Ordering::Relaxed);
        producer.ring_bytes.store(slot.ring_bytes(), Ordering::Relaxed);
        producer.page.store(slot.page(), Ordering::Relaxed);
        producer.session.store(recording.id, Ordering::Relaxed);
        producer.kind.store(ATTACHED, Ordering::Relaxed);
    }
    producer.limit.store(0, Ordering::Relaxed);
    // A limit of 0 also makes a flight recorder start a new page: each page has a single owner, so
    // the thread must not continue the previous owner's page.
    slot.keep_before(if recording.full == FullPolicy::Overwrite { flight::issued(slot) } else { 0 });
    // Release: a reader that sees the state `USED` also sees the owner.
    slot.state().store(USED, Ordering::Release);
    // Count these only after the slot has its owner: the end of a session may cut this thread off
    // at any moment, and reports only the counts of slots that have owners.
    let dropped = dropped();
    let is_counted = overflow::add_dropped(producer, *slot, dropped);
    producer.pending.store(dropped, Ordering::Relaxed);
    // Continue after the last published record: the previous thread may have ended inside a probe.
    let is_attached = producer.finish_looking(0, slot.published().load(Ordering::Relaxed));
    match (is_counted, is_attached) {
        (true, true) => Ok(()),
        (true, false) => Err(0),
        (false, _) => Err(dropped),
    }
}

/// Detaches the thread. Its records stay in the ring until the writer thread drains them.
pub(crate) fn detach(slot: &Slot) {
    // Release: the thread has finished using the slot.
    slot.state().store(LEFT, Ordering::Release);
}

/// Returns one of [`FREE`], [`USED`] and [`LEFT`], for the writer thread.
///
/// Acquire: the caller sees the slot's owner and, once the thread has left, everything that the
/// thread wrote.
pub(crate) fn state(slot: &Slot) -> u32 {
    slot.state().load(Ordering::Acquire)
}

/// Marks the slot as free. The writer thread calls this before it returns the slot to the free set.
pub(crate) fn set_free(slot: &Slot) {
    // Relaxed: returning the slot to the free set publishes this to the next thread.
    slot.state().store(FREE, Ordering::Relaxed);
}
