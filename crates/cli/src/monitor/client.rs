//! A connection to a monitor.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rustix::event::PollFlags;
use serde_json::{Value, json};

use super::TIMEOUT;
use super::error::{MonitorError, MonitorErrorKind};
use super::hmp::Hmp;
use super::qmp::Qmp;
use super::socket::{Limit, Socket, wait_for};

/// A connection to a monitor, by QMP or HMP.
#[derive(Debug)]
pub struct Client {
    connection: Connection,
    program: String,
    timeout: Duration,
}

/// The protocol of a monitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    Qmp,
    Hmp,
}

/// An asynchronous event of a monitor.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    pub time_us: i64,
    pub event: String,
    pub data: Value,
}

#[derive(Debug)]
enum Connection {
    Qmp(Qmp),
    Hmp(Hmp),
}

impl Client {
    /// Connects to the socket `path`. Calls have the timeout [`TIMEOUT`].
    pub fn connect(path: &Path) -> Result<Client, MonitorError> {
        Client::connect_within(path, TIMEOUT)
    }

    /// Connects to the socket `path`. `timeout` applies to this and each later call.
    pub fn connect_within(path: &Path, timeout: Duration) -> Result<Client, MonitorError> {
        let limit = Limit::new(timeout);
        let mut socket = Socket::connect(path, limit.deadline)?;
        let mut looked = 0;
        let greeting = loop {
            if let Some(line) = socket.line(&mut looked) {
                break line;
            }
            let received = socket.receive(&limit);
            received.map_err(|error| match (error.kind, String::from_utf8_lossy(&socket.incoming)) {
                (MonitorErrorKind::Timeout(_), said) if said.is_empty() => {
                    MonitorErrorKind::NotAMonitor(None).at(path)
                }
                (MonitorErrorKind::Timeout(_) | MonitorErrorKind::Ended, said) if !said.is_empty() => {
                    MonitorErrorKind::NotAMonitor(Some(said.chars().take(100).collect())).at(path)
                }
                (error, _) => error.at(path),
            })?;
        };
        let (connection, program) = if greeting.starts_with('{') {
            let (qmp, program) = Qmp::negotiate(socket, &greeting, &limit)?;
            (Connection::Qmp(qmp), program)
        } else {
            let (hmp, program) = Hmp::detect_prompt(socket, &greeting, &limit)?;
            (Connection::Hmp(hmp), program)
        };
        Ok(Client { connection, program, timeout })
    }

    pub fn path(&self) -> &Path {
        self.socket().path()
    }

    /// Returns the name and version of the program, like `ringtrace 0.1.0` or `QEMU 10.2.2`.
    pub fn program(&self) -> &str {
        &self.program
    }

    pub fn protocol(&self) -> Protocol {
        match self.connection {
            Connection::Qmp(_) => Protocol::Qmp,
            Connection::Hmp(_) => Protocol::Hmp,
        }
    }

    /// Sets the timeout for later calls.
    pub fn set_timeout(&mut self, timeout: Duration) {
        self.timeout = timeout;
    }

    /// Returns a flag that interrupts a wait with [`MonitorErrorKind::Interrupted`] when it is set,
    /// for example by a signal handler.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.socket().interrupt)
    }

    /// Executes a QMP command and returns its result. `arguments` is an object, or null if there
    /// are none.
    pub fn execute(&mut self, command: &str, arguments: Value) -> Result<Value, MonitorError> {
        let limit = Limit::new(self.timeout);
        match &mut self.connection {
            Connection::Qmp(qmp) => qmp.execute(command, arguments, &limit),
            Connection::Hmp(hmp) => {
                let is_qemu = self.program.starts_with("QEMU ");
                let kind = MonitorErrorKind::HmpOnly { command: command.to_owned(), is_qemu };
                Err(kind.at(hmp.socket.path()))
            }
        }
    }

    /// Executes an HMP line. Returns the answer, in which each line ends with `\n`. HMP reports
    /// errors as text in the answer.
    pub fn human(&mut self, line: &str) -> Result<String, MonitorError> {
        if line.contains(['\n', '\r']) {
            return Err(MonitorErrorKind::SeveralLines.at(self.path()));
        }
        let limit = Limit::new(self.timeout);
        let said = match &mut self.connection {
            Connection::Hmp(hmp) => hmp.human(line, &limit)?,
            Connection::Qmp(qmp) => {
                let arguments = json!({ "command-line": line });
                match qmp.execute("human-monitor-command", arguments, &limit)? {
                    Value::String(said) => said,
                    other => {
                        let why = format!("human-monitor-command returned no string: {other}");
                        return Err(MonitorErrorKind::Garbled(why).at(qmp.socket.path()));
                    }
                }
            }
        };
        Ok(said.replace("\r\n", "\n"))
    }

    /// Returns the notices received since the last call, in order, without waiting. HMP has no
    /// notices.
    pub fn notices(&mut self) -> Result<Vec<Notice>, MonitorError> {
        match &mut self.connection {
            Connection::Qmp(qmp) => qmp.notices(),
            Connection::Hmp(hmp) => match hmp.socket.take()? {
                true => Ok(Vec::new()),
                false => Err(MonitorErrorKind::Ended.at(hmp.socket.path())),
            },
        }
    }

    /// Waits up to `time` for notices or the end of the connection. Returns whether
    /// [`Client::notices`] may return something new.
    pub fn wait(&self, time: Duration) -> io::Result<bool> {
        if matches!(&self.connection, Connection::Qmp(qmp) if qmp.has_notices()) {
            return Ok(true);
        }
        wait_for(self.as_fd(), PollFlags::IN, time)
    }

    fn socket(&self) -> &Socket {
        match &self.connection {
            Connection::Qmp(qmp) => &qmp.socket,
            Connection::Hmp(hmp) => &hmp.socket,
        }
    }
}

/// Allows polling for notices together with other descriptors. A notice that arrives together with
/// an answer does not make the descriptor readable, so call [`Client::notices`] after each call.
impl AsFd for Client {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket().as_fd()
    }
}
