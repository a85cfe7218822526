//! A server's thread, which can be joined with a timeout.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::event::{EventfdFlags, eventfd};

use super::calls::WakeUp;
use crate::os;
use crate::os::sanitizer::ThreadSanitizer;
use crate::os::services::Descriptor;
use crate::os::signal::BlockedSignals;
use crate::os::wait;

/// A thread in which all signals are blocked and probes never wait.
#[derive(Debug)]
pub(super) struct Thread {
    handle: JoinHandle<()>,
    end: Arc<End>,
}

#[derive(Debug, Default)]
struct End {
    has_ended: Mutex<bool>,
    changed: Condvar,
}

/// Reports the thread's end when dropped, whether it returns or panics.
struct SetEnded(Arc<End>);

impl Drop for SetEnded {
    fn drop(&mut self) {
        *os::lock(&self.0.has_ended) = true;
        self.0.changed.notify_all();
    }
}

impl Thread {
    /// Starts a thread.
    ///
    /// # Errors
    /// Fails if the system cannot create a thread.
    pub(super) fn start(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<Thread> {
        let end = Arc::new(End::default());
        let ended = SetEnded(Arc::clone(&end));
        let sanitizer = ThreadSanitizer::find();
        let _blocked = BlockedSignals::all();
        let handle = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            let _ended = ended;
            let _ignored = sanitizer.ignore_this_thread();
            let _never = wait::never_block();
            run();
        })?;
        Ok(Thread { handle, end })
    }

    /// Waits until the thread has ended, or until the timeout. Without the timeout, a disk that
    /// hangs would block the exit, and a `quit` function that waits for the exit would deadlock.
    pub(super) fn wait_for_end(self, timeout: Duration) {
        // A client's command may end the server. This function then runs on the server's own
        // thread, which cannot join itself.
        if self.handle.thread().id() == std::thread::current().id() {
            return;
        }
        let has_ended = os::lock(&self.end.has_ended);
        let waited = self.end.changed.wait_timeout_while(has_ended, timeout, |has_ended| !*has_ended);
        if *os::unpoisoned(waited).0 {
            // If the thread panicked, the panic message is already printed.
            let _ = self.handle.join();
        }
    }
}

/// An eventfd that the poll thread polls along with its connections. Calling `ring` makes it
/// readable.
#[derive(Debug)]
pub(super) struct Wake(Descriptor);

impl Wake {
    pub(super) fn new() -> io::Result<Wake> {
        let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
        Ok(Wake(Descriptor::open(|| eventfd(0, flags))?))
    }
}

impl WakeUp for Wake {
    fn ring(&self) {
        // Any number other than 0 works. If the counter is full, the descriptor is readable anyway.
        let _ = rustix::io::write(&self.0, &[1; 8]);
    }

    fn reset(&self) {
        let _ = rustix::io::read(&self.0, &mut [0; 8]);
    }
}

impl AsFd for Wake {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
