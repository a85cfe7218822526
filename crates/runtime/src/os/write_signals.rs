//! Blocks the signals that a failed write raises.

#![expect(unsafe_code, reason = "C library calls")]

use std::mem::MaybeUninit;
use std::ptr;

/// Blocks `SIGPIPE` and `SIGXFSZ` in this thread until it is dropped. If the program traces into a
/// pipe without a reader, or beyond its file-size limit, it is not killed. Instead, the write
/// returns an error, which is counted. [`Self::take`] discards pending signals.
#[derive(Debug)]
pub(crate) struct BlockedWriteSignals {
    before: libc::sigset_t,
}

impl BlockedWriteSignals {
    pub(crate) fn new() -> BlockedWriteSignals {
        let mut before = MaybeUninit::uninit();
        // SAFETY: the set and the mode are valid, and the call initializes `before`.
        unsafe {
            libc::pthread_sigmask(libc::SIG_BLOCK, &signals(), before.as_mut_ptr());
            BlockedWriteSignals { before: before.assume_init() }
        }
    }

    pub(crate) fn take(&self) {
        let signals = signals();
        let at_once = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the set and the time are valid, the null pointer is allowed, and `errno` belongs
        // to this thread.
        unsafe {
            // Preserve `errno`, which the program may read after its own last call.
            let errno = *libc::__errno_location();
            while libc::sigtimedwait(&signals, ptr::null_mut(), &at_once) > 0 {}
            *libc::__errno_location() = errno;
        }
    }
}

impl Drop for BlockedWriteSignals {
    fn drop(&mut self) {
        // SAFETY: the set was saved by `new`.
        unsafe {
            libc::pthread_sigmask(libc::SIG_SETMASK, &self.before, ptr::null_mut());
        }
    }
}

fn signals() -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the first call initializes the set, which the others change; the signal numbers are
    // valid.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGPIPE);
        libc::sigaddset(set.as_mut_ptr(), libc::SIGXFSZ);
        set.assume_init()
    }
}
