//! The program behind a monitor, as far as it tells of itself.

use std::path::PathBuf;

use ringtrace_events::message::visible;
use serde_json::{Value, json};

use super::event_states;
use crate::monitor::{Client, MonitorError, MonitorErrorKind, Protocol};
use crate::quantity;
use crate::terminal::Terminal;

/// What is known of a program.
#[derive(Debug)]
pub struct ProgramInfo {
    /// What its monitor says first: `ringtrace 0.1.0`, `QEMU 10.2.2`.
    monitor: String,
    name: Option<String>,
    pid: Option<u64>,
    /// Its trace file, on or off.
    file: String,
    enabled: usize,
    events: usize,
}

impl ProgramInfo {
    /// Asks the monitor.
    pub fn query(client: &mut Client) -> Result<ProgramInfo, MonitorError> {
        let status = status(client)?;
        let name = match status["program"].as_str() {
            Some(name) => Some(name.to_owned()),
            None => optional(client, "query-name", json!(null))?["name"].as_str().map(str::to_owned),
        };
        let states = event_states::query(client)?;
        Ok(ProgramInfo {
            monitor: client.program().to_owned(),
            name,
            pid: status["pid"].as_u64(),
            file: client.human("trace-file")?.trim_end().to_owned(),
            enabled: states.iter().filter(|state| state.is_enabled).count(),
            events: states.len(),
        })
    }

    /// What the shell says first.
    pub fn greeting(&self, terminal: &Terminal) -> String {
        let pid = self.pid.map(|pid| format!(", process {pid}")).unwrap_or_default();
        let first = format!("{}{pid} ({})", self.name(), visible::text(&self.monitor));
        let file = visible::text(&self.file);
        let events = format!(
            "{} of {} enabled.",
            self.enabled,
            quantity::counted(self.events as u64, "event", "events")
        );
        // QEMU without its simple backend has no file.
        let file = if file.starts_with("Trace file") { file + " " } else { String::new() };
        let advice = "`help` lists commands, Tab completes, Ctrl-D leaves.";
        format!("{}{}{}\n", terminal.fold(&first), terminal.fold(&format!("{file}{events}")), advice)
    }

    /// A name for it, if need be that of its kind.
    pub fn name(&self) -> String {
        match &self.name {
            Some(name) => visible::text(name),
            None if self.monitor.starts_with("QEMU") => "qemu".to_owned(),
            None => "the program".to_owned(),
        }
    }

    /// What stands before each line.
    pub fn prompt(&self) -> String {
        match &self.name {
            None if !self.monitor.starts_with("QEMU") => "(ringtrace) ".to_owned(),
            _ => format!("({}) ", self.name()),
        }
    }

    /// The folder that it takes paths from, if this user may know that.
    pub fn folder(&self) -> Option<PathBuf> {
        let folder = PathBuf::from(format!("/proc/{}/cwd", self.pid?));
        folder.is_dir().then_some(folder)
    }
}

fn status(client: &mut Client) -> Result<Value, MonitorError> {
    optional(client, "query-trace-status", json!({ "seen": true }))
}

/// What a command returns that not every monitor knows; else null.
fn optional(client: &mut Client, command: &str, arguments: Value) -> Result<Value, MonitorError> {
    if client.protocol() == Protocol::Hmp {
        return Ok(Value::Null);
    }
    match client.execute(command, arguments) {
        Err(MonitorError { kind: MonitorErrorKind::Answered { .. }, .. }) => Ok(Value::Null),
        answer => answer,
    }
}
