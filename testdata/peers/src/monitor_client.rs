//! A client of a monitor, for HMP and QMP. It can also send invalid input.

use std::io::{self, Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

/// How long to wait for a reply.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The prompt of HMP.
const PROMPT: &str = "(ringtrace) ";

/// A connection to a monitor.
#[derive(Debug)]
pub struct MonitorClient {
    stream: UnixStream,
    /// Bytes that were received but not parsed.
    received: Vec<u8>,
    next_id: u64,
    /// The events received in QMP.
    pub notices: Vec<Value>,
}

impl MonitorClient {
    /// Connects to a monitor in any mode, without a greeting.
    ///
    /// # Errors
    /// Fails if nothing listens.
    pub fn connect(socket: &Path) -> io::Result<MonitorClient> {
        let stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        Ok(MonitorClient { stream, received: Vec::new(), next_id: 0, notices: Vec::new() })
    }

    /// Connects to a monitor with `mode=auto`, for HMP.
    ///
    /// # Errors
    /// Fails if nothing listens, or there is no greeting.
    pub fn hmp(socket: &Path) -> io::Result<MonitorClient> {
        let mut talk = MonitorClient::connect(socket)?;
        talk.greeting()?;
        Ok(talk)
    }

    /// Connects to a monitor with `mode=auto` or `mode=qmp`, for QMP.
    ///
    /// # Errors
    /// Fails if nothing listens, or there is no greeting.
    pub fn qmp(socket: &Path) -> io::Result<MonitorClient> {
        let mut talk = MonitorClient::hmp(socket)?;
        let negotiated = talk.execute("qmp_capabilities", &json!({}))?;
        assert_eq!(negotiated, Ok(json!({})));
        Ok(talk)
    }

    /// Reduces the timeout to half a second, for answers that may never arrive.
    ///
    /// # Errors
    /// Fails if the system refuses the timeout.
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

    /// Sends bytes.
    ///
    /// # Errors
    /// Fails if the monitor has closed the connection, or does not read.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    /// Waits for more bytes.
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

    /// Returns the next line, without its end.
    ///
    /// # Errors
    /// Fails if the monitor has closed the connection, or sends nothing.
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

    /// Reads up to the next prompt.
    ///
    /// # Errors
    /// Fails if the monitor has closed the connection, or sends nothing.
    pub fn until_prompt(&mut self) -> io::Result<String> {
        while !self.received.ends_with(PROMPT.as_bytes()) {
            self.receive()?;
        }
        let output = String::from_utf8(std::mem::take(&mut self.received)).unwrap();
        Ok(output[..output.len() - PROMPT.len()].to_owned())
    }

    /// Runs an HMP command and returns its reply.
    ///
    /// # Errors
    /// Fails if the monitor has closed the connection, or sends nothing.
    pub fn run(&mut self, words: &str) -> io::Result<String> {
        self.send(words.as_bytes())?;
        self.send(b"\n")?;
        self.until_prompt()
    }

    /// Sends a QMP command without waiting for its reply. Returns its id.
    ///
    /// # Errors
    /// Fails if [`MonitorClient::send`] fails.
    pub fn send_command(&mut self, command: &str, arguments: &Value) -> io::Result<Value> {
        let id = json!(self.next_id);
        self.next_id += 1;
        // QEMU's clients do not send a line end either.
        let message = json!({"execute": command, "arguments": arguments, "id": id});
        self.send(message.to_string().as_bytes())?;
        Ok(id)
    }

    /// Reads the reply to the command with this `id`, which must be the next message other than an
    /// event. Returns its result, or the text of its error.
    ///
    /// # Errors
    /// Fails if [`MonitorClient::line`] fails.
    pub fn answer(&mut self, id: &Value) -> io::Result<Result<Value, String>> {
        let answer = self.message()?;
        assert_eq!(answer.get("id"), Some(id), "{answer}");
        Ok(match answer.get("error") {
            Some(error) => Err(error["desc"].as_str().unwrap().to_owned()),
            None => Ok(answer["return"].clone()),
        })
    }

    /// Reads the next message other than an event.
    ///
    /// # Errors
    /// Fails if [`MonitorClient::line`] fails.
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

    /// Runs a QMP command. Returns its result, or the text of its error.
    ///
    /// # Errors
    /// Fails if [`MonitorClient::send`] or [`MonitorClient::line`] fails.
    pub fn execute(&mut self, command: &str, arguments: &Value) -> io::Result<Result<Value, String>> {
        let id = self.send_command(command, arguments)?;
        self.answer(&id)
    }

    /// Closes the connection for writing, and reads to the end.
    ///
    /// # Errors
    /// Fails if the monitor does not close the connection.
    pub fn read_to_end(&mut self) -> io::Result<String> {
        self.stream.shutdown(Shutdown::Write)?;
        self.stream.read_to_end(&mut self.received)?;
        Ok(String::from_utf8_lossy(&std::mem::take(&mut self.received)).into_owned())
    }
}
