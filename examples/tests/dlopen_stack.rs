//! Stacks of events in a library that is loaded while the program traces. The library contains its
//! own copy of the runtime.

#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#![allow(clippy::unwrap_used, reason = "tests")]

mod library;

use library::Library;
use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader};

ringtrace::include_trace!("life");

#[test]
fn the_frames_of_a_library_that_is_loaded_later_have_its_module() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    let options = ringtrace::Options::new().enable("*").stack("library_step").stack("life_child");
    let guard = options.cpu("library_named").file(&file).start().unwrap();
    trace::life_child(1, 0);
    for round in 0..3 {
        let library = Library::load();
        library.work(10 * round, 2);
        // The library must be loaded when the writer thread finds its events.
        assert!(ringtrace::flush());
    }
    drop(guard);

    let mut reader = Reader::new("trace", Input::open(&file).unwrap(), &Options::default()).unwrap();
    let mut modules = Vec::new();
    let flow = reader.for_each(|entry: &Entry<'_>| {
        let first = entry.stack().next().map(|frame| {
            let module = frame.module.expect("the module is known");
            let path = String::from_utf8_lossy(&module.path).into_owned();
            // The probe is in the file, after its headers.
            assert!(frame.file_address().is_some_and(|address| address > 0x200), "{frame:?}");
            path.rsplit('/').next().unwrap_or_default().to_owned()
        });
        modules.push((entry.schema.name.to_string(), first, entry.context.cpu().is_some()));
        Flow::Continue
    });
    flow.unwrap();
    let own = std::env::current_exe().unwrap().file_name().unwrap().to_string_lossy().into_owned();
    let mut expected = vec![("life_child".to_owned(), Some(own), false)];
    let library = Library::path().file_name().unwrap().to_string_lossy().into_owned();
    for _ in 0..3 {
        expected.push(("library_step".to_owned(), Some(library.clone()), false));
        expected.push(("library_named".to_owned(), None, true));
        expected.push(("library_step".to_owned(), Some(library.clone()), false));
    }
    assert_eq!(modules, expected);
}
