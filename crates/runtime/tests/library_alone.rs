//! A library with its own copy of the runtime, in a program that does not export the symbol by
//! which copies of the runtime find each other. This test program does not export it, because its
//! package has no build script. `examples/tests/dlopen.rs` tests programs that do.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "../../../examples/tests/library/mod.rs"]
mod library;

use library::Library;
use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader};

#[test]
fn the_library_uses_its_own_runtime() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..3 {
        let file = folder.path().join(round.to_string());
        let path = file.clone();
        // This thread continues after the library was unloaded.
        let traced = std::thread::spawn(move || {
            let library = Library::load();
            assert!(ringtrace::set_enabled("library_*", true).is_unknown(), "the registries are separate");
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
