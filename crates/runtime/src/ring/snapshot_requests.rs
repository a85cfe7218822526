//! Requests for snapshots, which the writer thread takes.

use std::fs::File;
use std::io;
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, MutexGuard};

use crate::os;
use crate::os::sync::{AtomicBool, Ordering};

#[derive(Debug, Default)]
pub(crate) struct SnapshotRequests {
    waiting: Mutex<Waiting>,
    /// Set while requests are pending, so that the writer thread takes no lock when there are none.
    requested: AtomicBool,
    pub(crate) signalled: AtomicBool,
}

#[derive(Debug, Default)]
struct Waiting {
    requests: Vec<SnapshotRequest>,
    /// Set when the writer thread has ended and accepts no more requests.
    is_over: bool,
}

#[derive(Debug)]
pub(crate) struct SnapshotRequest {
    pub(crate) file: File,
    pub(crate) answer: SyncSender<io::Result<u64>>,
}

impl SnapshotRequests {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        os::lock(&self.waiting)
    }

    /// Adds a request. If the request is dropped, the caller sees its channel close.
    pub(crate) fn request(&self, request: SnapshotRequest) {
        let mut waiting = self.waiting();
        if !waiting.is_over {
            waiting.requests.push(request);
            self.requested.store(true, Ordering::Release);
        }
    }

    /// Drops all present and future requests, because the writer thread ends. A session is never
    /// freed, so a pending request would keep its file open for ever.
    pub(crate) fn end(&self) {
        let mut waiting = self.waiting();
        waiting.is_over = true;
        waiting.requests.clear();
    }

    pub(crate) fn take(&self) -> Vec<SnapshotRequest> {
        if !self.requested.swap(false, Ordering::Acquire) {
            return Vec::new();
        }
        std::mem::take(&mut self.waiting().requests)
    }

    pub(crate) fn take_signal(&self) -> bool {
        self.signalled.swap(false, Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn requests_are_dropped_when_the_writer_thread_ends() {
        let snapshots = SnapshotRequests::default();
        let request = || {
            let (answer, answered) = mpsc::sync_channel(1);
            snapshots.request(SnapshotRequest { file: File::open("/dev/null").unwrap(), answer });
            answered
        };
        let before = request();
        assert_eq!(before.try_recv().unwrap_err(), mpsc::TryRecvError::Empty);
        snapshots.end();
        let behind = request();
        for answered in [before, behind] {
            assert_eq!(answered.try_recv().unwrap_err(), mpsc::TryRecvError::Disconnected);
        }
        assert!(snapshots.take().is_empty());
    }
}
