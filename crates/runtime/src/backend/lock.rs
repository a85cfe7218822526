//! Writing in lock.

use std::sync::atomic::{AtomicU32, Ordering};

use rustix::thread::futex;

/// A lock without data. Unlike the standard library's it can be made free again in a child of a fork, where the thread that
/// held it does not exist.
///
/// Held only by a thread that is [`Inside`](super::reentry::ReentryGuard), so that no signal handler waits for its own thread.
#[derive(Debug)]
pub(crate) struct ForkSafeLock(AtomicU32);

const FREE: u32 = 0;
const TAKEN: u32 = 1;
/// Taken, and somebody may be waiting.
const AWAITED: u32 = 2;

/// Somebody's lock, until it is dropped.
#[derive(Debug)]
pub(crate) struct ForkSafeLockGuard<'a>(&'a ForkSafeLock);

impl ForkSafeLock {
    pub(crate) const fn new() -> ForkSafeLock {
        ForkSafeLock(AtomicU32::new(FREE))
    }

    /// Waits until it is nobody's lock, and takes it.
    pub(crate) fn take(&self) -> ForkSafeLockGuard<'_> {
        if self.0.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed).is_err() {
            while self.0.swap(AWAITED, Ordering::Acquire) != FREE {
                // Whatever it answers (a signal, a value that is another one meanwhile), the word tells.
                let _ = futex::wait(&self.0, futex::Flags::PRIVATE, AWAITED, None);
            }
        }
        ForkSafeLockGuard(self)
    }

    /// Makes it nobody's lock. Only where no other thread exists.
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
    fn nobody_is_in_another_s_lock() {
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
