//! Traced programs that may only make the system calls listed in docs/PLATFORM.md.
//!
//! The tests read the tables of that page. A call that is not listed ends the program, which prints
//! the call.

#![cfg(target_arch = "x86_64")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod filter;
mod scenario;

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use filter::{OWN, allow, calls, calls_for_text, table};
use ringtrace::session::start;
use ringtrace::{Backends, Clock, LogLine, Policy, Settings};
use scenario::{Ran, number, numbers, run};

fn settings(policy: Policy, clock: Clock) -> Settings {
    Settings {
        file: Some("t.trace".into()),
        policy,
        clock,
        buffer_bytes: 1 << 17,
        threads: 4,
        ..Settings::default()
    }
}

/// Starts tracing, forbids the system calls that are needed only at the start, and records in
/// existing and new threads.
fn forbid_and_trace(policy: Policy, clock: Clock) {
    let mut times = vec!["probe", "writer", "end"];
    if matches!(policy, Policy::Block { .. }) {
        times.push("block");
    }
    let guard = start(settings(policy, clock)).unwrap();
    ringtrace::set_enabled("*", true);
    number(0);
    let (ready, go) = (Arc::new(Barrier::new(3)), Arc::new(Barrier::new(3)));
    let before: Vec<_> = [1, 2]
        .map(|thread: u64| {
            let (ready, go) = (Arc::clone(&ready), Arc::clone(&go));
            std::thread::spawn(move || {
                ready.wait();
                go.wait();
                numbers(thread << 32..(thread << 32) + 20_000);
            })
        })
        .into();
    ready.wait();
    let own = OWN.map(str::to_owned);
    allow(&calls(&times).into_iter().chain(own).collect());
    go.wait();
    numbers(1..20_000);
    before.into_iter().for_each(|thread| thread.join().unwrap());
    for _ in 0..3 {
        // Start more threads than there are slots, so that another arena is needed.
        let barrier = Arc::new(Barrier::new(20));
        let new: Vec<_> = (10..30)
            .map(|thread: u64| {
                let barrier = Arc::clone(&barrier);
                std::thread::spawn(move || {
                    barrier.wait();
                    numbers(thread << 32..(thread << 32) + 1000);
                    barrier.wait();
                })
            })
            .collect();
        new.into_iter().for_each(|thread| thread.join().unwrap());
    }
    drop(guard);
}

fn check(ran: &Ran) {
    let trace = ran.trace();
    let issued: u64 = trace.totals.values().map(|total| total.issued).sum();
    assert_eq!(issued, 3 * 20_000 + 60_000, "{}", ran.stderr());
    assert_eq!(ran.arenas(), [""; 0]);
}

#[test]
fn discard() {
    check(&run("discard", || forbid_and_trace(Policy::Discard, Clock::Exact)));
}

#[test]
fn block() {
    check(&run("block", || forbid_and_trace(Policy::Block { timeout: None }, Clock::Exact)));
}

#[test]
fn block_with_a_timeout() {
    check(&run("block_with_a_timeout", || {
        let policy = Policy::Block { timeout: Some(Duration::from_secs(5)) };
        forbid_and_trace(policy, Clock::Coarse);
    }));
}

#[test]
fn overwrite() {
    check(&run("overwrite", || forbid_and_trace(Policy::Overwrite, Clock::Gettime)));
}

#[test]
fn from_start_to_end() {
    let ran = run("from_start_to_end", || {
        allow(&calls(&["start", "probe", "writer", "end"]));
        for clock in [Clock::Exact, Clock::Coarse] {
            let guard = start(settings(Policy::Discard, clock)).unwrap();
            ringtrace::set_enabled("*", true);
            numbers(0..100);
            drop(guard);
        }
    });
    assert_eq!(ran.trace().all().len(), 100);
}

/// Returns settings with all text backends and the log in a pipe, the read end of the pipe, and the
/// daemon's socket.
fn text_settings() -> (Settings, std::io::PipeReader, std::os::unix::net::UnixDatagram) {
    use std::os::fd::AsRawFd;
    let (reader, writer) = std::io::pipe().unwrap();
    let daemon = std::os::unix::net::UnixDatagram::bind("daemon").unwrap();
    std::fs::write("marker", "").unwrap();
    let log_file = format!("/proc/self/fd/{}", writer.as_raw_fd());
    let settings = Settings {
        backends: Backends::LOG | Backends::SYSLOG | Backends::FTRACE,
        log_file: Some(log_file.into()),
        log_line: LogLine::Thread,
        syslog_socket: Some("daemon".into()),
        ftrace_marker: Some("marker".into()),
        ..Settings::default()
    };
    // Keep the write end open. The settings contain its path in `/proc`, which exists only while it
    // is open.
    std::mem::forget(writer);
    (settings, reader, daemon)
}

/// Covers all outcomes of a line: it is written at once, written after a wait, or lost because
/// there is no reader. Lost lines are reported.
#[test]
fn text() {
    let ran = run("text", || {
        let (settings, reader, daemon) = text_settings();
        let guard = start(settings).unwrap();
        ringtrace::set_enabled("*", true);
        // Allow the system calls of the test itself, which closes the other ends.
        let own = OWN.iter().chain(&["close", "fcntl"]).map(|name| (*name).to_owned());
        allow(&calls_for_text(&["probe"]).into_iter().chain(own).collect());
        let threads: Vec<_> = (0..2).map(|_| std::thread::spawn(|| numbers(0..100))).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        // Emit more lines than fit in the queue of a socket that nobody reads.
        numbers(0..600);
        drop((reader, daemon));
        numbers(0..10);
        drop(guard);
        let [log, syslog, ftrace] =
            [Backends::LOG, Backends::SYSLOG, Backends::FTRACE].map(ringtrace::text_counts);
        assert_eq!((log.written, log.lost), (800, 10));
        assert_eq!(syslog.written + syslog.lost, 810);
        assert!(syslog.lost > 10);
        assert_eq!((ftrace.written, ftrace.lost), (810, 0));
    });
    let stderr = ran.stderr();
    for expected in [
        "log: the reader has closed the pipe",
        "syslog: no line was accepted for a second",
        "ringtrace: log: 10 lines were lost",
    ] {
        assert!(stderr.contains(expected), "{stderr}");
    }
}

#[test]
fn text_from_start_to_end() {
    run("text_from_start_to_end", || {
        let (settings, _reader, _daemon) = text_settings();
        let file = Settings { log_file: Some("a.log".into()), ..settings.clone() };
        let times = ["start", "probe", "end"];
        allow(&calls(&times).union(&calls_for_text(&times)).cloned().collect());
        for settings in [file, settings] {
            let guard = start(settings).unwrap();
            ringtrace::set_enabled("*", true);
            numbers(0..4);
            drop(guard);
        }
    });
}

/// Lists the entries of a folder in `/proc`, such as the names of threads or the open descriptors.
fn own(folder: &str, what: impl Fn(&Path) -> Option<String>) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<String> = entries.filter_map(|entry| what(&entry)).collect();
    found.sort();
    found
}

fn threads() -> Vec<String> {
    let name = |task: &Path| Some(std::fs::read_to_string(task.join("comm")).ok()?.trim().to_owned());
    own("/proc/self/task", name).into_iter().filter(|name| name.starts_with("ringtrace")).collect()
}

/// docs/PLATFORM.md lists the actual threads and descriptors, and `exec` closes all descriptors.
#[test]
fn threads_and_descriptors() {
    let listed: BTreeSet<String> =
        table("| thread | while |").iter().map(|row| row[0].trim_matches('`').to_owned()).collect();
    let monitor = ["ringtrace-mon", "ringtrace-ctl"];
    assert_eq!(
        listed,
        ["ringtrace", "ringtrace-clock"].into_iter().chain(monitor).map(str::to_owned).collect()
    );
    run("threads_and_descriptors", || {
        let target = |descriptor: &Path| Some(std::fs::read_link(descriptor).ok()?.display().to_string());
        let before = own("/proc/self/fd", target);
        for (clock, expected) in [
            (Clock::Exact, &["ringtrace"][..]),
            (Clock::Gettime, &["ringtrace"]),
            (Clock::Coarse, &["ringtrace", "ringtrace-clock"]),
        ] {
            let guard = start(settings(Policy::Discard, clock)).unwrap();
            // A thread gets its name shortly after its start.
            for _ in 0..500 {
                if threads() == expected {
                    break;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            assert_eq!(threads(), expected);
            let mut new = own("/proc/self/fd", target);
            new.retain(|target| !before.contains(target) && !target.starts_with("/proc/"));
            assert_eq!(new.len(), 3, "{new:?}");
            // An arena had no name when it was opened, so find its descriptor by the inode.
            let arenas = std::fs::read_dir("arenas").unwrap().map(|entry| entry.unwrap().path());
            let arenas: Vec<PathBuf> = arenas.collect();
            assert!(arenas.len() == 1 && arenas[0].to_string_lossy().ends_with(".arena"), "{arenas:?}");
            let inode = |path: &Path| std::fs::metadata(path).map(|found| (found.dev(), found.ino())).ok();
            let files =
                [Path::new("t.trace"), Path::new("arenas"), &arenas[0]].map(|path| inode(path).unwrap());
            let flags = |descriptor: &Path| {
                let info = Path::new("/proc/self/fdinfo").join(descriptor.file_name()?);
                let ours = inode(descriptor).is_some_and(|inode| files.contains(&inode));
                ours.then(|| std::fs::read_to_string(info).unwrap())
            };
            let infos = own("/proc/self/fd", flags);
            assert_eq!(infos.len(), 3, "{new:?}");
            for info in infos {
                let flags = info.lines().find_map(|line| line.strip_prefix("flags:")).unwrap();
                let flags = i32::from_str_radix(flags.trim(), 8).unwrap();
                assert!(flags & libc::O_CLOEXEC != 0, "{info}");
            }
            drop(guard);
            assert_eq!(threads(), [""; 0]);
            assert_eq!(own("/proc/self/fd", target).len(), before.len());
        }
    });
}

/// The table in docs/PLATFORM.md lists every environment variable that the code reads.
#[test]
fn variables() {
    let listed: Vec<String> =
        table("| variable | for |").iter().map(|row| row[0].trim_matches('`').to_owned()).collect();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut used = BTreeSet::new();
    // The files that read the environment or pass names of variables.
    for (file, how) in [
        ("ring/directory.rs", "env::var_os("),
        ("options/arguments.rs", "env::var_os("),
        ("options/monitor.rs", "variable("),
    ] {
        let text = std::fs::read_to_string(source.join(file)).unwrap();
        used.extend(listed.iter().filter(|name| text.contains(&format!("\"{name}\""))).cloned());
        assert!(text.contains(how), "{file} no longer reads any variable");
    }
    assert_eq!(used, listed.into_iter().collect());
}
