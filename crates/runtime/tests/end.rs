//! Writes that fail while tracing ends. Every record is in the file or in an arena that is kept, or
//! is counted as dropped.
//!
//! `RINGTRACE_STRESS=N` multiplies the number of rounds by N.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests"
)]

mod ledger;
mod numbered;
mod slow_disk;
mod small_disk;
mod stress;

use std::path::Path;
use std::process::{Child, Command};
use std::sync::Barrier;
use std::sync::atomic::Ordering;
use std::time::Duration;

use ringtrace::session::start;
use ringtrace::{Guard, Policy, Settings};
use ringtrace_tracefile::recover::{ArenaFile, find_arenas, gather};

use ledger::{Thread, read, recover};
use numbered::{TURN, check, record};
use slow_disk::{FAILURES, HELD, WRITES, WRITES_BEFORE_FAILURE};
use small_disk::SmallDisk;
use stress::scale;

const BLOCK: Policy = Policy::Block { timeout: None };

fn begin(file: &Path, rings: &Path, policy: Policy) -> Guard {
    let settings = Settings {
        file: Some(file.to_path_buf()),
        directory: Some(rings.to_path_buf()),
        policy,
        buffer_bytes: 1 << 20,
        threads: 8,
        ..Settings::default()
    };
    let guard = start(settings).unwrap();
    ringtrace::set_enabled("numbered", true);
    guard
}

/// Reads the trace in `file` or, if the runtime has kept arenas, the recovered trace. Returns
/// whether arenas were kept.
fn trace(file: &Path, rings: &Path) -> (Vec<Thread>, bool) {
    let arenas = find_arenas(rings).unwrap();
    if arenas.is_empty() {
        return (read(&std::fs::read(file).unwrap(), check), false);
    }
    let arenas = arenas.iter().map(|path| ArenaFile::open(path).unwrap()).collect();
    let (trace, recovered) = recover(&gather(arenas).unwrap()[0]);
    assert!(!recovered.unwrap().is_doubtful);
    (read(&trace, check), true)
}

fn assert_all_accounted(threads: &[Thread], issued_by_each: u64) {
    let workers: Vec<&Thread> =
        threads.iter().filter(|thread| thread.name.as_deref() == Some("worker")).collect();
    assert_eq!(workers.len(), 4);
    workers.into_iter().for_each(|worker| assert_eq!(worker.follow(0), issued_by_each));
}

/// Four threads record `count` events each, while writes to the file are held. Then tracing ends:
/// `before` more writes succeed, and the next `failures` writes fail.
fn end_with_full_rings(guard: Guard, count: u64, before: i64, failures: i64) {
    HELD.store(1, Ordering::SeqCst);
    let barrier = Barrier::new(4);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let worker = std::thread::Builder::new().name("worker".to_owned());
            let work = || {
                barrier.wait();
                (0..count).for_each(record);
            };
            worker.spawn_scoped(scope, work).unwrap();
        }
    });
    std::thread::scope(|scope| {
        // Release the writer thread's write only after the session has started to end.
        let writes = WRITES.load(Ordering::SeqCst);
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            let written = (WRITES.load(Ordering::SeqCst) - writes).cast_signed();
            slow_disk::fail(before + written, failures);
            HELD.store(0, Ordering::SeqCst);
        });
        drop(guard);
    });
}

/// A ring of 1 MiB holds this many records.
const COUNT: u64 = 25_000;

#[test]
fn one_failing_write_at_the_end_loses_nothing() {
    let _turn = TURN.lock();
    for policy in [BLOCK, Policy::Discard, Policy::Overwrite] {
        // Each of the writes at the end fails once.
        for failing in 0..14 * scale().cast_signed() {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("t.trace");
            end_with_full_rings(begin(&file, folder.path(), policy), COUNT, failing, 1);
            let (threads, is_kept) = trace(&file, folder.path());
            assert_all_accounted(&threads, COUNT);
            assert!(!is_kept, "the repeated write succeeds");
            assert_eq!(threads.iter().map(|thread| thread.total.unwrap().issued).sum::<u64>(), 4 * COUNT);
        }
    }
    assert!(FAILURES.load(Ordering::SeqCst) <= 0);
}

#[test]
fn a_disk_that_stays_full_at_the_end_leaves_everything_in_the_arena() {
    let _turn = TURN.lock();
    for policy in [BLOCK, Policy::Discard, Policy::Overwrite] {
        for before in [0, 2, 7] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("t.trace");
            end_with_full_rings(begin(&file, folder.path(), policy), COUNT, before, i64::MAX);
            WRITES_BEFORE_FAILURE.store(-1, Ordering::SeqCst);
            let (threads, is_kept) = trace(&file, folder.path());
            assert!(is_kept);
            assert_all_accounted(&threads, COUNT);
        }
    }
}

/// A process that repeatedly fills a file system and frees it.
struct Filler(Child);

impl Filler {
    fn of(disk: &Path) -> Filler {
        let script = "while :; do head -c 500k /dev/zero > ballast 2>/dev/null; : > ballast; done";
        Filler(Command::new("sh").args(["-c", script]).current_dir(disk).spawn().unwrap())
    }
}

impl Drop for Filler {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_disk_that_another_process_fills_and_frees() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    let Some(_mounted) = SmallDisk::mounted_at(&disk, "size=4m") else { return };
    let filler = Filler::of(&disk);
    for round in 0..10 * scale() {
        let rings = tempfile::tempdir().unwrap();
        let file = disk.join("t.trace");
        let guard = begin(&file, rings.path(), Policy::Discard);
        // Space for all records remains only if the other process uses none.
        end_with_full_rings(guard, 8_000 + 1_500 * (round % 10), -1, 0);
        let (threads, _) = trace(&file, rings.path());
        assert_all_accounted(&threads, 8_000 + 1_500 * (round % 10));
        std::fs::remove_file(&file).unwrap();
    }
    drop(filler);
}
