//! A guard against events within a text backend.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{Ordering, compiler_fence};

thread_local! {
    /// Whether the thread is inside a text backend. The initial value is constant and needs no
    /// destructor, so the first use in a thread calls no function and is allowed in a signal
    /// handler.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Marks the thread as inside a text backend until it is dropped.
///
/// Every holder of a backend's lock has such a guard. If a signal handler interrupts the holder,
/// the handler's events are therefore dropped instead of waiting for the lock.
#[derive(Debug)]
pub(crate) struct ReentryGuard {
    /// The guard must stay in its thread.
    _not_send: PhantomData<*const ()>,
}

impl ReentryGuard {
    /// Creates the guard. Returns `None` if the thread has one already, because a signal handler
    /// interrupted it.
    pub(crate) fn enter() -> Option<ReentryGuard> {
        if INSIDE.replace(true) {
            return None;
        }
        // A compiler fence suffices, because a signal handler runs on this thread.
        compiler_fence(Ordering::SeqCst);
        Some(ReentryGuard { _not_send: PhantomData })
    }
}

impl Drop for ReentryGuard {
    fn drop(&mut self) {
        compiler_fence(Ordering::SeqCst);
        INSIDE.set(false);
    }
}

#[cfg(test)]
mod tests {
    use super::ReentryGuard;

    #[test]
    fn one_at_a_time_in_each_thread() {
        let inside = ReentryGuard::enter().unwrap();
        assert!(ReentryGuard::enter().is_none());
        assert!(std::thread::spawn(|| ReentryGuard::enter().is_some()).join().unwrap());
        drop(inside);
        assert!(ReentryGuard::enter().is_some());
    }
}
