//! What became of each event: by the program's account, by what its monitor says, by its trace files.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader};
use serde_json::Value;

/// Numbers by events' names.
pub type ByEvent = BTreeMap<String, u64>;

/// What the program wrote at its end of its own calls.
#[derive(Debug)]
pub struct Account {
    /// How often each probe was called, whether its event was on or off.
    pub calls: ByEvent,
    /// The longest that one took.
    pub longest_ns: u64,
    /// How many took how long: the upper ends, and at last what took longer.
    pub times: Vec<(String, u64)>,
}

impl Account {
    /// Reads it.
    pub fn read(path: &Path) -> Account {
        let text = std::fs::read_to_string(path).unwrap();
        let mut account = Account { calls: ByEvent::new(), longest_ns: 0, times: Vec::new() };
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
pub struct Told {
    /// By events; a flight recorder does not know.
    pub recorded: Option<ByEvent>,
    /// By events.
    pub dropped: ByEvent,
    /// Of all events together: recorded, dropped, overwritten.
    pub totals: [u64; 3],
    /// The trace file.
    pub file: PathBuf,
}

impl Told {
    /// From what `query-trace-status` returns.
    pub fn new(status: &Value) -> Told {
        let events = status["events"].as_array().unwrap();
        let by_event = |key: &str| -> Option<ByEvent> {
            let number =
                |event: &Value| Some((event["name"].as_str()?.to_owned(), event.get(key)?.as_u64()?));
            events.iter().map(number).collect()
        };
        Told {
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
        // By their places in memory: names are compared once for each event, not for each record.
        let mut records: BTreeMap<usize, (String, u64)> = BTreeMap::new();
        let mut last: (usize, u64) = (0, 0);
        let mut dropped = 0;
        let flow = reader.for_each(|entry: &Entry<'_>| {
            if let Some(count) = entry.dropped() {
                dropped += count;
                return Flow::Continue;
            }
            let schema = std::ptr::from_ref(entry.schema).addr();
            if last.0 != schema {
                if let Some((_, count)) = records.get_mut(&last.0) {
                    *count += last.1;
                }
                records.entry(schema).or_insert_with(|| (entry.schema.name.to_string(), 0));
                last = (schema, 0);
            }
            last.1 += 1;
            Flow::Continue
        });
        flow.unwrap_or_else(|complaint| panic!("{}: {complaint:?}", path.display()));
        assert!(reader.complaints().is_empty(), "{}: {:?}", path.display(), reader.complaints());
        if let Some((_, count)) = records.get_mut(&last.0) {
            *count += last.1;
        }
        for (name, count) in records.into_values() {
            *self.recorded.entry(name).or_default() += count;
        }
        self.dropped += dropped;
    }
}

/// The sum of all events.
pub fn sum(by_event: &ByEvent) -> u64 {
    by_event.values().sum()
}
