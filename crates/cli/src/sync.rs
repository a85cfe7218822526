//! Locks and flags that threads share.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Locks `mutex`, even if another thread panicked while it held the lock.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A flag that threads can wait for.
#[derive(Debug, Default)]
pub struct StopFlag {
    flag: Mutex<bool>,
    changed: Condvar,
}

impl StopFlag {
    pub fn set(&self) {
        *lock(&self.flag) = true;
        self.changed.notify_all();
    }

    /// Waits up to `time`. Returns whether the flag is set.
    pub fn wait(&self, time: Duration) -> bool {
        let waited = self.changed.wait_timeout_while(lock(&self.flag), time, |set| !*set);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}
