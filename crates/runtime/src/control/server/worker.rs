//! The thread for calls that take long: a flush waits for the writer thread, which waits for a disk.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::thread::Thread;
use super::wake::Wake;
use crate::monitor::dialogue::{Call, Outcome, Program};

/// Calls on their way to the thread, and outcomes on their way back, each with its connection's number. There are never more than
/// connections, of which each waits for its own.
#[derive(Debug, Default)]
pub(super) struct Calls {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    asked: VecDeque<(u64, Call)>,
    done: Vec<(u64, Outcome)>,
    stopping: bool,
}

impl Calls {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a call of connection `number` made.
    pub(super) fn ask(&self, number: u64, call: Call) {
        self.state().asked.push_back((number, call));
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
        let waits = |state: &mut State| state.asked.is_empty() && !state.stopping;
        let mut state = self.changed.wait_while(self.state(), waits).unwrap_or_else(PoisonError::into_inner);
        if state.stopping { None } else { state.asked.pop_front() }
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
