//! A trace for the tests of exporters. It contains all types and their extremes, bytes that are not
//! UTF-8, names that are keywords of other languages, threads, losses of all causes, and pauses.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ringtrace_events::SourceFile;
use ringtrace_export::{ExportTarget, TraceInfo, format, run};
use ringtrace_tracefile::metadata::{Anchor, Cause, Lost, Metadata};
use ringtrace_tracefile::pair::{BUILT_IN, Description, SpanTracker, parse};
use ringtrace_tracefile::{Entry, Flow, Input, Needs, Options, Reader, Traces};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use tempfile::NamedTempFile;

const DECLARATIONS: [&str; 9] = [
    r#"sizes(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g, uint64_t h, bool i, void *j, size_t k, ssize_t l) """#,
    r#"odd_types(Odd a, char **b) """#,
    r#"reserved(int align, unsigned event, const char *struct, bool string, void *enum, int8_t trace, int stream, int variant, int env) """#,
    r#"event(int clock, int integer, int floating_point, int callsite, int typedef, int typealias, int const, int unsigned) """#,
    r#"common(int common_pid, int common_type, int field, int print) """#,
    r#"hidden(int _, int __x, int _align) """#,
    r#"texts(const char *first, int between, const char *second) """#,
    r#"stream(int id) """#,
    r#"empty(void) """#,
];

/// Returns the name of one of the [`DECLARATIONS`]. Its id is `number` + 1.
fn name(number: usize) -> &'static str {
    DECLARATIONS[number].split_once('(').map_or("", |(name, _)| name)
}

/// The time of the first record.
pub const BEGIN_NS: u64 = 1_000_000_000_000;

/// The relation between the trace's clock and the wall clock: the trace starts in November 2026.
pub const ANCHOR: Anchor = Anchor { monotonic_ns: BEGIN_NS, realtime_ns: 1_795_257_000_123_456_789 };

const PID: u32 = 4710;

/// A trace under construction.
struct Making {
    bytes: Vec<u8>,
    pieces: u32,
    now_ns: u64,
    mapped: Vec<u64>,
}

const ENCODER: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };

impl Making {
    fn metadata(&mut self, metadata: &Metadata) {
        metadata.encode(self.pieces, ByteOrder::Little, &mut self.bytes);
        self.pieces += 1;
    }

    fn record(&mut self, tid: u32, event: usize, values: &[Value<'_>]) {
        let id = u64::from(tid) << 32 | (event as u64 + 1);
        if !self.mapped.contains(&id) {
            ENCODER.mapping(id, name(event).as_bytes(), &mut self.bytes);
            self.mapped.push(id);
        }
        ENCODER.record(id, self.now_ns, PID, values, &mut self.bytes).unwrap();
        self.now_ns += 1_234;
    }

    fn lose(&mut self, count: u64, owner: Option<(u32, Cause)>) {
        if let Some((tid, cause)) = owner {
            self.metadata(&Metadata::Lost(Lost { tid, cause, count }));
        }
        ENCODER.dropped(count, self.now_ns, PID, &mut self.bytes);
        self.now_ns += 1_000_000;
    }

    fn integers(&mut self, tid: u32, event: usize, integers: &[u64]) {
        let values: Vec<Value<'_>> = integers.iter().map(|value| Value::Integer(*value)).collect();
        self.record(tid, event, &values);
    }
}

/// Returns strings that are difficult to represent.
fn texts() -> Vec<Vec<u8>> {
    vec![
        b"".to_vec(),
        b"plain".to_vec(),
        b"quote \" backslash \\ tab \t newline \n return \r end".to_vec(),
        (1..=255).collect(),
        "gr\u{fc}n \u{4e2d} \u{1f600}".as_bytes().to_vec(),
        br"literal \x41 \n \\".to_vec(),
        b"%s %d %n %%".to_vec(),
        b"\xff\xfe\xc0".to_vec(),
        (0..5000_u32).map(|n| b'a' + (n % 26) as u8).collect(),
    ]
}

/// Returns the bytes of the trace.
pub fn trace() -> Vec<u8> {
    let mut made = Making { bytes: Vec::new(), pieces: 0, now_ns: BEGIN_NS, mapped: Vec::new() };
    ENCODER.header(0, 0, &mut made.bytes);
    made.metadata(&Metadata::Version(1));
    made.metadata(&Metadata::Anchor(ANCHOR));
    for declaration in DECLARATIONS {
        made.metadata(&Metadata::Declaration(declaration.to_owned()));
    }
    made.metadata(&Metadata::Thread(4711, "main".to_owned()));
    made.metadata(&Metadata::Thread(4713, "worker \u{e9} \"q\"".to_owned()));
    // No record precedes the first loss.
    made.lose(3, Some((4711, Cause::Dropped)));
    for bits in
        [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fff_ffff, 0x8000_0000, u64::MAX / 2, 1 << 63, u64::MAX]
    {
        made.integers(4711, 0, &[bits; 12]);
        made.integers(4712, 1, &[bits; 2]);
    }
    made.lose(5, Some((4713, Cause::Overwritten)));
    let text = Value::Str(b"struct");
    let numbers = |count: u64| (1..=count).map(Value::Integer);
    let values: Vec<Value<'_>> = numbers(2).chain([text]).chain(numbers(6)).collect();
    made.record(4713, 2, &values);
    for (event, count) in [(3, 8), (4, 4), (5, 3), (7, 1), (8, 0)] {
        made.integers(4713, event, &(1..=count).collect::<Vec<_>>());
    }
    for first in texts() {
        for second in [&b""[..], b"\"", b"\x80"] {
            made.record(4711, 6, &[Value::Str(&first), Value::Integer(u64::MAX), Value::Str(second)]);
        }
    }
    made.metadata(&Metadata::Paused(made.now_ns));
    made.now_ns += 5_000_000_000;
    made.metadata(&Metadata::Resumed(made.now_ns));
    made.metadata(&Metadata::Thread(4711, "renamed".to_owned()));
    made.integers(4711, 8, &[]);
    // A record without a thread, as written by other programs.
    made.integers(0, 8, &[]);
    made.lose(7, Some((4711, Cause::Refused)));
    made.lose(11, None);
    made.integers(4712, 8, &[]);
    // No record follows the last loss.
    made.lose(13, Some((4711, Cause::Dropped)));
    made.metadata(&Metadata::Paused(made.now_ns));
    made.bytes
}

/// Returns the start of a trace.
fn begun() -> Making {
    let mut made = Making { bytes: Vec::new(), pieces: 0, now_ns: BEGIN_NS, mapped: Vec::new() };
    ENCODER.header(0, 0, &mut made.bytes);
    made.metadata(&Metadata::Version(1));
    for declaration in DECLARATIONS {
        made.metadata(&Metadata::Declaration(declaration.to_owned()));
    }
    made
}

/// Returns the bytes of a trace with many different time differences: 0, and every magnitude that a
/// format encodes in its own way.
pub fn distances() -> Vec<u8> {
    let mut made = begun();
    for bits in [0, 5, 26, 27, 28, 31, 32, 33, 40, 58, 59, 60] {
        for distance_ns in [(1_u64 << bits) - 1, 1 << bits, (1 << bits) + 1] {
            for _ in 0..3 {
                made.integers(4711, 8, &[]);
                // Subtract the time that the record added.
                made.now_ns -= 1_234;
            }
            made.now_ns += distance_ns;
        }
    }
    made.bytes
}

/// Returns the bytes of a trace with records of all sizes at different positions.
pub fn sizes() -> Vec<u8> {
    let mut made = begun();
    let text = b"abcdefghijklmnopqrstuvwxyz".repeat(200);
    for size in (0..200).chain((200..text.len()).step_by(97)) {
        made.record(
            4711,
            6,
            &[Value::Str(&text[..size]), Value::Integer(size as u64), Value::Str(&text[..size / 7])],
        );
    }
    made.bytes
}

/// Returns the bytes of a trace with a record whose strings have these sizes.
pub fn long(first: usize, second: usize) -> Vec<u8> {
    let mut made = begun();
    let [first, second] = [(b"#", first), (b"@", second)].map(|(text, count)| text.repeat(count));
    made.record(4711, 6, &[Value::Str(&first), Value::Integer(7), Value::Str(&second)]);
    made.integers(4711, 8, &[]);
    made.bytes
}

/// Returns the bytes of a trace with a single record, of an event with these arguments. Their values
/// are 1, 2 and so on.
pub fn numbered(arguments: &[&str]) -> Vec<u8> {
    let mut made = Making { bytes: Vec::new(), pieces: 0, now_ns: BEGIN_NS, mapped: Vec::new() };
    ENCODER.header(0, 0, &mut made.bytes);
    made.metadata(&Metadata::Version(1));
    made.metadata(&Metadata::Declaration(format!("numbered(int {}) \"\"", arguments.join(", int "))));
    ENCODER.mapping(1, b"numbered", &mut made.bytes);
    let values: Vec<Value<'_>> = (1..).zip(arguments).map(|(number, _)| Value::Integer(number)).collect();
    ENCODER.record(1, BEGIN_NS, PID, &values, &mut made.bytes).unwrap();
    made.bytes
}

/// Returns a file with `bytes`.
pub fn file(bytes: &[u8]) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    file
}

/// Returns the path of a file in `testdata`.
pub fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// Returns a reader of `trace`. Without `declarations` the trace must contain them.
pub fn reader(trace: &Path, declarations: &[&Path]) -> Reader {
    let source = |path: &&Path| SourceFile::new("events", std::fs::read_to_string(path).unwrap());
    let options = Options { sources: declarations.iter().map(source).collect(), ..Options::default() };
    Reader::new("trace", Input::open(trace).unwrap(), &options).unwrap()
}

/// Exports the records of `readers` with `description`.
pub fn export(to: &str, target: ExportTarget, readers: Vec<Reader>, description: Description) {
    let needs = Needs { anchor: true, ..Needs::default() };
    let mut traces = Traces::sorted(readers, needs).unwrap();
    let anchor = traces.times().anchor;
    let info = TraceInfo { anchor, description: description.clone(), ..TraceInfo::default() };
    let exporter = (format(to).unwrap().start)(target, &info).unwrap();
    let mut tracker = SpanTracker::new(description);
    let schemas: Vec<_> = traces.readers().iter().map(|reader| reader.schemas().clone()).collect();
    tracker.bind(&schemas.iter().map(|schemas| &**schemas).collect::<Vec<_>>()).unwrap();
    run(&mut traces, &mut tracker, exporter, 1).unwrap();
}

/// Returns the relation between the clock of `readers` and the wall clock, if it is known.
pub fn anchor(readers: Vec<Reader>) -> Option<Anchor> {
    Traces::sorted(readers, Needs { anchor: true, ..Needs::default() }).unwrap().times().anchor
}

/// Calls `visit` for all records of `readers`, in order of time.
pub fn each(readers: Vec<Reader>, mut visit: impl FnMut(&Entry<'_>)) {
    let mut traces = Traces::sorted(readers, Needs::default()).unwrap();
    let mut visit = |entry: &Entry<'_>| {
        visit(entry);
        Flow::Continue
    };
    let flow = traces.for_each(&mut visit);
    assert!(flow.is_ok(), "{flow:?}");
}

/// Returns the description of spans for the recording of a boot.
pub fn description_of_boot() -> Description {
    let reader = boot();
    BUILT_IN[0].description().known_to(&[&**reader.schemas()])
}

/// Returns the description of spans for `everything.trace`.
pub fn description_of_everything() -> Description {
    let text = "\
pair request
  begin request_begin req
  step request_merge req
  end request_end req
  track pid
counter depth
  value queue_depth depth
  track queue
";
    let (description, problems) = parse(&SourceFile::new("pairs", text));
    assert!(problems.is_empty(), "{problems:?}");
    description
}

/// The synthetic records in the export of `everything.trace`.
pub const SYNTHETIC_RECORDS_OF_EVERYTHING: [&str; 21] = [
    "paused",
    "resumed duration_ns=1000000000",
    "span_begin pair=request span=1 track=request pid=4242",
    "counter counter=depth track=depth queue=0 value=1",
    "span_begin pair=request span=2 track=request pid=4242",
    "counter counter=depth track=depth queue=0 value=2",
    "span_step pair=request span=1 track=request pid=4242",
    "span_step pair=request span=1 track=request pid=4242",
    "span_end pair=request span=1 track=request pid=4242 begin_ns=9007200254742630 latency_ns=400",
    "span_begin pair=request span=3 track=request pid=5151",
    "counter counter=depth track=depth queue=1 value=-1",
    "span_end pair=request span=2 track=request pid=4242 begin_ns=9007200254742730 latency_ns=500",
    "span_begin pair=request span=4 track=request pid=4242",
    "span_end pair=request span=4 track=request pid=4242 begin_ns=9007200254743330 latency_ns=0",
    "span_restarted pair=request span=3 track=request pid=5151 begin_ns=9007200254743130",
    "span_begin pair=request span=5 track=request pid=5151",
    "span_end pair=request span=5 track=request pid=5151 begin_ns=9007200254743430 latency_ns=100",
    "span_begin pair=request span=6 track=request pid=4242",
    "span_begin pair=request span=7 track=request pid=4242",
    "spans_without_end pair=request count=2",
    "paused",
];

/// Returns a reader of the recording of a boot.
pub fn boot() -> Reader {
    reader(&testdata("boot-small.bin"), &[&testdata("boot-small.events")])
}

/// Returns the latencies of the disk requests in the recording of a boot, in the order in which the
/// requests end.
pub fn latencies_of_boot() -> Vec<u64> {
    let (mut begins, mut latencies) = (HashMap::new(), Vec::new());
    each(vec![boot()], |entry| {
        let argument = |name| entry.schema.argument(name).and_then(|index| entry.value(index));
        let request = || match argument("req") {
            Some(ringtrace_tracefile::Value::Integer(request)) => request,
            other => panic!("{other:?}"),
        };
        match &*entry.schema.name {
            "virtio_blk_handle_read" | "virtio_blk_handle_write" => {
                begins.insert(request(), entry.timestamp_ns);
            }
            "virtio_blk_req_complete" => {
                let begin_ns = begins.remove(&request());
                latencies.extend(begin_ns.map(|begin_ns| entry.timestamp_ns - begin_ns));
            }
            _ => {}
        }
    });
    assert_eq!(latencies.len(), 275, "the count of `ringtrace stat --pairs qemu`");
    latencies
}

/// Returns the traces of the corpus with their declarations, or nothing if there is no corpus. They
/// contain unusual bytes, losses, decreasing times and old versions.
pub fn corpus() -> Vec<(PathBuf, PathBuf)> {
    let Some(corpus) = ringtrace_corpus::find_or_skip("") else { return Vec::new() };
    [
        ("qemu/oddnames.bin", "qemu/trace-events-all"),
        ("qemu/dropped-first.bin", "qemu/trace-events-all"),
        ("qemu/toggled.bin", "qemu/trace-events-all"),
        ("historic/simpletrace-v0/w2010-be64-basic.log", "historic/simpletrace-v0/trace-events"),
        ("historic/simpletrace-v0/w2012-le64-dropped.log", "historic/simpletrace-v0/trace-events"),
        ("historic/simpletrace-rfc2011/ok-be-natural-nul.log", "historic/simpletrace-rfc2011/trace-events"),
        ("historic/simpletrace-rfc2011/bad-numargs-more.log", "historic/simpletrace-rfc2011/trace-events"),
    ]
    .map(|(trace, events)| (corpus.join(trace), corpus.join(events)))
    .into()
}
