//! State shared by the shell and the thread that listens to the monitor while the user types.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, getpid, kill_process};
use rustyline::ExternalPrinter;

use super::notices::NoticeLog;
use crate::monitor::Client;
use crate::sync::lock;
use crate::terminal::Terminal;

/// How often to check for notices that are ready to print but were held back.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The time between two signals that interrupt `readline`.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// A connection shared by a shell and a listening thread.
#[derive(Debug)]
pub struct Session {
    client: Mutex<Client>,
    notices: Mutex<NoticeLog>,
    /// Whether the program has ended or closed the connection.
    has_ended: AtomicBool,
    is_left: AtomicBool,
    terminal: Terminal,
}

impl Session {
    pub fn new(client: Client, terminal: Terminal) -> Session {
        Session {
            client: Mutex::new(client),
            notices: Mutex::default(),
            has_ended: AtomicBool::new(false),
            is_left: AtomicBool::new(false),
            terminal,
        }
    }

    pub fn client(&self) -> MutexGuard<'_, Client> {
        lock(&self.client)
    }

    /// Returns whether the program has ended or closed the connection.
    pub fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::Relaxed)
    }

    /// Records that the shell has left the session, so that no more signals are sent to it.
    pub fn leave(&self) {
        self.is_left.store(true, Ordering::Relaxed);
    }

    /// Returns the monitor's pending notices, formatted for the terminal, or an empty string.
    pub fn pending_notices(&self) -> String {
        let received = self.client().notices();
        if received.is_err() {
            self.has_ended.store(true, Ordering::Relaxed);
        }
        let mut notices = lock(&self.notices);
        let lines = notices.lines(&received.unwrap_or_default(), Instant::now());
        lines.iter().map(|line| self.terminal.paint("33", &format!("[{line}]")) + "\n").collect()
    }
}

/// Starts a thread that prints notices to `printer`, and that interrupts `readline` when the
/// connection ends. Does nothing if the descriptor cannot be duplicated.
pub fn listen(session: &Arc<Session>, mut printer: impl ExternalPrinter + Send + 'static) {
    let Ok(descriptor) = session.client().as_fd().try_clone_to_owned() else { return };
    let session = Arc::clone(session);
    let run = move || {
        while !session.has_ended() {
            wait(&descriptor);
            let pending_notices = session.pending_notices();
            if !pending_notices.is_empty() && printer.print(pending_notices).is_err() {
                break;
            }
        }
        // Only a signal makes rustyline return. Repeat the signal, because the first one may arrive
        // before rustyline waits for input.
        while session.has_ended() && !session.is_left.load(Ordering::Relaxed) {
            let _ = kill_process(getpid(), Signal::INT);
            thread::sleep(SIGNAL_INTERVAL);
        }
    };
    // If the thread cannot be started, the shell prints notices after each command.
    let _ = thread::Builder::new().name("notices".to_owned()).spawn(run);
}

/// Waits for input, or until the poll interval has passed.
fn wait(descriptor: &OwnedFd) {
    let time = Timespec { tv_sec: POLL_INTERVAL.as_secs() as i64, tv_nsec: 0 };
    if poll(&mut [PollFd::new(descriptor, PollFlags::IN)], Some(&time)).is_err() {
        thread::sleep(SIGNAL_INTERVAL);
    }
}
