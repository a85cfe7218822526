//! Generates the trace `testdata/export/everything.trace`. The tests of each exporter compare the
//! output of external programs with this trace.
//!
//! The functions below describe the contents in order. The file `everything.jsonl` contains the
//! same data, as rendered by ringtrace's own reader.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::fs;
use std::path::{Path, PathBuf};

use ringtrace_tracefile::metadata::{self, Anchor, Cause, Lost, Metadata};
use ringtrace_tracefile::text::{JsonText, Render, TextBuffer};
use ringtrace_tracefile::{Entry, Flow, Input, Needs, Options, Reader, Traces, pauses};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};

/// All C types; names that are keywords of other languages; an event without arguments, and an
/// event with QEMU's maximum of ten; a request with steps; a counter; and an event that never
/// occurs. The types in `legacy` come from old declarations. Their values can be shown only as
/// bits.
const DECLARATIONS: &str = "\
signed_integers(int8_t i8, int16_t i16, int32_t i32, int64_t i64, char c, short s, int i, long l, ssize_t z, ptrdiff_t p) \"\"
unsigned_integers(uint8_t u8, uint16_t u16, uint32_t u32, uint64_t u64, unsigned char c, unsigned short s, unsigned int u, unsigned long l, size_t z, uintptr_t p) \"\"
others(bool yes, void *pointer, const char *text, const char **strings) \"\"
legacy(double ratio, float share, QEnum kind, BlockDriverState *bs) \"\"
words(int event, int time_ns, uint32_t pid, const char *class, bool integer, size_t string, int _under, int name, int cause, int id) \"\"
bare(void) \"\"
text(const char *first, const char *second) \"\"
request_begin(void *req, uint64_t sector, uint32_t bytes, const char *what) \"\"
request_merge(void *req, int with) \"\"
request_end(void *req, int ret) \"\"
queue_depth(int queue, int depth) \"\"
never(int unused) \"\"
";

/// All times are close to this time. It is beyond 2^53, so doubles cannot represent odd numbers of
/// nanoseconds. On a clock that starts with the machine, it corresponds to an uptime of 104 days.
const BASE_NS: u64 = (1 << 53) + 1;

/// The processes. The first thread of a process has the same id as the process.
const PID: u32 = 4242;
const OTHER_PID: u32 = 5151;

/// Threads of the first process. The last one has no name.
const WORKER: u32 = 4243;
const RENAMED: u32 = 4244;
const NAMELESS: u32 = 4245;

/// A trace that is written record by record, at times from [`BASE_NS`] on.
struct Made {
    encoder: Encoder,
    bytes: Vec<u8>,
    /// The ids that have a mapping record.
    mapped: Vec<u64>,
    pieces: u64,
    now_ns: u64,
}

impl Made {
    fn new() -> Made {
        let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
        let mut bytes = Vec::new();
        encoder.header(0, 0, &mut bytes);
        Made { encoder, bytes, mapped: Vec::new(), pieces: 0, now_ns: BASE_NS }
    }

    fn metadata(&mut self, piece: &Metadata) {
        self.encoder.mapping(metadata::FIRST_ID + self.pieces, piece.to_name().as_bytes(), &mut self.bytes);
        self.pieces += 1;
    }

    fn name_of(line: &str) -> &str {
        line.split('(').next().unwrap()
    }

    /// Writes the event `name` of thread `tid`.
    fn record(&mut self, pid: u32, tid: u32, name: &str, values: &[Value<'_>]) {
        let number = DECLARATIONS.lines().position(|line| Made::name_of(line) == name).unwrap() as u64;
        let id = u64::from(tid) << 32 | number;
        if !self.mapped.contains(&id) {
            self.encoder.mapping(id, name.as_bytes(), &mut self.bytes);
            self.mapped.push(id);
        }
        self.encoder.record(id, self.now_ns, pid, values, &mut self.bytes).unwrap();
    }

    /// Advances the time by `ns`.
    fn wait(&mut self, ns: u64) -> &mut Made {
        self.now_ns += ns;
        self
    }

    fn lose(&mut self, lost: Option<(u32, Cause)>, count: u64) {
        if let Some((tid, cause)) = lost {
            self.metadata(&Metadata::Lost(Lost { tid, cause, count }));
        }
        self.encoder.dropped(count, self.now_ns, PID, &mut self.bytes);
    }

    fn values(&mut self) {
        let integers = |value: u64| [Value::Integer(value); 10];
        for value in [0, 1, u64::MAX, 0x7f7f_7f7f_7f7f_7f7f, 0x8080_8080_8080_8080, 1 << 63, i64::MAX as u64]
        {
            self.wait(11).record(PID, PID, "signed_integers", &integers(value));
            self.wait(13).record(PID, WORKER, "unsigned_integers", &integers(value));
        }
        for (yes, bits) in [(0, 0), (1, u64::MAX), (256, 1 << 63), (2, 0xffff_8000_0000_1000)] {
            let text = Value::Str(b"plain");
            let values = [Value::Integer(yes), Value::Integer(bits), text, Value::Integer(bits)];
            self.wait(17).record(PID, RENAMED, "others", &values);
            self.wait(0).record(PID, NAMELESS, "legacy", &[Value::Integer(bits); 4]);
        }
        for number in [0.1_f64, -1.5e300, 5e-324, f64::NEG_INFINITY] {
            self.record(PID, NAMELESS, "legacy", &[Value::Integer(number.to_bits()); 4]);
        }
        let mut words = integers(7);
        words[3] = Value::Str(b"struct");
        self.wait(19).record(OTHER_PID, OTHER_PID, "words", &words);
        self.wait(0).record(OTHER_PID, OTHER_PID, "bare", &[]);
    }

    fn texts(&mut self) {
        let long = b"0123456789abcdef".repeat(256);
        let all: Vec<u8> = (0..=255).collect();
        let texts: [&[u8]; 14] = [
            b"",
            b" two  blanks ",
            "K\u{f6}ln \u{1f980} \u{202e}\u{feff}".as_bytes(),
            b"\xff\xfe",
            b"C:\\xen\\new",
            b"half \xe2\x82",
            b"\xed\xb3\xbf",
            b"line\r\nline\ttab\x1b[31m",
            b"a\0b\0",
            b"comma, \"quote\" 'single' `tick` ${x} %s",
            b"=1+1",
            b"<!-- </script><b>&amp;",
            &all,
            &long,
        ];
        for text in texts {
            self.wait(23).record(PID, WORKER, "text", &[Value::Str(text), Value::Str(b"second")]);
        }
    }

    /// Adds requests by key: overlapping, restarted, with steps in another thread, without an end
    /// event, without a begin event, and with the end event before the begin event.
    fn requests(&mut self) {
        let begin = |req: u64| {
            [Value::Integer(req), Value::Integer(req * 8), Value::Integer(4096), Value::Str(b"read \xff")]
        };
        let two = |req: u64, second: u64| [Value::Integer(req), Value::Integer(second)];
        self.wait(1000).record(PID, PID, "request_begin", &begin(0xa));
        self.wait(0).record(PID, WORKER, "queue_depth", &two(0, 1));
        self.wait(100).record(PID, PID, "request_begin", &begin(0xb));
        self.wait(0).record(PID, WORKER, "queue_depth", &two(0, 2));
        self.wait(100).record(PID, WORKER, "request_merge", &two(0xa, 1));
        self.wait(100).record(PID, NAMELESS, "request_merge", &two(0xa, u64::MAX));
        self.wait(100).record(PID, WORKER, "request_end", &two(0xa, 0));
        self.wait(100).record(OTHER_PID, OTHER_PID, "request_begin", &begin(0xc));
        self.wait(0).record(OTHER_PID, OTHER_PID, "queue_depth", &two(1, -1_i64 as u64));
        self.wait(100).record(PID, WORKER, "request_end", &two(0xb, -5_i64 as u64));
        self.wait(0).record(PID, WORKER, "request_end", &two(0xdead, 0));
        self.wait(100).record(PID, PID, "request_begin", &begin(0xd));
        self.wait(0).record(PID, WORKER, "request_end", &two(0xd, 0));
        self.wait(100).record(OTHER_PID, OTHER_PID, "request_begin", &begin(0xc));
        self.wait(100).record(OTHER_PID, OTHER_PID, "request_end", &two(0xc, 1));
        self.wait(100).record(PID, PID, "request_begin", &begin(0xe));
        self.now_ns -= 40;
        self.wait(0).record(PID, WORKER, "request_end", &two(0xe, 0));
        self.wait(200).record(PID, PID, "request_begin", &begin(0xf));
    }

    fn losses(&mut self) {
        self.wait(500).lose(None, 1);
        self.wait(500).lose(Some((WORKER, Cause::Dropped)), 20);
        self.wait(0).lose(Some((WORKER, Cause::Overwritten)), 300);
        self.wait(500).lose(Some((NAMELESS, Cause::Refused)), 4000);
        self.wait(500).lose(Some((7777, Cause::Dropped)), 1 << 40);
    }
}

fn everything() -> Vec<u8> {
    let mut made = Made::new();
    made.metadata(&Metadata::Version(1));
    made.metadata(&Metadata::Anchor(Anchor {
        monotonic_ns: BASE_NS - 1_000_000_000,
        realtime_ns: 1_795_435_200_123_456_789, // 2026-11-23T12:00:00.123456789Z
    }));
    made.metadata(&Metadata::Other(metadata::HOST.to_owned(), b"made-up".to_vec()));
    made.metadata(&Metadata::Other(metadata::COMMAND.to_owned(), b"program\0--name\0a b".to_vec()));
    DECLARATIONS.lines().for_each(|line| made.metadata(&Metadata::Declaration(line.to_owned())));
    made.metadata(&Metadata::Thread(PID, "main".to_owned()));
    made.metadata(&Metadata::Thread(WORKER, "w\u{f6}rker \"1\"".to_owned()));
    made.metadata(&Metadata::Thread(RENAMED, "before".to_owned()));
    made.metadata(&Metadata::Thread(OTHER_PID, "other".to_owned()));
    made.values();
    made.metadata(&Metadata::Thread(RENAMED, "after <b>".to_owned()));
    made.wait(29).record(PID, RENAMED, "bare", &[]);
    made.texts();
    let paused_ns = made.wait(31).now_ns;
    made.metadata(&Metadata::Paused(paused_ns));
    let resumed_ns = made.wait(1_000_000_000).now_ns;
    made.metadata(&Metadata::Resumed(resumed_ns));
    made.requests();
    made.losses();
    // The last record follows a second later.
    made.wait(1_000_000_000).record(PID, PID, "bare", &[]);
    let paused_ns = made.wait(37).now_ns;
    made.metadata(&Metadata::Paused(paused_ns));
    made.bytes
}

/// Returns a trace with metadata but without records.
fn empty() -> Vec<u8> {
    let mut made = Made::new();
    made.metadata(&Metadata::Version(1));
    made.metadata(&Metadata::Declaration("bare(void) \"\"".to_owned()));
    made.bytes
}

/// Returns a trace with times that do not fit in signed numbers, and the largest time.
fn far() -> Vec<u8> {
    let mut made = Made::new();
    made.metadata(&Metadata::Version(1));
    DECLARATIONS.lines().for_each(|line| made.metadata(&Metadata::Declaration(line.to_owned())));
    for now_ns in [0, 1, (1 << 63) - 1, 1 << 63, u64::MAX - 1, u64::MAX] {
        made.now_ns = now_ns;
        made.record(PID, PID, "queue_depth", &[Value::Integer(1), Value::Integer(now_ns)]);
    }
    made.bytes
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/export")
}

fn read(name: &str) -> Traces {
    let input = Input::open(&folder().join(name)).unwrap();
    let reader = Reader::new(name, input, &Options::default()).unwrap();
    Traces::new(vec![reader], Needs { anchor: true, ..Needs::default() }).unwrap()
}

/// Returns the trace `name` as JSON lines. The trace must not contain any anomaly.
fn jsonl(name: &str) -> String {
    let mut traces = read(name);
    let (mut text, mut lines) = (JsonText::new(traces.times()), TextBuffer::default());
    let rendered = traces.for_each(&mut |entry: &Entry<'_>| {
        text.render(entry, &mut lines);
        Flow::Continue
    });
    rendered.unwrap();
    let anomalies = traces.readers()[0].anomalies().iter().map(|(anomaly, ..)| anomaly).collect::<Vec<_>>();
    assert_eq!(anomalies, [], "{name}");
    String::from_utf8(lines.as_bytes().to_vec()).unwrap()
}

/// Compares `now` with the accepted file.
fn expect(name: &str, now: &[u8]) {
    let file = folder().join(name);
    let accepts = std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1");
    // The other test may be reading the file, so do not rewrite it if it is already up to date.
    if accepts && fs::read(&file).ok().as_deref() != Some(now) {
        fs::write(&file, now).unwrap();
    }
    assert!(fs::read(&file).unwrap() == now, "testdata/export/{name}: RINGTRACE_ACCEPT=1 accepts");
}

#[test]
fn the_traces_equal_the_accepted_ones() {
    for (name, bytes) in [("everything", everything()), ("empty", empty()), ("far", far())] {
        expect(&format!("{name}.trace"), &bytes);
        let lines = jsonl(&format!("{name}.trace"));
        expect(&format!("{name}.jsonl"), lines.as_bytes());
    }
    expect("everything.events", DECLARATIONS.as_bytes());
}

#[test]
fn the_trace_has_everything() {
    let traces = {
        let mut traces = read("everything.trace");
        traces.for_each(&mut |_: &Entry<'_>| Flow::Continue).unwrap();
        traces
    };
    let readers = traces.readers();
    let found = pauses(readers[0].metadata());
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].duration_ns(), found[1].to_ns), (1_000_000_000, None));
    assert!(traces.times().anchor.is_some());
    for line in DECLARATIONS.lines() {
        assert!(readers[0].schemas().find(Made::name_of(line)).is_some(), "{line}");
    }
    let lines = jsonl("everything.trace");
    for word in ["dropped", "overwritten", "refused"] {
        assert!(lines.contains(&format!("\"cause\":\"{word}\"")), "{word}");
    }
    assert!(!lines.contains("never"));
}
