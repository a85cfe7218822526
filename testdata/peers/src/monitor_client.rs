//! Talking with a monitor: a client that tests can make do what is wrong, too, and that tells what it waits for in vain.

use std::io::{self, Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// What stands where people may type.
const PROMPT: &str = "(ringtrace) ";

/// A connection to a monitor.
#[derive(Debug)]
pub struct MonitorClient {
    stream: UnixStream,
    /// What came in and was not looked at yet.
    received: Vec<u8>,
    next_id: u64,
    /// What it was told unasked, in QMP.
    pub notices: Vec<Value>,
}

impl MonitorClient {
    /// Connects to a monitor of any mode, and says nothing.
    ///
    /// # Errors
    /// When nobody listens.
    pub fn connect(socket: &Path) -> io::Result<MonitorClient> {
        let stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        Ok(MonitorClient { stream, received: Vec::new(), next_id: 0, notices: Vec::new() })
    }

    /// Connects to a monitor of the mode `auto`, for people's words.
    ///
    /// # Errors
    /// When nobody listens, or it does not greet.
    pub fn hmp(socket: &Path) -> io::Result<MonitorClient> {
        let mut talk = MonitorClient::connect(socket)?;
        talk.greeting()?;
        Ok(talk)
    }

    /// Connects to a monitor of the mode `auto` or `qmp`, for commands in JSON.
    ///
    /// # Errors
    /// When nobody listens, or it does not greet.
    pub fn qmp(socket: &Path) -> io::Result<MonitorClient> {
        let mut talk = MonitorClient::hmp(socket)?;
        let negotiated = talk.execute("qmp_capabilities", &json!({}))?;
        assert_eq!(negotiated, Ok(json!({})));
        Ok(talk)
    }

    /// Waits no longer than half a second from here on, for what may well never come.
    ///
    /// # Errors
    /// When the system refuses it.
    pub fn shorten_timeout(&mut self) -> io::Result<()> {
        let soon = Some(Duration::from_millis(500));
        self.stream.set_read_timeout(soon)?;
        self.stream.set_write_timeout(soon)
    }

    fn greeting(&mut self) -> io::Result<()> {
        let greeting = self.line()?;
        assert!(greeting.starts_with("{\"QMP\": {"), "{greeting}");
        Ok(())
    }

    /// Sends these bytes.
    ///
    /// # Errors
    /// When the monitor has closed the connection, or takes nothing.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    /// Waits for more, and keeps it.
    fn receive(&mut self) -> io::Result<()> {
        let mut bytes = [0; 1 << 14];
        match self.stream.read(&mut bytes)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                self.received.extend_from_slice(&bytes[..count]);
                Ok(())
            }
        }
    }

    /// The next line, without its end.
    ///
    /// # Errors
    /// When the monitor has closed the connection, or says nothing.
    pub fn line(&mut self) -> io::Result<String> {
        let mut looked_at = 0;
        loop {
            if let Some(end) = self.received[looked_at..].windows(2).position(|end| end == b"\r\n") {
                let line: Vec<u8> = self.received.drain(..looked_at + end + 2).collect();
                return Ok(String::from_utf8(line).unwrap().trim_end().to_owned());
            }
            looked_at = self.received.len().saturating_sub(1);
            self.receive()?;
        }
    }

    /// What the monitor says up to where people may type again.
    ///
    /// # Errors
    /// When it has closed the connection, or says nothing.
    pub fn until_prompt(&mut self) -> io::Result<String> {
        while !self.received.ends_with(PROMPT.as_bytes()) {
            self.receive()?;
        }
        let said = String::from_utf8(std::mem::take(&mut self.received)).unwrap();
        Ok(said[..said.len() - PROMPT.len()].to_owned())
    }

    /// What the monitor says to a line of people's words.
    ///
    /// # Errors
    /// When it has closed the connection, or says nothing.
    pub fn run(&mut self, words: &str) -> io::Result<String> {
        self.send(words.as_bytes())?;
        self.send(b"\n")?;
        self.until_prompt()
    }

    /// Sends a command without waiting for its answer: the id that the answer has.
    ///
    /// # Errors
    /// As [`MonitorClient::send`].
    pub fn send_command(&mut self, command: &str, arguments: &Value) -> io::Result<Value> {
        let id = json!(self.next_id);
        self.next_id += 1;
        // As QEMU's clients do: without an end of the line.
        let message = json!({"execute": command, "arguments": arguments, "id": id});
        self.send(message.to_string().as_bytes())?;
        Ok(id)
    }

    /// The answer to the command of this `id`, which comes next, notices aside: what it returns, or its error's text.
    ///
    /// # Errors
    /// As [`MonitorClient::line`].
    pub fn answer(&mut self, id: &Value) -> io::Result<Result<Value, String>> {
        let answer = self.message()?;
        assert_eq!(answer.get("id"), Some(id), "{answer}");
        Ok(match answer.get("error") {
            Some(error) => Err(error["desc"].as_str().unwrap().to_owned()),
            None => Ok(answer["return"].clone()),
        })
    }

    /// What comes next, notices aside.
    ///
    /// # Errors
    /// As [`MonitorClient::line`].
    pub fn message(&mut self) -> io::Result<Value> {
        loop {
            let line = self.line()?;
            let message: Value =
                serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
            if message.get("event").is_none() {
                return Ok(message);
            }
            self.notices.push(message);
        }
    }

    /// What a command returns, or its error's text.
    ///
    /// # Errors
    /// As [`MonitorClient::line`].
    pub fn execute(&mut self, command: &str, arguments: &Value) -> io::Result<Result<Value, String>> {
        let id = self.send_command(command, arguments)?;
        self.answer(&id)
    }

    /// Says no more, and listens to the end.
    ///
    /// # Errors
    /// When the end never comes.
    pub fn read_to_end(&mut self) -> io::Result<String> {
        self.stream.shutdown(Shutdown::Write)?;
        self.stream.read_to_end(&mut self.received)?;
        Ok(String::from_utf8_lossy(&std::mem::take(&mut self.received)).into_owned())
    }
}
