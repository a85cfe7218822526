//! A flight recorder keeps the newest records, and its trace reports how many older records of each
//! thread are missing.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod ledger;
mod numbered;

use std::sync::{Arc, Barrier};
use std::time::Duration;

use ringtrace::session::start;
use ringtrace::{Policy, Settings};

use ledger::{assert_contiguous, read};
use numbered::{NUMBERED, TURN, check, record};
use ringtrace_wire::simpletrace::metadata::Cause;

const RING_BYTES: usize = 1 << 17;
const RECORD_BYTES: usize = 48;

fn settings(file: &std::path::Path, directory: &std::path::Path, threads: usize) -> Settings {
    Settings {
        file: Some(file.to_path_buf()),
        directory: Some(directory.to_path_buf()),
        policy: Policy::Overwrite,
        buffer_bytes: RING_BYTES,
        threads,
        ..Settings::default()
    }
}

#[test]
fn the_newest_records_are_kept_and_all_are_accounted_for() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    let guard = start(settings(&file, folder.path(), 8)).unwrap();
    ringtrace::set_enabled("numbered", true);
    let counts = [1u64, 10, 1_000, 100_000];
    // Keep all threads running, because the ring of an exited thread would be reused.
    let all = Arc::new(Barrier::new(counts.len()));
    let threads: Vec<_> = counts
        .into_iter()
        .map(|count| {
            let thread = std::thread::Builder::new().name(format!("of {count}"));
            let all = Arc::clone(&all);
            let work = move || {
                (0..count).for_each(record);
                all.wait();
            };
            thread.spawn(work).unwrap()
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    drop(guard);
    let threads = read(&std::fs::read(&file).unwrap(), check);
    for count in counts {
        let thread = threads.iter().find(|thread| thread.name == Some(format!("of {count}"))).unwrap();
        thread.assert_balanced();
        assert_eq!(thread.total.unwrap().issued, count);
        assert_contiguous(&thread.numbers);
        assert_eq!(*thread.numbers.last().unwrap(), count - 1);
        assert!(thread.times_ns.is_sorted());
        // The ring keeps at least this many records. The newest page is not read, and each page may
        // have an unused end.
        let kept = (RING_BYTES - RING_BYTES / 16 - 16 * RECORD_BYTES) / RECORD_BYTES;
        assert!(thread.numbers.len() as u64 >= count.min(kept as u64), "{}", thread.numbers.len());
    }
}

#[test]
fn a_ring_is_reused_by_other_threads() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    let guard = start(settings(&file, folder.path(), 4)).unwrap();
    ringtrace::set_enabled("numbered", true);
    let counts: Vec<u64> = (0..200).map(|at| at * at % 97 + 1).collect();
    for (at, &count) in counts.iter().enumerate() {
        let thread = std::thread::Builder::new().name(format!("{at}"));
        thread.spawn(move || (0..count).for_each(record)).unwrap().join().unwrap();
    }
    drop(guard);
    let threads = read(&std::fs::read(&file).unwrap(), check);
    let issued: u64 = threads.iter().filter_map(|thread| thread.total).map(|total| total.issued).sum();
    // Some threads got no ring, because the rings of earlier threads were not free yet.
    let without_ring =
        threads.iter().find(|thread| thread.tid == 0).map_or(0, |none| none.lost(Cause::Dropped));
    assert_eq!(issued + without_ring, counts.iter().sum::<u64>());
    for thread in threads.iter().filter(|thread| thread.name.is_some()) {
        thread.assert_balanced();
        let at: usize = thread.name.as_ref().unwrap().parse().unwrap();
        // The system reuses thread ids only after a long time.
        assert!(thread.total.unwrap().issued <= counts[at]);
        assert_contiguous(&thread.numbers);
    }
}

#[test]
fn threads_may_record_after_the_end() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    for _ in 0..20 {
        let guard = start(settings(&file, folder.path(), 4)).unwrap();
        ringtrace::set_enabled("numbered", true);
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for number in 0.. {
                        if stop.load(std::sync::atomic::Ordering::Relaxed) {
                            break;
                        }
                        if NUMBERED.is_enabled() {
                            record(number);
                        }
                    }
                });
            }
            std::thread::sleep(Duration::from_millis(10));
            drop(guard);
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let threads = read(&std::fs::read(&file).unwrap(), check);
        for thread in threads.iter().filter(|thread| thread.total.is_some()) {
            thread.assert_balanced();
            assert_contiguous(&thread.numbers);
            if let Some(first) = thread.numbers.first() {
                assert_eq!(*first, thread.total.unwrap().overwritten);
            }
        }
    }
}
