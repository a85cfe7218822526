//! A library with its own copy of the runtime, in a program without a copy, and in this program.
//! This program contains a copy, but does not export the symbol that connects copies, because its
//! package has no build script. `examples/tests/dlopen.rs` tests programs that export the symbol.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "../../../examples/tests/library/mod.rs"]
mod library;

use std::path::Path;
use std::process::Command;

use library::Library;
use ringtrace::{Policy, Settings};
use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader};

/// Returns the number of events in a trace.
fn events(file: &Path) -> usize {
    let mut reader = Reader::new("trace", Input::open(file).unwrap(), &Options::default()).unwrap();
    let mut events = 0;
    let count = |_: &Entry<'_>| {
        events += 1;
        Flow::Continue
    };
    reader.for_each(count).unwrap();
    assert!(reader.anomalies().is_empty());
    events
}

/// A program without the runtime. Its arguments are the library and the trace file.
const PROGRAM: &str = r#"
    #include <dlfcn.h>
    #include <pthread.h>
    #include <stdbool.h>
    #include <stdint.h>

    static char **arguments;

    static void *trace(void *is_recorded)
    {
        void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
        void (*work)(uint64_t, uint64_t);
        bool (*work_alone)(const char *, uint64_t, uint64_t);

        *(void **)&work = dlsym(library, "library_work");
        *(void **)&work_alone = dlsym(library, "library_work_alone");
        work(0, 10);
        *(bool *)is_recorded = work_alone(arguments[2], 1, 1000);
        /* This thread continues after the library is unloaded. */
        dlclose(library);
        return is_recorded;
    }

    int main(int argc, char **argv)
    {
        bool is_recorded = false;
        pthread_t thread;

        arguments = argv;
        for (int round = 0; round < 3; round++) {
            if (argc != 3 || pthread_create(&thread, 0, trace, &is_recorded) || pthread_join(thread, 0)) {
                return 2;
            }
        }
        return is_recorded ? 0 : 1;
    }
"#;

#[test]
fn the_library_uses_its_own_runtime() {
    let folder = tempfile::tempdir().unwrap();
    let [source, program, file] = ["program.c", "program", "trace"].map(|name| folder.path().join(name));
    std::fs::write(&source, PROGRAM).unwrap();
    let mut cc = Command::new("cc");
    let compiled = cc.arg("-o").arg(&program).arg(source).args(["-lpthread", "-ldl"]).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(program).arg(Library::path()).arg(&file).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    // Each round replaced the file.
    assert_eq!(events(&file), 1100);
}

#[test]
fn the_library_uses_the_runtime_of_a_program_without_exports() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    let policy = Policy::Block { timeout: None };
    let settings = Settings { file: Some(file.clone()), policy, ..Settings::default() };
    let guard = ringtrace::session::start(settings).unwrap();
    for _ in 0..3 {
        std::thread::spawn(|| {
            let library = Library::load();
            assert_eq!(ringtrace::set_enabled("library_*", true).changed, 2);
            library.work(1, 1000);
        })
        .join()
        .unwrap();
    }
    drop(guard);
    assert_eq!(events(&file), 3 * 1100);
}
