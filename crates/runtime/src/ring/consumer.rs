//! The writer thread's end of a ring: finding the readable bytes, and releasing them.

use super::slot::Slot;
use crate::os::sync::{Ordering, fence};
use crate::os::wait;

/// Returns the number of readable bytes after `position`, which counts from the first byte ever
/// written to the ring.
///
/// Acquire: the caller sees everything that the thread wrote before it published.
pub(crate) fn readable_bytes(slot: &Slot, position: u64) -> usize {
    bytes_until(slot, slot.published().load(Ordering::Acquire), position)
}

/// Returns the number of bytes from `position` to the address `published`, which was the end of the
/// published records.
pub(crate) fn bytes_until(slot: &Slot, published: u64, position: u64) -> usize {
    if published == 0 {
        return 0;
    }
    let end = published.wrapping_sub(slot.ring().addr() as u64);
    (end.wrapping_sub(position) & u64::from(slot.ring_bytes() - 1)) as usize
}

/// Releases the bytes before `position` to the thread, and wakes it if it waits for room.
pub(crate) fn release(slot: &Slot, position: u64) {
    // Release: the bytes have been read before this store.
    slot.consumed().store(position, Ordering::Release);
    wake_waiting(slot);
}

/// Wakes the thread if it waits for room. Called after a change that affects the wait.
pub(crate) fn wake_waiting(slot: &Slot) {
    // Pairs with the thread's fence between setting `waiting` and checking for room again: at least
    // one of the two sees the other's store.
    fence(Ordering::SeqCst);
    if slot.waiting().load(Ordering::Relaxed) != 0 {
        // Relaxed: the thread has a fence of its own before it checks again.
        slot.room().fetch_add(1, Ordering::Relaxed);
        wait::wake(slot.room());
    }
}
