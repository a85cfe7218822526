//! Threads record while the trace file is replaced, and while recording is switched off and on.
//!
//! `RINGTRACE_STRESS=N` changes the file N times as often.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "tests")]

mod scenario;
mod stress;

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ringtrace::session::{self, set_recording, set_trace_file, start, trace_file};
use ringtrace::{Backends, ExistingFile, FileFormat, Guard, Policy, Settings};
use rustix::fs::OFlags;
use scenario::{fork, number, numbers, run, wait};
use stress::scale;

fn traced() -> Guard {
    traced_in(FileFormat::V4)
}

fn traced_in(format: FileFormat) -> Guard {
    traced_with(Settings { format, ..Settings::default() })
}

/// Settings that rename an earlier file.
fn renaming(file: &str) -> Settings {
    Settings { file: Some(file.into()), existing: ExistingFile::Rename, ..Settings::default() }
}

fn traced_with(settings: Settings) -> Guard {
    let settings = Settings {
        file: Some("0.trace".into()),
        policy: Policy::Block { timeout: None },
        buffer_bytes: 1 << 17,
        ..settings
    };
    let guard = start(settings).unwrap();
    ringtrace::set_enabled("*", true);
    guard
}

/// If tracing cannot start because of another backend, no new file remains.
#[test]
fn a_failed_start_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("old"), "another trace").unwrap();
    for name in ["new", "old"] {
        let settings = Settings {
            file: Some(path(name)),
            backends: Backends::SIMPLE | Backends::LOG,
            log_file: Some(path("missing").join("log")),
            directory: Some(folder.path().to_owned()),
            ..Settings::default()
        };
        start(settings).unwrap_err();
    }
    let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["old"]);
}

#[test]
fn nothing_is_lost_between_files() {
    let ran = run("nothing_is_lost_between_files", || {
        let _guard = traced();
        let is_over = Arc::new(AtomicBool::new(false));
        let threads: Vec<_> = (0..3)
            .map(|thread: u64| {
                let is_over = Arc::clone(&is_over);
                std::thread::spawn(move || {
                    let mut count = 0;
                    while !is_over.load(Ordering::Relaxed) {
                        number(thread << 32 | count);
                        count += 1;
                        // Pause, so that the ring does not fill up.
                        if count % 100 == 0 {
                            std::thread::sleep(Duration::from_micros(100));
                        }
                    }
                    count
                })
            })
            .collect();
        for file in 1..10 * scale() {
            std::thread::sleep(Duration::from_millis(5));
            set_trace_file(Some(Path::new(&format!("{file}.trace")))).unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
        let counts: Vec<String> = threads.into_iter().map(|one| one.join().unwrap().to_string()).collect();
        std::fs::write("arenas/counts", counts.join(" ")).unwrap();
    });
    let counts = std::fs::read_to_string(ran.folder().join("arenas/counts")).unwrap();
    let traces = ran.traces();
    assert_eq!(traces.len() as u64, 10 * scale());
    traces.values().for_each(scenario::Trace::check);
    let mut all: Vec<u64> = traces.values().flat_map(scenario::Trace::all).collect();
    all.sort_unstable();
    let expected: Vec<u64> = (0..)
        .zip(counts.split(' '))
        .flat_map(|(thread, count)| (0..count.parse().unwrap()).map(move |n: u64| thread << 32 | n))
        .collect();
    assert!(all == expected, "{} of {} events are recorded", all.len(), expected.len());
    // A thread's numbers continue from file to file.
    let of_first = |number: u64| {
        let trace = traces.get(&format!("{number}.trace"))?;
        trace.all().into_iter().find(|n| n >> 32 == 1)
    };
    // On a busy machine, a thread may not run while a file is open.
    let firsts: Vec<u64> = (1..10 * scale()).filter_map(of_first).collect();
    assert!(firsts.len() > 1 && firsts.is_sorted(), "{firsts:?}");
}

#[test]
fn a_paused_trace_continues() {
    let ran = run("a_paused_trace_continues", || {
        assert!(set_recording(true).is_err(), "tracing was not started");
        let _guard = traced();
        numbers(0..10);
        assert!(set_recording(false).unwrap());
        numbers(10..20);
        assert!(!set_recording(false).unwrap());
        assert!(!set_recording(true).unwrap());
        numbers(20..30);
        // This is the current file, so it is not emptied.
        set_trace_file(Some(Path::new("0.trace"))).unwrap();
        numbers(30..40);
    });
    ran.trace().check();
    let expected: Vec<u64> = (0..10).chain(20..40).collect();
    assert_eq!(ran.trace().all(), expected);
}

#[test]
fn the_current_file_is_recognized_by_any_name_unless_it_was_moved() {
    let ran = run("the_current_file_is_recognized_by_any_name_unless_it_was_moved", || {
        let _guard = traced();
        number(1);
        std::os::unix::fs::symlink("../0.trace", "arenas/link").unwrap();
        let absolute = std::env::current_dir().unwrap().join("0.trace");
        for name in ["./0.trace", "arenas/link", absolute.to_str().unwrap()] {
            set_trace_file(Some(Path::new(name))).unwrap();
            number(2);
            // The name is also recognized while recording is off.
            set_recording(false).unwrap();
            set_trace_file(Some(Path::new(name))).unwrap();
            set_recording(true).unwrap();
        }
        std::fs::remove_file("arenas/link").unwrap();
        session::flush();
        std::fs::rename("0.trace", "1.trace").unwrap();
        set_trace_file(Some(Path::new("0.trace"))).unwrap();
        number(3);
    });
    let found: Vec<Vec<u64>> = ran.traces().values().map(scenario::Trace::all).collect();
    assert_eq!(found, [vec![3], vec![1, 2, 2, 2]]);
}

#[test]
fn a_file_belongs_to_one_program() {
    let ran = run("a_file_belongs_to_one_program", || {
        let guard = traced();
        number(1);
        session::flush();
        wait(fork(|| {
            set_trace_file(Some(Path::new("0.trace"))).unwrap();
            number(2);
        }));
        number(3);
        drop(guard);
        // A file that is no longer written is replaced.
        std::fs::copy("0.trace", "copy.trace").unwrap();
        wait(fork(|| {
            let _guard = traced();
            number(4);
        }));
    });
    let found: Vec<Vec<u64>> = ran.traces().values().map(scenario::Trace::all).collect();
    let found: Vec<Vec<u64>> = found.into_iter().filter(|numbers| !numbers.is_empty()).collect();
    assert_eq!(found, [vec![4], vec![2], vec![1, 3]], "{:?}", ran.files());
    assert!(
        ran.stderr().contains(" writes to 0.trace, so this trace is in another file"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn an_existing_file_is_renamed() {
    let ran = run("an_existing_file_is_renamed", || {
        let record = |n| {
            let guard = traced_with(renaming("0.trace"));
            number(n);
            drop(guard);
        };
        // An empty file is used as it is.
        std::fs::write("0.trace", "").unwrap();
        record(1);
        assert!(!Path::new("0.trace.old").exists());
        record(2);
        record(3);
        let guard = traced_with(renaming("0.trace"));
        number(4);
        session::flush();
        // A file to which another process writes is not renamed.
        wait(fork(|| {
            set_trace_file(Some(Path::new("0.trace"))).unwrap();
            number(5);
        }));
        drop(guard);
        std::os::unix::fs::symlink("0.trace", "link").unwrap();
        let error = start(renaming("link")).unwrap_err().to_string();
        assert!(error.contains("it is a symbolic link"), "{error}");
        std::fs::remove_file("link").unwrap();
        // A device is not renamed.
        drop(start(renaming("/dev/null")).unwrap());
        assert!(!Path::new("/dev/null.old").exists());
        // Two names of one file: the older name is free afterwards.
        std::fs::write("1.trace", "earlier").unwrap();
        std::fs::hard_link("1.trace", "1.trace.old").unwrap();
        let guard = start(renaming("1.trace")).unwrap();
        assert_eq!(std::fs::read("1.trace.old").unwrap(), b"earlier");
        // A trace that is being written is not replaced.
        std::fs::rename("1.trace", "2.trace.old").unwrap();
        std::fs::write("2.trace", "later").unwrap();
        wait(fork(|| {
            let error = start(renaming("2.trace")).unwrap_err().to_string();
            assert!(error.contains("another process writes its trace to that file"), "{error}");
        }));
        drop(guard);
        assert_eq!(std::fs::read("2.trace").unwrap(), b"later");
        for name in ["1.trace.old", "2.trace", "2.trace.old"] {
            std::fs::remove_file(name).unwrap();
        }
    });
    let found: Vec<Vec<u64>> = ran.traces().values().map(scenario::Trace::all).collect();
    assert_eq!(found, [vec![4], vec![5], vec![3]], "{:?}", ran.files());
    assert_eq!(ran.files().last().unwrap(), "0.trace.old");
}

#[test]
fn a_file_that_cannot_be_created_ends_recording() {
    let ran = run("a_file_that_cannot_be_created_ends_recording", || {
        let _guard = traced();
        number(1);
        let error = set_trace_file(Some(Path::new("nowhere/1.trace"))).unwrap_err();
        assert!(error.to_string().starts_with("trace file nowhere/1.trace: "), "{error}");
        assert!(error.to_string().ends_with("; recording is now off"), "{error}");
        number(2);
        assert_eq!((session::is_recording(), trace_file()), (false, Some("nowhere/1.trace".into())));
        assert!(set_recording(true).is_err());
        set_trace_file(Some(Path::new("2.trace"))).unwrap();
        number(3);
        assert!(!set_recording(true).unwrap());
        number(4);
        set_trace_file(None).unwrap();
        number(5);
        assert!(trace_file().unwrap().to_str().unwrap().starts_with("trace-"));
    });
    let found: Vec<Vec<u64>> = ran.traces().values().map(scenario::Trace::all).collect();
    assert_eq!(found, [vec![1], vec![4], vec![5]]);
    assert_eq!(ran.arenas(), [""; 0]);
}

#[test]
fn a_pipe_without_a_reader_is_an_error() {
    let ran = run("a_pipe_without_a_reader_is_an_error", || {
        let _guard = traced();
        rustix::fs::mkfifoat(rustix::fs::CWD, "pipe", rustix::fs::Mode::RWXU).unwrap();
        let why = "the pipe has no reader";
        let error = set_trace_file(Some(Path::new("pipe"))).unwrap_err();
        assert_eq!(error.to_string(), format!("trace file pipe: {why}"));
        assert_eq!(ringtrace::snapshot("pipe").unwrap_err().to_string(), why);
        // The name is accepted while the log is off. The file is opened when the log is switched
        // on.
        session::set_log_file(Some(Path::new("pipe"))).unwrap();
        for change in [
            ringtrace::switch_backends(Backends::SIMPLE | Backends::LOG).map(drop),
            session::set_log_file(None)
                .and_then(|()| ringtrace::switch_backends(Backends::SIMPLE | Backends::LOG))
                .and_then(|_| session::set_log_file(Some(Path::new("pipe")))),
        ] {
            let error = change.unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
        ringtrace::switch_backends(Backends::SIMPLE).unwrap();
        number(1);
        let reader = std::fs::File::options().read(true).write(true).open("pipe").unwrap();
        set_trace_file(Some(Path::new("pipe"))).unwrap();
        set_recording(false).unwrap();
        set_trace_file(Some(Path::new("1.trace"))).unwrap();
        set_trace_file(Some(Path::new("pipe"))).unwrap();
        drop(reader);
        assert_eq!(set_recording(true).unwrap_err().to_string(), error.to_string());
        set_trace_file(Some(Path::new("1.trace"))).unwrap();
        set_recording(true).unwrap();
        number(2);
    });
    let found: Vec<Vec<u64>> = ran.traces().values().map(scenario::Trace::all).collect();
    assert_eq!(found, [vec![1], vec![2]]);
}

/// Creates `pipe`, and fills it. Returns its reader, and the number of bytes in it.
fn full_pipe() -> (std::fs::File, usize) {
    rustix::fs::mkfifoat(rustix::fs::CWD, "pipe", rustix::fs::Mode::RWXU).unwrap();
    let open = |flags| rustix::fs::open("pipe", flags | OFlags::NONBLOCK, rustix::fs::Mode::empty()).unwrap();
    let reader = open(OFlags::RDONLY);
    let writer = open(OFlags::WRONLY);
    let mut bytes = 0;
    while let Ok(written) = rustix::io::write(&writer, &[0; 4096]) {
        bytes += written;
    }
    rustix::fs::fcntl_setfl(&reader, OFlags::empty()).unwrap();
    (reader.into(), bytes)
}

/// The trace continues in the pipe as soon as somebody reads from it.
#[test]
fn a_stalled_pipe_does_not_stop_the_change_to_it() {
    let ran = run("a_stalled_pipe_does_not_stop_the_change_to_it", || {
        let guard = traced();
        number(1);
        let (mut reader, bytes) = full_pipe();
        set_trace_file(Some(Path::new("pipe"))).unwrap();
        number(2);
        let mut received = Vec::new();
        let end = std::thread::spawn(move || {
            reader.read_to_end(&mut received).unwrap();
            std::fs::write("1.trace", received.split_off(bytes)).unwrap();
        });
        drop(guard);
        end.join().unwrap();
    });
    let found: Vec<Vec<u64>> = ran.traces().values().map(scenario::Trace::all).collect();
    assert_eq!(found, [vec![1], vec![2]]);
}

#[test]
fn what_a_stalled_pipe_did_not_take_is_in_the_next_file() {
    check_carried("what_a_stalled_pipe_did_not_take_is_in_the_next_file", || carry_to_next(FileFormat::V4));
}

#[test]
fn what_a_stalled_pipe_did_not_take_is_in_the_next_compact_file() {
    check_carried("what_a_stalled_pipe_did_not_take_is_in_the_next_compact_file", || {
        carry_to_next(FileFormat::Compact);
    });
}

fn carry_to_next(format: FileFormat) {
    let guard = traced_in(format);
    let (_reader, _) = full_pipe();
    set_trace_file(Some(Path::new("pipe"))).unwrap();
    numbers(0..100);
    set_trace_file(Some(Path::new("1.trace"))).unwrap();
    numbers(100..200);
    drop(guard);
    std::fs::remove_file("pipe").unwrap();
}

fn check_carried(test: &str, program: fn()) {
    let found: Vec<Vec<u64>> = run(test, program).traces().values().map(scenario::Trace::all).collect();
    assert_eq!(found, [vec![], (0..200).collect()]);
}

/// Each file names the libraries of its own stacks.
#[test]
fn a_library_that_is_loaded_between_two_files_is_declared_in_both() {
    let ran = run("a_library_that_is_loaded_between_two_files_is_declared_in_both", || {
        let options = ringtrace::Options::new().enable("*").stack("*").file("0.trace");
        let _guard = options.start().unwrap();
        number(1);
        session::flush();
        assert!(!maps().contains("libresolv"));
        // SAFETY: the name ends with NUL, and the library has no constructors.
        assert!(!unsafe { libc::dlopen(c"libresolv.so.2".as_ptr(), libc::RTLD_NOW) }.is_null());
        assert!(maps().contains("libresolv"));
        set_trace_file(Some(Path::new("1.trace"))).unwrap();
        number(2);
    });
    for (name, trace) in ran.traces() {
        trace.check();
        assert_eq!(trace.all().len(), 1, "{name}");
        let bytes = std::fs::read(ran.folder().join(&name)).unwrap();
        assert!(bytes.windows(9).any(|bytes| bytes == b"libresolv"), "{name}");
    }
}

fn maps() -> String {
    std::fs::read_to_string("/proc/self/maps").unwrap()
}
