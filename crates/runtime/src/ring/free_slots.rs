//! The slots that no thread has.

use crate::os::sync::{AtomicU64, Ordering};

/// A bit for each slot that no thread has. Taking one and giving one back are a few instructions, also in a signal handler.
#[derive(Debug)]
pub(crate) struct FreeSlots(AtomicU64);

impl FreeSlots {
    /// All of `slots`, at most 64.
    pub(crate) fn all_of(slots: usize) -> FreeSlots {
        FreeSlots(AtomicU64::new(if slots >= 64 { u64::MAX } else { (1 << slots) - 1 }))
    }

    /// Takes one.
    ///
    /// Acquire, against [`FreeSlots::release`]'s release: the new thread sees what the one before left.
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

    /// Gives one back that nobody uses any more.
    pub(crate) fn release(&self, slot: usize) {
        self.0.fetch_or(1 << slot, Ordering::Release);
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.0.load(Ordering::Relaxed).count_ones()
    }
}
