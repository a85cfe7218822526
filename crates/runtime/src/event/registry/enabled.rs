//! The number of enabled events. Enabling or disabling many events updates it only once, because
//! probes on other threads read the C program's copy of it.

use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::clock::{self, ENABLED_EVENTS};
use crate::event::Event;

/// The number of enabled events.
pub fn enabled_events() -> usize {
    ENABLED_EVENTS.load(Ordering::Relaxed)
}

/// Counts events that are all being enabled, or all being disabled. Dropping it publishes the
/// counts.
#[derive(Debug)]
pub(super) struct EnabledCount {
    enable: bool,
    /// The number of events that are not in [`ENABLED_EVENTS`] yet.
    events: usize,
    /// The C program's number of enabled events, and the amount still to be added to it.
    of_program: Option<(&'static AtomicI32, i32)>,
}

impl EnabledCount {
    pub(super) fn new(enable: bool) -> EnabledCount {
        EnabledCount { enable, events: 0, of_program: None }
    }

    /// Counts an event that is about to change.
    pub(super) fn changes(&mut self, event: &Event) {
        if self.enable && self.events == 0 && ENABLED_EVENTS.load(Ordering::Relaxed) == 0 {
            // The clock depends on this number, and must run before an event is emitted.
            ENABLED_EVENTS.store(1, Ordering::Relaxed);
            clock::events_are_on();
        } else {
            self.events += 1;
        }
        let Some(mirror) = event.mirror() else { return };
        match &mut self.of_program {
            Some((number, more)) if ptr::eq(*number, mirror.enabled_events) => *more += 1,
            _ => {
                self.update_program();
                self.of_program = Some((mirror.enabled_events, 1));
            }
        }
    }

    fn update_program(&mut self) {
        if let Some((number, more)) = self.of_program.take() {
            number.fetch_add(if self.enable { more } else { -more }, Ordering::Relaxed);
        }
    }
}

impl Drop for EnabledCount {
    fn drop(&mut self) {
        self.update_program();
        if self.enable {
            ENABLED_EVENTS.fetch_add(self.events, Ordering::Relaxed);
        } else {
            ENABLED_EVENTS.fetch_sub(self.events, Ordering::Relaxed);
        }
    }
}
