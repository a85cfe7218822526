//! The thread for calls that take long: a flush waits for the writer thread, which waits for a disk.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::wake::Wake;
use crate::monitor::dialogue::{Call, Outcome, Program};
use crate::signal::BlockedSignals;
use crate::wait;

/// Calls on their way to the thread, and outcomes on their way back. There are never more than connections, of which
/// each waits for its own.
#[derive(Debug)]
pub(super) struct Worker {
    calls: Sender<(u64, Call)>,
    outcomes: Arc<Mutex<Vec<(u64, Outcome)>>>,
}

impl Worker {
    /// Starts the thread. It ends when the worker is dropped and what was asked is done.
    pub(super) fn start(program: Arc<Program>, wake: Arc<Wake>) -> io::Result<(Worker, JoinHandle<()>)> {
        let (calls, asked) = mpsc::channel();
        let outcomes = Arc::new(Mutex::new(Vec::new()));
        let done = Arc::clone(&outcomes);
        let _blocked = BlockedSignals::all();
        let thread = std::thread::Builder::new().name("ringtrace-ctl".to_owned());
        let thread = thread.spawn(move || work(&asked, &program, &done, &wake))?;
        Ok((Worker { calls, outcomes }, thread))
    }

    /// Has a call of connection `number` made.
    pub(super) fn ask(&self, number: u64, call: Call) {
        // The thread ends after this only.
        let _ = self.calls.send((number, call));
    }

    /// What was done meanwhile.
    pub(super) fn take(&self) -> Vec<(u64, Outcome)> {
        std::mem::take(&mut *self.outcomes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn work(asked: &Receiver<(u64, Call)>, program: &Program, done: &Mutex<Vec<(u64, Outcome)>>, wake: &Wake) {
    let _never = wait::never_block();
    while let Ok((number, call)) = asked.recv() {
        let outcome = call.run(program);
        done.lock().unwrap_or_else(PoisonError::into_inner).push((number, outcome));
        wake.ring();
    }
}
