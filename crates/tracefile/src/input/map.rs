//! Files mapped into memory.

#![expect(unsafe_code, reason = "maps files and gives their pages back")]

use std::fs::File;
use std::io;
use std::ops::Range;

use memmap2::{Advice, Mmap, MmapOptions, UncheckedAdvice};

/// A file's contents, readable.
///
/// If another process cuts the file while it is mapped, reading what is gone raises SIGBUS; the tool turns that
/// into a message and an exit (see its `sigbus` module), a program that links this crate must expect it.
#[derive(Debug)]
pub struct MappedFile {
    map: Mmap,
}

const PAGE_BYTES: usize = 4096;

/// How far ahead of where it is read a file's memory is asked for.
const PREFETCH_BYTES: usize = 2048;

/// Asks for the memory some way behind the start of `bytes`, which is read from its start on. Processors guess such
/// things themselves, but only up to the end of a page.
#[inline(always)]
pub(crate) fn prefetch(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: it needs SSE, which every x86-64 has. It reads nothing that could be seen, and an address that is
        // none does no harm.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().wrapping_add(PREFETCH_BYTES).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

impl MappedFile {
    /// Maps `file`; `None` when it has no size.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn new(file: &File) -> io::Result<Option<MappedFile>> {
        if file.metadata()?.len() == 0 {
            return Ok(None);
        }
        // SAFETY: `Mmap` gives a `&[u8]` of memory that another process might write, which no mapping of a file
        // can rule out. All code that reads it treats every byte as hostile, copies integers out before it
        // tests them, indexes with checks, and copies bytes before it keeps them as a `str`, so a byte that changes in
        // between gives a wrong value, never an access out of bounds. The mapping cannot be written through.
        let map = unsafe { MmapOptions::new().map(file)? };
        // Only a hint: what comes after is read soon.
        let _ = map.advise(Advice::Sequential);
        Ok(Some(MappedFile { map }))
    }

    /// The contents.
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Makes the pages of `range` present at once rather than by a fault each.
    pub(crate) fn populate(&self, range: Range<usize>) {
        let start = range.start / PAGE_BYTES * PAGE_BYTES;
        // Kernels before 5.14 do not know it: then they come by faults.
        let _ = self.map.advise_range(Advice::PopulateRead, start, range.end.saturating_sub(start));
    }

    /// Gives back the memory of the pages that are wholly in `range`; they come again from the file when touched.
    pub(crate) fn release(&self, range: Range<usize>) {
        let start = range.start.next_multiple_of(PAGE_BYTES);
        let end = range.end / PAGE_BYTES * PAGE_BYTES;
        if end <= start {
            return;
        }
        // SAFETY: nothing can be written through the mapping, so pages dropped here have no other contents than the
        // file's, which is what a later access reads again, be it at the same time from another thread.
        let _ = unsafe { self.map.unchecked_advise_range(UncheckedAdvice::DontNeed, start, end - start) };
    }
}
