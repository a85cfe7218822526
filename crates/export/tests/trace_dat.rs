//! Compares the times, values, strings and losses that trace-cmd reads in trace.dat exports with
//! the results of ringtrace's own reader.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod made;

use std::collections::BTreeMap;
use std::fs::File;

use made::{each, export, reader, testdata};
use ringtrace_export::{ExportTarget, TypedValue, named_values};
use ringtrace_peers::trace_cmd;
use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::pair::Description;
use ringtrace_tracefile::{Dropped, Entry, Reader};

/// Returns the first field of trace-cmd's output: the thread's name, if known, and its id.
fn task(entry: &Entry<'_>, names: &BTreeMap<u32, String>) -> Vec<u8> {
    let tid = entry.tid().unwrap_or(entry.pid);
    let known = names.get(&tid).map_or("<...>", |name| name);
    let name = if tid == 0 { "<idle>" } else { known };
    let blanks = 16_usize.saturating_sub(name.len());
    format!("{}{name}-{:<5}", " ".repeat(blanks), tid.cast_signed()).into_bytes()
}

/// Returns the line that trace-cmd prints for `entry`. `last_ns` is the time of the last record
/// that has a time, which may be `entry` itself.
fn line(entry: &Entry<'_>, last_ns: u64, anchor: Option<Anchor>, names: &BTreeMap<u32, String>) -> Vec<u8> {
    let mut line = task(entry, names);
    let time_ns = anchor.map_or(last_ns, |anchor| anchor.realtime_ns(last_ns) as u64);
    let (seconds, ns) = (time_ns / 1_000_000_000, time_ns % 1_000_000_000);
    let name = format!("{}:", entry.schema.name);
    line.extend_from_slice(format!(" [000] {seconds:>5}.{ns:09}: {name:<21} ").as_bytes());
    let cause = entry.lost.map(|lost| ("cause".into(), TypedValue::Text(lost.cause.word().as_bytes())));
    let mut separator = "";
    for (name, value) in named_values(entry).chain(cause) {
        let common = if name.starts_with("common_") { "_" } else { "" };
        line.extend_from_slice(format!("{separator}{common}{name}=").as_bytes());
        match value {
            TypedValue::Signed(number) => line.extend_from_slice(number.to_string().as_bytes()),
            TypedValue::Unsigned(number) => line.extend_from_slice(number.to_string().as_bytes()),
            TypedValue::Bool(truth) => line.extend_from_slice(truth.to_string().as_bytes()),
            TypedValue::Double(bits) => {
                line.extend_from_slice(format!("{:?}", f64::from_bits(bits)).as_bytes());
            }
            TypedValue::Pointer(bits) => line.extend_from_slice(format!("{bits:#x}").as_bytes()),
            TypedValue::Text(bytes) => {
                for byte in bytes {
                    line.extend_from_slice(if *byte == 0 { b"\xc0\x80" } else { std::slice::from_ref(byte) });
                }
            }
        }
        separator = " ";
    }
    line.push(b'\n');
    line
}

/// Returns the expected output of trace-cmd for `readers`, without synthetic records.
fn expected(readers: impl Fn() -> Vec<Reader>) -> Vec<u8> {
    let mut names = BTreeMap::new();
    each(readers(), |entry| {
        if let (Some(tid), Some(name)) = (entry.tid(), entry.thread_name()) {
            names.insert(tid, name.to_owned());
        }
    });
    let anchor = made::anchor(readers());
    let mut text = b"cpus=2\n".to_vec();
    let mut last_ns = 0;
    each(readers(), |entry| {
        let mut dropped = Dropped::default();
        // Dropped records in v0 traces have no time.
        if !dropped.count(entry) || entry.timestamp_ns != 0 {
            last_ns = entry.timestamp_ns;
        }
        match (dropped.records, dropped.events.min(i32::MAX as u64)) {
            (0, _) => {}
            (_, 0) => text.extend_from_slice(b"CPU:0 [EVENTS DROPPED]\n"),
            (_, events) => text.extend_from_slice(format!("CPU:0 [{events} EVENTS DROPPED]\n").as_bytes()),
        }
        text.extend(line(entry, last_ns, anchor, &names));
    });
    text
}

/// Exports the records of `readers`, and compares the output of trace-cmd with the expected output.
/// Returns the lines for synthetic records.
fn compare(readers: impl Fn() -> Vec<Reader>, description: Description) -> Vec<String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    let place = ExportTarget::File(File::options().write(true).open(file.path()).unwrap());
    export("trace-dat", place, readers(), description);
    let printed = trace_cmd::report(file.path());
    let own = |line: &&[u8]| line.windows(12).any(|part| part == b": ringtrace_");
    let (own, records): (Vec<&[u8]>, Vec<&[u8]>) =
        printed.split_inclusive(|byte| *byte == b'\n').partition(own);
    let (records, expected) = (records.concat(), expected(readers));
    let lines = |text: &[u8]| text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    for (printed, expected) in lines(&records).iter().zip(lines(&expected)) {
        assert_eq!(printed.escape_ascii().to_string(), expected.escape_ascii().to_string());
    }
    assert_eq!(records.len(), expected.len());
    own.iter().map(|line| String::from_utf8(line.to_vec()).unwrap().trim().to_owned()).collect()
}

#[test]
fn everything_that_can_be_in_a_trace() {
    let file = made::file(&made::trace());
    let own = compare(|| vec![reader(file.path(), &[])], Description::default());
    assert_eq!(
        own,
        [
            "<idle>-0     [001] 1795257000.125527127: ringtrace_paused:",
            "<idle>-0     [001] 1795257005.125527127: ringtrace_resumed:    duration_ns=5000000000",
            "<idle>-0     [001] 1795257005.128530829: ringtrace_paused:",
        ]
    );
    for (name, pauses) in [("everything", 3), ("empty", 0), ("far", 0)] {
        let trace = testdata(&format!("export/{name}.trace"));
        let own = compare(|| vec![reader(&trace, &[])], Description::default());
        assert_eq!(own.len(), pauses, "{name}: {own:?}");
    }
}

#[test]
fn times_of_all_distances_and_records_of_all_sizes() {
    for bytes in [made::distances(), made::sizes()] {
        let file = made::file(&bytes);
        compare(|| vec![reader(file.path(), &[])], Description::default());
    }
}

/// Exports a record with two strings of the given sizes. Returns the sizes of the strings that
/// trace-cmd prints, and the synthetic records about truncated bytes.
fn strings_of(first: usize, second: usize) -> (usize, usize, Vec<String>) {
    let trace = made::file(&made::long(first, second));
    let out = tempfile::NamedTempFile::new().unwrap();
    let place = ExportTarget::File(File::options().write(true).open(out.path()).unwrap());
    export("trace-dat", place, vec![reader(trace.path(), &[])], Description::default());
    let printed = String::from_utf8(trace_cmd::report(out.path())).unwrap();
    let cut =
        printed.lines().filter_map(|line| Some(line.split_once("ringtrace_cut: ")?.1.trim().to_owned()));
    (printed.matches('#').count(), printed.matches('@').count(), cut.collect())
}

#[test]
fn strings_that_do_not_fit_are_cut_and_reported() {
    let room = 16_384 - 16 - 24 - (12 + 4 + 4 + 4) - 2;
    assert_eq!(strings_of(room, 0), (room, 0, vec![]));
    assert_eq!(strings_of(room - 10, 10), (room - 10, 10, vec![]));
    assert_eq!(strings_of(room - 10, 13), (room - 10, 10, vec!["bytes=3".to_owned()]));
    assert_eq!(strings_of(20_000, 5), (room, 0, vec![format!("bytes={}", 20_005 - room)]));
}

#[test]
fn recordings() {
    let read =
        |name: &str| reader(&testdata(&format!("{name}.bin")), &[&testdata(&format!("{name}.events"))]);
    for name in ["boot-small", "qemu-io"] {
        assert_eq!(compare(|| vec![read(name)], Description::default()), [""; 0], "{name}");
    }
    assert_eq!(compare(|| vec![read("boot-small"), read("qemu-io")], Description::default()), [""; 0]);
}

#[test]
fn requests_of_a_boot_have_their_latencies() {
    let own = compare(|| vec![made::boot()], made::description_of_boot());
    let latency = |line: &String| -> Option<u64> {
        let is_end = line.contains("ringtrace_span_end:") && line.contains("pair=virtio-blk request ");
        line.split_once("latency_ns=").filter(|_| is_end).map(|(_, latency)| latency.parse().unwrap())
    };
    assert_eq!(own.iter().filter_map(latency).collect::<Vec<_>>(), made::latencies_of_boot());
}

#[test]
fn spans_and_counters_of_all_kinds() {
    let trace = testdata("export/everything.trace");
    let own = compare(|| vec![reader(&trace, &[])], made::description_of_everything());
    let synthetic = own.iter().map(|line| {
        let (_, text) = line.split_once("ringtrace_").unwrap();
        let (name, values) = text.split_once(':').unwrap();
        format!("{name} {}", values.trim()).trim().to_owned()
    });
    assert_eq!(synthetic.collect::<Vec<_>>(), made::SYNTHETIC_RECORDS_OF_EVERYTHING);
}

#[test]
fn prefixed_names_stay_unique() {
    let file = made::file(&made::numbered(&["common_pid", "_common_pid"]));
    let out = tempfile::NamedTempFile::new().unwrap();
    let target = ExportTarget::File(File::create(out.path()).unwrap());
    export("trace-dat", target, vec![reader(file.path(), &[])], Description::default());
    let printed = String::from_utf8(trace_cmd::report(out.path())).unwrap();
    assert!(printed.trim_end().ends_with(" _common_pid_2=1 _common_pid=2"), "{printed}");
}

#[test]
fn recordings_of_the_corpus() {
    for (trace, events) in made::corpus() {
        println!("{}", trace.display());
        compare(|| vec![reader(&trace, &[&events])], Description::default());
    }
}
