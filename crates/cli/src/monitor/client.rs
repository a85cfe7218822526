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

/// A connection to a monitor.
#[derive(Debug)]
pub struct Client {
    connection: Connection,
    /// The program in the greeting: `ringtrace 0.1.0`, `QEMU 10.2.2`.
    program: String,
    timeout: Duration,
}

/// What a monitor speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    Qmp,
    Hmp,
}

/// What a monitor tells unasked.
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
    /// Connects with the socket `path`; calls may take [`TIMEOUT`].
    pub fn connect(path: &Path) -> Result<Client, MonitorError> {
        Client::connect_within(path, TIMEOUT)
    }

    /// Connects with the socket `path`; this and each call later may take `timeout`.
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
                (trouble, _) => trouble.at(path),
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

    /// The socket's path.
    pub fn path(&self) -> &Path {
        self.socket().path()
    }

    /// The program in the monitor's greeting: `ringtrace 0.1.0`, `QEMU 10.2.2`.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// What the monitor speaks.
    pub fn protocol(&self) -> Protocol {
        match self.connection {
            Connection::Qmp(_) => Protocol::Qmp,
            Connection::Hmp(_) => Protocol::Hmp,
        }
    }

    /// From now on, each call may take `timeout`.
    pub fn set_timeout(&mut self, timeout: Duration) {
        self.timeout = timeout;
    }

    /// What ends waiting, with [`MonitorErrorKind::Interrupted`], when it is set: by the handler of a signal, say.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.socket().interrupt)
    }

    /// Executes a command of QMP with `arguments`, an object or null for none, and gives what it returns.
    pub fn execute(&mut self, command: &str, arguments: Value) -> Result<Value, MonitorError> {
        let limit = Limit::new(self.timeout);
        match &mut self.connection {
            Connection::Qmp(qmp) => qmp.execute(command, arguments, &limit),
            Connection::Hmp(hmp) => Err(MonitorErrorKind::HmpOnly(command.to_owned()).at(hmp.socket.path())),
        }
    }

    /// What the monitor says to a line of HMP, with `\n` after each line. Its errors are such lines, too.
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

    /// What the monitor has told unasked since the last call, in order; does not wait. HMP tells nothing.
    pub fn notices(&mut self) -> Result<Vec<Notice>, MonitorError> {
        match &mut self.connection {
            Connection::Qmp(qmp) => qmp.notices(),
            Connection::Hmp(hmp) => match hmp.socket.take()? {
                true => Ok(Vec::new()),
                false => Err(MonitorErrorKind::Ended.at(hmp.socket.path())),
            },
        }
    }

    /// Waits for `time` at most until [`Client::notices`] may have something to say, the end too. Whether it may.
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

/// To wait for notices together with other things: it can be read when something came in. What was read together with an
/// answer does not show here: call [`Client::notices`] after each call.
impl AsFd for Client {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket().as_fd()
    }
}
