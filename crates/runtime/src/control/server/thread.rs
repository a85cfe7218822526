//! A server's thread, for which its end does not wait without limit.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::event::{EventfdFlags, eventfd};

use crate::os;
use crate::os::services::Descriptor;
use crate::os::signal::BlockedSignals;
use crate::os::wait;

/// A thread that has all signals blocked, and whose probes never wait.
#[derive(Debug)]
pub(super) struct Thread {
    handle: JoinHandle<()>,
    end: Arc<End>,
}

/// Whether it has ended.
#[derive(Debug, Default)]
struct End {
    has_come: Mutex<bool>,
    changed: Condvar,
}

/// Says that the thread has ended when it is dropped, however it ends.
struct SetEnded(Arc<End>);

impl Drop for SetEnded {
    fn drop(&mut self) {
        *os::lock(&self.0.has_come) = true;
        self.0.changed.notify_all();
    }
}

impl Thread {
    /// Starts it.
    ///
    /// # Errors
    /// When the system has no thread for it.
    pub(super) fn start(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<Thread> {
        let end = Arc::new(End::default());
        let ended = SetEnded(Arc::clone(&end));
        let _blocked = BlockedSignals::all();
        let handle = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            let _ended = ended;
            let _never = wait::never_block();
            run();
        })?;
        Ok(Thread { handle, end })
    }

    /// Waits until it has ended, and leaves it to itself when it has not by then: a disk may hang, or the program's own function for `quit`,
    /// which may wait for the very exit that waits here.
    pub(super) fn wait_for_end(self, timeout: Duration) {
        // What a client asks for may end the server: then this is the thread itself.
        if self.handle.thread().id() == std::thread::current().id() {
            return;
        }
        let has_come = os::lock(&self.end.has_come);
        let waited = self.end.changed.wait_timeout_while(has_come, timeout, |has_come| !*has_come);
        if *os::unpoisoned(waited).0 {
            // It has panicked: its message was that.
            let _ = self.handle.join();
        }
    }
}

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
