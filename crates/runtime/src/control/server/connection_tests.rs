//! Tests of timeouts, with simulated times.

use std::io::Read;
use std::os::unix::net::UnixStream;

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
