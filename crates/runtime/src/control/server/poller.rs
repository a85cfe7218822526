//! The poll thread: waits for all sockets at once, and runs quick commands.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{SendFlags, send};

use super::connection::Connection;
use super::listener::{Listener, is_allowed, peer_user};
use super::thread::Thread;
use super::thread::Wake;
use super::worker::Calls;
use crate::control::command::{CommandError, Program};
use crate::control::qmp;
use crate::options::Mode;
use crate::os::services::Descriptor;
use crate::session::status;

const MAX_CONNECTIONS: usize = 64;

/// The number of clients to accept before the connected clients get their turn.
const ACCEPTS_IN_A_TURN: usize = 16;

/// The pause before another attempt to accept clients or to poll, after the system ran out of
/// descriptors or memory.
const RETRY_INTERVAL: Duration = Duration::from_millis(250);

const NOTICE_INTERVAL: Duration = Duration::from_secs(1);

/// A function that ends the program, called when a client has sent `quit`.
pub(super) type Quit = Box<dyn Fn() + Send>;

pub(super) struct Poller {
    pub(super) listener: Listener,
    pub(super) mode: Mode,
    pub(super) program: Arc<Program>,
    pub(super) quit: Option<Quit>,
    pub(super) wake: Arc<Wake>,
    pub(super) calls: Arc<Calls>,
    pub(super) stopping: Arc<AtomicBool>,
    pub(super) connections: Vec<Connection>,
    pub(super) accepted: u64,
    /// When to accept clients again after the process has run out of descriptors.
    pub(super) no_accept_before: Option<Instant>,
    /// When to check again for notices to send, or `None` if no client receives notices.
    pub(super) notices_due: Option<Instant>,
}

impl Poller {
    pub(super) fn start(self) -> io::Result<Thread> {
        Thread::start("ringtrace-mon", move || self.run())
    }

    fn run(mut self) {
        while !self.stopping.load(Ordering::Acquire) {
            let (wants_accept, ready) = self.wait();
            for (number, outcome) in self.calls.take_done(&*self.wake) {
                let mut connections = self.connections.iter_mut();
                if let Some(connection) = connections.find(|connection| connection.number == number) {
                    connection.answer(outcome);
                }
            }
            for (connection, found) in self.connections.iter_mut().zip(ready) {
                if !found.is_empty() {
                    connection.receive(found.contains(PollFlags::HUP));
                }
                if let Some(call) = connection.step(&self.program) {
                    self.calls.push(connection.number, call);
                }
            }
            self.close_done();
            if wants_accept {
                self.accept();
            }
            self.send_notices();
        }
    }

    /// Waits for work. Returns whether a client wants to connect, and the poll events of each
    /// connection that are relevant for input.
    fn wait(&mut self) -> (bool, Vec<PollFlags>) {
        let now = Instant::now();
        self.no_accept_before = self.no_accept_before.filter(|before| *before > now);
        let mut polled = vec![PollFd::new(&*self.wake, PollFlags::IN)];
        if self.no_accept_before.is_none() {
            polled.push(PollFd::new(&self.listener, PollFlags::IN));
        }
        let others = polled.len();
        let interests: Vec<_> = self.connections.iter().map(Connection::interest).collect();
        for (connection, interest) in self.connections.iter().zip(&interests) {
            if !interest.is_empty() {
                polled.push(PollFd::new(connection, *interest));
            }
        }
        match poll(&mut polled, self.timeout(now).as_ref()) {
            // After a signal, check everything again.
            Ok(_) | Err(Errno::INTR) => {}
            // There is no memory, or the process has more sockets open than its limit now allows.
            // Both conditions can last. Without a pause, the thread would loop at full speed. The
            // pause uses `poll`, because a sandbox may forbid other calls.
            Err(_) => {
                let _ = poll(&mut [], Timespec::try_from(RETRY_INTERVAL).ok().as_ref());
            }
        }
        let wants_accept = others > 1 && !polled[1].revents().is_empty();
        let mut events = polled[others..].iter().map(PollFd::revents);
        let readable = interests.iter().map(|interest| {
            let found = if interest.is_empty() { None } else { events.next() };
            // `OUT` is irrelevant for input.
            found
                .filter(|_| interest.contains(PollFlags::IN))
                .map_or(PollFlags::empty(), |found| found - PollFlags::OUT)
        });
        (wants_accept, readable.collect())
    }

    /// How long to wait in `poll`, or `None` for no limit.
    fn timeout(&self, now: Instant) -> Option<Timespec> {
        if self.connections.iter().any(Connection::is_ready) {
            return Some(Timespec::default());
        }
        let deadlines = self
            .connections
            .iter()
            .filter_map(Connection::deadline)
            .chain(self.no_accept_before)
            .chain(self.notices_due);
        let rest = deadlines.min()?.saturating_duration_since(now);
        // Add a millisecond, or `poll` would return just before the deadline.
        Timespec::try_from(rest + Duration::from_millis(1)).ok()
    }

    fn send_notices(&mut self) {
        if !self.connections.iter().any(Connection::wants_notices) {
            self.notices_due = None;
            return;
        }
        let now = Instant::now();
        if *self.notices_due.get_or_insert(now + NOTICE_INTERVAL) <= now {
            self.notices_due = Some(now + NOTICE_INTERVAL);
            let observed = status::observe();
            self.connections.iter_mut().for_each(|connection| connection.send_notices(&observed));
        }
    }

    fn close_done(&mut self) {
        let now = Instant::now();
        let mut quits = false;
        self.connections.retain(|connection| {
            let is_done = connection.is_done(now);
            quits |= is_done && connection.quits();
            !is_done
        });
        if quits && let Some(quit) = &self.quit {
            self.connections.iter_mut().for_each(Connection::send_shutdown);
            quit();
        }
    }

    fn accept(&mut self) {
        for _ in 0..ACCEPTS_IN_A_TURN {
            match self.listener.accept() {
                Ok(socket) => self.admit(socket),
                Err(Errno::AGAIN) => return,
                Err(Errno::INTR | Errno::CONNABORTED | Errno::PROTO) => {}
                // There is no descriptor or no memory. The client stays in the queue, so `poll`
                // would return at once.
                Err(_) => {
                    self.no_accept_before = Some(Instant::now() + RETRY_INTERVAL);
                    return;
                }
            }
        }
    }

    /// Starts a connection for the client, or reports why the client is rejected.
    fn admit(&mut self, socket: Descriptor) {
        let reason = match peer_user(&socket) {
            Ok(user) if !is_allowed(user) => {
                format!("user {user} may not connect, because this program belongs to another user")
            }
            Err(error) => format!("cannot determine the user of the client: {error}"),
            Ok(_) if self.connections.len() >= MAX_CONNECTIONS => {
                format!("{MAX_CONNECTIONS} clients are connected already")
            }
            Ok(_) => {
                self.accepted += 1;
                let mut connection = Connection::new(self.accepted, socket, self.mode, &self.program);
                connection.send();
                self.connections.push(connection);
                return;
            }
        };
        let line = match self.mode {
            Mode::Hmp => format!("error: {reason}\r\n"),
            Mode::Qmp | Mode::Auto => qmp::error(&CommandError::new(reason), None),
        };
        let _ = send(&socket, line.as_bytes(), SendFlags::DONTWAIT | SendFlags::NOSIGNAL);
    }
}
