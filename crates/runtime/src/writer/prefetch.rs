//! Prefetching of ring data.

#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "the instruction that prefetches memory"))]

/// The distance in bytes. The writer thread reads a record of 32 bytes in about 5 ns, and a line from
/// another core takes about 100 ns to arrive.
const DISTANCE: usize = 1024;

/// Returns the distance for [`ahead`] at each record in the next `bytes` bytes of `rest`, which is the
/// unread part of a ring's published data. Returns 0 if that would reach beyond `rest`, where the
/// ring's thread is about to write.
#[inline(always)]
pub(super) fn distance(rest: &[u8], bytes: usize) -> usize {
    if rest.len() >= DISTANCE + bytes { DISTANCE } else { 0 }
}

/// Loads the line that the writer thread will read soon into the cache. `record` is the record that it
/// reads now.
#[inline(always)]
pub(super) fn ahead<T>(record: *const T, distance: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction requires SSE, which every x86-64 processor has. It changes no
        // visible state, and an invalid address has no effect.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(record.cast::<i8>().wrapping_add(distance)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (record, distance);
}
