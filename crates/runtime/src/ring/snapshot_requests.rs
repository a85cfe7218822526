//! Requests for snapshots, which the writer thread takes.

use std::fs::File;
use std::io;
use std::sync::mpsc::SyncSender;

use super::inbox::Inbox;
use crate::os::sync::{AtomicBool, Ordering};

#[derive(Debug, Default)]
pub(crate) struct SnapshotRequests {
    pub(crate) inbox: Inbox<SnapshotRequest>,
    pub(crate) signalled: AtomicBool,
}

#[derive(Debug)]
pub(crate) struct SnapshotRequest {
    pub(crate) file: File,
    pub(crate) answer: SyncSender<io::Result<u64>>,
}

impl SnapshotRequests {
    pub(crate) fn take_signal(&self) -> bool {
        self.signalled.swap(false, Ordering::Acquire)
    }
}
