//! The thread for calls that take long: a flush waits for the writer thread, which waits for a disk.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::wake::Wake;
use crate::monitor::dialogue::{Call, Outcome, Program};
use crate::signal::BlockedSignals;
use crate::wait;

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
    has_ended: bool,
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

    /// Waits until the thread has ended; says whether it has.
    pub(super) fn wait_for_end(&self, timeout: Duration) -> bool {
        let waited = self.changed.wait_timeout_while(self.state(), timeout, |state| !state.has_ended);
        waited.unwrap_or_else(PoisonError::into_inner).0.has_ended
    }

    fn next(&self) -> Option<(u64, Call)> {
        let waits = |state: &mut State| state.asked.is_empty() && !state.stopping;
        let mut state = self.changed.wait_while(self.state(), waits).unwrap_or_else(PoisonError::into_inner);
        if state.stopping { None } else { state.asked.pop_front() }
    }
}

/// Says that the thread has ended when it is dropped, however it ends.
struct Ended<'a>(&'a Calls);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.state().has_ended = true;
        self.0.changed.notify_all();
    }
}

/// Starts the thread.
pub(super) fn start(calls: Arc<Calls>, program: Arc<Program>, wake: Arc<Wake>) -> io::Result<JoinHandle<()>> {
    let _blocked = BlockedSignals::all();
    let thread = std::thread::Builder::new().name("ringtrace-ctl".to_owned());
    thread.spawn(move || {
        let _never = wait::never_block();
        let _ended = Ended(&calls);
        while let Some((number, call)) = calls.next() {
            let outcome = call.run(&program);
            calls.state().done.push((number, outcome));
            wake.ring();
        }
    })
}
