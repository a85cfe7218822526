//! What the shell shares with the thread that listens to the monitor while somebody types.

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

/// Between two looks at whether there is something to say that was held back.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Between two signals to who waits for a key.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// A connection that a shell and a listening thread share.
#[derive(Debug)]
pub struct Session {
    client: Mutex<Client>,
    notices: Mutex<NoticeLog>,
    /// The program has ended, or closed the connection.
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

    /// The connection, for one call or some.
    pub fn client(&self) -> MutexGuard<'_, Client> {
        lock(&self.client)
    }

    /// Whether the program has ended, or closed the connection.
    pub fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::Relaxed)
    }

    /// The shell needs no more signals.
    pub fn leave(&self) {
        self.is_left.store(true, Ordering::Relaxed);
    }

    /// What was told unasked, as one text for the terminal; empty: nothing.
    pub fn pending_notices(&self) -> String {
        let told = self.client().notices();
        if told.is_err() {
            self.has_ended.store(true, Ordering::Relaxed);
        }
        let mut notices = lock(&self.notices);
        let lines = notices.lines(&told.unwrap_or_default(), Instant::now());
        lines.iter().map(|line| self.terminal.paint("33", &format!("[{line}]")) + "\n").collect()
    }
}

/// Listens in a thread of its own: what is told unasked goes to `printer`, and the end wakes who waits for a key.
/// Nothing is told where that cannot be.
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
        // rustyline returns at a signal, and at nothing else. It may not wait yet when the first one comes.
        while session.has_ended() && !session.is_left.load(Ordering::Relaxed) {
            let _ = kill_process(getpid(), Signal::INT);
            thread::sleep(SIGNAL_INTERVAL);
        }
    };
    // Without a thread, the shell asks for news after each command.
    let _ = thread::Builder::new().name("notices".to_owned()).spawn(run);
}

/// Until something comes in, or it is time to look.
fn wait(descriptor: &OwnedFd) {
    let time = Timespec { tv_sec: POLL_INTERVAL.as_secs() as i64, tv_nsec: 0 };
    if poll(&mut [PollFd::new(descriptor, PollFlags::IN)], Some(&time)).is_err() {
        thread::sleep(SIGNAL_INTERVAL);
    }
}
