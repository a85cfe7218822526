//! Waiting, and what the system knows of a thread.

use std::cell::Cell;
use std::sync::atomic::AtomicU32;
use std::time::{Duration, Instant};

use rustix::thread::futex;

thread_local! {
    static NEVER_BLOCKS: Cell<bool> = const { Cell::new(false) };
}

/// A moment in the future.
#[derive(Debug)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    /// `timeout` from now.
    pub(crate) fn after(timeout: Duration) -> Deadline {
        let now = Instant::now();
        Deadline(now.checked_add(timeout).unwrap_or(now + Duration::from_hours(24)))
    }
}

/// Whether this thread may wait for the writer thread.
pub(crate) fn may_block() -> bool {
    !NEVER_BLOCKS.get()
}

/// Says that this thread never waits for the writer thread.
pub(crate) fn never_block() {
    NEVER_BLOCKS.set(true);
}

/// Waits until `word` is no longer `seen`, or somebody wakes. `false`: the deadline has passed.
pub(crate) fn for_change(word: &AtomicU32, seen: u32, deadline: Option<&Deadline>) -> bool {
    let rest = match deadline {
        Some(deadline) => match deadline.0.checked_duration_since(Instant::now()) {
            Some(rest) if !rest.is_zero() => Some(rest),
            _ => return false,
        },
        None => None,
    };
    // Wakes at times on its own, too: the writer thread may be gone.
    let rest = rest.unwrap_or(Duration::from_secs(1)).min(Duration::from_secs(1));
    sleep(word, seen, rest);
    true
}

/// Waits until `word` is no longer `seen`, somebody wakes, or `timeout` has passed.
pub(crate) fn sleep(word: &AtomicU32, seen: u32, timeout: Duration) {
    let timeout = futex::Timespec {
        tv_sec: timeout.as_secs().min(1 << 30).cast_signed(),
        tv_nsec: timeout.subsec_nanos().into(),
    };
    let _ = futex::wait(word, futex::Flags::PRIVATE, seen, Some(&timeout));
}

/// Wakes everybody who waits for `word`.
pub(crate) fn wake(word: &AtomicU32) {
    let _ = futex::wake(word, futex::Flags::PRIVATE, i32::MAX.cast_unsigned());
}

/// This thread's id.
pub(crate) fn thread_id() -> u32 {
    rustix::thread::gettid().as_raw_nonzero().get().cast_unsigned()
}

/// This thread's name, as the system has it.
pub(crate) fn thread_name() -> [u8; 16] {
    let mut name = [0; 16];
    // SAFETY: PR_GET_NAME writes at most 16 bytes to the address that it is given.
    unsafe { libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr()) };
    name
}
