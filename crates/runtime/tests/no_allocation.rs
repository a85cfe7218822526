//! Probes do not allocate, not even the first one of a thread. Neither does the writer thread,
//! after a start-up phase.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod scenario;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use ringtrace::session::{flush, start};
use ringtrace::{Policy, Settings};
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

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        count();
        // SAFETY: the caller's promise.
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
    // Let the writer thread see this thread, and its largest run of records.
    numbers(0..100_000);
    flush();
    // The writer thread also closes the accounts of the exited thread, which it does after a flush.
    flush();
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    numbers(0..500_000);
    flush();
    // The writer thread allocates for the metadata of dropped records.
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
