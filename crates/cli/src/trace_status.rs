//! The recording status of a program, as reported by its monitor.

use std::path::PathBuf;

use rustix::time::{ClockId, clock_gettime};
use serde::Deserialize;
use serde_json::json;

use crate::monitor::{Client, MonitorError, MonitorErrorKind};

/// The recording status of a program. Fields that a monitor does not report are 0 or empty: QEMU's
/// monitor, and monitors that support only HMP, report just the file and the state.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct TraceStatus {
    #[serde(default)]
    pub pid: i32,
    /// When the status was taken, by the clock of the program's trace.
    pub time_ns: u64,
    #[serde(default)]
    pub file: Option<PathBuf>,
    pub state: RecordingState,
    #[serde(default)]
    pub policy: String,
    #[serde(default)]
    pub recorded: u64,
    #[serde(default)]
    pub dropped: u64,
    #[serde(default)]
    pub file_error: Option<String>,
}

/// Whether events are written to the trace file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordingState {
    On,
    Off,
    NotStarted,
}

/// A pattern that matches no event, because event names are C identifiers.
const NO_EVENT: &str = "-*";

impl TraceStatus {
    /// Queries the monitor. If the monitor does not have the QMP command, falls back to HMP.
    pub fn query(client: &mut Client) -> Result<TraceStatus, MonitorError> {
        match client.execute("query-trace-status", json!({ "name": NO_EVENT })) {
            Ok(answer) => serde_json::from_value(answer).map_err(|error| {
                let what = format!("query-trace-status returned an unexpected answer: {error}");
                MonitorError { path: client.path().to_owned(), kind: MonitorErrorKind::Garbled(what) }
            }),
            Err(MonitorError { kind: MonitorErrorKind::HmpOnly(_), .. }) => TraceStatus::query_hmp(client),
            Err(MonitorError { kind: MonitorErrorKind::Answered { class, .. }, .. })
                if class == "CommandNotFound" =>
            {
                TraceStatus::query_hmp(client)
            }
            Err(error) => Err(error),
        }
    }

    fn query_hmp(client: &mut Client) -> Result<TraceStatus, MonitorError> {
        let said = client.human("trace-file")?;
        TraceStatus::parse_hmp(&said).ok_or_else(|| {
            let what = format!("trace-file: expected `Trace file \"..\" on.`, found `{}`", said.trim_end());
            MonitorError { path: client.path().to_owned(), kind: MonitorErrorKind::Garbled(what) }
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
            pid: 0,
            time_ns: now.tv_sec.cast_unsigned() * 1_000_000_000 + now.tv_nsec.cast_unsigned(),
            file: Some(path).filter(|path| !path.is_empty()).map(PathBuf::from),
            state,
            policy: String::new(),
            recorded: 0,
            dropped: 0,
            file_error: None,
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
