//! The set of free slots of an arena.

use crate::os::sync::{AtomicU64, Ordering};

/// A bit for each free slot. Taking or releasing a slot takes few instructions, and is allowed in
/// signal handlers.
#[derive(Debug)]
pub(crate) struct FreeSlots(AtomicU64);

impl FreeSlots {
    /// Creates a set of `slots` free slots, at most 64.
    pub(crate) fn all_of(slots: usize) -> FreeSlots {
        FreeSlots(AtomicU64::new(if slots >= 64 { u64::MAX } else { (1 << slots) - 1 }))
    }

    /// Takes a slot.
    ///
    /// Acquire, which pairs with the release of [`FreeSlots::release`]: the new owner sees what the
    /// previous owner wrote.
    pub(crate) fn take(&self) -> Option<usize> {
        let mut free = self.0.load(Ordering::Relaxed);
        while free != 0 {
            let index = free.trailing_zeros();
            let rest = free & !(1 << index);
            match self.0.compare_exchange_weak(free, rest, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return Some(index as usize),
                Err(now) => free = now,
            }
        }
        None
    }

    pub(crate) fn release(&self, slot: usize) {
        self.0.fetch_or(1 << slot, Ordering::Release);
    }

    pub(crate) fn count(&self) -> u32 {
        self.0.load(Ordering::Relaxed).count_ones()
    }
}
