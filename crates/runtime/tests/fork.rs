//! Forks of traced processes.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "tests")]

mod scenario;

use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use ringtrace::session::start;
use ringtrace::{Clock, Guard, Policy, Settings};
use ringtrace_tracefile::recover::{ArenaFile, gather};
use scenario::{fork, number, numbers, run, wait};

fn traced(file: Option<&str>) -> Guard {
    let policy = Policy::Block { timeout: None };
    let settings = Settings { file: file.map(PathBuf::from), policy, ..Settings::default() };
    let guard = start(settings).unwrap();
    ringtrace::set_enabled("*", true);
    guard
}

#[test]
fn a_child_has_a_file_of_its_own() {
    let ran = run("a_child_has_a_file_of_its_own", || {
        let _guard = traced(Some("t.trace"));
        numbers(0..10);
        let child = fork(|| {
            numbers(100..105);
            wait(fork(|| numbers(200..207)));
            numbers(105..110);
        });
        numbers(10..20);
        wait(child);
    });
    let traces = ran.traces();
    assert_eq!(traces.len(), 3, "{:?} {}", ran.files(), ran.stderr());
    for (name, trace) in &traces {
        trace.check();
        let all = trace.all();
        match (name.as_str(), all[0]) {
            ("t.trace", 0) => assert_eq!(all, Vec::from_iter(0..20)),
            (_, 100) => assert_eq!(all, Vec::from_iter(100..110)),
            (_, 200) => assert_eq!(all, Vec::from_iter(200..207)),
            other => panic!("{other:?}"),
        }
        if name != "t.trace" {
            assert_eq!(*name, format!("t.trace.{}", trace.pid));
        }
    }
    assert_eq!(ran.arenas(), [""; 0]);
}

#[test]
fn default_names_stay_in_the_folder_where_tracing_started() {
    let ran = run("default_names_stay_in_the_folder_where_tracing_started", || {
        let _guard = traced(None);
        // Like a daemon, the child changes its folder, and the parent exits without having traced
        // anything.
        let child = fork(|| {
            std::env::set_current_dir("/").unwrap();
            numbers(0..3);
        });
        wait(child);
    });
    let traces = ran.traces();
    assert_eq!(traces.len(), 2, "{:?}", ran.files());
    let child = traces.values().find(|trace| !trace.numbers.is_empty()).unwrap();
    assert_eq!(child.all(), [0, 1, 2]);
    assert_eq!(ran.files()[1], format!("trace-{}", child.pid));
}

#[test]
fn a_child_that_records_nothing_leaves_nothing() {
    let ran = run("a_child_that_records_nothing_leaves_nothing", || {
        let guard = traced(Some("t.trace"));
        numbers(0..5);
        wait(fork(|| ()));
        assert!(std::process::Command::new("true").status().unwrap().success());
        // A child that drops the inherited guard does not stop its parent's tracing, but records
        // nothing after that.
        // SAFETY: as in `fork`.
        let child = unsafe { libc::fork() };
        if child == 0 {
            drop(guard);
            numbers(300..310);
            std::process::exit(0);
        }
        wait(child);
        numbers(5..10);
        drop(guard);
    });
    assert_eq!(ran.trace().all(), Vec::from_iter(0..10));
    ran.trace().check();
}

#[test]
fn dropping_the_guard_in_the_child_ends_its_trace() {
    let ran = run("dropping_the_guard_in_the_child_ends_its_trace", || {
        let guard = traced(Some("t.trace"));
        // SAFETY: as in `fork`.
        let child = unsafe { libc::fork() };
        let from = if child == 0 { 100 } else { 0 };
        numbers(from..from + 50);
        drop(guard);
        numbers(from + 50..from + 60);
        if child != 0 {
            wait(child);
        }
        // SAFETY: the call has no preconditions. It skips the exit handlers, which are not needed
        // after the guard was dropped.
        unsafe { libc::_exit(0) };
    });
    assert_eq!(ran.traces().len(), 2, "{:?}", ran.files());
    for trace in ran.traces().values() {
        trace.check();
        let from = trace.all()[0];
        assert_eq!(trace.all(), Vec::from_iter(from..from + 50));
    }
    assert_eq!(ran.arenas(), [""; 0]);
}

#[test]
fn a_child_may_start_its_own() {
    let ran = run("a_child_may_start_its_own", || {
        let _guard = traced(Some("t.trace"));
        number(1);
        wait(fork(|| {
            let _guard = traced(Some("own.trace"));
            number(2);
        }));
    });
    assert_eq!(ran.files(), ["own.trace", "t.trace"]);
    assert_eq!(ran.traces()["own.trace"].all(), [2]);
    assert_eq!(ran.traces()["t.trace"].all(), [1]);
}

#[test]
fn threads_of_a_child_are_in_one_trace() {
    let ran = run("threads_of_a_child_are_in_one_trace", || {
        let _guard = traced(Some("t.trace"));
        for _ in 0..10 {
            wait(fork(|| {
                // All threads find at the same time that the child has no trace yet.
                let barrier = std::sync::Barrier::new(4);
                std::thread::scope(|scope| {
                    for thread in 0..4 {
                        let barrier = &barrier;
                        scope.spawn(move || {
                            barrier.wait();
                            numbers(thread * 100..thread * 100 + 100);
                        });
                    }
                });
            }));
        }
    });
    let traces = ran.traces();
    assert_eq!(traces.len(), 11, "{:?} {}", ran.files(), ran.stderr());
    for (_, trace) in traces.iter().filter(|(name, _)| *name != "t.trace") {
        trace.check();
        assert_eq!(trace.numbers.len(), 4);
        assert_eq!(trace.all(), Vec::from_iter(0..400));
    }
}

#[test]
fn a_child_has_a_flight_recorder_of_its_own() {
    let ran = run("a_child_has_a_flight_recorder_of_its_own", || {
        let file = Some(PathBuf::from("t.trace"));
        let settings =
            Settings { file, policy: Policy::Overwrite, clock: Clock::Coarse, ..Settings::default() };
        let _guard = start(settings).unwrap();
        ringtrace::set_enabled("*", true);
        numbers(0..10);
        wait(fork(|| numbers(100..110)));
        numbers(10..20);
    });
    let traces = ran.traces();
    assert_eq!(traces.len(), 2, "{:?} {}", ran.files(), ran.stderr());
    for (name, trace) in &traces {
        let expected = if name == "t.trace" { 0..20 } else { 100..110 };
        assert_eq!(trace.all(), Vec::from_iter(expected));
    }
}

/// The C library's fork handlers do not run for such a child.
#[test]
fn a_child_by_a_bare_clone_is_noticed() {
    let ran = run("a_child_by_a_bare_clone_is_noticed", || {
        let _guard = traced(Some("t.trace"));
        numbers(0..10);
        // SAFETY: no thread holds a lock; the child only traces and exits.
        let child = unsafe { libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0) } as i32;
        if child == 0 {
            numbers(100..110);
            assert!(ringtrace::session::flush());
            // SAFETY: the call has no preconditions, and the trace is already written.
            unsafe { libc::_exit(0) };
        }
        wait(child);
        numbers(10..20);
    });
    let traces = ran.traces();
    assert_eq!(traces.len(), 2, "{:?} {}", ran.files(), ran.stderr());
    for (name, trace) in &traces {
        let expected = if name == "t.trace" { 0..20 } else { 100..110 };
        assert_eq!(trace.all(), Vec::from_iter(expected));
    }
}

#[test]
fn children_continue_without_a_trace_file() {
    let ran = run("children_continue_without_a_trace_file", || {
        std::fs::create_dir("gone").unwrap();
        let _guard = traced(Some("gone/t.trace"));
        std::fs::remove_dir_all("gone").unwrap();
        wait(fork(|| numbers(0..1000)));
    });
    let stderr = ran.stderr();
    assert_eq!(stderr.matches("ringtrace: process").count(), 1, "{stderr}");
}

#[test]
fn forks_while_everything_is_busy() {
    let ran = run("forks_while_everything_is_busy", || {
        let _guard = traced(Some("t.trace"));
        static STOP: AtomicBool = AtomicBool::new(false);
        let busy: Vec<_> = (0..2)
            .map(|_| {
                std::thread::spawn(|| {
                    let mut n = 0;
                    while !STOP.load(Ordering::Relaxed) {
                        number(n);
                        n += 1;
                    }
                })
            })
            .collect();
        let switching = std::thread::spawn(|| {
            while !STOP.load(Ordering::Relaxed) {
                ringtrace::set_enabled("nothing", false);
            }
        });
        for _ in 0..20 {
            wait(fork(|| numbers(0..50)));
        }
        STOP.store(true, Ordering::Relaxed);
        busy.into_iter().for_each(|thread| thread.join().unwrap());
        switching.join().unwrap();
    });
    let traces = ran.traces();
    assert_eq!(traces.len(), 21);
    for (name, trace) in &traces {
        trace.check();
        if name != "t.trace" {
            assert_eq!(trace.all(), Vec::from_iter(0..50));
        }
    }
    let parent = &traces["t.trace"];
    for numbers in parent.numbers.values() {
        assert_eq!(*numbers, Vec::from_iter(0..numbers.len() as u64), "nothing is lost with `block`");
    }
    assert_eq!(ran.arenas(), [""; 0]);
}

/// A child's writer thread starts even if other threads of the parent were starting and exiting
/// during the fork, and thus held locks of the standard library.
#[test]
fn forks_while_threads_start() {
    let ran = run("forks_while_threads_start", || {
        let _guard = traced(Some("t.trace"));
        static STOP: AtomicBool = AtomicBool::new(false);
        let starting: Vec<_> = (0..3)
            .map(|_| {
                std::thread::spawn(|| {
                    while !STOP.load(Ordering::Relaxed) {
                        std::thread::spawn(|| {}).join().unwrap();
                    }
                })
            })
            .collect();
        for _ in 0..200 {
            wait(fork(|| {
                // SAFETY: the call has no requirements.
                unsafe { libc::alarm(30) };
                numbers(0..50);
                // SAFETY: the process has no other threads. `std::process::exit` would wait for such
                // a lock.
                unsafe { libc::exit(0) };
            }));
        }
        STOP.store(true, Ordering::Relaxed);
        starting.into_iter().for_each(|thread| thread.join().unwrap());
    });
    let mut children = ran.traces();
    children.remove("t.trace");
    assert_eq!(children.len(), 200);
    for trace in children.values() {
        assert_eq!(trace.all(), Vec::from_iter(0..50));
    }
}

/// Some processes end without exit handlers, by `_exit` or `exec`. After `exec`, the process id
/// belongs to another program.
#[test]
fn records_can_be_recovered_after_exit_and_exec() {
    let ran = run("records_can_be_recovered_after_exit_and_exec", || {
        let _guard = traced(Some("t.trace"));
        number(1);
        // SAFETY: the children only trace and end.
        unsafe {
            if libc::fork() == 0 {
                numbers(100..200);
                let nothing = std::process::Stdio::null;
                let mut other = std::process::Command::new("sleep");
                let error = other.arg("2").stdin(nothing()).stdout(nothing()).stderr(nothing()).exec();
                panic!("{error}");
            }
            let leaves = libc::fork();
            if leaves == 0 {
                numbers(200..300);
                libc::_exit(0);
            }
            wait(leaves);
        }
        std::thread::sleep(Duration::from_millis(200));
    });
    let arenas = ran.arenas().into_iter().map(|name| ran.folder().join("arenas").join(name));
    let arenas: Vec<ArenaFile> = arenas.map(|path| ArenaFile::open(&path).unwrap()).collect();
    let mut found = Vec::new();
    for process in gather(arenas).unwrap() {
        assert!(!process.is_alive());
        let trace = ran.folder().join(format!("{}.recovered", process.pid()));
        let mut bytes = Vec::new();
        let keep = |more: &[u8]| {
            bytes.extend_from_slice(more);
            Ok(())
        };
        process.recover(keep).unwrap();
        std::fs::write(&trace, bytes).unwrap();
        found.push(scenario::Trace::read(&trace).all());
    }
    found.sort();
    assert_eq!(found, [Vec::from_iter(100..200), Vec::from_iter(200..300)]);
}

static FORKS: AtomicU32 = AtomicU32::new(0);
static IS_CHILD: AtomicBool = AtomicBool::new(false);

static THREAD: AtomicU64 = AtomicU64::new(0);

extern "C" fn fork_in_handler(_: i32) {
    let thread = THREAD.load(Ordering::Relaxed);
    // SAFETY: both functions may be called in a handler, and the thread is running.
    unsafe {
        if libc::pthread_self() != thread {
            libc::pthread_kill(thread, libc::SIGALRM);
            return;
        }
    }
    if IS_CHILD.load(Ordering::Relaxed) || FORKS.fetch_add(1, Ordering::Relaxed) >= 20 {
        return;
    }
    // SAFETY: the handler interrupts only a probe or arithmetic, so no lock is held.
    if unsafe { libc::fork() } == 0 {
        IS_CHILD.store(true, Ordering::Relaxed);
    }
}

/// A handler forks while its thread is inside a probe. The child continues that probe.
#[test]
fn forks_within_probes() {
    let ran = run("forks_within_probes", || {
        let guard = traced(Some("t.trace"));
        // SAFETY: the function has no preconditions.
        THREAD.store(unsafe { libc::pthread_self() }, Ordering::Relaxed);
        // SAFETY: the arguments are valid. The calls install a handler, and a timer that runs the
        // handler every millisecond.
        unsafe {
            libc::signal(libc::SIGALRM, fork_in_handler as extern "C" fn(i32) as usize);
            let every = libc::timeval { tv_sec: 0, tv_usec: 1000 };
            let timer = libc::itimerval { it_interval: every, it_value: every };
            libc::setitimer(libc::ITIMER_REAL, &raw const timer, std::ptr::null_mut());
        }
        let mut n = 0;
        while !IS_CHILD.load(Ordering::Relaxed) && FORKS.load(Ordering::Relaxed) < 20 {
            number(n);
            n += 1;
        }
        if IS_CHILD.load(Ordering::Relaxed) {
            numbers(1 << 40..(1 << 40) + 100);
            std::process::exit(0);
        }
        let mut status = 0;
        // SAFETY: `status` is valid for writes. The call waits for any child.
        while unsafe { libc::waitpid(-1, &raw mut status, 0) } > 0 {
            assert_eq!(status, 0);
        }
        drop(guard);
    });
    let traces = ran.traces();
    assert_eq!(traces.len(), 21, "{:?}", ran.files());
    for (name, trace) in &traces {
        trace.check();
        let all = trace.all();
        if name == "t.trace" {
            assert_eq!(all, Vec::from_iter(0..all.len() as u64));
        } else {
            // Only the record that the fork interrupted may be lost. The next record may still be
            // numbered as in the parent.
            let own = all.iter().filter(|n| **n >= 1 << 40).count();
            assert_eq!(own, 100, "{all:?}");
        }
    }
}
