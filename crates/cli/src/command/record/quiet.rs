//! Detects output of other processes on the terminal.
//!
//! inotify reports writes to a terminal as it does for any file. It does not report typed input.

use std::fs;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;

use rustix::fs::inotify::{self, CreateFlags, Reader, WatchFlags};
use rustix::io::Errno;

/// Watches the terminal of standard error.
#[derive(Debug)]
pub struct TerminalWatch {
    events: OwnedFd,
}

impl TerminalWatch {
    /// Starts watching. Returns `None` if the system does not support it.
    pub fn begin() -> Option<TerminalWatch> {
        let path = fs::read_link("/proc/self/fd/2").ok()?;
        let events = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok()?;
        inotify::add_watch(&events, path, WatchFlags::MODIFY).ok()?;
        Some(TerminalWatch { events })
    }

    /// Returns whether anything was written since the last call.
    pub fn was_written(&self) -> bool {
        let mut buffer = [MaybeUninit::uninit(); 1024];
        let mut reader = Reader::new(&self.events, &mut buffer);
        let mut any = false;
        loop {
            match reader.next() {
                Ok(_) => any = true,
                Err(Errno::INTR) => {}
                Err(_) => return any,
            }
        }
    }
}
