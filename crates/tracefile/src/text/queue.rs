//! The queue of pieces of a file that several threads render.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard};

use crate::error::unpoisoned;
use crate::read::state::Context;
use crate::text::TextBuffer;
use crate::text::parallel::FilePiece;

/// The number of pieces per worker that are rendered or wait for an earlier one, and their size. Each
/// needs a buffer, and the pages of a new buffer take time.
const WAITING_PER_WORKER: usize = 4;
const WAITING_BYTES_PER_WORKER: usize = 2 << 20;

/// The usual size of a piece's text is at most this multiple of the piece's size.
const USUAL_TEXT_PER_PIECE: usize = 2;

/// The queue of pieces to render, and of rendered pieces that wait for earlier ones.
pub(super) struct Queue {
    state: Mutex<QueueState>,
    pub(super) changed: Condvar,
    pub(super) pieces: u64,
    most_waiting: u64,
    /// The initial size of buffers for text. The system provides their pages when they are used.
    text_bytes: usize,
}

pub(super) struct QueueState {
    /// The next piece to render.
    next: u64,
    /// The next piece to write.
    pub(super) turn: u64,
    pub(super) ready: BTreeMap<u64, FilePiece>,
    /// True while a worker writes output.
    pub(super) busy: bool,
    /// The context after the last written piece.
    pub(super) context: Context,
    pub(super) spare: Vec<TextBuffer>,
    pub(super) stop: bool,
}

impl Queue {
    /// Creates the queue of `pieces` pieces of about `piece_bytes` bytes. `context` is the one before the
    /// first piece.
    pub(super) fn new(threads: usize, pieces: u64, piece_bytes: usize, context: Context) -> Queue {
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
        let text_bytes = USUAL_TEXT_PER_PIECE * piece_bytes;
        Queue { state: Mutex::new(turns), changed: Condvar::new(), pieces, most_waiting, text_bytes }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, QueueState> {
        // No code that holds the lock panics. Even if it did, the state would be consistent.
        unpoisoned(self.state.lock())
    }

    /// Takes a piece to render, with a context to start from and a buffer for its text.
    pub(super) fn take(&self) -> Option<(u64, Context, TextBuffer)> {
        let mut turns = self.lock();
        loop {
            if turns.stop || turns.next >= self.pieces {
                return None;
            }
            if turns.next < turns.turn + self.most_waiting {
                let number = turns.next;
                turns.next += 1;
                let spare = turns.spare.pop();
                let text = spare.unwrap_or_else(|| TextBuffer::with_capacity(self.text_bytes));
                return Some((number, turns.context.clone(), text));
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
pub(super) struct StopOnPanic<'q>(pub(super) &'q Queue);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}
