//! The doorbell that wakes the writer thread, and requests that threads can wait for.

use std::time::Duration;

use crate::os::sync::{AtomicU32, AtomicU64, Ordering, fence};
use crate::os::wait;

/// The doorbell that wakes the writer thread.
///
/// It has two words, so that ringing costs a system call only while the writer thread sleeps. The
/// writer thread reads `rung`, works, sets `asleep`, and sleeps until `rung` changes. A ringing
/// thread adds to `rung`, then reads `asleep`. Both sides have a fence between their store and
/// their load, so at least one sees the other's store.
#[derive(Debug)]
pub(crate) struct Doorbell {
    rung: AtomicU32,
    asleep: AtomicU32,
}

/// Values of [`Doorbell::asleep`].
const AWAKE: u32 = 0;
const ASLEEP: u32 = 1;
const NAPPING: u32 = 2;

impl Doorbell {
    pub(crate) fn new() -> Doorbell {
        Doorbell { rung: AtomicU32::new(0), asleep: AtomicU32::new(AWAKE) }
    }

    /// Wakes the writer thread, or keeps it from falling asleep.
    ///
    /// Release: if the writer thread sees the ring, it sees what the ringing thread did before.
    pub(crate) fn ring(&self) {
        self.rung.fetch_add(1, Ordering::Release);
        fence(Ordering::SeqCst);
        // Do not clear `asleep`: the writer thread may have noticed this ring before it set the
        // flag, and then goes to sleep. The next ring must find the flag to wake it.
        if self.asleep.load(Ordering::Relaxed) != AWAKE {
            wait::wake(&self.rung);
        }
    }

    /// Wakes the writer thread if it seems to be asleep or to nap. If it is only about to sleep, it
    /// is not woken and may sleep until its timeout.
    pub(crate) fn ring_if_asleep(&self) {
        if self.asleep.load(Ordering::Relaxed) != AWAKE {
            self.ring();
        }
    }

    /// Like [`Doorbell::ring_if_asleep`], but does not interrupt a nap.
    pub(crate) fn ring_unless_napping(&self) {
        if self.asleep.load(Ordering::Relaxed) == ASLEEP {
            self.ring();
        }
    }

    /// Returns the value to pass to [`Doorbell::sleep`]. The writer thread calls this before it
    /// looks for work.
    pub(crate) fn listen(&self) -> u32 {
        self.rung.load(Ordering::Acquire)
    }

    /// Sleeps until `timeout` has passed or the doorbell rings. Returns at once if it has rung
    /// since `heard`.
    pub(crate) fn sleep(&self, heard: u32, timeout: Duration) {
        self.sleep_as(ASLEEP, heard, timeout);
    }

    /// Like [`Doorbell::sleep`], but for a short time, after which the writer thread expects work.
    pub(crate) fn nap(&self, heard: u32, timeout: Duration) {
        self.sleep_as(NAPPING, heard, timeout);
    }

    fn sleep_as(&self, asleep: u32, heard: u32, timeout: Duration) {
        self.asleep.store(asleep, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        wait::sleep(&self.rung, heard, timeout);
        self.asleep.store(AWAKE, Ordering::Relaxed);
    }
}

/// A kind of work that any number of threads can request at the same time and wait for.
#[derive(Debug)]
pub(crate) struct Requests {
    requested: AtomicU64,
    done: AtomicU64,
    /// Changes whenever `done` does. Threads wait on this word, because a futex has 32 bits.
    changes: AtomicU32,
}

impl Requests {
    pub(crate) fn new() -> Requests {
        Requests { requested: AtomicU64::new(0), done: AtomicU64::new(0), changes: AtomicU32::new(0) }
    }

    /// Requests the work. Pass the result to [`Requests::wait`].
    ///
    /// Release: if the writer thread sees the request, it sees what the requesting thread did
    /// before.
    pub(crate) fn request(&self) -> u64 {
        self.requested.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Waits until request `mine` is done. Returns `false` if `is_alive` returns `false`, because
    /// the request will then never be done. Calls `remind` before each sleep.
    pub(crate) fn wait(&self, mine: u64, is_alive: impl Fn() -> bool, remind: impl Fn()) -> bool {
        loop {
            let seen = self.changes.load(Ordering::Acquire);
            if self.done.load(Ordering::Acquire) >= mine {
                return true;
            }
            if !is_alive() {
                return false;
            }
            remind();
            wait::sleep(&self.changes, seen, Duration::from_millis(100));
        }
    }

    pub(crate) fn requested(&self) -> u64 {
        self.requested.load(Ordering::Acquire)
    }

    pub(crate) fn done(&self, requests: u64) {
        if self.done.swap(requests, Ordering::AcqRel) != requests {
            self.announce();
        }
    }

    /// Makes all waiting threads check again.
    pub(crate) fn announce(&self) {
        self.changes.fetch_add(1, Ordering::Release);
        wait::wake(&self.changes);
    }
}
