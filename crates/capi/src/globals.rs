//! Variables shared with C code.

use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

use ringtrace::ffi;

/// The number of enabled C events.
#[unsafe(export_name = "trace_events_enabled_count")]
pub static ENABLED_EVENTS: AtomicI32 = AtomicI32::new(0);

/// The destinations of events, for `trace/simple.h`.
#[unsafe(export_name = "ringtrace_mode")]
pub static MODE: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" {
    /// Defined in the program, or else in this library.
    safe static qemu_loglevel: AtomicU32;
    safe static trace_marker_fd: AtomicI32;
}

/// The log levels of the program.
pub(crate) fn log_levels() -> &'static AtomicU32 {
    &qemu_loglevel
}

/// Copies the file descriptor of the kernel's trace marker to a variable for C, if the marker is
/// open.
pub(crate) fn show_marker() {
    if let Some(marker) = ffi::marker() {
        trace_marker_fd.store(marker, Ordering::Relaxed);
    }
}
