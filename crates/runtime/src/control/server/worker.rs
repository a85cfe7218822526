//! The thread for calls that take long: a flush waits for the writer thread, which waits for a disk.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use super::thread::Thread;
use super::thread::Wake;
use crate::control::dialogue::{Call, Outcome, Program};
use crate::os;

/// Calls on their way to the thread, and outcomes on their way back, each with its connection's number. There are never more than
/// connections, of which each waits for its own.
#[derive(Debug, Default)]
pub(super) struct Calls {
    state: Mutex<CallQueue>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct CallQueue {
    waiting: VecDeque<(u64, Call)>,
    done: Vec<(u64, Outcome)>,
    stopping: bool,
}

impl Calls {
    fn state(&self) -> MutexGuard<'_, CallQueue> {
        os::lock(&self.state)
    }

    /// Has a call of connection `number` made.
    pub(super) fn push(&self, number: u64, call: Call) {
        self.state().waiting.push_back((number, call));
        self.changed.notify_all();
    }

    /// What was done meanwhile.
    pub(super) fn take_done(&self) -> Vec<(u64, Outcome)> {
        std::mem::take(&mut self.state().done)
    }

    /// The thread is to end. What was not begun is not done.
    pub(super) fn stop(&self) {
        self.state().stopping = true;
        self.changed.notify_all();
    }

    fn next(&self) -> Option<(u64, Call)> {
        let waits = |state: &mut CallQueue| state.waiting.is_empty() && !state.stopping;
        let mut state = os::unpoisoned(self.changed.wait_while(self.state(), waits));
        if state.stopping { None } else { state.waiting.pop_front() }
    }
}

/// Starts the thread.
pub(super) fn start(calls: Arc<Calls>, program: Arc<Program>, wake: Arc<Wake>) -> io::Result<Thread> {
    Thread::start("ringtrace-ctl", move || {
        while let Some((number, call)) = calls.next() {
            let outcome = call.run(&program);
            calls.state().done.push((number, outcome));
            wake.ring();
        }
    })
}
