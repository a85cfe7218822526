//! A server that runs, and how it ends: when it is dropped, or the process exits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::listener::SocketFile;
use super::thread::Thread;
use super::thread::Wake;
use super::worker::Calls;
use crate::os::{self, services};

/// How long the end waits for each thread: a call may wait for a disk that does not answer, and `quit` for the end itself.
const THREAD_TIMEOUT: Duration = Duration::from_secs(1);

/// What ends with a server.
#[derive(Debug)]
pub(super) struct Running {
    /// The process that serves. Another one: this is a child, which has no monitor.
    pub(super) pid: u32,
    pub(super) socket: Arc<SocketFile>,
    pub(super) stopping: Arc<AtomicBool>,
    pub(super) wake: Arc<Wake>,
    pub(super) calls: Arc<Calls>,
    /// Gone when it has ended.
    pub(super) threads: Mutex<Option<Threads>>,
}

/// A server's threads.
#[derive(Debug)]
pub(super) struct Threads {
    pub(super) poller: Thread,
    pub(super) worker: Thread,
}

impl services::Service for Running {
    /// Ends it: its socket is gone, its clients are disconnected, its threads have ended, but for one that hangs.
    fn end(&self) {
        if self.pid != std::process::id() {
            return;
        }
        services::remove(std::ptr::from_ref(self).cast());
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
