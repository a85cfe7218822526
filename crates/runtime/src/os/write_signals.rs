//! Signals that a write raises when it fails.

#![expect(unsafe_code, reason = "C library calls")]

use std::mem::MaybeUninit;
use std::ptr;

/// While this lives, `SIGPIPE` and `SIGXFSZ` do not reach the thread; those that came are gone at its end. A program that traces
/// into a pipe without a reader, or over its limit of a file's size, gets an error to count instead of its death.
#[derive(Debug)]
pub(crate) struct BlockedWriteSignals {
    before: libc::sigset_t,
}

impl BlockedWriteSignals {
    /// Withholds them from now on.
    pub(crate) fn new() -> BlockedWriteSignals {
        let mut before = MaybeUninit::uninit();
        // SAFETY: both sets are valid, and the call writes the second one; it fails for an unknown way only.
        unsafe {
            libc::pthread_sigmask(libc::SIG_BLOCK, &signals(), before.as_mut_ptr());
            BlockedWriteSignals { before: before.assume_init() }
        }
    }

    /// Takes away what a failed write raised.
    pub(crate) fn take(&self) {
        let signals = signals();
        let at_once = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the set and the time are valid; nothing is written to a null pointer. Where `errno` is, is the thread's.
        unsafe {
            // What the program sees of its own last call must not change under its hands.
            let errno = *libc::__errno_location();
            while libc::sigtimedwait(&signals, ptr::null_mut(), &at_once) > 0 {}
            *libc::__errno_location() = errno;
        }
    }
}

impl Drop for BlockedWriteSignals {
    fn drop(&mut self) {
        // SAFETY: the set is the one that was there before.
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
