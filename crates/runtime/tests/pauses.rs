//! Switches recording off and on, both in programs that start tracing themselves and in programs
//! where a client starts it. No earlier record is lost, and the trace contains the pauses.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "tests")]

mod scenario;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ringtrace::monitor::{Server, Serving};
use ringtrace::session::{self, set_recording, set_trace_file, start, trace_file};
use ringtrace::status::status;
use ringtrace::{Guard, Policy, Settings, StartError};
use ringtrace_wire::simpletrace::metadata::Metadata;
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{ByLength, Layout, Step, detect, header::Detected};
use ringtrace_wire::{ByteOrder, Little};
use scenario::{Ran, fork, number, numbers, run, wait};

/// The contents of a trace, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Records(u64),
    Off,
    On,
}

use Found::{Off, On, Records};

fn found(ran: &Ran, file: &str) -> Vec<Found> {
    assert_eq!(ringtrace_wire::ring::ORDER, ByteOrder::Little, "the test is for little-endian machines");
    let bytes = std::fs::read(ran.folder().join(file)).unwrap();
    let Detected::Header(header) = detect(&bytes) else { panic!("no trace: {} bytes", bytes.len()) };
    let (mut rest, mut found) = (&bytes[header.size..], Vec::new());
    let mut times_ns = Vec::new();
    while !rest.is_empty() {
        match V4::<Little>::step(rest, &ByLength) {
            Step::Record(record) => {
                times_ns.push(record.timestamp_ns);
                match found.last_mut() {
                    Some(Records(count)) => *count += 1,
                    _ => found.push(Records(1)),
                }
                rest = &rest[record.size..];
            }
            Step::Mapping(mapping) => {
                match Metadata::parse(mapping.id, std::str::from_utf8(mapping.name).unwrap()) {
                    Some(Ok(Metadata::Paused(time_ns))) => {
                        times_ns.push(time_ns);
                        found.push(Off);
                    }
                    Some(Ok(Metadata::Resumed(time_ns))) => {
                        times_ns.push(time_ns);
                        found.push(On);
                    }
                    _ => {}
                }
                rest = &rest[mapping.size..];
            }
            step => panic!("{step:?}"),
        }
    }
    // In a flight recorder's trace, pauses precede the records of the rings.
    let is_flight = found.first() != Some(&Records(10));
    assert!(is_flight || times_ns.is_sorted(), "{file}: {times_ns:?}");
    found
}

const BLOCK: Policy = Policy::Block { timeout: None };

fn begin(file: &str, policy: Policy) -> Guard {
    let settings = Settings { file: Some(file.into()), policy, buffer_bytes: 1 << 17, ..Settings::default() };
    let guard = start(settings).unwrap();
    ringtrace::set_enabled("*", true);
    guard
}

fn pause_and_resume(policy: Policy) {
    let _guard = begin("0.trace", policy);
    numbers(0..10);
    assert!(status().recording && status().paused_ns.is_none());
    assert!(set_recording(false).unwrap());
    assert!(!status().recording && status().paused_ns.is_some());
    numbers(10..20);
    assert!(!set_recording(false).unwrap(), "recording is off already");
    assert!(!set_recording(true).unwrap());
    assert!(status().recording && status().paused_ns.is_none());
    numbers(20..30);
    assert!(set_recording(false).unwrap());
    numbers(30..40);
}

#[test]
fn a_trace_contains_pauses() {
    let ran = run("a_trace_contains_pauses", || pause_and_resume(BLOCK));
    ran.trace().check();
    assert_eq!(ran.trace().all(), Vec::from_iter((0..10).chain(20..30)));
    assert_eq!(found(&ran, "0.trace"), [Records(10), Off, On, Records(10), Off]);
}

#[test]
fn a_flight_recorder_contains_pauses() {
    let ran = run("a_flight_recorder_contains_pauses", || {
        let _guard = begin("0.trace", Policy::Overwrite);
        numbers(0..10);
        set_recording(false).unwrap();
        numbers(10..20);
        set_recording(true).unwrap();
        numbers(20..30);
        assert_eq!(ringtrace::snapshot("1.trace").unwrap(), 20);
    });
    for file in ["0.trace", "1.trace"] {
        assert_eq!(ran.traces()[file].all(), Vec::from_iter((0..10).chain(20..30)));
        assert_eq!(found(&ran, file), [Off, On, Records(20)], "{file}");
    }
}

#[test]
fn a_truncated_flight_recorder_file_contains_each_pause_once() {
    let ran = run("a_truncated_flight_recorder_file_contains_each_pause_once", || {
        let _guard = begin("0.trace", Policy::Overwrite);
        numbers(0..10);
        set_recording(false).unwrap();
        set_recording(true).unwrap();
        assert!(session::flush());
        std::fs::File::options().write(true).open("0.trace").unwrap().set_len(1).unwrap();
        set_recording(false).unwrap();
    });
    assert_eq!(found(&ran, "0.trace"), [Off, On, Off, Records(10)]);
}

#[test]
fn pauses_under_load_lose_only_events_during_the_pause() {
    let ran = run("pauses_under_load_lose_only_events_during_the_pause", || {
        let _guard = begin("0.trace", BLOCK);
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for thread in 0..3_u64 {
                let is_over = &is_over;
                scope.spawn(move || {
                    (0..)
                        .take_while(|_| !is_over.load(Ordering::Relaxed))
                        .for_each(|n| number(thread << 32 | n));
                });
            }
            for _ in 0..20 {
                std::thread::sleep(Duration::from_millis(1));
                set_recording(false).unwrap();
                let before = status();
                set_recording(true).unwrap();
                assert_eq!(before.dropped, 0);
            }
            is_over.store(true, Ordering::Relaxed);
        });
    });
    ran.trace().check();
    let found = found(&ran, "0.trace");
    let changes: Vec<Found> = found.iter().copied().filter(|found| !matches!(found, Records(_))).collect();
    assert_eq!(changes, [Off, On].repeat(20));
}

fn serve() -> Serving {
    Server::new("unix:monitor".parse().unwrap()).start().unwrap()
}

#[test]
fn recording_can_be_started_in_standby() {
    let ran = run("recording_can_be_started_in_standby", || {
        assert!(matches!(set_recording(true), Err(StartError::NotRunning)));
        let serving = serve();
        ringtrace::set_enabled("*", true);
        numbers(0..10);
        let name = format!("trace-{}", std::process::id());
        assert_eq!((status().file, status().recording, status().paused_ns), (None, false, None));
        assert_eq!(trace_file().as_deref(), Some(Path::new(&name)));
        assert!(!set_recording(true).unwrap());
        assert_eq!(status().file, Some(std::env::current_dir().unwrap().join(&name)));
        numbers(10..20);
        assert!(set_recording(false).unwrap());
        numbers(20..30);
        set_trace_file(Some(Path::new("later.trace"))).unwrap();
        assert!(!Path::new("later.trace").exists());
        assert_eq!(status().file, Some(std::env::current_dir().unwrap().join("later.trace")));
        set_recording(true).unwrap();
        numbers(30..40);
        drop(serving);
        assert!(matches!(set_recording(true), Err(StartError::NotRunning)));
        numbers(40..50);
        std::fs::rename(name, "default.trace").unwrap();
    });
    assert_eq!(ran.files(), ["default.trace", "later.trace"]);
    assert_eq!(found(&ran, "default.trace"), [Records(10), Off]);
    assert_eq!(found(&ran, "later.trace"), [Records(10)]);
    assert_eq!(ran.arenas(), [""; 0]);
}

#[test]
fn a_child_that_starts_tracing_is_not_paused() {
    let ran = run("a_child_that_starts_tracing_is_not_paused", || {
        let _guard = begin("parent.trace", BLOCK);
        number(1);
        set_recording(false).unwrap();
        wait(fork(|| {
            let _guard = begin("child.trace", BLOCK);
            number(2);
            let status = status();
            assert_eq!((status.recording, status.paused_ns), (true, None));
        }));
        assert!(status().paused_ns.is_some());
    });
    assert_eq!(ran.traces()["child.trace"].all(), [2]);
}

#[test]
fn a_session_of_the_program_replaces_standby() {
    let ran = run("a_session_of_the_program_replaces_standby", || {
        let serving = serve();
        ringtrace::set_enabled("*", true);
        set_trace_file(Some(Path::new("before.trace"))).unwrap();
        set_recording(true).unwrap();
        number(1);
        let bad = Settings { file: Some("nowhere/t".into()), ..Settings::default() };
        assert!(start(bad).is_err());
        assert!(status().recording, "a failed start ends nothing");
        let guard = begin("program.trace", BLOCK);
        assert!(matches!(start(Settings::default()), Err(StartError::Running)));
        number(2);
        assert!(session::flush());
        assert_eq!(status().recorded, 1, "records of earlier traces are not counted");
        drop(guard);
        assert_eq!((status().file, status().recording), (None, false));
        set_trace_file(Some(Path::new("behind.trace"))).unwrap();
        set_recording(true).unwrap();
        number(3);
        wait(fork(|| {
            number(4);
            drop(serving);
        }));
    });
    let found: Vec<Vec<u64>> = ran.traces().values().map(scenario::Trace::all).collect();
    assert_eq!(found[..2], [vec![1], vec![3]]);
    assert_eq!(ran.files()[0], "before.trace");
    assert_eq!(found.concat().len(), 4, "{found:?}");
}
