//! A client sends a gigabyte without a line end, in every mode. The monitor answers or closes the
//! connection, without storing the input in memory.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod scenario;
mod talk;

use std::io::Write;
use std::path::Path;

use ringtrace::monitor::Mode;
use scenario::run;
use talk::{Client, memory_bytes};

const PIECE_BYTES: usize = 1 << 20;

/// Sends `first`, then repetitions of `piece` up to a gigabyte. Returns how many bytes of the
/// repetitions the server accepted.
fn flood(client: &mut Client, first: &str, piece: &str) -> usize {
    let piece = piece.repeat(PIECE_BYTES / piece.len());
    if client.stream.write_all(first.as_bytes()).is_err() {
        return 0;
    }
    let sent = (0..1 << 10).take_while(|_| client.stream.write_all(piece.as_bytes()).is_ok());
    sent.count() * piece.len()
}

/// Floods a server and checks that its memory does not grow.
fn flat(mode: Mode, first: &str, piece: &str) -> (usize, Client) {
    let path = Path::new("monitor");
    let serving = talk::server(path, mode).start().unwrap();
    let mut client = Client::connect(path);
    client.until(" ");
    let before = memory_bytes("VmHWM");
    let taken = flood(&mut client, first, piece);
    let grown = memory_bytes("VmHWM") - before;
    assert!(grown < 16 << 20, "memory grew by {grown} bytes after {taken} bytes of {piece:?}");
    // Other clients are not affected.
    assert!(!Client::connect(path).until(" ").is_empty());
    drop(serving);
    (taken, client)
}

#[test]
fn an_endless_line_uses_no_memory() {
    run("an_endless_line_uses_no_memory", || {
        let (taken, _) = flat(Mode::Hmp, "", "x");
        assert_eq!(taken, 1 << 30);
    });
}

#[test]
fn an_endless_message_ends_the_connection() {
    run("an_endless_message_ends_the_connection", || {
        for (first, piece) in
            [("{\"execute\": \"", "x"), ("", "["), ("{\"a\": ", "[1,2],"), ("{\"a\": ", "1")]
        {
            let (taken, mut client) = flat(Mode::Qmp, first, piece);
            assert!(taken < 64 << 20, "accepted {taken} bytes of {piece:?}");
            let rest = client.rest();
            assert!(rest.contains("\"error\""), "{piece:?}: {rest}");
        }
    });
}
