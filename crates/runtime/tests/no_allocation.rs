//! Probes do not allocate, not even a thread's first probe. When its buffers are large enough, the
//! writer thread does not allocate either.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod scenario;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use ringtrace::session::{flush, start};
use ringtrace::{Options, Policy, Settings};
use scenario::{numbers, run};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static OF_THIS_THREAD: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
    OF_THIS_THREAD.set(OF_THIS_THREAD.get() + 1);
}

// SAFETY: all calls are passed to the system's allocator, which fulfils the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller fulfils the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller fulfils the contract of `dealloc`.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        count();
        // SAFETY: the caller fulfils the contract of `realloc`.
        unsafe { System.realloc(block, layout, bytes) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn trace(policy: Policy) {
    let settings =
        Settings { file: Some("t.trace".into()), policy, buffer_bytes: 1 << 17, ..Settings::default() };
    let _guard = start(settings).unwrap();
    ringtrace::set_enabled("*", true);
    let of_thread = std::thread::spawn(|| {
        let before = OF_THIS_THREAD.get();
        numbers(0..100_000);
        OF_THIS_THREAD.get() - before
    });
    assert_eq!(of_thread.join().unwrap(), 0, "a new thread, {policy:?}");
    // Let the writer thread allocate the buffers for this thread and for its longest run of
    // records.
    numbers(0..100_000);
    flush();
    // After the first flush, the writer thread writes the totals of the exited thread.
    flush();
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    numbers(0..500_000);
    flush();
    // To write records of drops, the writer thread allocates strings.
    if policy != Policy::Discard {
        assert_eq!(ALLOCATIONS.load(Ordering::Relaxed) - before, 0, "all threads, {policy:?}");
    }
}

#[test]
fn with_discard() {
    run("with_discard", || trace(Policy::Discard));
}

#[test]
fn with_block() {
    run("with_block", || trace(Policy::Block { timeout: None }));
}

#[test]
fn with_overwrite() {
    run("with_overwrite", || trace(Policy::Overwrite));
}

#[test]
fn with_stacks() {
    let ran = run("with_stacks", || {
        let options = Options::new().enable("*").stack("*").file("t.trace");
        let _guard = options.policy(Policy::Block { timeout: None }).start().unwrap();
        let of_thread = std::thread::spawn(|| {
            let before = OF_THIS_THREAD.get();
            numbers(0..10_000);
            OF_THIS_THREAD.get() - before
        });
        assert_eq!(of_thread.join().unwrap(), 0);
    });
    let (mut records, mut addresses) = (0, 0);
    let input = ringtrace_tracefile::Input::open(&ran.folder().join("t.trace")).unwrap();
    let mut reader = ringtrace_tracefile::Reader::new("t.trace", input, &Default::default()).unwrap();
    let _ = reader.for_each(|entry: &ringtrace_tracefile::Entry<'_>| {
        records += 1;
        addresses += u64::from(entry.stack().next().is_some());
        ringtrace_tracefile::Flow::Continue
    });
    assert_eq!(records, 10_000);
    let is_supported = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
    assert_eq!(addresses, if is_supported { records } else { 0 });
}
