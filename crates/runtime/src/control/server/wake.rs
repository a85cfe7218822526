//! Waking the poll thread.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use rustix::event::{EventfdFlags, eventfd};

use crate::os::services::Descriptor;

/// What the poll thread polls beside its connections. Readable: it was rung.
#[derive(Debug)]
pub(super) struct Wake(Descriptor);

impl Wake {
    pub(super) fn new() -> io::Result<Wake> {
        let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
        Ok(Wake(Descriptor::open(|| eventfd(0, flags))?))
    }

    /// Makes the poll thread look around.
    pub(super) fn ring(&self) {
        // Any number but 0 will do. When it takes no more, it is readable anyway.
        let _ = rustix::io::write(&self.0, &[1; 8]);
    }

    /// It is silent again.
    pub(super) fn hush(&self) {
        let _ = rustix::io::read(&self.0, &mut [0; 8]);
    }
}

impl AsFd for Wake {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
