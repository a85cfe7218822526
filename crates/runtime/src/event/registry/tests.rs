//! Tests of the registry: probes never wait for it, and it finds conflicting declarations.

use std::sync::mpsc::channel;
use std::time::Duration;

use super::{lock, register, set_enabled, unregister};
use crate::probe::emit;
use crate::session::start;
use crate::status::event_counts;
use crate::{Argument, ArgumentKind, Backends, Declaration, Event, Group, Pattern, Policy, Settings};

const DECLARATION: Declaration = Declaration {
    name: "while_locked",
    group: "locked",
    arguments: &[Argument { name: "n", ctype: "uint64_t", kind: ArgumentKind::Integer }],
    format: Some("\"%\" PRIu64"),
    text: "while_locked(uint64_t n) \"%\" PRIu64",
    traceable: true,
};

const TIMEOUT: Duration = Duration::from_secs(60);

/// Enough events to fill the rings of a session whose writer thread makes no progress.
const EVENTS: u64 = 20_000;

#[test]
fn probes_take_no_lock_of_the_registry() {
    static EVENT: Event = Event::new(DECLARATION);
    static GROUP: Group = Group::new("locked", &[&EVENT]);
    register(&GROUP);
    let _one = crate::os::lock(&crate::clock::ONE_AT_A_TIME);
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    for (policy, backends) in [
        (Policy::Discard, Backends::SIMPLE),
        (Policy::Overwrite, Backends::SIMPLE),
        (Policy::Discard, Backends::SIMPLE | Backends::LOG),
    ] {
        let settings = Settings {
            file: Some(folder.path().join("trace")),
            directory: Some(folder.path().to_owned()),
            log_file: Some(log.clone()),
            backends,
            policy,
            buffer_bytes: 1 << 17,
            threads: 2,
            ..Settings::default()
        };
        let guard = start(settings).unwrap();
        set_enabled("while_locked", true);
        let (done, is_done) = channel();
        let locked = lock();
        for _ in 0..3 {
            let done = done.clone();
            // Start more threads than there are rings. Each ends before the lock is released.
            std::thread::spawn(move || {
                (0..EVENTS).for_each(|n| emit(&EVENT, (n,)));
                let _ = done.send(());
            });
        }
        for _ in 0..3 {
            let came = is_done.recv_timeout(TIMEOUT);
            assert!(came.is_ok(), "{policy:?} to {backends:?}: a probe waits for the registry");
        }
        drop(locked);
        assert!(crate::flush());
        let counts = &event_counts(&Pattern::of_monitor("while_locked"))[0];
        if let Some(recorded) = counts.recorded {
            assert_eq!(recorded + counts.dropped, 3 * EVENTS, "{backends:?}");
            assert!(counts.dropped > 0, "no ring was full");
        }
        drop(guard);
    }
    assert_eq!(std::fs::read_to_string(log).unwrap().lines().count() as u64, 3 * EVENTS);
    unregister(&GROUP);
}

#[test]
fn a_library_with_other_arguments_for_the_same_name_is_reported() {
    const OTHER: Declaration = Declaration {
        group: "other",
        arguments: &[Argument { name: "text", ctype: "const char *", kind: ArgumentKind::Str }],
        ..DECLARATION
    };
    static EVENT: Event = Event::new(Declaration { name: "twice", ..DECLARATION });
    static GROUP: Group = Group::new("locked", &[&EVENT]);
    static SAME: Event = Event::new(Declaration { name: "twice", group: "same", ..DECLARATION });
    static SAME_GROUP: Group = Group::new("same", &[&SAME]);
    static DIFFERENT: Event = Event::new(Declaration { name: "twice", ..OTHER });
    static DIFFERENT_GROUP: Group = Group::new("other", &[&DIFFERENT]);
    register(&GROUP);
    let _one = crate::os::lock(&crate::clock::ONE_AT_A_TIME);
    assert_eq!(lock().conflict(&DIFFERENT_GROUP), None);
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings {
        file: Some(folder.path().join("trace")),
        directory: Some(folder.path().to_owned()),
        ..Settings::default()
    };
    let guard = start(settings).unwrap();
    assert_eq!(lock().conflict(&SAME_GROUP), None);
    let message = lock().conflict(&DIFFERENT_GROUP).unwrap();
    assert!(message.contains("the event twice of the group other has other arguments"), "{message}");
    drop(guard);
    unregister(&GROUP);
}
