//! Tests of timeouts, with simulated time, and of the decision to wait in `poll`.

use std::io::Read;
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, Timespec, poll};

use super::*;
use crate::control::Mode;

/// A connection, and the client's end of its socket.
fn connection() -> (Connection, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    let socket = Descriptor::open(|| Ok::<_, Errno>(ours.into())).unwrap();
    (Connection::new(1, socket, Mode::Qmp, &Program::default()), theirs)
}

/// Queues more output than the socket accepts, and sends what it accepts.
fn clog(connection: &mut Connection) {
    connection.output.resize(connection.output.len() + (16 << 20), b'x');
    connection.send();
}

fn after(seconds: u64) -> Instant {
    Instant::now() + Duration::from_secs(seconds)
}

#[test]
fn an_idle_client_stays_connected() {
    let (mut connection, _client) = connection();
    connection.send();
    assert_eq!((connection.deadline(), connection.interest()), (None, PollFlags::IN));
    assert!(!connection.is_done(after(1_000_000)));
}

#[test]
fn a_client_that_reads_nothing_for_a_minute_is_disconnected() {
    let (mut connection, mut client) = connection();
    clog(&mut connection);
    assert_eq!(connection.interest(), PollFlags::OUT);
    assert!(!connection.is_done(after(59)));
    assert!(connection.is_done(after(61)));
    let first = connection.deadline().unwrap();
    // The timeout restarts whenever the client reads something.
    client.read_exact(&mut [0; 1 << 16]).unwrap();
    connection.send();
    assert!(connection.deadline().unwrap() > first);
}

#[test]
fn sent_output_is_freed() {
    let (mut connection, mut client) = connection();
    clog(&mut connection);
    client.set_nonblocking(true).unwrap();
    let mut taken = 0;
    while !connection.unsent().is_empty() {
        while let Ok(length) = client.read(&mut [0; 1 << 16]) {
            taken += length;
        }
        connection.send();
        assert!(connection.sent_bytes <= connection.output.len() / 2);
    }
    while let Ok(length) = client.read(&mut [0; 1 << 16]) {
        taken += length;
    }
    assert!(taken > 16 << 20);
    assert!(connection.output.capacity() <= OUTPUT_BYTES);
    assert_eq!(connection.deadline(), None);
}

#[test]
fn a_slow_call_keeps_its_connection() {
    let (mut connection, client) = connection();
    connection.state = State::Called;
    clog(&mut connection);
    assert_eq!(connection.deadline(), None);
    drop(client);
    connection.send();
    assert!(!connection.is_done(after(1_000)));
    // `poll` always reports a hang-up, so the connection is not polled meanwhile.
    assert_eq!(connection.interest(), PollFlags::empty());
}

#[test]
fn quit_does_not_wait_a_minute() {
    let (mut connection, _client) = connection();
    (connection.state, connection.quits) = (State::Closing, true);
    clog(&mut connection);
    assert!(!connection.is_done(Instant::now()));
    assert!(connection.is_done(after(2)));
}

/// A poll thread with one connection, a worker thread that answers at any time, and a client.
struct Talk {
    connection: Connection,
    client: UnixStream,
    program: Program,
    has_call: bool,
    received: String,
}

impl Talk {
    fn new(mode: Mode) -> Talk {
        let (ours, theirs) = UnixStream::pair().unwrap();
        // Use a small send buffer, so that it is often full.
        rustix::net::sockopt::set_socket_send_buffer_size(&ours, 1).unwrap();
        theirs.set_nonblocking(true).unwrap();
        let socket = Descriptor::open(|| Ok::<_, Errno>(ours.into())).unwrap();
        let program = Program::default();
        let mut connection = Connection::new(1, socket, mode, &program);
        connection.send();
        Talk { connection, client: theirs, program, has_call: false, received: String::new() }
    }

    /// Does what the poll thread does after one return from `poll`. Returns whether `poll` would
    /// have waited.
    fn turn(&mut self) -> bool {
        let interest = self.connection.interest();
        let mut found = PollFlags::empty();
        if !interest.is_empty() {
            let mut polled = [PollFd::new(&self.connection, interest)];
            poll(&mut polled, Some(&Timespec::default())).unwrap();
            found = polled[0].revents();
        }
        let waits = found.is_empty() && !self.connection.is_ready();
        if interest.contains(PollFlags::IN) && !(found - PollFlags::OUT).is_empty() {
            self.connection.receive(found.contains(PollFlags::HUP));
        }
        if let Some(call) = self.connection.step(&self.program) {
            assert!(call.is_slow() && !self.has_call);
            self.has_call = true;
        }
        waits
    }

    fn end_call(&mut self) {
        if std::mem::take(&mut self.has_call) {
            self.connection.answer(Outcome::refused("not now"));
        }
    }

    /// Reads at most `bytes`.
    fn read(&mut self, bytes: u64) {
        let _ = (&self.client).take(bytes).read_to_string(&mut self.received);
    }
}

/// Commands arrive in pieces of any size, slow calls end at any time, and the client reads in
/// pieces of any size or pauses for a while. When the client has read everything and no slow call
/// runs, the poll thread waits only if it has answered every complete command.
#[test]
fn the_poll_thread_waits_only_if_all_commands_are_answered() {
    const ROUNDS: u64 = 2_000;
    let mut random = 1_u64;
    let mut below = move |limit: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % limit
    };
    let (mut pauses, mut answers, mut full) = (0, 0, 0);
    for round in 0..ROUNDS {
        let is_qmp = round % 3 == 2;
        let (mode, commands, answer): (_, &[&str], _) = match round % 3 {
            0 => (Mode::Hmp, LINES, "(ringtrace) "),
            1 => (Mode::Auto, LINES, "(ringtrace) "),
            _ => (Mode::Qmp, MESSAGES, "\r\n"),
        };
        let mut talk = Talk::new(mode);
        let mut input = Vec::new();
        // The offset in the input at which each command is complete.
        let mut ends = Vec::new();
        // Some clients send a lot before they read.
        let is_lazy = round % 10 == 0;
        let (most_commands, seldom) = if is_lazy { (600, 500) } else { (60, 8) };
        for _ in 0..=below(most_commands) {
            input.extend(commands[below(commands.len() as u64) as usize].bytes());
            ends.push(input.len());
            // The second byte of a line end does not end another command.
            if !is_qmp && below(3) == 0 && input.ends_with(b"\r") {
                input.push(b'\n');
            }
        }
        let mut sent = 0;
        // Mode `auto` has no first prompt; QMP's greeting is a line.
        let greetings = usize::from(mode != Mode::Auto);
        loop {
            let longest = if below(4) == 0 { 4096 } else { 40 };
            let most = 1 + below(longest) as usize;
            if below(3) > 0 {
                let piece = &input[sent..input.len().min(sent + most)];
                sent += send(&talk.client, piece, SendFlags::DONTWAIT).unwrap_or(0);
            }
            (0..below(4)).for_each(|_| _ = talk.turn());
            if below(4) == 0 {
                talk.end_call();
            }
            if !is_lazy && below(4) == 0 {
                talk.read(below(9000));
            }
            full += u64::from(talk.connection.is_backlogged());
            if below(seldom) > 0 {
                continue;
            }
            // From here on, nothing blocks the poll thread.
            loop {
                talk.end_call();
                talk.read(1 << 20);
                if talk.turn() {
                    break;
                }
            }
            pauses += 1;
            let complete = ends.iter().filter(|end| **end <= sent).count();
            let found = talk.received.matches(answer).count();
            assert_eq!(found, complete + greetings, "round {round}: {:?}", talk.received);
            if complete == ends.len() {
                answers += complete;
                break;
            }
        }
    }
    eprintln!("{pauses} pauses, {answers} answers, {full} turns with too much output");
    assert!(pauses > 1000 && answers > 10_000 && full > 0);
}

const LINES: &[&str] = &[
    "info version\n",
    "help\r",
    "bogus\n",
    "trace-file flush\n",
    "trace-file flush\r",
    "help trace-file\n",
    "x\r",
];
const MESSAGES: &[&str] = &[
    "{\"execute\": \"query-version\"}",
    "{\"execute\": \"trace-file-flush\"}",
    "{\"execute\": \"qmp_capabilities\"}",
    "{}",
    "{\"execute\": \"query-commands\", \"id\": 1}",
];
