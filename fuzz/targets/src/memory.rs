//! Limits the memory of a target in proportion to its input.

#![expect(unsafe_code, reason = "a global allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The memory that a target may use for any input, for buffers and tables of constant size.
const BASE_BYTES: usize = 8 << 20;

/// The memory that a target may use for each byte of its input. A declaration `a()` of four bytes
/// becomes an event with strings, a schema and a table entry, and a target may read it several
/// times.
const BYTES_PER_INPUT_BYTE: usize = 1024;

/// Returns the memory that a target may use for an input of `input_bytes`.
pub fn allowed_bytes(input_bytes: usize) -> usize {
    BASE_BYTES + BYTES_PER_INPUT_BYTE * input_bytes
}

/// The system's allocator, extended to count the memory of each thread.
#[derive(Debug, Clone, Copy)]
pub struct Measuring;

thread_local! {
    static HELD_BYTES: Cell<isize> = const { Cell::new(0) };
    static PEAK_BYTES: Cell<isize> = const { Cell::new(0) };
}

/// Returns the peak memory of `work` on this thread, or 0 if [`Measuring`] is not the allocator.
pub fn peak_bytes(work: impl FnOnce()) -> usize {
    let before = HELD_BYTES.get();
    PEAK_BYTES.set(before);
    work();
    usize::try_from(PEAK_BYTES.get() - before).unwrap_or(0)
}

fn hold(bytes: isize) {
    // An exiting thread may free memory after its thread-local variables are dropped.
    let _ = HELD_BYTES.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = PEAK_BYTES.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
}

// SAFETY: every call is passed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Measuring {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        hold(layout.size().cast_signed());
        // SAFETY: the caller fulfils the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        hold(layout.size().cast_signed());
        // SAFETY: the caller fulfils the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        hold(-layout.size().cast_signed());
        // SAFETY: the caller fulfils the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        hold(new_size.cast_signed() - layout.size().cast_signed());
        // SAFETY: the caller fulfils the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}
