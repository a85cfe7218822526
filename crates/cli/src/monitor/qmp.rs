//! The QMP protocol: one JSON object per line, numbered answers, and asynchronous notices.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};

use super::client::Notice;
use super::error::{MonitorError, MonitorErrorKind};
use super::socket::{Limit, Socket};

/// The maximum number of queued notices. If there are more, the oldest are discarded.
const MAX_NOTICES: usize = 10_000;

#[derive(Debug)]
pub(super) struct Qmp {
    pub socket: Socket,
    /// The number of received bytes that are known to contain no line end.
    looked: usize,
    id: u64,
    notices: VecDeque<Notice>,
}

/// A parsed line.
enum Message {
    Answer { id: Option<u64>, result: Result<Value, MonitorErrorKind> },
    Notice(Notice),
}

impl Qmp {
    /// Enters command mode after the monitor's `greeting`.
    pub fn negotiate(socket: Socket, greeting: &str, limit: &Limit) -> Result<(Qmp, String), MonitorError> {
        let program = parse_greeting(greeting).map_err(|error| error.at(socket.path()))?;
        let mut qmp = Qmp { socket, looked: 0, id: 0, notices: VecDeque::new() };
        qmp.execute("qmp_capabilities", Value::Null, limit)?;
        Ok((qmp, program))
    }

    /// Executes a command and returns its result.
    pub fn execute(&mut self, command: &str, arguments: Value, limit: &Limit) -> Result<Value, MonitorError> {
        self.id += 1;
        let mut message = Map::from_iter([("execute".to_owned(), json!(command))]);
        if !arguments.is_null() {
            message.insert("arguments".to_owned(), arguments);
        }
        message.insert("id".to_owned(), json!(self.id));
        let text = format!("{}\r\n", Value::Object(message));
        match self.socket.send(text.as_bytes(), limit) {
            // Continue, because the monitor may have sent the reason before it closed the
            // connection.
            Err(MonitorError { kind: MonitorErrorKind::Ended, .. }) => {}
            sent => sent?,
        }
        loop {
            while let Some(line) = self.socket.line(&mut self.looked) {
                let message = parse(&line).map_err(|error| error.at(self.socket.path()))?;
                match message {
                    Message::Notice(notice) => self.keep(notice),
                    // An error without an id is about a malformed message. An answer with another
                    // id belongs to a command that timed out.
                    Message::Answer { id, result } if id.is_none_or(|id| id == self.id) => {
                        return result.map_err(|error| error.at(self.socket.path()));
                    }
                    Message::Answer { .. } => {}
                }
            }
            self.socket.receive(limit)?;
        }
    }

    /// Returns the notices received so far.
    pub fn notices(&mut self) -> Result<Vec<Notice>, MonitorError> {
        let goes_on = self.socket.take()?;
        while let Some(line) = self.socket.line(&mut self.looked) {
            match parse(&line).map_err(|error| error.at(self.socket.path()))? {
                Message::Notice(notice) => self.keep(notice),
                Message::Answer { .. } => {}
            }
        }
        if self.notices.is_empty() && !goes_on {
            return Err(MonitorErrorKind::Ended.at(self.socket.path()));
        }
        Ok(self.notices.drain(..).collect())
    }

    /// Returns whether there are notices that were received along with an answer.
    pub fn has_notices(&self) -> bool {
        !self.notices.is_empty()
    }

    fn keep(&mut self, notice: Notice) {
        if self.notices.len() == MAX_NOTICES {
            self.notices.pop_front();
        }
        self.notices.push_back(notice);
    }
}

/// Returns the name and version of the program.
fn parse_greeting(line: &str) -> Result<String, MonitorErrorKind> {
    let not_a_monitor = || MonitorErrorKind::NotAMonitor(Some(line.chars().take(100).collect()));
    let greeting: Value = serde_json::from_str(line).map_err(|_| not_a_monitor())?;
    if let Some(description) = greeting["error"]["desc"].as_str() {
        return Err(MonitorErrorKind::TurnedAway(description.to_owned()));
    }
    let version = &greeting["QMP"]["version"];
    let number = |key: &str| version["qemu"][key].as_u64();
    let (Some(major), Some(minor), Some(micro)) = (number("major"), number("minor"), number("micro")) else {
        return Err(not_a_monitor());
    };
    let package = version["package"].as_str().unwrap_or_default();
    Ok(match package.starts_with("ringtrace") {
        true => package.to_owned(),
        false => format!("QEMU {major}.{minor}.{micro} {package}").trim_end().to_owned(),
    })
}

fn parse(line: &str) -> Result<Message, MonitorErrorKind> {
    let garbled = || {
        MonitorErrorKind::Garbled(format!("not a QMP answer: {}", line.chars().take(100).collect::<String>()))
    };
    let mut message: Map<String, Value> = serde_json::from_str(line).map_err(|_| garbled())?;
    if let Some(Value::String(event)) = message.remove("event") {
        let time = |key: &str| message.get("timestamp").and_then(|time| time[key].as_i64());
        let (time_s, micros) = (time("seconds").unwrap_or(0), time("microseconds").unwrap_or(0));
        let data = message.remove("data").unwrap_or(Value::Null);
        return Ok(Message::Notice(Notice {
            time_us: time_s.saturating_mul(1_000_000).saturating_add(micros),
            event,
            data,
        }));
    }
    let id = message.get("id").and_then(Value::as_u64);
    if let Some(returned) = message.remove("return") {
        return Ok(Message::Answer { id, result: Ok(returned) });
    }
    let error = message.remove("error").ok_or_else(garbled)?;
    let text = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
    let result = Err(MonitorErrorKind::Answered { class: text("class"), description: text("desc") });
    Ok(Message::Answer { id, result })
}
