//! Counts of each event: by the program itself, by its monitor, and by its trace files.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader};
use serde_json::Value;

use crate::requests::Requests;

/// Counts by event name.
pub type ByEvent = BTreeMap<String, u64>;

/// The probe statistics that the program writes when it ends.
#[derive(Debug)]
pub struct ProbeStatistics {
    /// The number of calls of each probe, whether or not its event was enabled.
    pub calls: ByEvent,
    /// The longest call.
    pub longest_ns: u64,
    /// The histogram of durations: upper bounds and counts.
    pub times: Vec<(String, u64)>,
}

impl ProbeStatistics {
    pub fn read(path: &Path) -> ProbeStatistics {
        let text = std::fs::read_to_string(path).unwrap();
        let mut probes = ProbeStatistics { calls: ByEvent::new(), longest_ns: 0, times: Vec::new() };
        for line in text.lines() {
            let (name, number) = line.split_once(' ').unwrap();
            let number = number.parse().unwrap();
            match name {
                "stall-max-ns" => probes.longest_ns = number,
                _ if name.contains('-') => probes.times.push((name.to_owned(), number)),
                _ => {
                    probes.calls.insert(name.to_owned(), number);
                }
            }
        }
        // The declaration of this event has `disable`, so it has no probe.
        probes.calls.remove("queue_poll");
        probes
    }
}

/// The counts that the monitor reports.
#[derive(Debug)]
pub struct MonitorStatus {
    /// Recorded events; `None` for a flight recorder.
    pub recorded: Option<ByEvent>,
    /// Dropped events by name.
    pub dropped: ByEvent,
    /// The totals: recorded, dropped, overwritten.
    pub totals: [u64; 3],
    /// The trace file.
    pub file: PathBuf,
}

impl MonitorStatus {
    /// Parses the result of `query-trace-status`.
    pub fn new(status: &Value) -> MonitorStatus {
        let events = status["events"].as_array().unwrap();
        let by_event = |key: &str| -> Option<ByEvent> {
            let number =
                |event: &Value| Some((event["name"].as_str()?.to_owned(), event.get(key)?.as_u64()?));
            events.iter().map(number).collect()
        };
        MonitorStatus {
            recorded: by_event("recorded"),
            dropped: by_event("dropped").unwrap(),
            totals: ["recorded", "dropped", "overwritten"].map(|key| status[key].as_u64().unwrap()),
            file: status["file"].as_str().unwrap().into(),
        }
    }
}

/// The contents of trace files.
#[derive(Debug, Default)]
pub struct Files {
    /// Number of files.
    pub count: u64,
    /// Total size.
    pub bytes: u64,
    /// Number of records of each event.
    pub recorded: ByEvent,
    /// Number of dropped events that the files report.
    pub dropped: u64,
    /// The requests to the simulated device.
    pub requests: Requests,
}

impl Files {
    /// Reads the trace at `path`, which must have no errors. A file that was never written counts
    /// as empty.
    pub fn add(&mut self, path: &Path) {
        let input = match Input::open(path) {
            Ok(input) => input,
            Err(_) if std::fs::metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound) => {
                return;
            }
            Err(error) => panic!("{}: {error:?}", path.display()),
        };
        self.count += 1;
        self.bytes += std::fs::metadata(path).unwrap().len();
        let mut reader = Reader::new(&path.to_string_lossy(), input, &Options::default())
            .unwrap_or_else(|complaint| panic!("{}: {complaint:?}", path.display()));
        // The index is the schema's position in the file, so that names need not be compared for
        // each record.
        let mut records: Vec<(String, u64)> = Vec::new();
        let mut dropped = 0;
        let flow = reader.for_each(|entry: &Entry<'_>| {
            if let Some(count) = entry.dropped() {
                dropped += count;
                return Flow::Continue;
            }
            let index = entry.schema_index as usize;
            if records.len() <= index {
                records.resize(index + 1, (String::new(), 0));
            }
            let (name, count) = &mut records[index];
            if name.is_empty() {
                *name = entry.schema.name.to_string();
            }
            *count += 1;
            self.requests.add(entry);
            Flow::Continue
        });
        flow.unwrap_or_else(|complaint| panic!("{}: {complaint:?}", path.display()));
        assert!(reader.anomalies().is_empty(), "{}: {:?}", path.display(), reader.anomalies());
        self.requests.end_file(reader.metadata());
        for (name, count) in records.into_iter().filter(|(_, count)| *count > 0) {
            *self.recorded.entry(name).or_default() += count;
        }
        self.dropped += dropped;
    }
}

/// Returns the sum over all events.
pub fn sum(by_event: &ByEvent) -> u64 {
    by_event.values().sum()
}
