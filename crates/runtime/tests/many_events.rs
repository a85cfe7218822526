//! Thousands of events, enabled and disabled by many threads at the same time.

#![cfg(feature = "runtime")]

use std::sync::atomic::{AtomicBool, Ordering};

use ringtrace::registry::{enabled_events, register, unregister};
use ringtrace::{Declaration, Event, EventState, Group};

const EVENTS: usize = 6000;

fn group(name: &'static str, events: usize) -> &'static Group {
    let event = |number: usize| -> &'static Event {
        let name = format!("{name}_{number}").leak();
        let declaration = Declaration {
            name,
            group: "many",
            arguments: &[],
            format: None,
            text: name,
            traceable: number % 10 != 9,
        };
        Box::leak(Box::new(Event::new(declaration)))
    };
    Box::leak(Box::new(Group::new(name, (0..events).map(event).collect::<Vec<_>>().leak())))
}

/// This must be the only test in the process, because it counts all events of the process.
#[test]
fn counts_are_exact_under_concurrent_switches() {
    let many = group("many", EVENTS);
    register(many);
    let traceable = EVENTS / 10 * 9;
    let done = ringtrace::set_enabled("*", true);
    assert_eq!((done.matched, done.changed, done.not_traceable), (traceable, traceable, EVENTS / 10));
    assert_eq!(enabled_events(), traceable);
    assert_eq!(ringtrace::set_enabled("many_1*", false).changed, traceable - enabled_events());
    assert_eq!(ringtrace::set_enabled("*", false).matched, traceable);
    assert_eq!(enabled_events(), 0);

    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let switchers = [("*", true), ("*5*", false), ("many_??", true), ("many_1", false)];
        for (word, enable) in switchers {
            scope.spawn({
                let stop = &stop;
                move || {
                    while !stop.load(Ordering::Relaxed) {
                        ringtrace::set_enabled(word, enable);
                    }
                }
            });
        }
        // Meanwhile, libraries are loaded and unloaded.
        for _ in 0..50 {
            let library = group("library", 20);
            register(library);
            let seen = ringtrace::events().len();
            assert_eq!(seen, EVENTS + 20);
            unregister(library);
        }
        stop.store(true, Ordering::Relaxed);
    });
    let on = many.events().iter().filter(|event| event.state() == EventState::Enabled).count();
    assert_eq!(enabled_events(), on);
}
