//! Requests for snapshots, which the writer thread takes.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, MutexGuard};

use crate::os;

/// What is asked of the writer thread.
#[derive(Debug, Default)]
pub(crate) struct SnapshotRequests {
    waiting: Mutex<Waiting>,
    /// There are some that wait: the writer thread takes no lock to find out that there are none.
    requested: AtomicBool,
    /// A signal has come.
    pub(crate) signalled: AtomicBool,
}

#[derive(Debug, Default)]
struct Waiting {
    requests: Vec<SnapshotRequest>,
    /// The writer thread has ended: nobody would take them.
    is_over: bool,
}

/// A snapshot that somebody waits for.
#[derive(Debug)]
pub(crate) struct SnapshotRequest {
    pub(crate) file: File,
    pub(crate) answer: SyncSender<io::Result<u64>>,
}

impl SnapshotRequests {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        os::lock(&self.waiting)
    }

    /// Asks for one. Of what is dropped unanswered, who waits is told by that.
    pub(crate) fn request(&self, request: SnapshotRequest) {
        let mut waiting = self.waiting();
        if !waiting.is_over {
            waiting.requests.push(request);
            self.requested.store(true, Ordering::Release);
        }
    }

    /// For the writer thread: it ends. A session is never freed, so what still waited would keep its file open for ever.
    pub(crate) fn end(&self) {
        let mut waiting = self.waiting();
        waiting.is_over = true;
        waiting.requests.clear();
    }

    /// For the writer thread: takes what is asked, if anything.
    pub(crate) fn take(&self) -> Vec<SnapshotRequest> {
        if !self.requested.swap(false, Ordering::Acquire) {
            return Vec::new();
        }
        std::mem::take(&mut self.waiting().requests)
    }

    /// For the writer thread: whether a signal has come since the last time.
    pub(crate) fn take_signal(&self) -> bool {
        self.signalled.swap(false, Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn what_is_asked_of_a_writer_thread_that_ends_is_dropped() {
        let snapshots = SnapshotRequests::default();
        let ask = || {
            let (answer, answered) = mpsc::sync_channel(1);
            snapshots.request(SnapshotRequest { file: File::open("/dev/null").unwrap(), answer });
            answered
        };
        let before = ask();
        assert_eq!(before.try_recv().unwrap_err(), mpsc::TryRecvError::Empty);
        snapshots.end();
        let behind = ask();
        for answered in [before, behind] {
            assert_eq!(answered.try_recv().unwrap_err(), mpsc::TryRecvError::Disconnected);
        }
        assert!(snapshots.take().is_empty());
    }
}
