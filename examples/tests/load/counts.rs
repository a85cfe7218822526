//! What became of each event: by the program's account, by what its monitor says, by its trace files.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader};
use serde_json::Value;

use crate::requests::Requests;

/// Numbers by events' names.
pub type ByEvent = BTreeMap<String, u64>;

/// What the program wrote at its end of its own calls.
#[derive(Debug)]
pub struct ProbeStatistics {
    /// How often each probe was called, whether its event was on or off.
    pub calls: ByEvent,
    /// The longest that one took.
    pub longest_ns: u64,
    /// How many took how long: the upper ends, and at last what took longer.
    pub times: Vec<(String, u64)>,
}

impl ProbeStatistics {
    /// Reads it.
    pub fn read(path: &Path) -> ProbeStatistics {
        let text = std::fs::read_to_string(path).unwrap();
        let mut account = ProbeStatistics { calls: ByEvent::new(), longest_ns: 0, times: Vec::new() };
        for line in text.lines() {
            let (name, number) = line.split_once(' ').unwrap();
            let number = number.parse().unwrap();
            match name {
                "stall-max-ns" => account.longest_ns = number,
                _ if name.contains('-') => account.times.push((name.to_owned(), number)),
                _ => {
                    account.calls.insert(name.to_owned(), number);
                }
            }
        }
        // It is declared with `disable`: there is no probe.
        account.calls.remove("queue_poll");
        account
    }
}

/// What the monitor says became of the events.
#[derive(Debug)]
pub struct MonitorStatus {
    /// By events; a flight recorder does not know.
    pub recorded: Option<ByEvent>,
    /// By events.
    pub dropped: ByEvent,
    /// Of all events together: recorded, dropped, overwritten.
    pub totals: [u64; 3],
    /// The trace file.
    pub file: PathBuf,
}

impl MonitorStatus {
    /// From what `query-trace-status` returns.
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

/// What is in trace files.
#[derive(Debug, Default)]
pub struct Files {
    /// How many files.
    pub count: u64,
    /// Their size.
    pub bytes: u64,
    /// Records of each event.
    pub recorded: ByEvent,
    /// How many events the files say were dropped.
    pub dropped: u64,
    /// The requests to the device.
    pub requests: Requests,
}

impl Files {
    /// Reads the trace at `path`, in which there must be nothing wrong. One that was never begun has nothing.
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
        // By their places in the file's list: names are compared once for each event, not for each record.
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
            self.requests.see(entry);
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

/// The sum of all events.
pub fn sum(by_event: &ByEvent) -> u64 {
    by_event.values().sum()
}
