//! The queue of pieces of a file that several threads process.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard};

use super::output::FilePiece;
use crate::error::unpoisoned;
use crate::read::state::Context;

/// The number of pieces per worker that are processed or wait for an earlier one, and their size. Each
/// needs memory for its result, and the pages of new memory take time.
const WAITING_PER_WORKER: usize = 4;
const WAITING_BYTES_PER_WORKER: usize = 2 << 20;

/// The queue of pieces to process, and of processed pieces that wait for earlier ones. `O` is the result
/// of a piece.
pub(super) struct Queue<O> {
    state: Mutex<QueueState<O>>,
    pub(super) changed: Condvar,
    pub(super) pieces: u64,
    most_waiting: u64,
}

pub(super) struct QueueState<O> {
    /// The next piece to process.
    next: u64,
    /// The next piece whose result is passed on.
    pub(super) turn: u64,
    pub(super) ready: BTreeMap<u64, FilePiece<O>>,
    /// True while a worker passes on results.
    pub(super) busy: bool,
    /// The context after the last piece whose result was passed on.
    pub(super) context: Context,
    /// The memory of results that were passed on.
    pub(super) spare: Vec<O>,
    pub(super) stop: bool,
}

impl<O> Queue<O> {
    /// Creates the queue of `pieces` pieces of about `piece_bytes` bytes. `context` is the one before the
    /// first piece.
    pub(super) fn new(threads: usize, pieces: u64, piece_bytes: usize, context: Context) -> Queue<O> {
        let turns = QueueState {
            next: 0,
            turn: 0,
            ready: BTreeMap::new(),
            busy: false,
            context,
            spare: Vec::new(),
            stop: false,
        };
        let per_worker = (WAITING_BYTES_PER_WORKER / piece_bytes.max(1)).clamp(2, WAITING_PER_WORKER);
        let most_waiting = (per_worker * threads) as u64;
        Queue { state: Mutex::new(turns), changed: Condvar::new(), pieces, most_waiting }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, QueueState<O>> {
        // No code that holds the lock panics. Even if it did, the state would be consistent.
        unpoisoned(self.state.lock())
    }

    /// Takes a piece to process, with a context to start from and the memory of an earlier result.
    pub(super) fn take(&self) -> Option<(u64, Context, Option<O>)> {
        let mut turns = self.lock();
        loop {
            if turns.stop || turns.next >= self.pieces {
                return None;
            }
            if turns.next < turns.turn + self.most_waiting {
                let number = turns.next;
                turns.next += 1;
                let spare = turns.spare.pop();
                return Some((number, turns.context.clone(), spare));
            }
            turns = unpoisoned(self.changed.wait(turns));
        }
    }

    /// Hands out no more pieces, and wakes all waiting workers.
    pub(super) fn stop(&self) {
        self.lock().stop = true;
        self.changed.notify_all();
    }
}

/// Stops the queue if a worker panics. The panicked worker never hands in its piece, so the other
/// workers must not wait for it.
pub(super) struct StopOnPanic<'q, O>(pub(super) &'q Queue<O>);

impl<O> Drop for StopOnPanic<'_, O> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}
