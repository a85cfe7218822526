//! What code that is not Rust sees of an event: words of its own, which the registry writes.

use std::sync::atomic::{AtomicI32, AtomicU16, AtomicU32, Ordering};

use crate::options::Backends;

/// Words of a C program that follow an [`Event`](crate::Event).
#[derive(Debug)]
#[repr(C)]
pub struct Mirror {
    /// 1 while the event is enabled, whatever backends are active; else 0.
    pub enabled: &'static AtomicU16,
    /// How many of the program's events are enabled.
    pub enabled_events: &'static AtomicI32,
    /// Where the program's enabled events go, and by which clock, as the dstate of a Rust event. Right while any of them is enabled.
    pub mode: &'static AtomicU32,
    /// The levels of the program's log. One bit of it, [`LOG_TRACE`], says whether the backend `log` is active; right while any
    /// event is enabled. The others are the program's.
    pub log_levels: &'static AtomicU32,
    /// The backends that the program sends the event to by itself: ours leave it alone.
    pub elsewhere: Backends,
}

/// The level of QEMU's log that trace events have.
pub const LOG_TRACE: u32 = 1 << 15;

impl Mirror {
    /// Shows where enabled events go.
    pub(crate) fn show_mode(&self, dstate: u8) {
        // Thousands of events share these words, and probes of other threads look at them.
        if self.mode.load(Ordering::Relaxed) != u32::from(dstate) {
            self.mode.store(dstate.into(), Ordering::Relaxed);
        }
        let (is_wanted, levels) =
            (dstate & Backends::LOG.bits() != 0, self.log_levels.load(Ordering::Relaxed));
        match (is_wanted, levels & LOG_TRACE != 0) {
            (true, false) => _ = self.log_levels.fetch_or(LOG_TRACE, Ordering::Relaxed),
            (false, true) => _ = self.log_levels.fetch_and(!LOG_TRACE, Ordering::Relaxed),
            _ => {}
        }
    }

    /// What of `dstate` is not the program's own to do.
    pub(crate) fn ours(&self, dstate: u8) -> u8 {
        dstate & !self.elsewhere.bits()
    }

    /// Shows whether the event is enabled. Who does that counts the changes.
    pub(crate) fn show_enabled(&self, enabled: bool) {
        self.enabled.store(enabled.into(), Ordering::Relaxed);
    }
}
