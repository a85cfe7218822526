//! Waiting for a slot, with `policy=block`.

use crate::os::sync::{AtomicU32, Ordering, fence};
use crate::os::wait::{self, Deadline};

/// The threads that wait for a slot.
#[derive(Debug)]
pub(crate) struct SlotWait {
    /// The number of waiting threads.
    wanted: AtomicU32,
    /// The futex on which they wait.
    freed: AtomicU32,
}

impl SlotWait {
    pub(crate) fn new() -> SlotWait {
        SlotWait { wanted: AtomicU32::new(0), freed: AtomicU32::new(0) }
    }

    /// Waits until `find` returns a slot. Returns `None` after the deadline, or when `may_wait`
    /// returns false.
    pub(crate) fn wait<T>(
        &self,
        mut find: impl FnMut() -> Option<T>,
        may_wait: impl Fn() -> bool,
        deadline: Option<&Deadline>,
    ) -> Option<T> {
        self.wanted.fetch_add(1, Ordering::Relaxed);
        // Pairs with the fence of `announce`: either the writer thread sees that this thread waits,
        // or this thread finds the slot that the writer thread has released.
        fence(Ordering::SeqCst);
        let found = loop {
            let seen = self.freed.load(Ordering::Acquire);
            if let Some(found) = find() {
                break Some(found);
            }
            if !may_wait() || !wait::for_change(&self.freed, seen, deadline) {
                break find();
            }
        };
        self.wanted.fetch_sub(1, Ordering::Relaxed);
        found
    }

    /// Wakes the waiting threads. The writer thread calls this after a change that affects them.
    pub(crate) fn announce(&self) {
        fence(Ordering::SeqCst);
        if self.wanted.load(Ordering::Relaxed) > 0 {
            // The fence orders this store: a thread that sees it sees the slots released before.
            self.freed.fetch_add(1, Ordering::Relaxed);
            wait::wake(&self.freed);
        }
    }
}
