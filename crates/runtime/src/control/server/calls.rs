//! The queues of slow calls to the worker thread, and of their outcomes.
//!
//! The poll thread waits for sockets, so an outcome must wake it. No wake-up is lost, because the
//! worker stores an outcome *before* it wakes the poll thread, and the poll thread resets the
//! wake-up *before* it takes outcomes. An outcome that comes too late to be taken therefore leaves
//! a wake-up behind, and the next wait returns at once. `tests/models` compiles this file with
//! loom's locks, and tries every interleaving of the two threads.

use std::collections::VecDeque;

use crate::os::sync::{Condvar, Mutex, MutexGuard};
use crate::os::{lock, unpoisoned};

/// Wakes the poll thread while it waits for sockets.
pub(super) trait WakeUp {
    /// Makes the current wait return or, if there is none, the next one.
    fn ring(&self);
    /// Undoes all earlier calls of [`ring`](WakeUp::ring).
    fn reset(&self);
}

/// Queues of calls `C` to the worker thread and of outcomes `O` from it, each with its connection's
/// number. A connection waits for its call, so the queues never hold more calls than there are
/// connections.
#[derive(Debug)]
pub(super) struct Calls<C, O> {
    state: Mutex<CallQueue<C, O>>,
    changed: Condvar,
}

#[derive(Debug)]
struct CallQueue<C, O> {
    waiting: VecDeque<(u64, C)>,
    done: Vec<(u64, O)>,
    stopping: bool,
}

impl<C, O> Calls<C, O> {
    pub(super) fn new() -> Calls<C, O> {
        let state = CallQueue { waiting: VecDeque::new(), done: Vec::new(), stopping: false };
        Calls { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, CallQueue<C, O>> {
        lock(&self.state)
    }

    /// Queues a call of connection `number`.
    pub(super) fn push(&self, number: u64, call: C) {
        self.state().waiting.push_back((number, call));
        self.changed.notify_all();
    }

    /// Waits for the next call. Returns `None` after [`stop`](Calls::stop).
    pub(super) fn next(&self) -> Option<(u64, C)> {
        let mut state = self.state();
        while state.waiting.is_empty() && !state.stopping {
            state = unpoisoned(self.changed.wait(state));
        }
        if state.stopping { None } else { state.waiting.pop_front() }
    }

    /// Stores the outcome of a call, then wakes the poll thread.
    pub(super) fn finish(&self, number: u64, outcome: O, wake: &impl WakeUp) {
        self.state().done.push((number, outcome));
        wake.ring();
    }

    /// Resets the wake-up, then takes all outcomes.
    pub(super) fn take_done(&self, wake: &impl WakeUp) -> Vec<(u64, O)> {
        wake.reset();
        std::mem::take(&mut self.state().done)
    }

    /// Makes the worker thread end. Calls that have not started are discarded.
    pub(super) fn stop(&self) {
        self.state().stopping = true;
        self.changed.notify_all();
    }
}
