//! Prefetching of ring data.

#![expect(unsafe_code, reason = "the instruction that prefetches memory")]

/// The distance in bytes. The writer thread reads a record of 32 bytes in about 5 ns, and a line from
/// another core takes about 100 ns to arrive.
const DISTANCE: usize = 1024;

/// Loads the line that the writer thread will read soon into the cache. `rest` is the unread part of a
/// ring's published data. Nothing after it is loaded, because its thread is about to write there.
#[inline(always)]
pub(super) fn prefetch(rest: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // Without unread data, this is the last line before it, which is in the cache.
        let ahead = rest.as_ptr().wrapping_add(DISTANCE.min(rest.len())).wrapping_sub(1);
        // SAFETY: the instruction requires SSE, which every x86-64 processor has. It changes no
        // visible state, and an invalid address has no effect.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(ahead.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = rest;
}
