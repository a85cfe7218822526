//! A program with hand-written events, and the size of its trace.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests")]

use ringtrace::Settings;
use ringtrace::probe::emit;
use ringtrace::session::start;
use ringtrace::{Argument, ArgumentKind, Declaration, Event};

static TWO: Event = Event::new(Declaration {
    name: "two",
    group: "test",
    arguments: &[
        Argument { name: "a", ctype: "uint64_t", kind: ArgumentKind::Integer },
        Argument { name: "b", ctype: "uint64_t", kind: ArgumentKind::Integer },
    ],
    format: Some("\"a=%\"PRIu64\" b=%\"PRIu64"),
    text: "two(uint64_t a, uint64_t b) \"a=%\"PRIu64\" b=%\"PRIu64",
    traceable: true,
});

static NAMED: Event = Event::new(Declaration {
    name: "named",
    group: "test",
    arguments: &[
        Argument { name: "s", ctype: "const char *", kind: ArgumentKind::Str },
        Argument { name: "n", ctype: "int", kind: ArgumentKind::Integer },
    ],
    format: Some("\"s=%s n=%d\""),
    text: "named(const char *s, int n) \"s=%s n=%d\"",
    traceable: true,
});

ringtrace::group! { name: "test", events: [&TWO, &NAMED] }

#[test]
fn threads_record() {
    let file = std::env::temp_dir().join("ringtrace-record-test");
    let guard = start(Settings { file: Some(file.clone()), ..Settings::default() }).unwrap();
    ringtrace::set_enabled("*", true);
    let threads: Vec<_> = (0..4u64)
        .map(|thread| {
            std::thread::Builder::new()
                .name(format!("worker {thread}"))
                .spawn(move || {
                    for n in 0..1000 {
                        if TWO.is_enabled() {
                            emit(&TWO, (thread, n));
                        }
                        if NAMED.is_enabled() {
                            emit(&NAMED, (&b"hello"[..], n));
                        }
                    }
                })
                .unwrap()
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    drop(guard);
    assert!(std::fs::metadata(file).unwrap().len() > 4 * 2000 * 40);
}
