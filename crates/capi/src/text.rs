//! Lines that C has formatted: to the log, and to the kernel's trace. `src/c/log.c` and `src/c/ftrace.c` have the functions with arguments without number.

use std::sync::atomic::Ordering;

use ringtrace::options::complain;
use ringtrace::{Backends, lent};

use crate::globals::{MODE, show_marker};

/// Opens the kernel's marker.
#[unsafe(no_mangle)]
pub extern "C" fn ftrace_init() -> bool {
    match lent::open_marker() {
        Ok(()) => {
            show_marker();
            true
        }
        Err(error) => {
            complain(&error);
            false
        }
    }
}

/// # Safety
/// `length` bytes at `text`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_log_line(text: *const u8, length: usize, is_cut: bool) {
    // SAFETY: the caller's promise.
    unsafe { write(Backends::LOG, text, length, is_cut) };
}

/// # Safety
/// `length` bytes at `text`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_ftrace_line(text: *const u8, length: usize, is_cut: bool) {
    // Generated code asks only whether the event is on.
    if MODE.load(Ordering::Relaxed) & u32::from(Backends::FTRACE.bits()) != 0 {
        // SAFETY: the caller's promise.
        unsafe { write(Backends::FTRACE, text, length, is_cut) };
    }
}

/// # Safety
/// `length` bytes at `text`.
unsafe fn write(backend: Backends, text: *const u8, length: usize, is_cut: bool) {
    // SAFETY: the caller's promise.
    let text = unsafe { std::slice::from_raw_parts(text, length) };
    lent::write_text(backend, text.strip_suffix(b"\n").unwrap_or(text), is_cut);
}
