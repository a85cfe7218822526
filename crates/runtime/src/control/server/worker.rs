//! The thread for slow calls. A flush, for example, waits for the writer thread, which waits for a
//! disk.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use super::thread::Thread;
use super::thread::Wake;
use crate::control::dialogue::{Call, Outcome, Program};
use crate::os;

/// Queues of calls to the thread and of outcomes from it, each with its connection's number. A
/// connection waits for its call, so the queues never hold more calls than there are connections.
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

    pub(super) fn push(&self, number: u64, call: Call) {
        self.state().waiting.push_back((number, call));
        self.changed.notify_all();
    }

    pub(super) fn take_done(&self) -> Vec<(u64, Outcome)> {
        std::mem::take(&mut self.state().done)
    }

    /// Makes the thread end. Calls that have not started are discarded.
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

pub(super) fn start(calls: Arc<Calls>, program: Arc<Program>, wake: Arc<Wake>) -> io::Result<Thread> {
    Thread::start("ringtrace-ctl", move || {
        while let Some((number, call)) = calls.next() {
            let outcome = call.run(&program);
            calls.state().done.push((number, outcome));
            wake.ring();
        }
    })
}
