//! Waiting for changes of a word, and queries about threads.

#![expect(unsafe_code, reason = "C library calls")]

use std::cell::Cell;
use std::marker::PhantomData;
use std::time::{Duration, Instant};

use rustix::thread::futex;

use super::signal;
use super::sync::{self, AtomicU32};

thread_local! {
    static NEVER_BLOCKS: Cell<u32> = const { Cell::new(0) };
}

#[derive(Debug)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    pub(crate) fn after(timeout: Duration) -> Deadline {
        let now = Instant::now();
        Deadline(now.checked_add(timeout).unwrap_or(now + Duration::from_hours(24)))
    }
}

/// Returns whether this thread may wait for the writer thread. A signal handler may not.
pub(crate) fn may_block() -> bool {
    NEVER_BLOCKS.get() == 0 && !signal::in_handler()
}

/// Whether this thread may wait for a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MayWait {
    Never,
    /// Only for a short time, because the caller may be a signal handler.
    Briefly,
    Always,
}

/// Returns whether this thread, which has no slot, may wait for one.
///
/// If the thread blocks a signal that has a handler, the caller may be that handler. Until the
/// thread has had a slot, it is unknown whether the thread always blocks this signal.
pub(crate) fn may_wait_for_slot() -> MayWait {
    if NEVER_BLOCKS.get() != 0 || signal::on_other_stack() {
        MayWait::Never
    } else if !signal::in_handler() {
        MayWait::Always
    } else if signal::is_usual_known() {
        MayWait::Never
    } else {
        MayWait::Briefly
    }
}

/// Keeps probes of this thread from waiting until this guard is dropped. Returned by
/// [`never_block`].
#[derive(Debug)]
#[must_use = "bind it to a name: `let _never = ..`; after `let _ = ..` probes may wait again at once"]
pub struct NeverBlock {
    _not_send: PhantomData<*const ()>,
}

/// Keeps probes of this thread from waiting for space, whatever the policy is. A record that does
/// not fit is dropped and counted.
///
/// Use this in code on which writing the trace depends, and in threads with deadlines. Most signal
/// handlers are detected automatically: their signal is blocked, or they run on the alternate
/// stack. A handler with `SA_NODEFER` and without `SA_ONSTACK` is not detected, and must call this
/// function first. Neither this call nor dropping the guard allocates or locks.
///
/// ```
/// let _never = ringtrace::never_block();
/// // ... until the end of this block
/// ```
pub fn never_block() -> NeverBlock {
    set_never_block(true);
    NeverBlock { _not_send: PhantomData }
}

impl Drop for NeverBlock {
    fn drop(&mut self) {
        set_never_block(false);
    }
}

/// Increments or decrements the number of reasons not to wait. It never goes below zero.
pub(crate) fn set_never_block(never: bool) {
    let count = NEVER_BLOCKS.get();
    NEVER_BLOCKS.set(if never { count + 1 } else { count.saturating_sub(1) });
}

pub(crate) fn sleep_briefly() {
    std::thread::sleep(Duration::from_millis(1));
}

/// Waits until `word` differs from `seen` or a wake-up arrives. Returns `false` after the deadline.
pub(crate) fn for_change(word: &AtomicU32, seen: u32, deadline: Option<&Deadline>) -> bool {
    let rest = match deadline {
        Some(deadline) => match deadline.0.checked_duration_since(Instant::now()) {
            Some(rest) if !rest.is_zero() => Some(rest),
            _ => return false,
        },
        None => None,
    };
    // Return after a second at the latest, because the writer thread may have ended.
    let rest = rest.unwrap_or(Duration::from_secs(1)).min(Duration::from_secs(1));
    sleep(word, seen, rest);
    true
}

/// Waits until `word` differs from `seen`, a wake-up arrives, or `timeout` has passed.
pub(crate) fn sleep(word: &AtomicU32, seen: u32, timeout: Duration) {
    let timeout = futex::Timespec {
        tv_sec: timeout.as_secs().min(1 << 30).cast_signed(),
        tv_nsec: timeout.subsec_nanos().into(),
    };
    let _ = futex::wait(sync::plain(word), futex::Flags::PRIVATE, seen, Some(&timeout));
}

pub(crate) fn wake(word: &AtomicU32) {
    let _ = futex::wake(sync::plain(word), futex::Flags::PRIVATE, i32::MAX.cast_unsigned());
}

pub(crate) fn thread_id() -> u32 {
    rustix::thread::gettid().as_raw_nonzero().get().cast_unsigned()
}

pub(crate) fn thread_name() -> [u8; 16] {
    let mut name = [0; 16];
    // SAFETY: PR_GET_NAME writes at most 16 bytes to the given address.
    unsafe { libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr()) };
    name
}

pub(crate) fn thread_exists(tid: u32) -> bool {
    // SAFETY: signal 0 is never delivered; the call only checks whether a signal could be sent.
    let answer = unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), tid, 0) };
    // Any other error means that the thread exists, or that its existence is unknown.
    answer == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::ESRCH)
}
