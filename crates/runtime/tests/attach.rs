//! Threads that get a ring, wait for one, or drop and count their events without one.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests"
)]

mod ledger;
mod numbered;
mod small_disk;

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use ringtrace::session::start;
use ringtrace::{Guard, Policy, Settings};

use ledger::{Thread, read};
use numbered::{TURN, check, record};
use small_disk::SmallDisk;

const BLOCK: Policy = Policy::Block { timeout: None };

fn begin(folder: &Path, settings: Settings) -> Guard {
    let settings = Settings {
        file: Some(folder.join("trace")),
        directory: settings.directory.or_else(|| Some(folder.to_path_buf())),
        ..settings
    };
    let guard = start(settings).unwrap();
    ringtrace::set_enabled("numbered", true);
    guard
}

fn threads_of(folder: &Path) -> Vec<Thread> {
    read(&std::fs::read(folder.join("trace")).unwrap(), check)
}

extern "C" fn nothing(_: i32) {}

fn handle(signal: i32, handler: extern "C" fn(i32)) {
    // SAFETY: the handlers in these tests only record events and access atomics.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_RESTART;
        libc::sigaction(signal, &raw const action, std::ptr::null_mut());
    }
}

/// Blocks or unblocks a signal in this thread, and in the threads that it starts.
fn mask(how: i32, signal: i32) {
    // SAFETY: the set is initialized before it is used.
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, signal);
        libc::pthread_sigmask(how, &raw const set, std::ptr::null_mut());
    }
}

const THREADS: u64 = 150;
const EACH: u64 = 77;

/// Records in 150 threads that start at the same time. If `stays`, each thread keeps its ring until
/// all threads have finished recording.
fn all_at_once(policy: Policy, stays: bool) -> Vec<Thread> {
    let folder = tempfile::tempdir().unwrap();
    let guard = begin(folder.path(), Settings { policy, buffer_bytes: 1 << 17, ..Settings::default() });
    let barrier = Arc::new(Barrier::new(THREADS as usize));
    let run = |thread: u64| {
        let barrier = Arc::clone(&barrier);
        let work = move || {
            barrier.wait();
            (0..EACH).for_each(record);
            if stays {
                barrier.wait();
            }
        };
        let thread = std::thread::Builder::new().name(format!("thread {thread}")).stack_size(1 << 18);
        thread.spawn(work).unwrap()
    };
    let threads: Vec<_> = (0..THREADS).map(run).collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    drop(guard);
    threads_of(folder.path())
}

/// Asserts that the events of each of the 150 threads are accounted for. Returns the number of
/// dropped events.
fn assert_each_accounted(threads: &[Thread], policy: Policy) -> u64 {
    let mut dropped = 0;
    for thread in 0..THREADS {
        let name = format!("thread {thread}");
        let found = threads.iter().find(|thread| thread.name.as_ref() == Some(&name));
        let found = found.unwrap_or_else(|| panic!("{policy:?}: no {name}"));
        if policy == Policy::Overwrite {
            // A flight recorder reports dropped events at the end of the trace.
            found.assert_balanced();
            assert_eq!(found.total.unwrap().issued, EACH);
        } else {
            found.assert_accounted(EACH);
        }
        dropped += found.total.unwrap().dropped;
    }
    assert!(threads.iter().all(|thread| thread.tid != 0), "{policy:?}: losses without a thread");
    dropped
}

#[test]
fn threads_that_start_at_once_are_accounted_for() {
    let _turn = TURN.lock();
    let timeout = Some(Duration::from_micros(1));
    for policy in [Policy::Discard, Policy::Block { timeout }, Policy::Overwrite] {
        for stays in [true, false] {
            assert_each_accounted(&all_at_once(policy, stays), policy);
        }
    }
}

#[test]
fn threads_that_start_at_once_wait_for_rings_with_block() {
    let _turn = TURN.lock();
    for stays in [true, false] {
        assert_eq!(assert_each_accounted(&all_at_once(BLOCK, stays), BLOCK), 0);
    }
}

/// A thread that blocks a signal with a handler may be running that handler, so it waits for its
/// first ring only for a short time. Here this is long enough for all threads to get a ring.
#[test]
fn threads_that_block_a_signal_wait_for_rings_with_block() {
    let _turn = TURN.lock();
    handle(libc::SIGUSR1, nothing);
    mask(libc::SIG_BLOCK, libc::SIGUSR1);
    let threads = all_at_once(BLOCK, true);
    mask(libc::SIG_UNBLOCK, libc::SIGUSR1);
    assert_eq!(assert_each_accounted(&threads, BLOCK), 0);
}

/// If a thread gets its ring late, the trace reports the events that it dropped until then,
/// followed by its first record.
#[test]
fn losses_before_the_first_record_are_at_their_place() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { buffer_bytes: 1 << 17, threads: 1, ..Settings::default() };
    let guard = begin(folder.path(), settings);
    // The only ring belongs to this thread. The writer thread adds others later.
    record(0);
    let late = std::thread::Builder::new().name("late".to_owned());
    let late = late.spawn(|| {
        let before = std::time::Instant::now();
        let mut number = 0;
        while before.elapsed() < Duration::from_millis(300) {
            record(number);
            number += 1;
            std::thread::sleep(Duration::from_micros(20));
        }
        number
    });
    let issued = late.unwrap().join().unwrap();
    drop(guard);
    let threads = threads_of(folder.path());
    let late = threads.iter().find(|thread| thread.name.as_deref() == Some("late")).unwrap();
    late.assert_accounted(issued);
    assert_eq!(late.numbers.last(), Some(&(issued - 1)));
}

/// After this many signals, a victim gets time between them. Otherwise, they would interrupt its
/// `fallocate` again and again, and its first event would take up to 0.1 s.
const SIGNALS_AT_ONCE: u32 = 100;

static VICTIM: AtomicI32 = AtomicI32::new(0);
static HANDLED: AtomicU64 = AtomicU64::new(0);

extern "C" fn record_in_handler(_: i32) {
    record(1 << 32);
    HANDLED.fetch_add(1, Ordering::Relaxed);
}

/// Signals interrupt threads during their first event. The thread's own events and the handler's
/// events are counted for the thread.
fn interrupted(policy: Policy, threads: usize) {
    const OWN: u64 = 20;
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { policy, threads, ..Settings::default() };
    let guard = begin(folder.path(), settings);
    handle(libc::SIGUSR2, record_in_handler);
    let done = Arc::new(AtomicBool::new(false));
    let attacker = std::thread::spawn({
        let done = Arc::clone(&done);
        move || {
            let (mut victim, mut signals) = (0, 0);
            while !done.load(Ordering::Relaxed) {
                let tid = VICTIM.load(Ordering::Relaxed);
                if tid == 0 {
                    continue;
                }
                if tid != victim {
                    (victim, signals) = (tid, 0);
                }
                // SAFETY: this only sends a signal, which has a handler.
                unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), tid, libc::SIGUSR2) };
                signals += 1;
                if signals > SIGNALS_AT_ONCE {
                    std::thread::sleep(Duration::from_micros(10));
                }
            }
        }
    });
    let mut issued = BTreeMap::new();
    for _ in 0..300 {
        let thread = std::thread::spawn(|| {
            let tid = rustix::thread::gettid().as_raw_nonzero().get();
            HANDLED.store(0, Ordering::Relaxed);
            VICTIM.store(tid, Ordering::Relaxed);
            (0..OWN).for_each(record);
            VICTIM.store(0, Ordering::Relaxed);
            mask(libc::SIG_BLOCK, libc::SIGUSR2);
            (tid.cast_unsigned(), OWN + HANDLED.load(Ordering::Relaxed))
        });
        let (tid, events) = thread.join().unwrap();
        *issued.entry(tid).or_default() += events;
    }
    done.store(true, Ordering::Relaxed);
    attacker.join().unwrap();
    drop(guard);
    let mut found: BTreeMap<u32, u64> = BTreeMap::new();
    for thread in threads_of(folder.path()) {
        thread.assert_balanced();
        *found.entry(thread.tid).or_default() += thread.total.unwrap().issued;
    }
    assert_eq!(found, issued, "{policy:?}");
}

#[test]
fn events_of_a_handler_during_the_first_event_are_counted() {
    let _turn = TURN.lock();
    for policy in [Policy::Discard, BLOCK, Policy::Overwrite] {
        interrupted(policy, 32);
    }
    interrupted(Policy::Discard, 1);
}

/// The memory of a ring is allocated when the ring is used.
#[test]
fn the_start_allocates_little_memory() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let guard = begin(folder.path(), Settings::default());
    record(0);
    let arenas = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap());
    let arenas = arenas.filter(|entry| entry.file_name().to_string_lossy().ends_with(".arena"));
    let allocated: u64 = arenas.map(|arena| 512 * arena.metadata().unwrap().blocks()).sum();
    assert!((1..1 << 20).contains(&allocated), "{allocated}");
    drop(guard);
}

/// If the rings do not fit into their folder, tracing starts with fewer or smaller rings, or with
/// rings in private memory. All events are recorded.
#[test]
fn rings_that_do_not_fit_become_fewer_and_smaller() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let rings = folder.path().join("rings");
    let Some(_mounted) = SmallDisk::mounted_at(&rings, "size=4m") else { return };
    let arenas = || {
        let names = std::fs::read_dir(&rings).unwrap().map(|entry| entry.unwrap().path());
        let arenas = names.filter(|path| path.extension().is_some_and(|ending| ending == "arena"));
        let header = |path| ringtrace_wire::arena::Header::decode(&std::fs::read(path).unwrap()).unwrap();
        // More arenas may have been added.
        let first = arenas.map(header).filter(|header| header.segment == 0);
        first.map(|header| (header.slots, header.ring_bytes)).collect::<Vec<_>>()
    };
    let records = |threads, expected: &[(u32, u64)]| {
        let settings = Settings { directory: Some(rings.clone()), threads, ..Settings::default() };
        let guard = begin(folder.path(), settings);
        assert_eq!(arenas(), expected);
        (0..100).for_each(record);
        drop(guard);
        assert_eq!(arenas(), []);
        threads_of(folder.path()).iter().for_each(|thread| thread.assert_accounted(100));
    };
    records(3, &[(3, 1 << 20)]);
    records(4, &[(4, 1 << 19)]);
    records(32, &[(4, 1 << 19)]);
    let ballast = std::fs::File::create(rings.join("ballast")).unwrap();
    let fill = |bytes: u64| rustix::fs::fallocate(&ballast, rustix::fs::FallocateFlags::empty(), 0, bytes);
    fill(3 << 20).unwrap();
    records(1, &[(1, 1 << 19)]);
    // No ring fits.
    std::fs::write(rings.join("more"), vec![1; 2 << 20]).unwrap_err();
    records(4, &[]);
}

/// A tmpfs fills up while threads record. They drop and count events until memory is available
/// again, and never get SIGBUS.
#[test]
fn memory_that_ends_while_threads_record() {
    let _turn = TURN.lock();
    for policy in [Policy::Discard, BLOCK, Policy::Overwrite] {
        let folder = tempfile::tempdir().unwrap();
        let rings = folder.path().join("rings");
        let Some(_mounted) = SmallDisk::mounted_at(&rings, "size=8m") else { return };
        let settings = Settings { policy, threads: 4, directory: Some(rings.clone()), ..Settings::default() };
        let guard = begin(folder.path(), settings);
        let ballast = rings.join("ballast");
        std::fs::write(&ballast, vec![1; 8 << 20]).unwrap_err();
        // Leave a little memory, for the first part of one ring.
        let ballast = std::fs::File::options().write(true).open(&ballast).unwrap();
        let length = ballast.metadata().unwrap().len();
        ballast.set_len(length - (100 << 10)).unwrap();
        for name in ["first", "second"] {
            let thread = std::thread::Builder::new().name(name.to_owned());
            let work = || {
                // This would take several seconds if `block` waited for memory.
                (0..20_000).for_each(record);
                std::thread::sleep(Duration::from_millis(1));
            };
            thread.spawn(work).unwrap().join().unwrap();
        }
        ballast.set_len(0).unwrap();
        let last = std::thread::Builder::new().name("last".to_owned());
        last.spawn(|| (0..20_000).for_each(record)).unwrap().join().unwrap();
        drop(guard);
        let threads = threads_of(folder.path());
        let dropped = ["first", "second", "last"].map(|name| {
            let thread = threads.iter().find(|thread| thread.name.as_deref() == Some(name)).unwrap();
            thread.assert_accounted(20_000);
            // A flight recorder continues in the memory that it already has.
            let total = thread.total.unwrap();
            total.dropped + total.overwritten
        });
        assert!(dropped[0] > 0 && dropped[1] > 0, "{policy:?}: {dropped:?}");
        if policy != Policy::Discard {
            assert_eq!(dropped[2], 0, "{policy:?}");
        }
    }
}
