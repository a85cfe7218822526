//! The connection to one client: passes input from its socket to its dialogue, and sends the
//! answers as fast as the client reads.

use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::PollFlags;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, recv, send};

use super::notices::LastReported;
use crate::control::dialogue::{Call, Dialogue, Next, Notice, Outcome, Program};
use crate::options::Mode;
use crate::os::services::Descriptor;
use crate::session::status::{self, Observed};

const INPUT_BYTES: usize = 16 << 10;

/// While more output than this is unsent, the client's input is not read and its commands are not
/// run.
const OUTPUT_BYTES: usize = 64 << 10;

/// The number of calls to run for one client before the other clients get their turn.
const CALLS_IN_A_TURN: usize = 8;

/// How long a client may leave its answers unread before it is disconnected.
const WRITE_TIMEOUT: Duration = Duration::from_secs(60);

/// The [`WRITE_TIMEOUT`] for a client that has sent `quit`.
const END_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct Connection {
    pub(super) number: u64,
    socket: Descriptor,
    dialogue: Dialogue,
    output: Vec<u8>,
    /// The number of bytes of `output` that have been sent.
    sent_bytes: usize,
    state: State,
    /// Whether the client has closed its sending side.
    has_ended: bool,
    /// Whether the client can no longer receive anything. Its commands still run, but their answers
    /// are discarded.
    is_send_closed: bool,
    quits: bool,
    /// The time at which the client stopped reading its pending output.
    stalled_since: Option<Instant>,
    /// The state that was last reported in notices, or `None` if this client receives none.
    last_reported: Option<LastReported>,
}

/// The state of a connection, which determines its next action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// All input is processed; the connection waits for more.
    Reading,
    /// There may be more input to process when the connection has its next turn.
    Ready,
    Called,
    /// The remaining output must be sent before closing.
    Closing,
}

impl Connection {
    pub(super) fn new(number: u64, socket: Descriptor, mode: Mode, program: &Program) -> Connection {
        let mut output = Vec::new();
        let dialogue = Dialogue::new(mode, program, &mut output);
        Connection {
            number,
            socket,
            dialogue,
            output,
            sent_bytes: 0,
            state: State::Reading,
            has_ended: false,
            is_send_closed: false,
            quits: false,
            stalled_since: None,
            last_reported: None,
        }
    }

    /// Returns the events to poll for. If there are none, the connection must not be polled,
    /// because `poll` reports a hang-up even if no event was requested.
    pub(super) fn interest(&self) -> PollFlags {
        let mut interest = PollFlags::empty();
        interest.set(PollFlags::OUT, !self.unsent().is_empty());
        interest.set(PollFlags::IN, self.state == State::Reading && !self.has_ended && !self.is_backlogged());
        interest
    }

    /// Whether input can be processed at once.
    pub(super) fn is_ready(&self) -> bool {
        self.state == State::Ready && !self.is_backlogged()
    }

    /// The time at which to close the connection if the client reads nothing until then. While a
    /// slow call runs, its connection stays open even if the client is gone. It counts towards the
    /// limit of clients until the call ends, so that calls cannot pile up.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let since = self.stalled_since.filter(|_| self.state != State::Called)?;
        Some(since + if self.quits { END_TIMEOUT } else { WRITE_TIMEOUT })
    }

    pub(super) fn is_done(&self, now: Instant) -> bool {
        let wants_nothing = self.state == State::Closing || self.state == State::Reading && self.has_ended;
        let is_stalled = self.deadline().is_some_and(|deadline| deadline <= now);
        is_stalled || wants_nothing && self.unsent().is_empty()
    }

    pub(super) fn quits(&self) -> bool {
        self.quits
    }

    fn unsent(&self) -> &[u8] {
        &self.output[self.sent_bytes..]
    }

    fn is_backlogged(&self) -> bool {
        self.unsent().len() > OUTPUT_BYTES
    }

    /// Reads input once. `is_gone` means that the client has hung up completely, not only closed
    /// its sending side.
    pub(super) fn receive(&mut self, is_gone: bool) {
        let mut input = [0; INPUT_BYTES];
        match recv(&self.socket, &mut input, RecvFlags::DONTWAIT) {
            Ok((_, 0)) => {
                self.has_ended = true;
                // The last line may lack a line end. If the client was killed, however, the line
                // may be truncated and mean another command.
                if !is_gone {
                    self.dialogue.finish();
                    self.state = State::Ready;
                }
            }
            Ok((_, length)) => {
                self.dialogue.take(&input[..length]);
                self.state = State::Ready;
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(_) => self.has_ended = true,
        }
    }

    /// Processes input, within the limits of a turn. Returns a slow call, if there is one.
    pub(super) fn step(&mut self, program: &Program) -> Option<Call> {
        self.send();
        for _ in 0..CALLS_IN_A_TURN {
            if !self.is_ready() {
                break;
            }
            match self.dialogue.next(&mut self.output) {
                Next::Wait => self.state = State::Reading,
                Next::Run(call) if call.is_slow() => {
                    self.state = State::Called;
                    return Some(call);
                }
                Next::Run(call) => self.dialogue.answer(call.run(program), &mut self.output),
                Next::Close => self.state = State::Closing,
                Next::Quit => {
                    self.state = State::Closing;
                    self.quits = true;
                }
            }
            // Record the current state before the client learns that its negotiation is complete,
            // so that notices report all later changes.
            if self.last_reported.is_none() && self.dialogue.wants_notices() {
                self.last_reported = Some(LastReported::new(&status::observe()));
            }
            self.send();
        }
        None
    }

    pub(super) fn wants_notices(&self) -> bool {
        self.last_reported.is_some()
    }

    /// Sends notices about changes since the last notices. If too much output is unread, the client
    /// gets the notices later.
    pub(super) fn send_notices(&mut self, observed: &Observed) {
        if self.is_backlogged() || self.state == State::Closing {
            return;
        }
        let Some(last_reported) = self.last_reported.as_mut() else { return };
        for notice in last_reported.update(observed) {
            self.dialogue.notify(&notice, &mut self.output);
        }
        self.send();
    }

    pub(super) fn send_shutdown(&mut self) {
        self.dialogue.notify(&Notice::Shutdown, &mut self.output);
        self.send();
    }

    pub(super) fn answer(&mut self, outcome: Outcome) {
        self.state = State::Ready;
        self.dialogue.answer(outcome, &mut self.output);
    }

    /// Sends as much as the client's socket accepts now.
    pub(super) fn send(&mut self) {
        while !self.is_send_closed && !self.unsent().is_empty() {
            match send(&self.socket, self.unsent(), SendFlags::DONTWAIT | SendFlags::NOSIGNAL) {
                Ok(length) => {
                    self.sent_bytes += length;
                    self.stalled_since = None;
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(_) => self.is_send_closed = true,
            }
        }
        if self.is_send_closed || self.unsent().is_empty() {
            self.output.clear();
            // Free the memory of a large answer.
            self.output.shrink_to(OUTPUT_BYTES);
            self.sent_bytes = 0;
            self.stalled_since = None;
        } else {
            if self.sent_bytes > self.output.len() / 2 {
                self.output.drain(..self.sent_bytes);
                self.sent_bytes = 0;
            }
            self.stalled_since.get_or_insert_with(Instant::now);
        }
    }
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

#[cfg(test)]
#[path = "connection_tests.rs"]
mod tests;
