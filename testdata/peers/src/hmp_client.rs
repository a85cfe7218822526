//! A person at a monitor that speaks HMP to people, as with `socat`: lines go there, and what comes back up to the next prompt is the answer.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use crate::monitored::wait_until;

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(60);

const PROMPT: &str = "(ringtrace) ";

/// A connection to a monitor with `mode=hmp`.
#[derive(Debug)]
pub struct HmpClient {
    stream: UnixStream,
}

impl HmpClient {
    /// Connects, once somebody listens there.
    pub fn connect(socket: &Path) -> HmpClient {
        let mut connected = None;
        wait_until("somebody listens", || {
            connected = UnixStream::connect(socket).ok();
            connected.is_some()
        });
        let stream = connected.unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        let mut client = HmpClient { stream };
        client.receive();
        client
    }

    /// Says a line, and hears what comes of it.
    pub fn run(&mut self, line: &str) -> String {
        self.send(line);
        self.receive()
    }

    /// Says a line to which no prompt comes.
    pub fn send(&mut self, line: &str) {
        writeln!(self.stream, "{line}").unwrap();
    }

    /// What comes up to the next prompt, with lines that end as usual.
    fn receive(&mut self) -> String {
        let (mut text, mut byte) = (Vec::new(), [0]);
        while !text.ends_with(PROMPT.as_bytes()) {
            if let Err(error) = self.stream.read_exact(&mut byte) {
                panic!("{error}, behind {:?}", String::from_utf8_lossy(&text));
            }
            text.push(byte[0]);
        }
        text.truncate(text.len() - PROMPT.len());
        String::from_utf8(text).unwrap().replace("\r\n", "\n")
    }
}
