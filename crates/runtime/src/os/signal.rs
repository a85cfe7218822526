//! Blocks signals, and detects whether the current code is a signal handler.

#![expect(unsafe_code, reason = "C library calls")]

use std::cell::Cell;
use std::ptr;

/// Blocks all signals in this thread, and in threads that it starts, until this is dropped.
#[derive(Debug)]
pub(crate) struct BlockedSignals(libc::sigset_t);

impl BlockedSignals {
    pub(crate) fn all() -> BlockedSignals {
        // SAFETY: both calls only write to the sets.
        unsafe {
            let (mut all, mut before) = (std::mem::zeroed(), std::mem::zeroed());
            libc::sigfillset(&raw mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
            BlockedSignals(before)
        }
    }
}

impl Drop for BlockedSignals {
    fn drop(&mut self) {
        // SAFETY: the set was filled by the call above.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, ptr::null_mut()) };
    }
}

/// Restores the thread's `errno` when dropped. A probe may run in a signal handler, or between a
/// failing call and the code that reads `errno`.
#[derive(Debug)]
pub(crate) struct KeptErrno(i32);

impl KeptErrno {
    pub(crate) fn new() -> KeptErrno {
        // SAFETY: this is the address of the thread's `errno`, which always exists.
        KeptErrno(unsafe { *libc::__errno_location() })
    }
}

impl Drop for KeptErrno {
    fn drop(&mut self) {
        // SAFETY: this is the address of the thread's `errno`, which always exists.
        unsafe { *libc::__errno_location() = self.0 };
    }
}

thread_local! {
    /// The signals that were blocked at every check of this thread, except checks known to be in a
    /// handler. `None` before the first check.
    static USUALLY_BLOCKED: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Records that this thread usually blocks the signals that it blocks now.
pub(crate) fn note_usually_blocked() {
    USUALLY_BLOCKED.set(Some(blocked()));
}

/// Returns whether the current code seems to be a signal handler.
///
/// While a handler runs, its signal is blocked, or the thread is on its alternate stack. So this
/// returns `true` on that stack, or if the thread blocks a signal that has a handler and that it
/// does not usually block. The result can be wrong in two cases. A thread that blocks such a signal
/// temporarily seems to be in its handler. A handler with `SA_NODEFER` and without `SA_ONSTACK` is
/// not detected, and must call [`never_block`](crate::never_block).
pub(crate) fn in_handler() -> bool {
    let now = blocked();
    let usual = USUALLY_BLOCKED.get();
    if let Some(usual) = usual {
        // Correct the set, because the first check may have been in a handler.
        USUALLY_BLOCKED.set(Some(usual & now));
    }
    let unusual = now & !usual.unwrap_or(0);
    on_other_stack() || (1..=64).any(|signal| unusual >> (signal - 1) & 1 != 0 && has_handler(signal))
}

/// Returns the signals that this thread blocks now. The lowest bit is signal 1.
fn blocked() -> u64 {
    // SAFETY: the call writes the whole set. Linux has 64 signals, which are the set's first word.
    unsafe {
        let mut now: libc::sigset_t = std::mem::zeroed();
        libc::pthread_sigmask(libc::SIG_SETMASK, ptr::null(), &raw mut now);
        (&raw const now).cast::<u64>().read()
    }
}

fn has_handler(signal: i32) -> bool {
    // SAFETY: the call only writes to `action`.
    let (answer, action) = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        (libc::sigaction(signal, ptr::null(), &raw mut action), action)
    };
    answer == 0 && action.sa_sigaction != libc::SIG_DFL && action.sa_sigaction != libc::SIG_IGN
}

/// Returns whether [`note_usually_blocked`] was called on this thread.
pub(crate) fn is_usual_known() -> bool {
    USUALLY_BLOCKED.get().is_some()
}

/// Returns whether the current code is a signal handler on its alternate stack.
pub(crate) fn on_other_stack() -> bool {
    // SAFETY: the call only writes to `stack`.
    let stack = unsafe {
        let mut stack: libc::stack_t = std::mem::zeroed();
        libc::sigaltstack(ptr::null(), &raw mut stack);
        stack
    };
    stack.ss_flags & libc::SS_ONSTACK != 0
}

#[cfg(test)]
mod tests {
    use std::ptr;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::{in_handler, note_usually_blocked};

    static SEEN: AtomicU32 = AtomicU32::new(0);

    extern "C" fn handler(_: i32) {
        SEEN.fetch_add(if in_handler() { 1 } else { 100 }, Ordering::Relaxed);
    }

    #[test]
    fn a_handler_differs_from_a_thread_that_blocks_signals() {
        // SAFETY: the handler only reads signal masks and increments a counter.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as extern "C" fn(i32) as usize;
            libc::sigaction(libc::SIGUSR2, &raw const action, ptr::null_mut());
        }
        // A thread that blocks the signal is not in its handler.
        let quiet = std::thread::spawn(|| {
            // SAFETY: the set is initialized before it is used.
            unsafe {
                let mut set = std::mem::zeroed();
                libc::sigemptyset(&raw mut set);
                libc::sigaddset(&raw mut set, libc::SIGUSR2);
                libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, ptr::null_mut());
            }
            note_usually_blocked();
            in_handler()
        });
        assert!(!quiet.join().unwrap());
        note_usually_blocked();
        assert!(!in_handler());
        // SAFETY: the signal is sent to this thread, and has a handler.
        unsafe { libc::raise(libc::SIGUSR2) };
        assert_eq!(SEEN.load(Ordering::Relaxed), 1);
        assert!(!in_handler());
    }
}
