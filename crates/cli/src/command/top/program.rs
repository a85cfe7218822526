//! Samples of a running program, from its monitor.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::sample::{EventSample, Sample, TraceState};
use super::sampler::{Change, SampleError, SampleSource};
use crate::exit::CliError;
use crate::monitor::{Client, MonitorError, MonitorErrorKind};
use crate::quantity::Units;
use crate::trace_status::{EventStatus, RecordingState, TraceStatus};

#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    /// `None` after the connection was lost; the next call reconnects.
    client: Option<Client>,
}

impl Program {
    /// Connects to the monitor at `path`.
    pub fn connect(path: &Path) -> Result<Program, CliError> {
        let mut program = Program { path: path.to_owned(), client: Some(Client::connect(path)?) };
        match program.query(json!({"name": ""})) {
            Ok(_) => Ok(program),
            Err(error) if lacks_status(&error.kind) => {
                let message = format!("{}: this monitor cannot report the state of tracing", path.display());
                Err(CliError::input(message).help(
                    "only monitors of programs that link ringtrace can; for QEMU, use `ringtrace top TRACE` to watch the trace file, and `ringtrace ctl` to enable or disable events",
                ))
            }
            // No event has an empty name, and some monitors report that as an error.
            Err(MonitorError { kind: MonitorErrorKind::Answered { .. }, .. }) => Ok(program),
            Err(error) => Err(error.into()),
        }
    }

    fn query(&mut self, arguments: serde_json::Value) -> Result<TraceStatus, MonitorError> {
        TraceStatus::query_with(self.client()?, arguments)
    }

    fn client(&mut self) -> Result<&mut Client, MonitorError> {
        let client = match self.client.take() {
            Some(client) => client,
            None => Client::connect(&self.path)?,
        };
        Ok(self.client.insert(client))
    }

    /// The message for `error`. Drops the connection if the error made it unusable.
    fn reason(&mut self, error: &MonitorError) -> String {
        if error.kind.ends() {
            self.client = None;
        }
        match &error.kind {
            MonitorErrorKind::Ended | MonitorErrorKind::Dead => "the program has ended".to_owned(),
            MonitorErrorKind::System(error) if error.kind() == std::io::ErrorKind::NotFound => {
                "the program has ended".to_owned()
            }
            MonitorErrorKind::Timeout(limit) => format!("no answer within {} s", limit.as_secs_f64()),
            _ => error.to_string(),
        }
    }
}

/// Returns whether the monitor is QEMU's, which has no command for the state of tracing.
fn lacks_status(error: &MonitorErrorKind) -> bool {
    error.is_command_not_found() || matches!(error, MonitorErrorKind::HmpOnly { is_qemu: true, .. })
}

impl SampleSource for Program {
    fn sample(&mut self, complete: bool) -> Result<Sample, SampleError> {
        match self.query(json!({"seen": !complete})) {
            Ok(status) => Ok(Sample::new(status, complete)),
            // A monitor without a greeting is treated as one that does not answer.
            Err(MonitorError {
                kind: MonitorErrorKind::Timeout(_) | MonitorErrorKind::NotAMonitor(None),
                ..
            }) => Err(SampleError::NoAnswer),
            Err(error) => Err(SampleError::Disconnected(self.reason(&error))),
        }
    }

    fn switch(&mut self, change: &Change) -> Result<(), String> {
        let (command, arguments) = match change {
            Change::Events { pattern, enable } => {
                // With a pattern, skip events that cannot be enabled or disabled.
                let ignore = pattern.contains('*');
                let arguments = json!({"name": pattern, "enable": enable, "ignore-unavailable": ignore});
                ("trace-event-set-state", arguments)
            }
            Change::TraceFile(enable) => ("trace-file-set-state", json!({"enable": enable})),
            Change::Flush => ("trace-file-flush", json!({})),
        };
        let done = self.client().and_then(|client| client.execute(command, arguments));
        done.map(drop).map_err(|error| self.reason(&error))
    }
}

impl Sample {
    fn new(status: TraceStatus, complete: bool) -> Sample {
        let is_flight_recorder = status.policy == "overwrite";
        let timeout = |ms: u64| Units::new(false).round_duration(ms.saturating_mul(1_000_000));
        let policy = Some(status.policy).filter(|policy| !policy.is_empty());
        let policy = policy.map(|policy| match status.block_timeout_ms {
            Some(ms) => format!("{policy} for {}", timeout(ms)),
            None => policy,
        });
        Sample {
            time_ns: status.time_ns,
            program: status.program,
            pid: Some(status.pid),
            state: match status.state {
                RecordingState::On => TraceState::On,
                RecordingState::Off => TraceState::Off(status.paused_ns),
                RecordingState::NotStarted => TraceState::NotStarted,
            },
            backends: status.backends,
            policy,
            file: status.file.map(|file| file.to_string_lossy().into_owned()),
            file_bytes: status.written_bytes,
            error: status.file_error.map(|error| format!("The trace file cannot be written: {error}")),
            recorded: status.recorded,
            overwritten: is_flight_recorder.then_some(status.overwritten),
            dropped: status.dropped,
            rings: status.rings,
            events: status.events.into_iter().map(EventSample::from).collect(),
            complete,
            span_ns: None,
            generation: 0,
        }
    }
}

impl From<EventStatus> for EventSample {
    fn from(event: EventStatus) -> EventSample {
        let EventStatus { name, group, state, recorded, dropped } = event;
        EventSample { name, group, state: Some(state), recorded, dropped, histories: None }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::os::unix::net::UnixListener;

    use super::*;
    use crate::trace_status::EventState;

    /// The advice must not name options that QEMU does not have.
    #[test]
    fn the_monitor_of_qemu_has_no_status() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hmp.sock");
        let listener = UnixListener::bind(&path).unwrap();
        let qemu = std::thread::spawn(move || {
            let (mut client, _) = listener.accept().unwrap();
            client.write_all(b"QEMU 10.2.2 monitor - type 'help' for more information\r\n(qemu) ").unwrap();
            client.read_exact(&mut [0]).unwrap();
            client.write_all(b"\r\n(qemu) ").unwrap();
            let _ = client.read_to_end(&mut Vec::new());
        });
        let error = Program::connect(&path).unwrap_err();
        qemu.join().unwrap();
        let expected = format!("{}: this monitor cannot report the state of tracing", path.display());
        assert_eq!(error.message, expected);
        let help = error.help.unwrap();
        assert!(help.contains("for QEMU, use `ringtrace top TRACE`") && !help.contains("mode="), "{help}");
    }

    #[test]
    fn the_answer_of_a_monitor_becomes_a_sample() {
        let answer = json!({
            "program": "engine", "pid": 4711, "time-ns": 5, "file": "/tmp/t", "state": "off", "paused-ns": 7,
            "backends": ["simple"], "policy": "block", "block-timeout-ms": 100, "clock": "exact", "buffer-bytes": 64,
            "written-bytes": 3, "recorded": 2, "dropped": 1, "file-error": "No space left on device",
            "rings": [{"thread": 8, "name": "worker", "used-bytes": 1, "size-bytes": 4, "dropped": 1}],
            "events": [
                {"name": "a", "group": "g", "state": "enabled", "recorded": 2, "dropped": 1},
                {"name": "b", "group": "g", "state": "unavailable", "dropped": 0}
            ],
            "something-new": {}
        });
        let status: TraceStatus = serde_json::from_value(answer).unwrap();
        let sample = Sample::new(status, true);
        assert_eq!((sample.program.as_str(), sample.pid), ("engine", Some(4711)));
        assert_eq!(sample.state, TraceState::Off(Some(7)));
        assert_eq!(sample.policy.as_deref(), Some("block for 100 ms"));
        assert_eq!(
            sample.error.as_deref(),
            Some("The trace file cannot be written: No space left on device")
        );
        assert_eq!(sample.rings[0].share(), 0.25);
        let events: Vec<_> =
            sample.events.iter().map(|event| (event.state, event.recorded, event.dropped)).collect();
        assert_eq!(
            events,
            [(Some(EventState::Enabled), Some(2), Some(1)), (Some(EventState::Unavailable), None, Some(0))]
        );
    }
}
