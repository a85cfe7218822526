//! A server that runs, and how it ends: when it is dropped, or the process exits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::descriptors::table;
use super::listener::Place;
use super::thread::Thread;
use super::wake::Wake;
use super::worker::Calls;

/// How long the end waits for each thread: a call may wait for a disk that does not answer, and `quit` for the end itself.
const PATIENCE: Duration = Duration::from_secs(1);

/// What ends with a server.
#[derive(Debug)]
pub(super) struct Running {
    /// The process that serves. Another one: this is a child, which has no monitor.
    pub(super) pid: u32,
    pub(super) place: Arc<Place>,
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

impl Running {
    /// Ends it: its socket is gone, its clients are disconnected, its threads have ended, but for one that hangs.
    pub(super) fn end(&self) {
        if self.pid != std::process::id() {
            return;
        }
        table().servers.retain(|server| !std::ptr::eq(&raw const **server, self));
        let Some(threads) = self.threads.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return;
        };
        self.place.remove();
        self.stopping.store(true, Ordering::Release);
        self.calls.stop();
        self.wake.ring();
        threads.poller.wait_for_end(PATIENCE);
        threads.worker.wait_for_end(PATIENCE);
    }
}

/// Ends all servers, because the process exits, or the library that this code is in is unloaded.
pub(crate) fn end_all() {
    let servers = table().servers.clone();
    for server in servers {
        server.end();
    }
}
