//! What depends on time, at times that are made up.

use std::io::Read;
use std::os::unix::net::UnixStream;

use super::*;
use crate::control::Mode;

/// A connection, and the client's side of it.
fn connection() -> (Connection, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    let socket = Descriptor::open(|| Ok::<_, Errno>(ours.into())).unwrap();
    (Connection::new(1, socket, Mode::Qmp, &Program::default()), theirs)
}

/// Has more than the socket takes to be sent, and sends what it takes.
fn clog(connection: &mut Connection) {
    connection.output.resize(connection.output.len() + (16 << 20), b'x');
    connection.send();
}

fn after(seconds: u64) -> Instant {
    Instant::now() + Duration::from_secs(seconds)
}

#[test]
fn who_is_silent_may_stay() {
    let (mut connection, _client) = connection();
    connection.send();
    assert_eq!((connection.deadline(), connection.interest()), (None, PollFlags::IN));
    assert!(!connection.is_done(after(1_000_000)));
}

#[test]
fn who_takes_nothing_for_a_minute_is_gone() {
    let (mut connection, mut client) = connection();
    clog(&mut connection);
    assert_eq!(connection.interest(), PollFlags::OUT);
    assert!(!connection.is_done(after(59)));
    assert!(connection.is_done(after(61)));
    let first = connection.deadline().unwrap();
    // It begins again with each byte that is taken.
    client.read_exact(&mut [0; 1 << 16]).unwrap();
    connection.send();
    assert!(connection.deadline().unwrap() > first);
}

#[test]
fn what_was_taken_does_not_stay_in_memory() {
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
fn a_call_that_takes_long_keeps_its_place() {
    let (mut connection, client) = connection();
    connection.state = State::Called;
    clog(&mut connection);
    assert_eq!(connection.deadline(), None);
    drop(client);
    connection.send();
    assert!(!connection.is_done(after(1_000)));
    // Who hung up is told of in every call: it is not polled for meanwhile.
    assert_eq!(connection.interest(), PollFlags::empty());
}

#[test]
fn the_end_of_the_program_does_not_wait_a_minute() {
    let (mut connection, _client) = connection();
    (connection.state, connection.quits) = (State::Closing, true);
    clog(&mut connection);
    assert!(!connection.is_done(Instant::now()));
    assert!(connection.is_done(after(2)));
}
