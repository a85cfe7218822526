//! Variables that C code reads or defines.

use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

use ringtrace::lent;

/// How many of C's events are enabled.
#[unsafe(export_name = "trace_events_enabled_count")]
pub static ENABLED_EVENTS: AtomicI32 = AtomicI32::new(0);

/// Where enabled events go, for `trace/simple.h`.
#[unsafe(export_name = "ringtrace_mode")]
pub static MODE: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" {
    /// C's, or the program's own.
    safe static qemu_loglevel: AtomicU32;
    safe static trace_marker_fd: AtomicI32;
}

/// What the program logs.
pub(crate) fn log_levels() -> &'static AtomicU32 {
    &qemu_loglevel
}

/// Makes C's descriptor that of the kernel's marker, if it is open.
pub(crate) fn show_marker() {
    if let Some(marker) = lent::marker() {
        trace_marker_fd.store(marker, Ordering::Relaxed);
    }
}
