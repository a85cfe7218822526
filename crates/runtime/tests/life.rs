//! Threads that start and exit, signals, and process exits during tracing.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "tests")]

mod scenario;

use std::cell::Cell;
use std::io::Read;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use ringtrace::session::start;
use ringtrace::{Guard, Policy, Settings};
use scenario::{Trace, number, numbers, run};

const BLOCK: Policy = Policy::Block { timeout: None };

fn traced_by(settings: Settings) -> Guard {
    let guard = start(settings).unwrap();
    ringtrace::set_enabled("*", true);
    guard
}

fn traced(policy: Policy) -> Guard {
    let settings =
        Settings { file: Some("t.trace".into()), policy, buffer_bytes: 1 << 17, ..Settings::default() };
    traced_by(settings)
}

/// Returns the number of issued events, recorded or not, as the sum of the threads' totals.
fn issued(trace: &Trace) -> u64 {
    trace.totals.values().map(|total| total.issued).sum()
}

#[test]
fn short_lived_threads_one_after_another() {
    let ran = run("short_lived_threads_one_after_another", || {
        let _guard = traced(BLOCK);
        for thread in 0..1000 {
            std::thread::spawn(move || numbers(thread * 10..thread * 10 + 10)).join().unwrap();
        }
    });
    ran.trace().check();
    assert_eq!(ran.trace().all(), Vec::from_iter(0..10_000));
    assert_eq!(ran.arenas(), [""; 0]);
}

fn a_thousand_threads_at_once() {
    let barrier = Arc::new(Barrier::new(1000));
    let threads: Vec<_> = (0..1000)
        .map(|thread| {
            let barrier = Arc::clone(&barrier);
            let run = move || {
                barrier.wait();
                numbers(thread * 10..thread * 10 + 10);
            };
            std::thread::Builder::new().stack_size(64 << 10).spawn(run).unwrap()
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn a_thousand_threads_at_once_with_block() {
    let ran = run("a_thousand_threads_at_once_with_block", || {
        let _guard = traced(BLOCK);
        a_thousand_threads_at_once();
    });
    let trace = ran.trace();
    trace.check();
    assert_eq!(trace.all(), Vec::from_iter(0..10_000));
    assert_eq!(trace.numbers.len(), 1000, "each thread recorded its own number");
}

#[test]
fn a_thousand_threads_at_once_with_discard() {
    let ran = run("a_thousand_threads_at_once_with_discard", || {
        let _guard = traced(Policy::Discard);
        a_thousand_threads_at_once();
    });
    let trace = ran.trace();
    trace.check();
    assert_eq!(issued(&trace), 10_000);
}

struct Late(Cell<u64>);

impl Drop for Late {
    fn drop(&mut self) {
        numbers(self.0.get()..self.0.get() + 5);
    }
}

thread_local! {
    static LATE: Late = const { Late(Cell::new(0)) };
}

static KEY: AtomicU32 = AtomicU32::new(0);

/// Records in every round of destructors, so that the last round runs after the runtime's
/// destructor.
extern "C" fn again(value: *mut libc::c_void) {
    let value = value.addr() as u64;
    number(value);
    // SAFETY: the key exists, and its values are not dereferenced.
    unsafe {
        libc::pthread_setspecific(
            KEY.load(Ordering::Relaxed),
            std::ptr::without_provenance(value as usize + 1),
        )
    };
}

#[test]
fn threads_trace_until_their_last_destructor() {
    let ran = run("threads_trace_until_their_last_destructor", || {
        let settings =
            Settings { file: Some("t.trace".into()), policy: BLOCK, threads: 8, ..Settings::default() };
        let _guard = traced_by(settings);
        let mut key = 0;
        // SAFETY: the call initializes `key`.
        unsafe { libc::pthread_key_create(&raw mut key, Some(again)) };
        KEY.store(key, Ordering::Relaxed);
        for thread in 0..200 {
            let first = thread * 100;
            let run = move || {
                LATE.with(|late| late.0.set(first + 1));
                let value = std::ptr::without_provenance(first as usize + 6);
                // SAFETY: the key exists, and its values are not dereferenced.
                unsafe { libc::pthread_setspecific(KEY.load(Ordering::Relaxed), value) };
                number(first);
            };
            std::thread::spawn(run).join().unwrap();
        }
    });
    let trace = ran.trace();
    trace.check();
    let rounds = 4; // rounds of destructors in this C library
    let expected: Vec<u64> = (0..200).flat_map(|thread| thread * 100..thread * 100 + 6 + rounds).collect();
    assert_eq!(trace.all(), expected);
}

#[test]
fn exit_ends_the_trace_while_threads_run() {
    let ran = run("exit_ends_the_trace_while_threads_run", || {
        std::mem::forget(traced(BLOCK));
        static COUNT: AtomicU64 = AtomicU64::new(0);
        for _ in 0..3 {
            std::thread::spawn(|| {
                loop {
                    number(COUNT.fetch_add(1, Ordering::Relaxed));
                }
            });
        }
        while COUNT.load(Ordering::Relaxed) < 10_000 {
            std::thread::yield_now();
        }
        std::process::exit(0);
    });
    let trace = ran.trace();
    trace.check();
    assert!(issued(&trace) > 9_000);
    assert_eq!(ran.arenas(), [""; 0]);
}

unsafe extern "C-unwind" {
    // Declare these functions as "C-unwind", because threads that exit or are cancelled unwind.
    fn pthread_create(
        thread: *mut libc::pthread_t,
        attributes: *const libc::pthread_attr_t,
        run: extern "C-unwind" fn(*mut libc::c_void) -> *mut libc::c_void,
        argument: *mut libc::c_void,
    ) -> i32;
    fn pthread_exit(value: *mut libc::c_void) -> !;
    fn sleep(seconds: u32) -> u32;
}

extern "C-unwind" fn record_and_exit(_: *mut libc::c_void) -> *mut libc::c_void {
    numbers(0..10);
    // SAFETY: this stack contains nothing to drop.
    unsafe { pthread_exit(std::ptr::null_mut()) }
}

extern "C-unwind" fn record_and_be_cancelled(_: *mut libc::c_void) -> *mut libc::c_void {
    numbers(10..20);
    // SAFETY: `sleep` is a cancellation point, but this stack contains nothing to drop.
    unsafe { sleep(100) };
    std::ptr::null_mut()
}

#[test]
fn records_of_exited_and_cancelled_threads_are_kept() {
    let ran = run("records_of_exited_and_cancelled_threads_are_kept", || {
        let _guard = traced(BLOCK);
        // SAFETY: the calls create two threads with valid arguments, and both threads are joined.
        unsafe {
            let (mut exits, mut is_cancelled) = (0, 0);
            let nothing = std::ptr::null_mut();
            pthread_create(&raw mut exits, std::ptr::null(), record_and_exit, nothing);
            pthread_create(&raw mut is_cancelled, std::ptr::null(), record_and_be_cancelled, nothing);
            std::thread::sleep(Duration::from_millis(50));
            libc::pthread_cancel(is_cancelled);
            libc::pthread_join(exits, std::ptr::null_mut());
            libc::pthread_join(is_cancelled, std::ptr::null_mut());
        }
        number(20);
    });
    ran.trace().check();
    assert_eq!(ran.trace().all(), Vec::from_iter(0..21));
}

#[test]
fn a_thread_continues_in_the_next_trace() {
    let ran = run("a_thread_continues_in_the_next_trace", || {
        for trace in 0..5u64 {
            let file = Some(PathBuf::from(format!("{trace}.trace")));
            let guard = traced_by(Settings { file, policy: BLOCK, ..Settings::default() });
            numbers(trace * 100..trace * 100 + 10);
            drop(guard);
            number(99);
        }
    });
    for (at, trace) in ran.traces().values().enumerate() {
        trace.check();
        let first = at as u64 * 100;
        assert_eq!(trace.all(), Vec::from_iter(first..first + 10));
    }
}

/// Threads record from before the start until after the end of every trace. Each thread has gaps
/// between traces, but none within a trace.
#[test]
fn every_trace_ends_without_gaps() {
    let ran = run("every_trace_ends_without_gaps", || {
        static STOP: AtomicBool = AtomicBool::new(false);
        let threads: Vec<_> = (0..3u64)
            .map(|thread| {
                std::thread::spawn(move || {
                    for n in 0.. {
                        if STOP.load(Ordering::Relaxed) {
                            break;
                        }
                        number((thread << 40) + n);
                    }
                })
            })
            .collect();
        for trace in 0..20 {
            let file = Some(PathBuf::from(format!("{trace}.trace")));
            let settings = Settings { file, policy: BLOCK, buffer_bytes: 1 << 17, ..Settings::default() };
            let guard = traced_by(settings);
            std::thread::sleep(Duration::from_millis(5));
            drop(guard);
        }
        STOP.store(true, Ordering::Relaxed);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        let open = std::fs::read_dir("/proc/self/fd").unwrap().count();
        assert!(open < 10, "{open} files are open");
    });
    for trace in ran.traces().values() {
        trace.check();
        for numbers in trace.numbers.values() {
            assert_eq!(numbers[numbers.len() - 1] - numbers[0] + 1, numbers.len() as u64);
        }
    }
}

static FROM_HANDLER: AtomicU64 = AtomicU64::new(0);

extern "C" fn trace_in_handler(_: i32) {
    number((1 << 40) + FROM_HANDLER.fetch_add(1, Ordering::Relaxed));
}

fn set_handler(signal: i32, handler: extern "C" fn(i32)) {
    // SAFETY: the handlers in this file only trace and count.
    unsafe { libc::signal(signal, handler as usize) };
}

/// Traces in this thread, which receives signals at random times. Their handler traces, too.
fn trace_under_signals(policy: Policy) {
    let guard = traced(policy);
    set_handler(libc::SIGUSR1, trace_in_handler);
    // SAFETY: the function has no preconditions.
    let thread = unsafe { libc::pthread_self() };
    static STOP: AtomicBool = AtomicBool::new(false);
    let sender = std::thread::spawn(move || {
        while !STOP.load(Ordering::Relaxed) {
            // SAFETY: the thread is running: it waits for this one.
            unsafe { libc::pthread_kill(thread, libc::SIGUSR1) };
            // Pause for a random number of instructions, up to a few thousand.
            for _ in 0..FROM_HANDLER.load(Ordering::Relaxed) % 1000 {
                std::hint::spin_loop();
            }
        }
    });
    let (mut n, started) = (0, Instant::now());
    while started.elapsed() < Duration::from_millis(500) {
        numbers(n..n + 100);
        n += 100;
    }
    STOP.store(true, Ordering::Relaxed);
    sender.join().unwrap();
    drop(guard);
    std::fs::write("counts", format!("{n} {}", FROM_HANDLER.load(Ordering::Relaxed))).unwrap();
}

fn check_under_signals(ran: &scenario::Ran) {
    let counts = std::fs::read_to_string(ran.folder().join("counts")).unwrap();
    let counts: Vec<u64> = counts.split(' ').map(|count| count.parse().unwrap()).collect();
    let trace = Trace::read(&ran.folder().join("t.trace"));
    for total in trace.totals.values() {
        let recorded = trace.numbers.get(&total.tid).map_or(0, Vec::len) as u64;
        assert_eq!(total.recorded, recorded);
        assert_eq!(total.issued, total.recorded + total.dropped + total.overwritten + total.refused);
    }
    assert_eq!(issued(&trace), counts.iter().sum::<u64>(), "{:?} {counts:?}", trace.totals);
    for numbers in trace.numbers.values() {
        let (handler, plain): (Vec<u64>, Vec<u64>) = numbers.iter().partition(|n| **n >= 1 << 40);
        assert!(handler.is_sorted() && plain.is_sorted());
        assert!(plain.windows(2).all(|pair| pair[0] != pair[1]), "no record occurs twice");
    }
}

#[test]
fn handlers_trace_with_discard() {
    check_under_signals(&run("handlers_trace_with_discard", || trace_under_signals(Policy::Discard)));
}

#[test]
fn handlers_trace_with_block() {
    check_under_signals(&run("handlers_trace_with_block", || trace_under_signals(BLOCK)));
}

#[test]
fn handlers_trace_with_overwrite() {
    check_under_signals(&run("handlers_trace_with_overwrite", || trace_under_signals(Policy::Overwrite)));
}

#[test]
fn the_first_event_of_a_thread_is_in_a_handler() {
    let ran = run("the_first_event_of_a_thread_is_in_a_handler", || {
        let _guard = traced(BLOCK);
        set_handler(libc::SIGUSR1, trace_in_handler);
        for _ in 0..50 {
            // SAFETY: the signal is sent to the new thread itself, and its handler only traces and
            // counts.
            std::thread::spawn(|| unsafe { libc::raise(libc::SIGUSR1) }).join().unwrap();
        }
    });
    // A handler does not wait for a slot. If no slot is free at that moment, the event is counted
    // as dropped.
    let trace = ran.trace();
    trace.check();
    assert_eq!(issued(&trace), 50);
    assert!(trace.all().len() >= 32, "at least as many as there are slots at the start");
}

/// Starts a trace into a pipe whose reader waits for the returned flag.
fn stalled() -> (Guard, std::thread::JoinHandle<()>, Arc<AtomicBool>) {
    // SAFETY: the path is NUL-terminated.
    assert_eq!(unsafe { libc::mkfifo(c"fifo".as_ptr(), 0o600) }, 0);
    let go = Arc::new(AtomicBool::new(false));
    let may_read = Arc::clone(&go);
    let reader = std::thread::spawn(move || {
        let mut pipe = std::fs::File::open("fifo").unwrap();
        while !may_read.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let mut all = Vec::new();
        pipe.read_to_end(&mut all).unwrap();
        std::fs::write("t.trace", all).unwrap();
        std::fs::remove_file("fifo").unwrap();
    });
    let settings =
        Settings { file: Some("fifo".into()), policy: BLOCK, buffer_bytes: 1 << 17, ..Settings::default() };
    (traced_by(settings), reader, go)
}

#[test]
fn handlers_and_threads_with_never_block_do_not_wait() {
    let ran = run("handlers_and_threads_with_never_block_do_not_wait", || {
        set_handler(libc::SIGUSR1, trace_in_handler);
        let (guard, reader, go) = stalled();
        std::thread::spawn(|| {
            number(0);
            {
                let _never = ringtrace::never_block();
                // Record more than the ring and the pipe can hold.
                numbers(1..20_000);
            }
            // SAFETY: the signal is sent to this thread, which is not inside a probe.
            unsafe { libc::raise(libc::SIGUSR1) };
        })
        .join()
        .unwrap();
        assert_eq!(FROM_HANDLER.load(Ordering::Relaxed), 1);
        go.store(true, Ordering::Relaxed);
        drop(guard);
        reader.join().unwrap();
    });
    let trace = ran.trace();
    trace.check();
    assert_eq!(issued(&trace), 20_001);
    assert!(trace.totals.values().any(|total| total.dropped > 0));
}

#[test]
fn probes_keep_errno() {
    run("probes_keep_errno", || {
        let _guard = traced(Policy::Discard);
        for n in 0..100_000 {
            // SAFETY: `errno` is a variable of this thread.
            unsafe { *libc::__errno_location() = 42 };
            number(n);
            // SAFETY: `errno` is a variable of this thread.
            assert_eq!(unsafe { *libc::__errno_location() }, 42);
        }
    });
}

#[test]
fn a_stopped_process_continues() {
    let ran = run("a_stopped_process_continues", || {
        let _guard = traced(BLOCK);
        // SAFETY: the function has no preconditions.
        let pid = unsafe { libc::getpid() };
        let waker = std::process::Command::new("sh")
            .args(["-c", &format!("sleep 0.05; kill -STOP {pid}; sleep 0.3; kill -CONT {pid}")])
            .spawn();
        let (mut waker, mut n) = (waker.unwrap(), 0);
        while waker.try_wait().unwrap().is_none() {
            numbers(n..n + 10);
            n += 10;
            std::thread::sleep(Duration::from_micros(100));
        }
    });
    let trace = ran.trace();
    trace.check();
    assert_eq!(trace.all(), Vec::from_iter(0..trace.all().len() as u64));
}
