//! Takes snapshots while threads record. The snapshots are requested by calls, by many threads at
//! once, and by a signal.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod ledger;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ringtrace::probe::emit;
use ringtrace::session::start;
use ringtrace::{Argument, ArgumentKind, Declaration, Event, Policy, Settings};
use ringtrace_wire::simpletrace::metadata::Cause;

use ledger::{assert_contiguous, read};

static NUMBERED: Event = Event::new(Declaration {
    name: "numbered",
    group: "test",
    arguments: &[Argument { name: "number", ctype: "uint64_t", kind: ArgumentKind::Integer }],
    format: Some("\"number=%\"PRIu64"),
    text: "numbered(uint64_t number) \"number=%\"PRIu64",
    traceable: true,
});

ringtrace::group! { name: "test", events: [&NUMBERED] }

static TURN: Mutex<()> = Mutex::new(());

fn settings(folder: &Path, policy: Policy) -> Settings {
    Settings {
        file: Some(folder.join("trace")),
        directory: Some(folder.to_path_buf()),
        policy,
        buffer_bytes: 1 << 17,
        threads: 8,
        snapshot_signal: Some(libc::SIGUSR2),
        ..Settings::default()
    }
}

/// Records in three threads while `work` runs. The argument of `work` contains the number of
/// records that each thread has issued.
fn while_recording(work: impl FnOnce(&[AtomicU64; 3])) {
    let stop = AtomicBool::new(false);
    let counts = [const { AtomicU64::new(0) }; 3];
    std::thread::scope(|scope| {
        for (at, count) in counts.iter().enumerate() {
            let record = || {
                for number in 0.. {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    emit(&NUMBERED, (number,));
                    count.store(number + 1, Ordering::Release);
                    if number % 512 == 0 {
                        std::thread::sleep(Duration::from_micros(100));
                    }
                }
            };
            std::thread::Builder::new().name(format!("worker {at}")).spawn_scoped(scope, record).unwrap();
        }
        while counts.iter().any(|count| count.load(Ordering::Relaxed) < 20_000) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let _stop = Stop(&stop);
        work(&counts);
    });
}

/// Stops the threads even if `work` panics.
struct Stop<'s>(&'s AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Asserts that a flight recorder's snapshot contains all earlier records, except those that it
/// reports as overwritten.
fn assert_has_newest(snapshot: &Path, counts: &[u64; 3]) {
    let threads = read(&std::fs::read(snapshot).unwrap(), |_| {});
    for (at, &count) in counts.iter().enumerate() {
        let thread = threads.iter().find(|thread| thread.name == Some(format!("worker {at}"))).unwrap();
        assert_contiguous(&thread.numbers);
        assert_eq!(thread.lost(Cause::Overwritten) + thread.lost(Cause::Dropped), thread.numbers[0]);
        assert!(*thread.numbers.last().unwrap() + 1 >= count, "worker {at} had issued {count} records");
        // The snapshot contains almost all records, unless the machine is busy.
        assert!(thread.numbers.len() > 100, "{}", thread.numbers.len());
        assert!(thread.times_ns.is_sorted());
    }
}

#[test]
fn of_a_flight_recorder_by_many_threads_at_once() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let guard = start(settings(folder.path(), Policy::Overwrite)).unwrap();
    ringtrace::set_enabled("numbered", true);
    while_recording(|counts| {
        let take_snapshots = |at: usize| {
            for round in 0..5 {
                let before = [0, 1, 2].map(|worker| counts[worker].load(Ordering::Acquire));
                let path = folder.path().join(format!("snapshot-{at}-{round}"));
                let records = ringtrace::snapshot(&path).unwrap();
                assert_has_newest(&path, &before);
                let threads = read(&std::fs::read(&path).unwrap(), |_| {});
                assert_eq!(threads.iter().map(|thread| thread.numbers.len() as u64).sum::<u64>(), records);
            }
        };
        std::thread::scope(|scope| (0..4).for_each(|at| drop(scope.spawn(move || take_snapshots(at)))));
    });
    drop(guard);
    // Snapshots have not changed the rings.
    for thread in read(&std::fs::read(folder.path().join("trace")).unwrap(), |_| {}) {
        thread.assert_balanced();
        assert_contiguous(&thread.numbers);
    }
    assert!(ringtrace::snapshot(folder.path().join("late")).is_err());
}

#[test]
fn by_a_signal() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let guard = start(settings(folder.path(), Policy::Overwrite)).unwrap();
    ringtrace::set_enabled("numbered", true);
    while_recording(|counts| {
        for number in 1..=3 {
            let before = [0, 1, 2].map(|worker| counts[worker].load(Ordering::Acquire));
            // SAFETY: the signal is sent to this process, which handles it.
            unsafe { libc::kill(libc::getpid(), libc::SIGUSR2) };
            let path = folder.path().join(format!("trace.snapshot-{number}"));
            // The signal's snapshot is complete when a snapshot that was requested later is
            // complete.
            let give_up = Instant::now() + Duration::from_secs(10);
            while !path.exists() && Instant::now() < give_up {
                std::thread::sleep(Duration::from_millis(1));
            }
            ringtrace::snapshot(folder.path().join("another")).unwrap();
            assert_has_newest(&path, &before);
        }
    });
    drop(guard);
    // SAFETY: the call only initializes `action`.
    let action = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGUSR2, std::ptr::null(), &raw mut action);
        action.sa_sigaction
    };
    assert_eq!(action, libc::SIG_DFL, "the signal's previous action is restored");
}

#[test]
fn of_rings_that_are_drained() {
    let _turn = TURN.lock();
    for policy in [Policy::Discard, Policy::Block { timeout: None }] {
        let folder = tempfile::tempdir().unwrap();
        let guard = start(settings(folder.path(), policy)).unwrap();
        ringtrace::set_enabled("numbered", true);
        while_recording(|_| {
            for round in 0..20 {
                let path = folder.path().join(format!("snapshot-{round}"));
                let records = ringtrace::snapshot(&path).unwrap();
                let threads = read(&std::fs::read(&path).unwrap(), |_| {});
                assert_eq!(threads.iter().map(|thread| thread.numbers.len() as u64).sum::<u64>(), records);
                for thread in threads.iter().filter(|thread| thread.lost.is_empty()) {
                    assert_contiguous(&thread.numbers);
                }
            }
        });
        drop(guard);
        for thread in read(&std::fs::read(folder.path().join("trace")).unwrap(), |_| {}) {
            thread.assert_balanced();
        }
    }
}
