//! Records that are counted without creating their entries change nothing in reports and comparisons.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use proptest::collection::vec;
use proptest::prelude::*;
use ringtrace_events::SourceFile;
use ringtrace_report::diff::Recording;
use ringtrace_report::{Collector, PageInfo, render_page};
use ringtrace_tracefile::pair::{Description, SpanTracker, parse};
use ringtrace_tracefile::{Filter, FilterOptions, Input, Needs, Options, Reader, Schemas, Traces};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};

const DECLARATIONS: &str = "\
read_begin(uint64_t key, uint64_t size) \"\"
read_look(uint64_t key) \"\"
read_end(uint64_t key) \"\"
tick(void) \"\"
write_begin(const char *file, uint64_t key) \"\"
write_end(uint64_t key, const char *file) \"\"
load(uint64_t value) \"\"
other(uint64_t value) \"\"
";

const PAIRS: &str = "\
pair read
    begin read_begin key
    step read_look key
    end read_end key

pair write
    begin write_begin key
    end write_end key

pair tick
    begin tick pid
    end tick pid

counter load
    value load value
";

/// A record: the event, the time since the last one, the process, and the arguments.
type Made = (u64, i64, u32, u64);

fn trace(records: &[Made]) -> Vec<u8> {
    let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
    let mut bytes = Vec::new();
    encoder.header(0, 0, &mut bytes);
    for (id, line) in (0..).zip(DECLARATIONS.lines()) {
        encoder.mapping(id, line.split('(').next().unwrap().as_bytes(), &mut bytes);
    }
    let mut time_ns = 1_000_000_i64;
    for &(id, step_ns, pid, value) in records {
        time_ns = (time_ns + step_ns).max(0);
        let (value, text) = (Value::Integer(value), Value::Str(b"sda"));
        let values: &[Value<'_>] = match id {
            0 => &[value, value],
            3 => &[],
            4 => &[text, value],
            5 => &[value, text],
            _ => &[value],
        };
        encoder.record(id, time_ns as u64, pid, values, &mut bytes).unwrap();
    }
    bytes
}

/// Opens the trace. A filter selects everything, but creates all entries if `is_filtered` is set.
fn open(bytes: &[u8], is_filtered: bool) -> (Traces, SpanTracker) {
    let sources = vec![SourceFile::new("events", DECLARATIONS)];
    let options = Options { sources, ..Options::default() };
    let input = Input::from_reader(Box::new(std::io::Cursor::new(bytes.to_vec())));
    let reader = Reader::new("trace", input, &options).unwrap();
    let mut traces = Traces::new(vec![reader], Needs::default()).unwrap();
    if is_filtered {
        traces.set_filter(Filter::new(FilterOptions { since_ns: Some(0), ..FilterOptions::default() }));
    }
    let (description, problems): (Description, _) = parse(&SourceFile::new("pairs", PAIRS));
    assert!(problems.is_empty(), "{problems:?}");
    let mut tracker = SpanTracker::new(description);
    let schemas: Vec<Schemas> =
        traces.readers().into_iter().map(|reader| Schemas::clone(reader.schemas())).collect();
    tracker.bind(&schemas.iter().collect::<Vec<_>>()).unwrap();
    (traces, tracker)
}

fn report(bytes: &[u8], is_filtered: bool) -> String {
    let (mut traces, tracker) = open(bytes, is_filtered);
    let mut collector = Collector::new(tracker);
    traces.for_each(&mut collector).unwrap();
    assert!(collector.take_error().is_none());
    let about = PageInfo {
        traces: &traces,
        anchor: None,
        filters: Vec::new(),
        problems: Vec::new(),
        unfinished: Vec::new(),
    };
    render_page(&collector, &about)
}

fn recording(bytes: &[u8], is_filtered: bool) -> String {
    let (mut traces, mut tracker) = open(bytes, is_filtered);
    let (recording, errors) = Recording::read(&mut traces, &mut tracker).unwrap();
    assert!(errors.is_empty());
    format!("{recording:?}")
}

proptest! {
    #[test]
    fn nothing_depends_on_the_fast_path(
        records in vec((0_u64..8, -50_000_i64..1_000_000, 1_u32..4, 0_u64..6), 0..300),
    ) {
        let bytes = trace(&records);
        prop_assert_eq!(report(&bytes, false), report(&bytes, true));
        prop_assert_eq!(recording(&bytes, false), recording(&bytes, true));
    }
}
