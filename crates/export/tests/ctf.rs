//! Compares the times, values, strings and losses that babeltrace2 reads in CTF exports with the
//! results of ringtrace's own reader.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod made;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use made::{each, export, reader, testdata};
use ringtrace_events::CType;
use ringtrace_events::format::Format;
use ringtrace_export::{ExportTarget, Exporter, TraceEnd, TraceInfo, TypedValue, format, named_values, run};
use ringtrace_peers::babeltrace::{self, Printed};
use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::pair::{Description, SpanEvent, SpanTracker, Track};
use ringtrace_tracefile::{Dropped, Entry, Needs, Reader, Traces, Value};

/// Returns the line that babeltrace2 prints for `entry`. `last_ns` is the time of the last record
/// that has a time, which may be `entry` itself.
fn line(entry: &Entry<'_>, last_ns: u64, anchor: Option<Anchor>) -> Vec<u8> {
    // babeltrace2 supports no later times, neither on the trace's clock nor on the wall clock.
    let zero_ns = anchor.map_or(0, |anchor| anchor.realtime_ns(0));
    let time_ns = last_ns.min(i64::MAX as u64 - 1 - u64::try_from(zero_ns).unwrap());
    let mut line = format!("[{time_ns:020}] {}: ", entry.schema.name).into_bytes();
    let mut context = Vec::new();
    if entry.version.info().has_pid {
        context.push(format!("vpid = {}", entry.pid));
    }
    if let Some(tid) = entry.tid() {
        context.push(format!("vtid = {tid}"));
    }
    if let Some(name) = entry.thread_name() {
        context.push(format!("procname = {}", String::from_utf8(quoted(name.as_bytes())).unwrap()));
    }
    if !context.is_empty() {
        line.extend_from_slice(format!("{{ {} }}, ", context.join(", ")).as_bytes());
    }
    let cause = entry.lost.map(|lost| ("cause".into(), TypedValue::Text(lost.cause.word().as_bytes())));
    let mut separator = "{ ";
    for (name, value) in named_values(entry).chain(cause) {
        line.extend_from_slice(format!("{separator}{name} = ").as_bytes());
        match value {
            TypedValue::Signed(number) => line.extend_from_slice(number.to_string().as_bytes()),
            TypedValue::Unsigned(number) => line.extend_from_slice(number.to_string().as_bytes()),
            TypedValue::Bool(truth) => {
                let container = u8::from(truth);
                line.extend_from_slice(format!("( \"{truth}\" : container = {container} )").as_bytes());
            }
            // babeltrace2 prints with `%g`.
            TypedValue::Double(bits) => {
                Format::parse("\"%g\"").render(&[CType::Double], &[Value::Integer(bits)], &mut line);
            }
            TypedValue::Pointer(bits) => line.extend_from_slice(format!("0x{bits:X}").as_bytes()),
            TypedValue::Text(bytes) => line.extend(quoted(bytes)),
        }
        separator = ", ";
    }
    line.extend_from_slice(if separator == "{ " { b"{ }" } else { b" }" });
    line
}

/// Returns a string in the form in which babeltrace2 prints it.
fn quoted(bytes: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'"'];
    for &byte in bytes {
        match byte {
            // A NUL would end the string, so the export encodes it as Java does.
            0 => quoted.extend_from_slice(b"\xc0\x80"),
            7..=13 => quoted.extend([b'\\', b"abtnvfr"[usize::from(byte) - 7]]),
            0x1b => quoted.extend_from_slice(b"\\e"),
            b'"' | b'\'' | b'\\' | b'?' => quoted.extend([b'\\', byte]),
            1..0x20 | 0x7f => quoted.extend_from_slice(format!("\\x{byte:02x}").as_bytes()),
            _ => quoted.push(byte),
        }
    }
    quoted.push(b'"');
    quoted
}

/// Exports the records of `readers`, and compares the output of babeltrace2 with our own reader.
/// Returns the lines for synthetic records, and the messages.
fn compare(readers: impl Fn() -> Vec<Reader>, description: Description) -> Printed {
    let folder = tempfile::tempdir().unwrap();
    export("ctf", ExportTarget::Folder(folder.path().to_owned()), readers(), description);
    let Printed { mut lines, messages } = babeltrace::print(folder.path(), &["--clock-cycles"]);
    let mut expected = Vec::new();
    let mut dropped = Dropped::default();
    let mut last_ns = 0;
    let anchor = made::anchor(readers());
    each(readers(), |entry| {
        // Dropped records in the first format versions have no time.
        if !dropped.count(entry) || entry.timestamp_ns != 0 {
            last_ns = entry.timestamp_ns;
        }
        expected.push(line(entry, last_ns, anchor));
    });
    let own = |line: &Vec<u8>| line.windows(12).any(|part| part == b"] ringtrace:");
    let (synthetic, mut lines): (Vec<_>, Vec<_>) = lines.drain(..).partition(own);
    // The order of records with the same time in different streams is undefined.
    lines.sort();
    expected.sort();
    for (line, expected) in lines.iter().zip(&expected) {
        assert_eq!(line.escape_ascii().to_string(), expected.escape_ascii().to_string());
    }
    assert_eq!(lines.len(), expected.len());
    assert_eq!(discarded(&messages), dropped.events, "{messages:?}");
    Printed { lines: synthetic, messages }
}

/// Returns the number of lost events that babeltrace2 reports.
fn discarded(told: &[String]) -> u64 {
    let count = |line: &String| -> Option<u64> {
        let (_, rest) = line.split_once("Tracer discarded ")?;
        rest.split_once(" event")?.0.parse().ok()
    };
    told.iter().map(|line| count(line).unwrap_or_else(|| panic!("babeltrace2: {line}"))).sum()
}

fn strings(lines: &[Vec<u8>]) -> Vec<String> {
    lines.iter().map(|line| String::from_utf8(line.clone()).unwrap()).collect()
}

#[test]
fn everything_that_can_be_in_a_trace() {
    let file = made::file(&made::trace());
    let printed = compare(|| vec![reader(file.path(), &[])], Description::default());
    let lines = strings(&printed.lines);
    assert_eq!(
        lines,
        [
            "[00000001000002070338] ringtrace:paused: { }",
            "[00000001005002070338] ringtrace:resumed: { duration_ns = 5000000000 }",
            "[00000001005005074040] ringtrace:paused: { }",
        ]
    );
    for (name, pauses) in [("everything", 3), ("empty", 0), ("far", 4)] {
        let trace = testdata(&format!("export/{name}.trace"));
        let printed = compare(|| vec![reader(&trace, &[])], Description::default());
        assert_eq!(printed.lines.len(), pauses, "{name}: {:?}", strings(&printed.lines));
    }
}

fn recording(name: &str) -> (PathBuf, PathBuf) {
    (testdata(&format!("{name}.bin")), testdata(&format!("{name}.events")))
}

#[test]
fn times_of_all_distances_and_records_of_all_sizes() {
    for bytes in [made::distances(), made::sizes()] {
        let file = made::file(&bytes);
        compare(|| vec![reader(file.path(), &[])], Description::default());
    }
    let long = made::file(&made::long(20_000, 400_000));
    compare(|| vec![reader(long.path(), &[])], Description::default());
}

#[test]
fn recordings() {
    for name in ["boot-small", "qemu-io"] {
        let (trace, events) = recording(name);
        let printed = compare(|| vec![reader(&trace, &[&events])], Description::default());
        assert_eq!(strings(&printed.lines), [""; 0], "{name}");
    }
}

#[test]
fn recordings_together() {
    let both = || ["boot-small", "qemu-io"].map(recording).map(|(trace, events)| reader(&trace, &[&events]));
    let printed = compare(|| both().into(), Description::default());
    assert_eq!(strings(&printed.lines), [""; 0]);
}

#[test]
fn recordings_of_the_corpus() {
    for (trace, events) in made::corpus() {
        println!("{}", trace.display());
        compare(|| vec![reader(&trace, &[&events])], Description::default());
    }
}

/// Returns the number after `name = ` in a line.
fn number(line: &str, name: &str) -> u64 {
    let (_, rest) = line.split_once(&format!("{name} = ")).unwrap_or_else(|| panic!("no {name} in {line}"));
    rest.split([' ', ',']).next().unwrap().parse().unwrap()
}

#[test]
fn requests_of_a_boot_have_their_latencies() {
    let printed = compare(|| vec![made::boot()], made::description_of_boot());
    let lines = strings(&printed.lines);
    let of_requests = |name: &str| -> Vec<&String> {
        let is = |line: &&String| {
            line.contains(&format!("ringtrace:{name}:")) && line.contains("pair = \"virtio-blk request\"")
        };
        lines.iter().filter(is).collect()
    };
    let ends = of_requests("span_end");
    let latencies: Vec<u64> = ends.iter().map(|line| number(line, "latency_ns")).collect();
    assert_eq!(latencies, made::latencies_of_boot());
    assert_eq!(of_requests("span_begin").len(), 275);
}

/// Spans with every outcome, and a counter.
#[test]
fn spans_and_counters_of_all_kinds() {
    let trace = testdata("export/everything.trace");
    let printed = compare(|| vec![reader(&trace, &[])], made::description_of_everything());
    let synthetic = strings(&printed.lines).into_iter().map(|line| {
        let (_, text) = line.split_once("ringtrace:").unwrap();
        let (name, values) = text.split_once(": ").unwrap();
        let (_, values) = values.rsplit_once('{').unwrap();
        let values = values.replace(" = ", "=").replace(['"', ',', '}'], "");
        format!("{name} {}", values.trim()).trim().to_owned()
    });
    assert_eq!(synthetic.collect::<Vec<_>>(), made::SYNTHETIC_RECORDS_OF_EVERYTHING);
}

struct WithoutFastPath(Box<dyn Exporter>);

impl Exporter for WithoutFastPath {
    fn event(
        &mut self,
        entry: &Entry<'_>,
        span_events: &[SpanEvent<'_>],
        tracks: &[Track],
    ) -> io::Result<()> {
        self.0.event(entry, span_events, tracks)
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.0.dropped(entry)
    }

    fn finish(self: Box<Self>, end: &TraceEnd<'_>) -> io::Result<()> {
        self.0.finish(end)
    }
}

/// Exports the records of `reader`. Returns the contents of the files by name.
fn files(reader: Reader, description: &Description, fast: bool) -> BTreeMap<OsString, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let place = ExportTarget::Folder(folder.path().to_owned());
    let mut exporter = (format("ctf").unwrap().start)(place, &TraceInfo::default()).unwrap();
    if !fast {
        exporter = Box::new(WithoutFastPath(exporter));
    }
    let mut traces = Traces::sorted(vec![reader], Needs::default()).unwrap();
    run(&mut traces, &mut SpanTracker::new(description.clone()), exporter, 1).unwrap();
    let files = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap());
    files.map(|file| (file.file_name(), std::fs::read(file.path()).unwrap())).collect()
}

#[test]
fn the_fast_path_writes_the_same_as_the_slow_path() {
    let made = made::file(&made::trace());
    let everything = testdata("export/everything.trace");
    let readers: [&dyn Fn() -> Reader; 3] =
        [&made::boot, &|| reader(made.path(), &[]), &|| reader(&everything, &[])];
    let descriptions =
        [Description::default(), made::description_of_boot(), made::description_of_everything()];
    for (number, reader) in readers.iter().enumerate() {
        for description in &descriptions {
            let [fast, slow] = [true, false].map(|fast| files(reader(), description, fast));
            assert!(fast == slow, "trace {number}, {description:?}");
        }
    }
}

#[test]
fn names_that_differ_only_by_underscores_are_distinguished() {
    let arguments_and_fields = [
        (&["x", "_x"][..], "x = 1, x_2 = 2"),
        (&["_x_2", "_x", "x"], "_x_2 = 1, x_3 = 2, x = 3"),
        (&["_x", "x"], "x_2 = 1, x = 2"),
        (&["__x", "_x", "x", "x_2"], "x_3 = 1, x_4 = 2, x = 3, x_2 = 4"),
        (&["__", "_", "_y"], "__2 = 1, _ = 2, _y = 3"),
    ];
    for (arguments, fields) in arguments_and_fields {
        let file = made::file(&made::numbered(arguments));
        let out = tempfile::tempdir().unwrap();
        let target = ExportTarget::Folder(out.path().to_path_buf());
        export("ctf", target, vec![reader(file.path(), &[])], Description::default());
        let lines = strings(&babeltrace::print(out.path(), &[]).lines);
        assert!(lines.len() == 1 && lines[0].ends_with(&format!("{{ {fields} }}")), "{lines:?}");
    }
}

#[test]
fn dates_are_those_of_the_wall_clock() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    std::fs::write(&file, made::trace()).unwrap();
    let out = folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    export("ctf", ExportTarget::Folder(out.clone()), vec![reader(&file, &[])], Description::default());
    let printed = babeltrace::print(&out, &["--clock-date", "--clock-gmt"]);
    let first = String::from_utf8_lossy(&printed.lines[0]).into_owned();
    assert!(first.starts_with("[2026-11-21 10:30:00.123456789] Dropped_Event"), "{first}");
}
