//! Passes lines formatted by C to the log and to the kernel's trace. `src/c/log.c` and
//! `src/c/ftrace.c` contain the variadic functions.

use std::sync::atomic::Ordering;

use ringtrace::{Backends, ffi};

use crate::globals::{MODE, show_marker};
use crate::host::report_error;

#[unsafe(no_mangle)]
pub extern "C" fn ftrace_init() -> bool {
    match ffi::open_marker() {
        Ok(()) => {
            show_marker();
            true
        }
        Err(error) => {
            report_error(&error);
            false
        }
    }
}

/// # Safety
/// `text` must point to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_log_line(text: *const u8, length: usize, is_cut: bool) {
    // SAFETY: guaranteed by the caller.
    unsafe { write(Backends::LOG, text, length, is_cut) };
}

/// # Safety
/// `text` must point to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_ftrace_line(text: *const u8, length: usize, is_cut: bool) {
    // Generated code only tests whether the event is on, not whether the backend is enabled.
    if MODE.load(Ordering::Relaxed) & u32::from(Backends::FTRACE.bits()) != 0 {
        // SAFETY: guaranteed by the caller.
        unsafe { write(Backends::FTRACE, text, length, is_cut) };
    }
}

/// # Safety
/// `text` must point to `length` bytes.
unsafe fn write(backend: Backends, text: *const u8, length: usize, is_cut: bool) {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { std::slice::from_raw_parts(text, length) };
    ffi::write_text(backend, text.strip_suffix(b"\n").unwrap_or(text), is_cut);
}
