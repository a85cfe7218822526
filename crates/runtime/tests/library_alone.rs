//! A library with its own copy of the runtime, in a program that does not export the symbol by
//! which copies find each other. This test is such a program, because its package has no build
//! script. `examples/tests/dlopen.rs` tests programs that export it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "../../../examples/tests/library/mod.rs"]
mod library;

use library::Library;
use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader};

#[test]
fn a_library_without_a_host_works_alone() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..3 {
        let file = folder.path().join(round.to_string());
        let path = file.clone();
        // A thread that outlives the library.
        let traced = std::thread::spawn(move || {
            let library = Library::load();
            assert!(ringtrace::set_enabled("library_*", true).is_unknown(), "it is another registry");
            library.work(0, 10);
            library.work_alone(&path, 1, 1000)
        });
        assert!(traced.join().unwrap());
        let mut reader = Reader::new("trace", Input::open(&file).unwrap(), &Options::default()).unwrap();
        let mut events = 0;
        let count = |_: &Entry<'_>| {
            events += 1;
            Flow::Continue
        };
        reader.for_each(count).unwrap();
        assert!(reader.anomalies().is_empty());
        assert_eq!(events, 1100);
    }
}
