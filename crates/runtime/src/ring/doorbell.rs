//! How the writer thread sleeps and is woken, and how threads wait until it has been at work for them.

use std::time::Duration;

use crate::os::sync::{AtomicU32, AtomicU64, Ordering, fence};
use crate::os::wait;

/// What the writer thread sleeps at.
///
/// Two words, so that ringing costs a system call only when it sleeps. The writer thread reads `rung`, works,
/// sets `asleep`, and sleeps as long as `rung` is what it was. Whoever rings adds to `rung`, then asks whether it is
/// asleep. Between storing one word and loading the other both sides have a fence: one of the two sees what the other did.
#[derive(Debug)]
pub(crate) struct Doorbell {
    rung: AtomicU32,
    asleep: AtomicU32,
}

impl Doorbell {
    pub(crate) fn new() -> Doorbell {
        Doorbell { rung: AtomicU32::new(0), asleep: AtomicU32::new(0) }
    }

    /// Wakes the writer thread, or keeps it from falling asleep.
    ///
    /// Release: a writer thread that hears it sees what was done before.
    pub(crate) fn ring(&self) {
        self.rung.fetch_add(1, Ordering::Release);
        fence(Ordering::SeqCst);
        // Not taken away: who rang before may have done so for a sleeper that had heard it, and falls asleep after all.
        if self.asleep.load(Ordering::Relaxed) != 0 {
            wait::wake(&self.rung);
        }
    }

    /// Wakes the writer thread if it seems to sleep. Not when it is just about to: then it sleeps for as long as it may.
    pub(crate) fn ring_if_asleep(&self) {
        if self.asleep.load(Ordering::Relaxed) != 0 {
            self.ring();
        }
    }

    /// For the writer thread, before it looks what there is to do: what [`Doorbell::sleep`] compares with.
    pub(crate) fn listen(&self) -> u32 {
        self.rung.load(Ordering::Acquire)
    }

    /// For the writer thread: sleeps until it rings, or has rung since `heard`, at most `timeout`.
    pub(crate) fn sleep(&self, heard: u32, timeout: Duration) {
        self.asleep.store(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        wait::sleep(&self.rung, heard, timeout);
        self.asleep.store(0, Ordering::Relaxed);
    }
}

/// Work that any number of threads asks for at once and waits for.
#[derive(Debug)]
pub(crate) struct Requests {
    requested: AtomicU64,
    done: AtomicU64,
    /// Changes with `done`; futexes have half a word.
    changes: AtomicU32,
}

impl Requests {
    pub(crate) fn new() -> Requests {
        Requests { requested: AtomicU64::new(0), done: AtomicU64::new(0), changes: AtomicU32::new(0) }
    }

    /// Asks; the answer is for [`Requests::wait`].
    ///
    /// Release: who finds it requested sees what the thread did before.
    pub(crate) fn request(&self) -> u64 {
        self.requested.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Waits until request `mine` is done. `false`: it never will be, because nobody `is_alive` to do it. `remind` is called
    /// before each sleep.
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

    /// How many were requested for.
    pub(crate) fn requested(&self) -> u64 {
        self.requested.load(Ordering::Acquire)
    }

    /// The first `requests` are done.
    pub(crate) fn done(&self, requests: u64) {
        if self.done.swap(requests, Ordering::AcqRel) != requests {
            self.announce();
        }
    }

    /// Makes all that wait look again.
    pub(crate) fn announce(&self) {
        self.changes.fetch_add(1, Ordering::Release);
        wait::wake(&self.changes);
    }
}
