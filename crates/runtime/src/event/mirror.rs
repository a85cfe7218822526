//! Mirrors of an event's state in a C program's own variables. The registry writes them.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU16, AtomicU32, Ordering};

use super::CONTEXT;
use crate::options::Backends;

/// The variables of a C program that mirror an [`Event`](crate::Event).
#[derive(Debug)]
#[repr(C)]
pub struct Mirror {
    /// 1 while the event is enabled, with or without active backends; else 0.
    pub enabled: &'static AtomicU16,
    /// The number of the program's enabled events.
    pub enabled_events: &'static AtomicI32,
    /// The state of the program's enabled events (backends and clock), in the format of a Rust
    /// event's dstate. Valid while any of them is enabled.
    pub mode: &'static AtomicU32,
    /// The levels of the program's log. The bit [`LOG_TRACE`] is set while the backend `log` is
    /// active, and is valid while any event is enabled. The other bits belong to the program.
    pub log_levels: &'static AtomicU32,
    /// The backends to which the program itself sends the event. The runtime must not send it to
    /// them.
    pub elsewhere: Backends,
}

/// The level of trace events in QEMU's log.
pub const LOG_TRACE: u32 = 1 << 15;

/// Set when the first event of C code has a context. Such programs have one mode for all events, so
/// from then on, all of them use the slow path while the binary trace is active.
static ANY_CONTEXT: AtomicBool = AtomicBool::new(false);

/// Notes that an event of C code has a context. Called under the registry's lock, like
/// [`Mirror::show_mode`].
pub(super) fn note_context() {
    ANY_CONTEXT.store(true, Ordering::Relaxed);
}

impl Mirror {
    /// Publishes the backends of enabled events.
    pub(crate) fn show_mode(&self, mut dstate: u8) {
        if dstate & Backends::SIMPLE.bits() != 0 && ANY_CONTEXT.load(Ordering::Relaxed) {
            dstate |= CONTEXT;
        }
        // Store only changes: thousands of events share these variables, and other threads read
        // them.
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

    /// Returns the backends in `dstate`, except those that the program serves itself.
    pub(crate) fn ours(&self, dstate: u8) -> u8 {
        dstate & !self.elsewhere.bits()
    }

    /// Publishes whether the event is enabled. The caller counts the changes.
    pub(crate) fn show_enabled(&self, enabled: bool) {
        self.enabled.store(enabled.into(), Ordering::Relaxed);
    }
}
