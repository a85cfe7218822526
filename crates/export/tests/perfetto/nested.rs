//! Spans that are inferred from the names of their events are exported as nested slices.

use ringtrace_export::{ExportTarget, TraceInfo, format, run};
use ringtrace_tracefile::metadata::Metadata;
use ringtrace_tracefile::pair::{Description, SpanTracker};
use ringtrace_tracefile::{Input, Needs, Options, Reader, Traces};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};

use super::{Format, found};

const ENCODER: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };

const PID: u32 = 4710;

/// The events, each with the number of its arguments.
const EVENTS: [(&str, usize); 8] = [
    ("app__request__begin", 2),
    ("app__request__end", 1),
    ("app__query__begin", 2),
    ("app__query__end", 1),
    ("app__query__enter", 1),
    ("app__query__exit", 1),
    ("app__query__record", 1),
    ("app__render__begin", 2),
];

struct Making {
    bytes: Vec<u8>,
    pieces: u32,
    mapped: Vec<u64>,
}

impl Making {
    fn metadata(&mut self, metadata: &Metadata) {
        metadata.encode(self.pieces, ByteOrder::Little, &mut self.bytes);
        self.pieces += 1;
    }

    /// Adds a record. An event is declared before its first record, as in a program that declares
    /// events while it runs.
    fn record(&mut self, time_us: u64, tid: u32, name: &str, values: &[u64]) {
        let (event, count) = (1_u64..)
            .zip(EVENTS)
            .find(|(_, (event, _))| *event == name)
            .map(|(id, (_, count))| (id, count))
            .unwrap();
        let id = u64::from(tid) << 32 | event;
        if !self.mapped.contains(&event) {
            let arguments = ["uint64_t span", "uint64_t parent"][..count].join(", ");
            self.metadata(&Metadata::Declaration(format!("{name}({arguments}) \"\"")));
            self.mapped.push(event);
        }
        ENCODER.mapping(id, name.as_bytes(), &mut self.bytes);
        let values: Vec<Value<'_>> = values.iter().map(|value| Value::Integer(*value)).collect();
        ENCODER.record(id, 1_000_000_000 + 1000 * time_us, PID, &values, &mut self.bytes).unwrap();
    }
}

fn trace() -> Vec<u8> {
    let mut made = Making { bytes: Vec::new(), pieces: 0, mapped: Vec::new() };
    ENCODER.header(0, 0, &mut made.bytes);
    made.metadata(&Metadata::Version(1));
    let [one, two] = [11, 12];
    made.record(0, one, "app__request__begin", &[1, 0]);
    made.record(10, one, "app__query__begin", &[2, 1]);
    made.record(11, one, "app__query__enter", &[2]);
    made.record(12, one, "app__query__exit", &[2]);
    // A second request overlaps the first request.
    made.record(15, two, "app__request__begin", &[3, 0]);
    // The first request moves to another thread.
    made.record(20, two, "app__query__enter", &[2]);
    made.record(21, two, "app__query__record", &[2]);
    made.record(22, two, "app__query__exit", &[2]);
    made.record(25, two, "app__query__end", &[2]);
    // Two queries run at the same time.
    made.record(30, two, "app__query__begin", &[4, 1]);
    made.record(31, two, "app__query__begin", &[5, 1]);
    made.record(40, two, "app__query__end", &[4]);
    made.record(41, two, "app__query__end", &[5]);
    made.record(45, one, "app__request__end", &[3]);
    made.record(50, two, "app__request__end", &[1]);
    // The end of a query was lost.
    made.record(60, one, "app__request__begin", &[6, 0]);
    made.record(61, one, "app__query__begin", &[7, 6]);
    made.record(70, one, "app__request__end", &[6]);
    made.bytes
}

#[test]
fn spans_of_a_task_are_nested_in_its_outermost_span() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("trace"), folder.path().join("out"));
    std::fs::write(&path, trace()).unwrap();
    let reader = Reader::new("trace", Input::open(&path).unwrap(), &Options::default()).unwrap();
    let declared = reader.all_declared().unwrap();
    let description = Description::by_names(&[&*declared]);
    let names: Vec<&str> = description.names().collect();
    assert_eq!(names, ["app::query", "app::query (busy)", "app::request"]);
    let mut tracker = SpanTracker::new(description.clone()).keep_begins(true);
    tracker.bind(&[&*declared]).unwrap();
    let mut traces = Traces::new(vec![reader], Needs { anchor: true, ..Needs::default() }).unwrap();
    let info = TraceInfo { traces: vec!["trace".to_owned()], description, ..TraceInfo::default() };
    let target = ExportTarget::File(std::fs::File::create(&out).unwrap());
    let exporter = (format("perfetto").unwrap().start)(target, &info).unwrap();
    run(&mut traces, &mut tracker, exporter, 1).unwrap();

    let slices = "select s.ts - 1000000000, s.dur, s.name, s.depth, p.ts - 1000000000, t.name \
                  from slice s left join slice p on p.id = s.parent_id \
                  join track t on t.id = s.track_id \
                  where t.name = 'Spans' order by s.ts, s.depth";
    let busy = "select s.ts - 1000000000, s.dur, s.name, th.tid from slice s \
                join thread_track t on t.id = s.track_id join thread th using (utid) \
                where s.category = 'app::query (busy)' order by s.ts";
    let tracks = "select count(distinct track_id) from slice s join track t on t.id = s.track_id where t.name = 'Spans'";
    let Some((_, found)) = found::find(&out, Format::Perfetto, &[slices, busy, tracks]) else { return };
    let text = |rows: &[Vec<serde_json::Value>]| -> Vec<String> {
        let cell = |cell: &serde_json::Value| cell.as_str().map_or_else(|| cell.to_string(), str::to_owned);
        rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(
        text(&found[0]),
        [
            "0 50000 app::request 0 null Spans",
            "10000 15000 app::query 1 0 Spans",
            "15000 30000 app::request 0 null Spans",
            "21000 0 app__query__record 2 10000 Spans",
            "30000 10000 app::query 1 0 Spans",
            // This query overlaps its sibling, so it is not nested in another slice.
            "31000 10000 app::query 0 null Spans",
            "60000 10000 app::request 0 null Spans",
            "61000 9000 app::query 1 60000 Spans",
        ]
    );
    assert_eq!(text(&found[1]), ["11000 1000 app::query 11", "20000 2000 app::query 12"]);
    assert_eq!(text(&found[2]), ["3"]);
}
