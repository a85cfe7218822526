//! The state of a running server, and its shutdown when it is dropped or the process exits.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::calls::WakeUp;
use super::listener::SocketFile;
use super::thread::Thread;
use super::thread::Wake;
use super::worker::Calls;
use crate::os::{self, services};
use crate::ring::recording;

/// How long to wait for each thread at the end. A thread may be blocked by a disk that does not
/// respond, or by a `quit` function that waits for the exit.
const THREAD_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct Running {
    /// The process that started the server. A forked child has another process id, and no monitor.
    pub(super) pid: u32,
    pub(super) socket: Arc<SocketFile>,
    pub(super) stopping: Arc<AtomicBool>,
    pub(super) wake: Arc<Wake>,
    pub(super) calls: Arc<Calls>,
    /// The threads, or `None` after the end.
    pub(super) threads: Mutex<Option<Threads>>,
}

#[derive(Debug)]
pub(super) struct Threads {
    pub(super) poller: Thread,
    pub(super) worker: Thread,
}

impl services::Service for Running {
    fn socket(&self) -> &Path {
        self.socket.path()
    }

    /// Removes the socket, disconnects the clients, and waits for the threads, up to a timeout.
    fn end(&self) {
        if self.pid != std::process::id() {
            return;
        }
        services::remove(std::ptr::from_ref(self).cast());
        recording::note_monitor();
        let Some(threads) = os::lock(&self.threads).take() else {
            return;
        };
        self.socket.remove();
        self.stopping.store(true, Ordering::Release);
        self.calls.stop();
        self.wake.ring();
        threads.poller.wait_for_end(THREAD_TIMEOUT);
        threads.worker.wait_for_end(THREAD_TIMEOUT);
    }
}
