//! Atomics for rings, doorbell and free slots. `tests/models` replaces this module by loom's.

#![expect(unsafe_code, reason = "parts of a word that belongs to one thread")]

pub(crate) use std::hint::spin_loop;
use std::sync::atomic::AtomicU8;
pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, compiler_fence, fence};

/// How often to look whether the other side is done before sleeping.
pub(crate) const SPINS: u32 = 200;

const HIGHEST_BYTE: usize = if cfg!(target_endian = "little") { 7 } else { 0 };

/// Stores the highest byte of a word that no other thread uses.
#[inline(always)]
pub(crate) fn set_highest_byte(word: &AtomicU64, byte: u8) {
    // SAFETY: a byte of the word. It is stored atomically, so that a signal handler on this thread
    // sees all of it or nothing.
    let highest = unsafe { AtomicU8::from_ptr(word.as_ptr().cast::<u8>().add(HIGHEST_BYTE)) };
    highest.store(byte, Ordering::Relaxed);
}

/// Returns whether the lower half of a word that no other thread uses is `half`.
#[inline(always)]
pub(crate) fn lower_half_is(word: &AtomicU64, half: u32) -> bool {
    const LOWER_HALF: usize = if cfg!(target_endian = "little") { 0 } else { 1 };
    // SAFETY: half of the word.
    let found = unsafe { AtomicU32::from_ptr(word.as_ptr().cast::<u32>().add(LOWER_HALF)) };
    found.load(Ordering::Relaxed) == half
}
