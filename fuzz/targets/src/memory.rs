//! How much memory a target takes at a time: no input may make a program take memory out of proportion.

#![expect(unsafe_code, reason = "a global allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// What a target may take whatever its input: the readers' buffers, tables of constant size.
const BASE_BYTES: usize = 8 << 20;

/// What it may take for every byte of its input. A declaration `a()` of four bytes becomes an event, with its texts,
/// schema and place in a table, a few times over in a target that reads it in several ways.
const BYTES_PER_INPUT_BYTE: usize = 1024;

/// The most memory that an input of `input_bytes` may take.
pub fn allowed_bytes(input_bytes: usize) -> usize {
    BASE_BYTES + BYTES_PER_INPUT_BYTE * input_bytes
}

/// The system's allocator, which knows how much each thread holds.
#[derive(Debug, Clone, Copy)]
pub struct Measuring;

thread_local! {
    static HELD_BYTES: Cell<isize> = const { Cell::new(0) };
    static PEAK_BYTES: Cell<isize> = const { Cell::new(0) };
}

/// The most memory that `work` held at a time on this thread; 0 where [`Measuring`] is not the allocator.
pub fn peak_bytes(work: impl FnOnce()) -> usize {
    let before = HELD_BYTES.get();
    PEAK_BYTES.set(before);
    work();
    usize::try_from(PEAK_BYTES.get() - before).unwrap_or(0)
}

fn hold(bytes: isize) {
    // A thread that ends gives memory back when its variables are gone already.
    let _ = HELD_BYTES.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = PEAK_BYTES.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Measuring {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        hold(layout.size().cast_signed());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        hold(layout.size().cast_signed());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        hold(-layout.size().cast_signed());
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        hold(new_size.cast_signed() - layout.size().cast_signed());
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}
