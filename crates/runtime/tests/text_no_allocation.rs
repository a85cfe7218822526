//! Sending an event to text backends does not allocate, even if the event is a thread's first event
//! or is lost. This matters because a probe may be in a signal handler that interrupted the
//! allocator.

#![cfg(feature = "runtime")]
#![allow(clippy::unwrap_used, reason = "allowed in tests, but clippy also checks their helpers")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;

use ringtrace::probe::emit;
use ringtrace::session::start;
use ringtrace::{Argument, ArgumentKind, Backends, Declaration, Event, LogLine, Settings};

/// The system's allocator, with a count of allocations by the current thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is passed unchanged to the system's allocator, which fulfils the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller fulfils the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller fulfils the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static SAID: Event = Event::new(Declaration {
    name: "said",
    group: "test",
    arguments: &[
        Argument { name: "n", ctype: "int", kind: ArgumentKind::Integer },
        Argument { name: "s", ctype: "const char *", kind: ArgumentKind::Str },
    ],
    format: Some("\"n=%02000d s='%-20s'\""),
    text: "said(int n, const char *s) \"n=%02000d s='%-20s'\"",
    traceable: true,
});

ringtrace::group! { name: "test", events: [&SAID] }

fn allocations_of_a_thread() -> u64 {
    let said = std::thread::spawn(|| {
        let before = ALLOCATIONS.get();
        for n in 0..100_u64 {
            emit(&SAID, (n, &b"two\nlines and \x1b[31mred"[..]));
        }
        ALLOCATIONS.get() - before
    });
    said.join().unwrap()
}

#[test]
fn text_backends_do_not_allocate() {
    let folder = tempfile::tempdir().unwrap();
    let daemon = UnixDatagram::bind(folder.path().join("daemon")).unwrap();
    std::fs::write(folder.path().join("marker"), "").unwrap();
    let settings = Settings {
        backends: Backends::LOG | Backends::SYSLOG | Backends::FTRACE,
        log_file: Some(PathBuf::from("/dev/full")),
        log_line: LogLine::Time,
        syslog_socket: Some(folder.path().join("daemon")),
        ftrace_marker: Some(folder.path().join("marker")),
        ..Settings::default()
    };
    let guard = start(settings).unwrap();
    ringtrace::set_enabled("*", true);
    let reading =
        std::thread::spawn(move || (0..100).map(|_| daemon.recv(&mut [0; 5000]).unwrap()).sum::<usize>());
    assert_eq!(allocations_of_a_thread(), 0);
    assert!(reading.join().unwrap() > 100_000);
    assert_eq!(ringtrace::text_counts(Backends::LOG).lost, 100);
    assert_eq!(ringtrace::text_counts(Backends::SYSLOG).written, 100);
    assert_eq!(ringtrace::text_counts(Backends::FTRACE).written, 100);
    // The daemon no longer exists.
    assert_eq!(allocations_of_a_thread(), 0);
    assert_eq!(ringtrace::text_counts(Backends::SYSLOG).lost, 100);
    drop(guard);
}
