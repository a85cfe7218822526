//! Memory that appears twice in a row, so that nothing that is written ever ends at its end.

#![expect(unsafe_code, reason = "maps memory twice in a row")]

use std::ffi::c_void;
use std::io;
use std::ptr::{NonNull, null_mut};

use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use rustix::mm::{MapFlags, ProtFlags, mmap, mmap_anonymous, munmap};

/// Memory of a power of two bytes, twice.
#[derive(Debug)]
pub struct RingMemory {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: it is memory; whoever uses it says how.
unsafe impl Send for RingMemory {}
// SAFETY: as above.
unsafe impl Sync for RingMemory {}

impl RingMemory {
    /// All its pages are there.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn new(bytes: usize) -> io::Result<RingMemory> {
        assert!(bytes.is_power_of_two());
        let file = memfd_create("ringtrace-bench", MemfdFlags::CLOEXEC)?;
        ftruncate(&file, bytes as u64)?;
        // SAFETY: new address space, nobody's.
        let start = unsafe { mmap_anonymous(null_mut(), 2 * bytes, ProtFlags::empty(), MapFlags::PRIVATE) }?;
        let memory = RingMemory {
            start: NonNull::new(start.cast()).ok_or_else(|| io::Error::other("mmap gave address 0"))?,
            bytes,
        };
        for half in 0..2 {
            let flags = MapFlags::SHARED | MapFlags::FIXED | MapFlags::POPULATE;
            // SAFETY: within the address space that is ours alone since the call above.
            unsafe {
                let at = start.byte_add(half * bytes);
                mmap(at, bytes, ProtFlags::READ | ProtFlags::WRITE, flags, &file, 0)?;
            }
        }
        // SAFETY: `bytes` bytes are mapped and nobody else knows of them.
        unsafe { start.cast::<u8>().write_bytes(1, bytes) };
        Ok(memory)
    }

    /// Where it begins.
    #[inline(always)]
    pub fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// The bytes from `position`, modulo the size.
    ///
    /// # Safety
    /// Nobody may write them while they are borrowed.
    pub unsafe fn bytes(&self, position: u64, length: usize) -> &[u8] {
        assert!(length <= self.bytes);
        let at = position as usize & (self.bytes - 1);
        // SAFETY: `at` is in the first half, and no more than `bytes` follow; the caller sees to the rest.
        unsafe { std::slice::from_raw_parts(self.start().add(at), length) }
    }
}

impl Drop for RingMemory {
    fn drop(&mut self) {
        // SAFETY: what `new` mapped; nothing borrowed from it lives any more. An error would leave it mapped.
        let _ = unsafe { munmap(self.start().cast::<c_void>(), 2 * self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_at_the_end_goes_on_at_the_start() {
        let memory = RingMemory::new(4096).unwrap();
        // SAFETY: within the mapping; nobody else knows of it.
        unsafe { memory.start().add(4092).cast::<u64>().write_unaligned(u64::from_ne_bytes(*b"end then")) };
        // SAFETY: nobody writes.
        assert_eq!(unsafe { memory.bytes(4092, 8) }, b"end then");
        // SAFETY: as above.
        assert_eq!(unsafe { memory.bytes(8192, 4) }, b"then");
    }
}
