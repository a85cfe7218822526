//! The recording status of a program, as reported by its monitor.

use std::path::PathBuf;

use rustix::time::{ClockId, clock_gettime};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::monitor::{Client, MonitorError, MonitorErrorKind};

/// The result of `query-trace-status`. Fields that a monitor does not report are 0 or empty: QEMU's
/// monitor, and monitors that support only HMP, report only the file and the state.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct TraceStatus {
    pub program: String,
    pub pid: u32,
    /// When the status was taken, on the clock of the program's trace.
    pub time_ns: u64,
    pub file: Option<PathBuf>,
    pub state: RecordingState,
    pub backends: Vec<String>,
    pub policy: String,
    pub block_timeout_ms: Option<u64>,
    pub written_bytes: u64,
    pub recorded: u64,
    pub dropped: u64,
    pub overwritten: u64,
    pub file_error: Option<String>,
    pub paused_ns: Option<u64>,
    pub rings: Vec<Ring>,
    pub events: Vec<EventStatus>,
}

/// Whether events are written to the trace file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordingState {
    On,
    Off,
    #[default]
    NotStarted,
}

/// The fill level of one thread's ring.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Ring {
    #[serde(rename = "thread")]
    pub tid: u32,
    pub name: String,
    pub used_bytes: u64,
    pub size_bytes: u64,
}

impl Ring {
    /// The thread's name, or else its id.
    pub fn label(&self) -> String {
        if self.name.is_empty() { self.tid.to_string() } else { self.name.clone() }
    }

    /// The used share of the ring, from 0 to 1.
    pub fn share(&self) -> f64 {
        if self.size_bytes == 0 { 0.0 } else { (self.used_bytes as f64 / self.size_bytes as f64).min(1.0) }
    }
}

#[derive(Debug, Clone, Deserialize)]
pub struct EventStatus {
    pub name: String,
    #[serde(default)]
    pub group: String,
    pub state: EventState,
    pub recorded: Option<u64>,
    pub dropped: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventState {
    Enabled,
    Disabled,
    /// Declared with `disable`.
    Unavailable,
}

/// A pattern that matches no event, because event names are C identifiers.
const NO_EVENT: &str = "-*";

impl TraceStatus {
    /// Queries the status without events. Falls back to HMP if the monitor lacks the QMP command.
    pub fn query(client: &mut Client) -> Result<TraceStatus, MonitorError> {
        match TraceStatus::query_with(client, json!({ "name": NO_EVENT })) {
            Err(MonitorError { kind, .. })
                if kind.is_command_not_found() || matches!(kind, MonitorErrorKind::HmpOnly { .. }) =>
            {
                TraceStatus::query_hmp(client)
            }
            status => status,
        }
    }

    /// Queries the monitor with the `arguments` of `query-trace-status`.
    pub fn query_with(client: &mut Client, arguments: Value) -> Result<TraceStatus, MonitorError> {
        let answer = client.execute("query-trace-status", arguments)?;
        serde_json::from_value(answer).map_err(|error| {
            MonitorErrorKind::Garbled(format!("query-trace-status: {error}")).at(client.path())
        })
    }

    fn query_hmp(client: &mut Client) -> Result<TraceStatus, MonitorError> {
        let said = client.human("trace-file")?;
        TraceStatus::parse_hmp(&said).ok_or_else(|| {
            let what = format!("trace-file: expected `Trace file \"..\" on.`, found `{}`", said.trim_end());
            MonitorErrorKind::Garbled(what).at(client.path())
        })
    }

    /// Parses `Trace file "PATH" on.`.
    fn parse_hmp(said: &str) -> Option<TraceStatus> {
        let (path, state) = said.trim_end().strip_prefix("Trace file \"")?.rsplit_once("\" ")?;
        let state = match state {
            "on." => RecordingState::On,
            "off." => RecordingState::Off,
            _ => return None,
        };
        let now = clock_gettime(ClockId::Monotonic);
        Some(TraceStatus {
            time_ns: now.tv_sec.cast_unsigned() * 1_000_000_000 + now.tv_nsec.cast_unsigned(),
            file: Some(path).filter(|path| !path.is_empty()).map(PathBuf::from),
            state,
            ..TraceStatus::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hmp_replies_are_parsed() {
        let of = |said| TraceStatus::parse_hmp(said).map(|found| (found.file, found.state));
        let file = |path| Some(PathBuf::from(path));
        assert_eq!(
            of("Trace file \"/tmp/a \"b\" c\" on.\n"),
            Some((file("/tmp/a \"b\" c"), RecordingState::On))
        );
        assert_eq!(of("Trace file \"trace-4711\" off.\n"), Some((file("trace-4711"), RecordingState::Off)));
        assert_eq!(of("Trace file \"\" off.\n"), Some((None, RecordingState::Off)));
        assert_eq!(of("unknown command: 'trace-file'\n"), None);
        assert_eq!(of("Trace file \"x\" maybe.\n"), None);
    }

    #[test]
    fn qmp_replies_are_parsed() {
        let answer = json!({"program": "engine", "pid": 7, "time-ns": 5, "state": "not-started", "backends": [],
            "policy": "block", "recorded": 3, "dropped": 1, "events": []});
        let found: TraceStatus = serde_json::from_value(answer).unwrap();
        assert_eq!(
            (found.pid, found.state, found.recorded, found.file),
            (7, RecordingState::NotStarted, 3, None)
        );
    }
}
