//! The lock of the backend `log`.

use std::sync::atomic::{AtomicU32, Ordering};

use rustix::thread::futex;

/// A lock without data. Unlike the standard library's lock, it can be reset in a forked child,
/// where the thread that held it does not exist.
///
/// Only threads with a [`ReentryGuard`](super::reentry::ReentryGuard) take it, so a signal handler
/// never waits for its own thread.
#[derive(Debug)]
pub(crate) struct ForkSafeLock(AtomicU32);

const FREE: u32 = 0;
const TAKEN: u32 = 1;
/// The lock is taken, and a thread may be waiting for it.
const AWAITED: u32 = 2;

#[derive(Debug)]
pub(crate) struct ForkSafeLockGuard<'a>(&'a ForkSafeLock);

impl ForkSafeLock {
    pub(crate) const fn new() -> ForkSafeLock {
        ForkSafeLock(AtomicU32::new(FREE))
    }

    pub(crate) fn take(&self) -> ForkSafeLockGuard<'_> {
        if self.0.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed).is_err() {
            while self.0.swap(AWAITED, Ordering::Acquire) != FREE {
                // Ignore the result (a signal, or a changed value): the loop reads the word again.
                let _ = futex::wait(&self.0, futex::Flags::PRIVATE, AWAITED, None);
            }
        }
        ForkSafeLockGuard(self)
    }

    /// Resets the lock. Call this only if no other thread exists.
    pub(crate) fn forget(&self) {
        self.0.store(FREE, Ordering::Relaxed);
    }
}

impl Drop for ForkSafeLockGuard<'_> {
    fn drop(&mut self) {
        if self.0.0.swap(FREE, Ordering::Release) == AWAITED {
            let _ = futex::wake(&self.0.0, futex::Flags::PRIVATE, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ForkSafeLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn only_one_thread_has_the_lock() {
        let lock = ForkSafeLock::new();
        let count = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..10_000 {
                        let _taken = lock.take();
                        let before = count.load(Ordering::Relaxed);
                        std::hint::spin_loop();
                        count.store(before + 1, Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(count.into_inner(), 40_000);
    }
}
