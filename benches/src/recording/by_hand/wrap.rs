//! Two ways to wrap around at the end of a ring. In one, memory is mapped twice in a row, so that a
//! record may continue past the end. In the other, a record marks the rest as skipped. Both store
//! the address up to which there is space. The fast path therefore needs only one comparison, and
//! the slow path handles the wrap-around.

#![expect(unsafe_code, reason = "stores into a raw buffer, as the measured code does")]

use std::cell::Cell;
use std::io;

use crate::burst;
use crate::recording::by_hand::clock::ticks;
use crate::recording::by_hand::ring_memory::RingMemory;

const RING_BYTES: usize = 256 << 10;
const EVENT: u64 = 42;
const SKIP: u64 = 43;

#[repr(C, align(64))]
struct Ring<const TWICE: bool> {
    next: Cell<*mut u8>,
    limit: Cell<*mut u8>,
    start: *mut u8,
}

thread_local! {
    static TWICE: Cell<*const Ring<true>> = const { Cell::new(std::ptr::null()) };
    static SKIPPING: Cell<*const Ring<false>> = const { Cell::new(std::ptr::null()) };
}

/// Gives the calling thread a ring of each kind, for the rest of the process.
///
/// # Errors
/// Fails if memory cannot be allocated.
pub fn provide() -> io::Result<()> {
    TWICE.set(Box::leak(Box::new(Ring::new()?)));
    SKIPPING.set(Box::leak(Box::new(Ring::new()?)));
    Ok(())
}

impl<const TWICE: bool> Ring<TWICE> {
    fn new() -> io::Result<Self> {
        let start = Box::leak(Box::new(RingMemory::new(RING_BYTES)?)).start();
        let ring = Ring { next: Cell::new(start), limit: Cell::new(start), start };
        ring.limit.set(ring.highest());
        Ok(ring)
    }

    /// Returns the end of the usable addresses.
    fn highest(&self) -> *mut u8 {
        // SAFETY: the memory is mapped twice, and half of the second mapping is enough for the
        // longest record.
        unsafe { self.start.add(if TWICE { RING_BYTES + RING_BYTES / 2 } else { RING_BYTES }) }
    }

    #[inline(always)]
    fn record(&self, first: u64, second: u64, more: &[u64]) {
        let bytes = 32 + 8 * more.len();
        let mut record = self.next.get();
        if record as usize + bytes > self.limit.get() as usize {
            record = self.wrap_around();
        }
        // SAFETY: the memory up to the limit belongs to this ring, and addresses are multiples of
        // 8.
        unsafe {
            let words = record.cast::<u64>();
            words.write(EVENT | ((bytes as u64) << 32));
            words.add(1).write(ticks());
            words.add(2).write(first);
            words.add(3).write(second);
            words.add(4).copy_from_nonoverlapping(more.as_ptr(), more.len());
            self.next.set(record.add(bytes));
        }
    }

    #[cold]
    #[inline(never)]
    fn wrap_around(&self) -> *mut u8 {
        let next = self.next.get();
        let next = if TWICE {
            // SAFETY: `next` is past the first mapping, because otherwise there would be enough
            // space.
            unsafe { next.sub(RING_BYTES) }
        } else {
            let rest = RING_BYTES - (next as usize - self.start as usize);
            if rest > 0 {
                // SAFETY: the rest of the ring is free, and its length is a multiple of eight
                // bytes.
                unsafe { next.cast::<u64>().write(SKIP | ((rest as u64) << 32)) };
            }
            self.start
        };
        self.next.set(next);
        next
    }
}

burst! {
    /// Writes records of 32 and 40 bytes, in memory that is mapped twice.
    pub fn twice(|number| {
        // SAFETY: `provide` was called on this thread.
        unsafe { &*TWICE.get() }.record(number, number.wrapping_mul(7), &[number][..(number & 1) as usize]);
    });

    /// Writes records of 32 and 40 bytes, with a record at the end that marks the rest as skipped.
    pub fn skipping(|number| {
        // SAFETY: `provide` was called on this thread.
        unsafe { &*SKIPPING.get() }.record(number, number.wrapping_mul(7), &[number][..(number & 1) as usize]);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_wrap_around_and_stay_in_bounds() {
        provide().unwrap();
        let rounds = 10 * (RING_BYTES / 36) as u64;
        twice(rounds);
        skipping(rounds);
        // SAFETY: `provide` created both rings.
        let (twice, skipping) = unsafe { (&*TWICE.get(), &*SKIPPING.get()) };
        assert!((twice.start..=twice.highest()).contains(&twice.next.get()));
        assert!((skipping.start..=skipping.highest()).contains(&skipping.next.get()));
        let mut at = 0;
        let mut kinds = Vec::new();
        while at < RING_BYTES {
            // SAFETY: the word is within the ring, at a multiple of 8.
            let word = unsafe { skipping.start.add(at).cast::<u64>().read() };
            kinds.push(word & 0xffff_ffff);
            at += (word >> 32) as usize;
        }
        assert_eq!(at, RING_BYTES);
        assert!(kinds.iter().all(|&kind| kind == EVENT || kind == SKIP));
    }
}
