//! How many events are enabled, counted for many that change together: probes of other threads look at the number of a program in C.

use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::clock::{self, ENABLED_EVENTS};
use crate::event::Event;

/// How many events are enabled.
pub fn enabled_events() -> usize {
    ENABLED_EVENTS.load(Ordering::Relaxed)
}

/// Events that are all switched on, or all off. What was counted is known when this is dropped.
#[derive(Debug)]
pub(super) struct EnabledCount {
    enable: bool,
    /// Those that are not in [`ENABLED_EVENTS`] yet.
    events: usize,
    /// A program's own number, and what is not in it yet.
    of_program: Option<(&'static AtomicI32, i32)>,
}

impl EnabledCount {
    /// Of events that are switched on, or off.
    pub(super) fn new(enable: bool) -> EnabledCount {
        EnabledCount { enable, events: 0, of_program: None }
    }

    /// An event is about to be switched that was not so before.
    pub(super) fn changes(&mut self, event: &Event) {
        if self.enable && self.events == 0 && ENABLED_EVENTS.load(Ordering::Relaxed) == 0 {
            // The clock looks at this number, and must go before anybody asks it.
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
