//! Waiting, and what the system knows of a thread.

#![expect(unsafe_code, reason = "C library calls")]

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::AtomicU32;
use std::time::{Duration, Instant};

use rustix::thread::futex;

use super::signal;

thread_local! {
    /// How many [`NeverBlock`]s the thread has.
    static NEVER_BLOCKS: Cell<u32> = const { Cell::new(0) };
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

/// Whether this thread may wait for the writer thread, here: not in a signal handler.
pub(crate) fn may_block() -> bool {
    NEVER_BLOCKS.get() == 0 && !signal::in_handler()
}

/// Probes of this thread do not wait until it is dropped. Made by [`never_block`].
#[derive(Debug)]
#[must_use = "bind it to a name: `let _never = ..`; after `let _ = ..` probes may wait again at once"]
pub struct NeverBlock {
    /// It belongs to its thread.
    _not_send: PhantomData<*const ()>,
}

/// From here on no probe of this thread waits for room, whatever the policy: what finds none is dropped and counted.
///
/// For code that the writing of the trace depends on, and for threads that must answer in time. Signal handlers are mostly
/// recognised: by their signal being blocked, or by their stack. One that was set up with `SA_NODEFER` and without
/// `SA_ONSTACK` is not, and wants this at its beginning. Neither allocates nor locks.
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

/// One more, or one less. To have less than none changes nothing.
pub(crate) fn set_never_block(never: bool) {
    let count = NEVER_BLOCKS.get();
    NEVER_BLOCKS.set(if never { count + 1 } else { count.saturating_sub(1) });
}

/// Leaves the processor to others for a moment.
pub(crate) fn sleep_briefly() {
    std::thread::sleep(Duration::from_millis(1));
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

/// Whether this process has thread `tid`.
pub(crate) fn thread_exists(tid: u32) -> bool {
    // SAFETY: signal 0 is none: the call only looks whether it could be sent.
    let answer = unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), tid, 0) };
    // What is not allowed exists, or cannot be known.
    answer == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::ESRCH)
}
