//! The set of free slots of an arena.

use crate::os::sync::{AtomicU64, Ordering};

/// A bit for each free slot. Taking or releasing a slot takes few instructions, and is allowed in
/// signal handlers.
#[derive(Debug)]
pub(crate) struct FreeSlots {
    free: AtomicU64,
    all: u64,
}

impl FreeSlots {
    /// Creates a set of `slots` free slots, at most 64.
    pub(crate) fn all_of(slots: usize) -> FreeSlots {
        let all = if slots >= 64 { u64::MAX } else { (1 << slots) - 1 };
        FreeSlots { free: AtomicU64::new(all), all }
    }

    /// Takes a slot.
    ///
    /// Acquire, which pairs with the release of [`FreeSlots::release`]: the new owner sees what the
    /// previous owner wrote.
    pub(crate) fn take(&self) -> Option<usize> {
        let mut free = self.free.load(Ordering::Relaxed);
        while free != 0 {
            let index = free.trailing_zeros();
            let rest = free & !(1 << index);
            match self.free.compare_exchange_weak(free, rest, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return Some(index as usize),
                Err(now) => free = now,
            }
        }
        None
    }

    pub(crate) fn release(&self, slot: usize) {
        self.free.fetch_or(1 << slot, Ordering::Release);
    }

    pub(crate) fn count(&self) -> u32 {
        self.free.load(Ordering::Relaxed).count_ones()
    }

    /// Returns the slots that are not free.
    ///
    /// Relaxed: if a thread has taken its slot before something that the caller has seen, such as a
    /// request, or its mark at the end of a session, the slot is included.
    pub(crate) fn taken(&self) -> impl Iterator<Item = usize> {
        let mut taken = self.taken_bits();
        std::iter::from_fn(move || {
            let index = taken.trailing_zeros();
            taken &= taken.wrapping_sub(1);
            (index < u64::BITS).then_some(index as usize)
        })
    }

    /// Returns the number after that of the last slot that is not free; see [`FreeSlots::taken`].
    pub(crate) fn taken_end(&self) -> usize {
        (u64::BITS - self.taken_bits().leading_zeros()) as usize
    }

    fn taken_bits(&self) -> u64 {
        self.all & !self.free.load(Ordering::Relaxed)
    }
}
