//! Every event is accounted for. Either it is in the file once, in its thread's order, or the trace
//! reports it as lost at the point where it occurred.
//!
//! `RINGTRACE_STRESS=N` multiplies the number of events by N.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests"
)]

mod ledger;
mod numbered;
mod stress;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use ringtrace::session::{set_trace_file, start};
use ringtrace::{Backends, FileFormat, Policy, Settings};

use ledger::{FORMATS, Thread, read};
use numbered::{NUMBERED, TURN, check, record};
use ringtrace_wire::compact::{BlockHeader, MAGIC};
use stress::scale;

/// Runs `work` while recording, and reads the trace.
fn trace(
    format: FileFormat,
    policy: Policy,
    buffer_bytes: usize,
    threads: usize,
    work: impl FnOnce(),
) -> Vec<Thread> {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    let settings = Settings {
        file: Some(file.clone()),
        format,
        directory: Some(folder.path().to_path_buf()),
        policy,
        buffer_bytes,
        threads,
        ..Settings::default()
    };
    let guard = start(settings).unwrap();
    ringtrace::set_enabled("numbered", true);
    work();
    drop(guard);
    let file = std::fs::read(&file).unwrap();
    assert_eq!(file.starts_with(&MAGIC), format != FileFormat::V4);
    read(&file, check)
}

fn named<'t>(threads: &'t [Thread], name: &str) -> &'t Thread {
    threads.iter().find(|thread| thread.name.as_deref() == Some(name)).unwrap_or_else(|| panic!("no {name}"))
}

/// Four threads record different numbers of events, while two others flush all the time.
fn busy(format: FileFormat, policy: Policy, buffer_bytes: usize) -> Vec<Thread> {
    let counts = counts();
    trace(format, policy, buffer_bytes, 8, || {
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        assert!(ringtrace::flush());
                        std::thread::sleep(Duration::from_micros(300));
                    }
                });
            }
            let workers = counts.map(|count| {
                let worker = std::thread::Builder::new().name(format!("of {count}"));
                worker.spawn_scoped(scope, move || (0..count).for_each(record)).unwrap()
            });
            workers.into_iter().for_each(|worker| worker.join().unwrap());
            done.store(true, Ordering::Relaxed);
        });
    })
}

fn buffers() -> impl Iterator<Item = (FileFormat, usize)> {
    FORMATS.into_iter().flat_map(|format| [1 << 17, 1 << 20].map(|bytes| (format, bytes)))
}

fn counts() -> [u64; 4] {
    [1, 1_000, 60_000, 200_000].map(|count| count * scale())
}

#[test]
fn losses_are_reported_with_discard() {
    for (format, buffer_bytes) in buffers() {
        let threads = busy(format, Policy::Discard, buffer_bytes);
        counts().iter().for_each(|count| named(&threads, &format!("of {count}")).assert_accounted(*count));
    }
}

#[test]
fn nothing_is_lost_with_block() {
    for (format, buffer_bytes) in buffers() {
        let threads = busy(format, Policy::Block { timeout: None }, buffer_bytes);
        for count in counts() {
            let thread = named(&threads, &format!("of {count}"));
            thread.assert_accounted(count);
            assert_eq!(thread.numbers.len() as u64, count);
        }
    }
}

#[test]
fn losses_after_a_timeout_are_reported() {
    for format in FORMATS {
        let threads = busy(format, Policy::Block { timeout: Some(Duration::from_micros(1)) }, 1 << 17);
        counts().iter().for_each(|count| named(&threads, &format!("of {count}")).assert_accounted(*count));
    }
}

#[test]
fn a_flight_recorder_accounts_for_overwritten_records() {
    for format in FORMATS {
        let threads = busy(format, Policy::Overwrite, 1 << 17);
        counts().iter().for_each(|count| named(&threads, &format!("of {count}")).assert_accounted(*count));
    }
}

#[test]
fn threads_start_and_exit() {
    let policies = [Policy::Discard, Policy::Block { timeout: None }, Policy::Overwrite];
    for (format, policy) in FORMATS.into_iter().flat_map(|format| policies.map(|policy| (format, policy))) {
        let mut issued = Vec::new();
        let threads = trace(format, policy, 1 << 17, 4, || {
            let next = AtomicU64::new(0);
            let lives = Mutex::new(&mut issued);
            std::thread::scope(|scope| {
                for _ in 0..6 {
                    scope.spawn(|| {
                        loop {
                            let life = next.fetch_add(1, Ordering::Relaxed);
                            if life >= 300 * scale() {
                                break;
                            }
                            let count = life * life % 500 + 1;
                            let thread = std::thread::Builder::new().name(format!("life {life}"));
                            thread.spawn(move || (0..count).for_each(record)).unwrap().join().unwrap();
                            lives.lock().unwrap().push((life, count));
                        }
                    });
                }
            });
        });
        let mut recorded = 0;
        for (life, count) in &issued {
            let name = format!("life {life}");
            // A thread that never got a slot also has a name and a total. A flight recorder adds up
            // the totals of threads with the same id.
            if let Some(thread) = threads.iter().find(|thread| thread.name.as_ref() == Some(&name)) {
                if policy == Policy::Overwrite {
                    thread.assert_balanced();
                    recorded += thread.total.unwrap().issued;
                } else {
                    thread.assert_accounted(*count);
                    recorded += count;
                }
            }
        }
        assert!(threads.iter().all(|thread| thread.tid != 0), "{policy:?}: losses without a thread");
        assert_eq!(recorded, issued.iter().map(|(_, count)| count).sum::<u64>(), "{policy:?}");
        if matches!(policy, Policy::Block { .. }) {
            assert!(threads.iter().all(|thread| thread.lost.is_empty()));
        }
    }
}

/// The option also applies to the files that follow the first one, but not to snapshots.
#[test]
fn later_files_are_compact_too() {
    record_to_two_files(FileFormat::Compact);
}

#[test]
fn later_files_are_compressed_too() {
    record_to_two_files(FileFormat::CompactZstd);
}

fn record_to_two_files(format: FileFormat) {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let settings = Settings {
        file: Some(path("first")),
        format,
        directory: Some(folder.path().to_path_buf()),
        ..Settings::default()
    };
    let guard = start(settings).unwrap();
    ringtrace::set_enabled("numbered", true);
    std::thread::scope(|scope| {
        let work = || {
            (0..100).for_each(record);
            set_trace_file(Some(&path("second"))).unwrap();
            (100..300).for_each(record);
            assert!(ringtrace::flush());
            let status = ringtrace::status::status();
            assert_eq!(status.format, format);
            let [written, saved] = sizes(&std::fs::read(path("second")).unwrap());
            assert_eq!((status.written_bytes, status.uncompressed_bytes), (written, written + saved));
            assert_eq!(saved > 0, format == FileFormat::CompactZstd);
            ringtrace::snapshot(path("snapshot")).unwrap();
        };
        let worker = std::thread::Builder::new().name("worker".to_owned());
        worker.spawn_scoped(scope, work).unwrap().join().unwrap();
    });
    drop(guard);
    let file = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    for (name, numbers) in [("first", 0..100), ("second", 100..300)] {
        assert!(file(name).starts_with(&MAGIC), "{name}");
        let threads = read(&file(name), check);
        assert_eq!(named(&threads, "worker").numbers, numbers.collect::<Vec<u64>>());
    }
    assert!(!file("snapshot").starts_with(&MAGIC));
    read(&file("snapshot"), check);
}

/// Returns the size of a compact trace, and by how much compression has made it smaller.
fn sizes(mut file: &[u8]) -> [u64; 2] {
    let mut sizes = [0; 2];
    while let Ok(header) = BlockHeader::parse(file) {
        sizes = [sizes[0] + header.block_bytes() as u64, sizes[1] + header.saved_bytes()];
        file = &file[header.block_bytes()..];
    }
    sizes
}

#[test]
fn an_idle_thread_does_not_delay_others() {
    FORMATS.into_iter().for_each(record_beside_an_idle_thread);
}

fn record_beside_an_idle_thread(format: FileFormat) {
    let count = 100_000 * scale();
    let threads = trace(format, Policy::Block { timeout: None }, 1 << 17, 4, || {
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let idle = std::thread::Builder::new().name("idle".to_owned());
            let idle = idle.spawn_scoped(scope, || {
                record(0);
                while !done.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
            let busy = std::thread::Builder::new().name("busy".to_owned());
            busy.spawn_scoped(scope, || (0..count).for_each(record)).unwrap().join().unwrap();
            done.store(true, Ordering::Relaxed);
            idle.unwrap().join().unwrap();
        });
    });
    named(&threads, "idle").assert_accounted(1);
    named(&threads, "busy").assert_accounted(count);
}

#[test]
fn switching_loses_at_most_the_current_events() {
    FORMATS.into_iter().for_each(record_while_switching);
}

fn record_while_switching(format: FileFormat) {
    let mut switched = 0;
    let threads = trace(format, Policy::Block { timeout: None }, 1 << 17, 4, || {
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..2)
                .map(|at| {
                    let worker = std::thread::Builder::new().name(format!("switched {at}"));
                    let work = || {
                        let mut number = 0;
                        while !done.load(Ordering::Relaxed) {
                            if NUMBERED.is_enabled() {
                                record(number);
                                number += 1;
                            }
                        }
                    };
                    worker.spawn_scoped(scope, work).unwrap()
                })
                .collect();
            for turn in 0..100 * scale() {
                if turn % 2 == 0 {
                    ringtrace::set_enabled("numbered", false);
                    ringtrace::set_enabled("numbered", true);
                } else {
                    ringtrace::switch_backends(Backends::NONE).unwrap();
                    ringtrace::switch_backends(Backends::SIMPLE).unwrap();
                }
                switched += 1;
                std::thread::sleep(Duration::from_micros(200));
            }
            done.store(true, Ordering::Relaxed);
            workers.into_iter().for_each(|worker| worker.join().unwrap());
        });
    });
    for at in 0..2 {
        let thread = named(&threads, &format!("switched {at}"));
        thread.assert_balanced();
        assert!(thread.numbers.is_sorted_by(|one, next| one < next), "duplicate or out of order");
        let missing = thread.numbers.last().map_or(0, |last| last + 1) - thread.numbers.len() as u64;
        // At each switch, at most the current event is lost.
        assert!(missing <= switched, "{missing} events are missing after {switched} switches");
    }
}
