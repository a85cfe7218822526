//! Memory that is mapped twice in a row, so that writes may continue past its end.

#![expect(unsafe_code, reason = "maps memory twice in a row")]

use std::ffi::c_void;
use std::io;
use std::ptr::{NonNull, null_mut};

use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use rustix::mm::{MapFlags, ProtFlags, mmap, mmap_anonymous, munmap};

/// Memory that is mapped twice. Its size is a power of two.
#[derive(Debug)]
pub struct RingMemory {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the type only owns memory, which is not tied to a thread.
unsafe impl Send for RingMemory {}
// SAFETY: only unsafe functions access the memory, and their callers prevent data races.
unsafe impl Sync for RingMemory {}

impl RingMemory {
    /// Maps `bytes` bytes twice, with all pages present.
    ///
    /// # Errors
    /// Fails if memory cannot be allocated.
    pub fn new(bytes: usize) -> io::Result<RingMemory> {
        assert!(bytes.is_power_of_two());
        let file = memfd_create("ringtrace-bench", MemfdFlags::CLOEXEC)?;
        ftruncate(&file, bytes as u64)?;
        // SAFETY: the kernel chooses unused addresses.
        let start = unsafe { mmap_anonymous(null_mut(), 2 * bytes, ProtFlags::empty(), MapFlags::PRIVATE) }?;
        let memory = RingMemory {
            start: NonNull::new(start.cast()).ok_or_else(|| io::Error::other("mmap returned address 0"))?,
            bytes,
        };
        for half in 0..2 {
            let flags = MapFlags::SHARED | MapFlags::FIXED | MapFlags::POPULATE;
            // SAFETY: the new mappings are within the addresses reserved above.
            unsafe {
                let at = start.byte_add(half * bytes);
                mmap(at, bytes, ProtFlags::READ | ProtFlags::WRITE, flags, &file, 0)?;
            }
        }
        // SAFETY: `bytes` bytes are mapped, and nothing else refers to them.
        unsafe { start.cast::<u8>().write_bytes(1, bytes) };
        Ok(memory)
    }

    /// Returns the address of the first byte.
    #[inline(always)]
    pub fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// Returns the bytes from `position`, modulo the size.
    ///
    /// # Safety
    /// The bytes must not be written while they are borrowed.
    pub unsafe fn bytes(&self, position: u64, length: usize) -> &[u8] {
        assert!(length <= self.bytes);
        let at = position as usize & (self.bytes - 1);
        // SAFETY: `at` is in the first half, and the range has at most `bytes` bytes, so it is
        // within the mapping. The caller guarantees that nothing writes to it.
        unsafe { std::slice::from_raw_parts(self.start().add(at), length) }
    }
}

impl Drop for RingMemory {
    fn drop(&mut self) {
        // SAFETY: `new` mapped the memory, and no borrow of it remains. After an error, it stays
        // mapped.
        let _ = unsafe { munmap(self.start().cast::<c_void>(), 2 * self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_past_the_end_continues_at_the_start() {
        let memory = RingMemory::new(4096).unwrap();
        // SAFETY: the word is within the mapping, to which nothing else refers.
        unsafe { memory.start().add(4092).cast::<u64>().write_unaligned(u64::from_ne_bytes(*b"end then")) };
        // SAFETY: nothing writes to the memory while it is borrowed.
        assert_eq!(unsafe { memory.bytes(4092, 8) }, b"end then");
        // SAFETY: nothing writes to the memory while it is borrowed.
        assert_eq!(unsafe { memory.bytes(8192, 4) }, b"then");
    }
}
