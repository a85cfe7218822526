//! Memory-mapped files.

#![expect(unsafe_code, reason = "maps files and releases their pages")]

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use memmap2::{Advice, Mmap, MmapOptions, UncheckedAdvice};
use ringtrace_wire::compact::MAGIC;

/// A file mapped into memory, for reading.
///
/// If another process truncates the file while it is mapped, access to the removed part raises
/// SIGBUS. The `ringtrace` tool handles the signal by printing a message and exiting (see its
/// `signals` module). Other programs must handle it themselves.
#[derive(Debug)]
pub struct MappedFile {
    map: Mmap,
    /// The file, if it is a compact trace. Keeping every file open would limit the number of traces.
    file: Option<File>,
}

const PAGE_BYTES: usize = 4096;

/// Prefetches memory half a page after the start of `bytes`. Processors prefetch sequential reads
/// by themselves, but only up to the end of a page.
#[inline(always)]
pub(crate) fn prefetch(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        const PREFETCH_BYTES: usize = PAGE_BYTES / 2;
        // SAFETY: The instruction requires SSE, which every x86-64 processor has. It changes no
        // visible state, and an invalid address has no effect.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().wrapping_add(PREFETCH_BYTES).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

impl MappedFile {
    /// Maps `file`. Returns `None` if it is empty.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot map the file.
    pub fn new(file: &File) -> io::Result<Option<MappedFile>> {
        if file.metadata()?.len() == 0 {
            return Ok(None);
        }
        // SAFETY: `Mmap` returns a `&[u8]` of memory that another process might write, which cannot
        // be ruled out for any mapped file. All code that reads this memory treats every byte as
        // untrusted: it copies integers before it checks them, checks bounds when it indexes, and
        // copies bytes before it stores them as a `str`. A byte that changes in between can
        // therefore cause a wrong value, but never an access out of bounds. The mapping is
        // read-only.
        let map = unsafe { MmapOptions::new().map(file)? };
        // This is only a hint, which makes the kernel read ahead.
        let _ = map.advise(Advice::Sequential);
        let file = if map.starts_with(&MAGIC) { Some(file.try_clone()?) } else { None };
        Ok(Some(MappedFile { map, file }))
    }

    /// Returns the contents of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Copies the bytes at `offset` to `buffer`, in a compact trace without mapping their pages. Returns
    /// their number, which is smaller than `buffer` only at the end of the map. A growing file may be
    /// longer than its map.
    pub(crate) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = self.map.get(start..).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        let buffer = &mut buffer[..length];
        let Some(file) = &self.file else {
            buffer.copy_from_slice(&rest[..length]);
            return Ok(length);
        };
        let mut read = 0;
        while read < buffer.len() {
            match file.read_at(&mut buffer[read..], offset + read as u64) {
                Ok(0) => break,
                Ok(more) => read += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(read)
    }

    /// Makes all pages of `range` present at once, which is faster than a page fault for each page.
    pub(crate) fn populate(&self, range: Range<usize>) {
        let start = range.start / PAGE_BYTES * PAGE_BYTES;
        // Kernels before 5.14 do not support this advice. Page faults then make the pages present.
        let _ = self.map.advise_range(Advice::PopulateRead, start, range.end.saturating_sub(start));
    }

    /// Releases all pages that are entirely in `range`. A later access reads the file again.
    pub(crate) fn release(&self, range: Range<usize>) {
        let start = range.start.next_multiple_of(PAGE_BYTES);
        let end = range.end / PAGE_BYTES * PAGE_BYTES;
        if end <= start {
            return;
        }
        // SAFETY: The mapping is read-only, so the released pages contain nothing but the file's
        // contents. A later access, even a concurrent one from another thread, reads the file
        // again.
        let _ = unsafe { self.map.unchecked_advise_range(UncheckedAdvice::DontNeed, start, end - start) };
    }
}
