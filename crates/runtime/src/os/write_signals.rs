//! The signals that a failed write raises.

#![expect(unsafe_code, reason = "C library calls")]

use std::mem::MaybeUninit;
use std::ptr;

/// Blocks `SIGPIPE` and `SIGXFSZ` in this thread until it is dropped. A program that traces into a
/// pipe without a reader, or beyond its file-size limit, gets an error to count and is not killed.
/// [`Self::take`] discards pending signals.
#[derive(Debug)]
pub(crate) struct BlockedWriteSignals {
    before: libc::sigset_t,
}

impl BlockedWriteSignals {
    pub(crate) fn new() -> BlockedWriteSignals {
        let mut before = MaybeUninit::uninit();
        // SAFETY: both sets are valid, and the call writes the second; the mode is a known one.
        unsafe {
            libc::pthread_sigmask(libc::SIG_BLOCK, &signals(), before.as_mut_ptr());
            BlockedWriteSignals { before: before.assume_init() }
        }
    }

    pub(crate) fn take(&self) {
        let signals = signals();
        let at_once = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the set and the time are valid; nothing is written to null; `errno` is the
        // thread's.
        unsafe {
            // Keep `errno`, which the program may read for its own last call.
            let errno = *libc::__errno_location();
            while libc::sigtimedwait(&signals, ptr::null_mut(), &at_once) > 0 {}
            *libc::__errno_location() = errno;
        }
    }
}

impl Drop for BlockedWriteSignals {
    fn drop(&mut self) {
        // SAFETY: the set is the one from before.
        unsafe {
            libc::pthread_sigmask(libc::SIG_SETMASK, &self.before, ptr::null_mut());
        }
    }
}

fn signals() -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the first call makes a valid set, which the others change; the numbers are valid.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGPIPE);
        libc::sigaddset(set.as_mut_ptr(), libc::SIGXFSZ);
        set.assume_init()
    }
}
