//! Threads move into slots and out of them.
//!
//! The one that comes sees all that the one before left, because slots go through [`FreeSlots`](super::free_slots::FreeSlots),
//! and the ring goes on where it is: the writer thread has emptied it, but keeps its place.

use ringtrace_wire::arena::FullPolicy;

use super::flight;
use super::producer::{ATTACHED, Producer};
use super::recording::Recording;
use super::slot::{FREE, LEFT, Slot, USED};
use crate::os::sync::Ordering;

/// Thread `tid` moves in. It has taken the slot, and set its name.
pub(crate) fn attach(recording: &Recording, slot: &Slot, producer: &Producer, tid: u32) {
    slot.tid().store(tid, Ordering::Relaxed);
    slot.owner_number().fetch_add(1, Ordering::Relaxed);
    if producer.kind.load(Ordering::Relaxed) != ATTACHED {
        // Its first thread. No room yet: the slow path finds out how much there is.
        let base = slot.ring().addr() as u64;
        slot.base().store(base, Ordering::Relaxed);
        slot.published().store(base, Ordering::Relaxed);
        producer.ring.store(slot.ring(), Ordering::Relaxed);
        producer.ring_bytes.store(slot.ring_bytes(), Ordering::Relaxed);
        producer.page.store(slot.page(), Ordering::Relaxed);
        producer.session.store(recording.id, Ordering::Relaxed);
        producer.next.store(base, Ordering::Relaxed);
        producer.limit.store(base, Ordering::Relaxed);
        producer.kind.store(ATTACHED, Ordering::Relaxed);
    }
    producer.pending.store(0, Ordering::Relaxed);
    // From where records are whole: the one before may have ended inside a probe.
    producer.next.store(slot.published().load(Ordering::Relaxed), Ordering::Relaxed);
    producer.limit.store(0, Ordering::Relaxed);
    // Without room a flight recorder's begins a page of its own: a page says whose records it has.
    slot.keep_before(if recording.full == FullPolicy::Overwrite { flight::issued(slot) } else { 0 });
    // Release: who finds the slot used finds whose it is.
    slot.state().store(USED, Ordering::Release);
}

/// The thread is gone. What is in the ring stays there until the writer thread has it.
pub(crate) fn detach(slot: &Slot) {
    // Release: what the thread did with the slot is done.
    slot.state().store(LEFT, Ordering::Release);
}

/// For the writer thread: one of [`FREE`], [`USED`] and [`LEFT`].
///
/// Acquire: whose the slot is, and, once the thread has left, all that it did.
pub(crate) fn state(slot: &Slot) -> u32 {
    slot.state().load(Ordering::Acquire)
}

/// For the writer thread: nothing of the one that left is needed any more. The slot is to be given back then.
pub(crate) fn set_free(slot: &Slot) {
    // Relaxed: giving it back tells the next thread.
    slot.state().store(FREE, Ordering::Relaxed);
}
