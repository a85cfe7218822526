//! The guard against events within events.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{Ordering, compiler_fence};

thread_local! {
    /// Whether the thread is inside a text backend. A constant without destructor: the first use in a thread calls
    /// nothing, so it may happen in a signal handler.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// The thread is inside a text backend until this is dropped.
///
/// Whatever takes a lock of a backend holds one. So a signal handler that interrupts a thread while it has such a lock
/// is refused before it could wait for it.
#[derive(Debug)]
pub(crate) struct ReentryGuard {
    /// It belongs to its thread.
    _not_send: PhantomData<*const ()>,
}

impl ReentryGuard {
    /// Enters; `None` when the thread is inside already: this is a signal handler that interrupted it.
    pub(crate) fn enter() -> Option<ReentryGuard> {
        if INSIDE.replace(true) {
            return None;
        }
        // A signal handler sees memory as it is between two instructions.
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
