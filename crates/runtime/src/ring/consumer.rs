//! The writer thread's end of a ring: what stands in it, and giving it back.

use super::slot::Slot;
use crate::os::sync::{Ordering, fence};
use crate::os::wait;

/// How many bytes of records stand behind the first `position` bytes that the ring ever had.
///
/// Acquire: what the thread wrote before it published is seen.
pub(crate) fn readable_bytes(slot: &Slot, position: u64) -> usize {
    let published = slot.published().load(Ordering::Acquire);
    if published == 0 {
        return 0;
    }
    let end = published.wrapping_sub(slot.ring().addr() as u64);
    (end.wrapping_sub(position) & u64::from(slot.ring_bytes() - 1)) as usize
}

/// Tells the thread that it may use again what stood before `position`, and wakes it if it waits for that.
pub(crate) fn release(slot: &Slot, position: u64) {
    // Release: its bytes were read before.
    slot.consumed().store(position, Ordering::Release);
    wake_waiting(slot);
}

/// Wakes the thread if it waits for room, after something has changed that it looks at.
pub(crate) fn wake_waiting(slot: &Slot) {
    // Pairs with the fence of the thread between saying that it waits and looking: one of the two sees what the
    // other did.
    fence(Ordering::SeqCst);
    if slot.waiting().load(Ordering::Relaxed) != 0 {
        // Relaxed: the thread looks behind its own fence.
        slot.room().fetch_add(1, Ordering::Relaxed);
        wait::wake(slot.room());
    }
}
