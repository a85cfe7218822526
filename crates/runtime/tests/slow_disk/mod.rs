//! A disk that is slow or full. This program defines its own `write`, which replaces the C
//! library's, so that tests control how long a write to a trace file takes and whether it fails.

#![allow(dead_code, reason = "not every test uses all functions")]

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// The number of milliseconds that each write to a trace file takes.
pub static DELAY_MS: AtomicU64 = AtomicU64::new(0);

/// Writes to trace files are held while this is not 0.
pub static HELD: AtomicU64 = AtomicU64::new(0);

/// The number of writes to trace files so far.
pub static WRITES: AtomicU64 = AtomicU64::new(0);

/// The number of writes that succeed before [`FAILURES`] applies. If it is negative, no write
/// fails.
pub static WRITES_BEFORE_FAILURE: AtomicI64 = AtomicI64::new(-1);

/// The number of writes that fail with ENOSPC after [`WRITES_BEFORE_FAILURE`] writes have
/// succeeded.
pub static FAILURES: AtomicI64 = AtomicI64::new(0);

/// Makes `failures` writes fail after `before` more writes have succeeded.
pub fn fail(before: i64, failures: i64) {
    FAILURES.store(failures, Ordering::SeqCst);
    WRITES_BEFORE_FAILURE.store(before, Ordering::SeqCst);
}

/// Returns whether the file is a trace file. Their names end with `.trace`.
fn is_trace(fd: i32) -> bool {
    let link = format!("/proc/self/fd/{fd}");
    std::fs::read_link(link).is_ok_and(|path| path.extension().is_some_and(|end| end == "trace"))
}

/// Returns whether the write fails.
fn is_failing() -> bool {
    let before = WRITES_BEFORE_FAILURE.load(Ordering::SeqCst);
    if before != 0 {
        WRITES_BEFORE_FAILURE.store((before - 1).max(-1), Ordering::SeqCst);
        return false;
    }
    if FAILURES.fetch_sub(1, Ordering::SeqCst) > 1 {
        return true;
    }
    WRITES_BEFORE_FAILURE.store(-1, Ordering::SeqCst);
    true
}

/// # Safety
/// The requirements are the same as for the C library's function.
#[unsafe(no_mangle)]
unsafe extern "C" fn write(fd: i32, bytes: *const libc::c_void, count: usize) -> isize {
    if is_trace(fd) {
        WRITES.fetch_add(1, Ordering::SeqCst);
        while HELD.load(Ordering::SeqCst) != 0 {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let delay_ms = DELAY_MS.load(Ordering::SeqCst);
        if delay_ms > 0 {
            std::thread::sleep(std::time::Duration::from_millis(delay_ms));
        }
        if is_failing() {
            // SAFETY: `errno` is a variable of this thread.
            unsafe { *libc::__errno_location() = libc::ENOSPC };
            return -1;
        }
    }
    // SAFETY: the arguments are passed on unchanged, and the caller ensures that they are valid.
    unsafe { libc::syscall(libc::SYS_write, fd, bytes, count) as isize }
}
