//! A client of a monitor with `mode=hmp`. It sends lines, and reads each reply up to the next
//! prompt.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use crate::monitored::wait_until;

/// How long to wait for a reply.
const TIMEOUT: Duration = Duration::from_secs(60);

const PROMPT: &str = "(ringtrace) ";

/// A connection to a monitor with `mode=hmp`.
#[derive(Debug)]
pub struct HmpClient {
    stream: UnixStream,
}

impl HmpClient {
    /// Connects as soon as the monitor listens.
    pub fn connect(socket: &Path) -> HmpClient {
        let mut connected = None;
        wait_until("the monitor listens", || {
            connected = UnixStream::connect(socket).ok();
            connected.is_some()
        });
        let stream = connected.unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        let mut client = HmpClient { stream };
        client.receive();
        client
    }

    /// Sends a line and returns the reply.
    pub fn run(&mut self, line: &str) -> String {
        self.send(line);
        self.receive()
    }

    /// Sends a line without waiting for a reply.
    pub fn send(&mut self, line: &str) {
        writeln!(self.stream, "{line}").unwrap();
    }

    /// Reads up to the next prompt. Converts line ends to LF.
    fn receive(&mut self) -> String {
        let (mut text, mut byte) = (Vec::new(), [0]);
        while !text.ends_with(PROMPT.as_bytes()) {
            if let Err(error) = self.stream.read_exact(&mut byte) {
                panic!("{error}, after {:?}", String::from_utf8_lossy(&text));
            }
            text.push(byte[0]);
        }
        text.truncate(text.len() - PROMPT.len());
        String::from_utf8(text).unwrap().replace("\r\n", "\n")
    }
}
