//! How a program records, as its monitor tells.

use std::path::PathBuf;

use rustix::time::{ClockId, clock_gettime};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::monitor::{Client, MonitorError, MonitorErrorKind};

/// What `query-trace-status` returns. What a monitor does not report is 0 or empty: those of QEMU, and those that speak
/// HMP only, report the file and the state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct TraceStatus {
    pub program: String,
    pub pid: u32,
    /// The time of this status, on the clock of the trace.
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

/// Whether events go to the trace file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordingState {
    On,
    Off,
    #[default]
    NotStarted,
}

/// How full the ring of one thread is.
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
    /// The used share, from 0 to 1.
    pub fn share(&self) -> f64 {
        if self.size_bytes == 0 { 0.0 } else { (self.used_bytes as f64 / self.size_bytes as f64).min(1.0) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct EventStatus {
    pub name: String,
    #[serde(default)]
    pub group: String,
    pub state: EventState,
    pub recorded: Option<u64>,
    pub dropped: Option<u64>,
}

/// Whether an event is enabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventState {
    Enabled,
    Disabled,
    /// `disable`d when it was compiled.
    Unavailable,
}

/// A pattern that no event matches, whose names are words of C.
const NO_EVENT: &str = "-*";

impl TraceStatus {
    /// Queries the status without events; from a monitor without that command, as far as HMP reports it.
    pub fn query(client: &mut Client) -> Result<TraceStatus, MonitorError> {
        match TraceStatus::query_with(client, json!({ "name": NO_EVENT })) {
            Err(MonitorError { kind: MonitorErrorKind::HmpOnly(_), .. }) => TraceStatus::query_hmp(client),
            Err(error) if error.kind.is_command_not_found() => TraceStatus::query_hmp(client),
            answer => answer,
        }
    }

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

    /// What `Trace file "PATH" on.` means.
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
    fn words_of_monitors_are_understood() {
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
    fn answers_of_monitors_are_understood() {
        let answer = json!({"program": "engine", "pid": 7, "time-ns": 5, "state": "not-started", "backends": [],
            "policy": "block", "recorded": 3, "dropped": 1, "events": []});
        let found: TraceStatus = serde_json::from_value(answer).unwrap();
        assert_eq!(
            (found.pid, found.state, found.recorded, found.file),
            (7, RecordingState::NotStarted, 3, None)
        );
    }
}
