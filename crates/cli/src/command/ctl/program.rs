//! Information about the program that a monitor controls.

use std::path::PathBuf;

use ringtrace_events::message::visible;
use serde_json::{Value, json};

use super::event_states;
use crate::monitor::{Client, MonitorError, MonitorErrorKind, Protocol};
use crate::quantity;
use crate::terminal::Terminal;

#[derive(Debug)]
pub struct ProgramInfo {
    /// The monitor's name and version: `ringtrace 0.1.0`, `QEMU 10.2.2`.
    monitor: String,
    name: Option<String>,
    pid: Option<u64>,
    /// The answer to `trace-file`: the path, and whether the file is being written.
    file: String,
    enabled: usize,
    events: usize,
}

impl ProgramInfo {
    /// Queries the monitor.
    pub fn query(client: &mut Client) -> Result<ProgramInfo, MonitorError> {
        let status = optional(client, "query-trace-status", json!({ "seen": true }))?;
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

    /// Returns the lines that the shell prints first.
    pub fn greeting(&self, terminal: &Terminal) -> String {
        let pid = self.pid.map(|pid| format!(", process {pid}")).unwrap_or_default();
        let first = format!("{}{pid} ({})", self.name(), visible::text(&self.monitor));
        let file = visible::text(&self.file);
        let events = format!(
            "{} of {} enabled.",
            self.enabled,
            quantity::counted(self.events as u64, "event", "events")
        );
        // A QEMU built without the simple backend has no trace file.
        let file = if file.starts_with("Trace file") { file + " " } else { String::new() };
        let advice = "`help` lists commands, Tab completes, Ctrl-D leaves.";
        format!("{}{}{}\n", terminal.fold(&first), terminal.fold(&format!("{file}{events}")), advice)
    }

    /// Returns the program's name, or a generic description if the name is unknown.
    pub fn name(&self) -> String {
        match &self.name {
            Some(name) => visible::text(name),
            None if self.monitor.starts_with("QEMU") => "qemu".to_owned(),
            None => "the program".to_owned(),
        }
    }

    pub fn prompt(&self) -> String {
        match &self.name {
            None if !self.monitor.starts_with("QEMU") => "(ringtrace) ".to_owned(),
            _ => format!("({}) ", self.name()),
        }
    }

    /// Returns the program's working folder, if this user may read it.
    pub fn folder(&self) -> Option<PathBuf> {
        let folder = PathBuf::from(format!("/proc/{}/cwd", self.pid?));
        folder.is_dir().then_some(folder)
    }
}

/// Executes a command that some monitors do not support. Returns null if the monitor does not.
fn optional(client: &mut Client, command: &str, arguments: Value) -> Result<Value, MonitorError> {
    if client.protocol() == Protocol::Hmp {
        return Ok(Value::Null);
    }
    match client.execute(command, arguments) {
        Err(MonitorError { kind: MonitorErrorKind::Answered { .. }, .. }) => Ok(Value::Null),
        answer => answer,
    }
}
