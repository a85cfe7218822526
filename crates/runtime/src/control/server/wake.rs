//! Wakes the poll thread.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use rustix::event::{EventfdFlags, eventfd};

use crate::os::services::Descriptor;

/// An eventfd that the poll thread polls with its connections. It is readable after `ring`.
#[derive(Debug)]
pub(super) struct Wake(Descriptor);

impl Wake {
    pub(super) fn new() -> io::Result<Wake> {
        let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
        Ok(Wake(Descriptor::open(|| eventfd(0, flags))?))
    }

    pub(super) fn ring(&self) {
        // Any number other than 0 works. If the counter is full, the descriptor is readable anyway.
        let _ = rustix::io::write(&self.0, &[1; 8]);
    }

    pub(super) fn reset(&self) {
        let _ = rustix::io::read(&self.0, &mut [0; 8]);
    }
}

impl AsFd for Wake {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
