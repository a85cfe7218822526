//! A client that is connected: bytes from its socket to its dialogue, and answers back, as fast as it takes them.

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

/// What is read at once.
const INPUT_BYTES: usize = 16 << 10;

/// While more than this waits to be sent, nothing is read or done for the client.
const OUTPUT_BYTES: usize = 64 << 10;

/// Calls that are made for a client before the others have their turn.
const CALLS_IN_A_TURN: usize = 8;

/// A client that takes nothing for so long is gone.
const WRITE_TIMEOUT: Duration = Duration::from_secs(60);

/// The same, once it has asked for the program's end.
const END_TIMEOUT: Duration = Duration::from_secs(1);

/// A client.
#[derive(Debug)]
pub(super) struct Connection {
    /// Another one for each.
    pub(super) number: u64,
    socket: Descriptor,
    dialogue: Dialogue,
    output: Vec<u8>,
    /// How much of that is sent.
    sent_bytes: usize,
    state: State,
    /// It sends no more.
    has_ended: bool,
    /// It takes no more: what it asked for is done, and answers are thrown away.
    is_deaf: bool,
    /// It asked for the program's end.
    quits: bool,
    /// It has taken nothing since then, though something waits.
    stalled_since: Option<Instant>,
    /// What it knows of what clients are told unasked. `None`: it is not one to be told.
    last_reported: Option<LastReported>,
}

/// What a connection waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Input: there is nothing more to do in what came in.
    Hungry,
    /// Its turn: there may be more to do.
    Ready,
    /// The outcome of a call that takes long.
    Called,
    /// That what is left is sent.
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
            state: State::Hungry,
            has_ended: false,
            is_deaf: false,
            quits: false,
            stalled_since: None,
            last_reported: None,
        }
    }

    /// What to poll it for. Nothing: it is not to be polled, since who hung up is told of always.
    pub(super) fn interest(&self) -> PollFlags {
        let mut interest = PollFlags::empty();
        interest.set(PollFlags::OUT, !self.unsent().is_empty());
        interest.set(PollFlags::IN, self.state == State::Hungry && !self.has_ended && !self.is_backlogged());
        interest
    }

    /// Whether there is something to do for it at once.
    pub(super) fn is_ready(&self) -> bool {
        self.state == State::Ready && !self.is_backlogged()
    }

    /// When it is to be closed, if nothing happens until then. One whose call takes long is kept, though it may be gone: until the call is
    /// done it counts as one of those that may be there, so that calls cannot pile up.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let since = self.stalled_since.filter(|_| self.state != State::Called)?;
        Some(since + if self.quits { END_TIMEOUT } else { WRITE_TIMEOUT })
    }

    /// Whether it is to be closed.
    pub(super) fn is_done(&self, now: Instant) -> bool {
        let wants_nothing = self.state == State::Closing || self.state == State::Hungry && self.has_ended;
        let is_stalled = self.deadline().is_some_and(|deadline| deadline <= now);
        is_stalled || wants_nothing && self.unsent().is_empty()
    }

    /// Whether it asked for the program's end.
    pub(super) fn quits(&self) -> bool {
        self.quits
    }

    fn unsent(&self) -> &[u8] {
        &self.output[self.sent_bytes..]
    }

    fn is_backlogged(&self) -> bool {
        self.unsent().len() > OUTPUT_BYTES
    }

    /// Reads what came in, once. `is_gone`: the client has hung up, and not only said that it sends no more.
    pub(super) fn receive(&mut self, is_gone: bool) {
        let mut input = [0; INPUT_BYTES];
        match recv(&self.socket, &mut input, RecvFlags::DONTWAIT) {
            Ok((_, 0)) => {
                self.has_ended = true;
                // A last line without an end is one, too. But one that is cut off, because its client was killed, could be another command.
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

    /// Does what is to be done for it, but not for too long. A call that takes long is the answer.
    pub(super) fn step(&mut self, program: &Program) -> Option<Call> {
        self.send();
        for _ in 0..CALLS_IN_A_TURN {
            if !self.is_ready() {
                break;
            }
            match self.dialogue.next(&mut self.output) {
                Next::Wait => self.state = State::Hungry,
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
            // Before it learns that its negotiation is done: it is told of all that happens from then on.
            if self.last_reported.is_none() && self.dialogue.wants_notices() {
                self.last_reported = Some(LastReported::new(&status::observe()));
            }
            self.send();
        }
        None
    }

    /// Whether it is to be told what happens.
    pub(super) fn wants_notices(&self) -> bool {
        self.last_reported.is_some()
    }

    /// Tells it what happened since the last time. One with too much unread is told later.
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

    /// Tells it that another client ends the program.
    pub(super) fn send_shutdown(&mut self) {
        self.dialogue.notify(&Notice::Shutdown, &mut self.output);
        self.send();
    }

    /// Answers the call that took long.
    pub(super) fn answer(&mut self, outcome: Outcome) {
        self.state = State::Ready;
        self.dialogue.answer(outcome, &mut self.output);
    }

    /// Sends as much as the client takes now.
    pub(super) fn send(&mut self) {
        while !self.is_deaf && !self.unsent().is_empty() {
            match send(&self.socket, self.unsent(), SendFlags::DONTWAIT | SendFlags::NOSIGNAL) {
                Ok(length) => {
                    self.sent_bytes += length;
                    self.stalled_since = None;
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(_) => self.is_deaf = true,
            }
        }
        if self.is_deaf || self.unsent().is_empty() {
            self.output.clear();
            // An answer may have been large.
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
