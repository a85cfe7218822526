//! Tests counting traces while they are being written.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use ringtrace_tracefile::Options;
use ringtrace_wire::ByteOrder;
use ringtrace_wire::compact::BlockEncoder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::Encoder;

use super::super::sample::{Sample, TraceState};
use super::super::sampler::SampleSource;
use super::Trace;

const SECOND_NS: u64 = 1_000_000_000;

/// No process has this id.
const NOBODY: u32 = u32::MAX;

const DECLARATIONS: &str = "tick(void) \"tick\"\ntock(void) \"tock\"\n";

/// Returns a trace's header, with the names of its events.
fn header() -> Vec<u8> {
    let mut bytes = Vec::new();
    encoder().header(0, 0, &mut bytes);
    encoder().mapping(0, b"tick", &mut bytes);
    encoder().mapping(1, b"tock", &mut bytes);
    bytes
}

fn encoder() -> Encoder {
    Encoder { version: Version::V4, order: ByteOrder::Little }
}

/// Returns `count` records, one second apart, starting at `second`.
fn records(id: u64, second: u64, count: u64, pid: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in 0..count {
        encoder().record(id, (second + number) * SECOND_NS, pid, &[], &mut bytes).unwrap();
    }
    bytes
}

fn options() -> Options {
    Options { sources: vec![ringtrace_events::SourceFile::new("events", DECLARATIONS)], ..Options::default() }
}

fn append(path: &Path, bytes: &[u8]) -> File {
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
    file
}

/// Sets the file's modification time to a minute ago.
fn let_it_rest(file: &File) {
    file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
}

/// Takes samples until `is_so` accepts one.
fn wait_for(trace: &mut Trace, what: &str, is_so: impl Fn(&Sample) -> bool) -> Sample {
    let start = Instant::now();
    loop {
        let sample = trace.sample(true).unwrap();
        if is_so(&sample) {
            return sample;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "waited in vain for {what}: {sample:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn counts(sample: &Sample) -> Vec<(&str, u64)> {
    let mut counts: Vec<_> =
        sample.events.iter().map(|event| (event.name.as_str(), event.recorded.unwrap())).collect();
    counts.sort_unstable();
    counts
}

#[test]
fn appended_records_are_counted_and_the_writer_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    // This test process is the writer and has the file open.
    let file = append(&path, &[header(), records(0, 10, 3, std::process::id())].concat());
    let mut trace = Trace::open(&path, &options()).unwrap();
    let sample = wait_for(&mut trace, "three records", |sample| sample.recorded == 3);
    assert_eq!(counts(&sample), [("tick", 3), ("tock", 0)]);
    let sample = wait_for(&mut trace, "its writer", |sample| sample.state == TraceState::On);
    assert_eq!((sample.span_ns, sample.pid), (Some(2 * SECOND_NS), Some(std::process::id())));
    let before_ns = sample.time_ns;
    // A partial record does not count as damage.
    let more = records(1, 100, 2, std::process::id());
    append(&path, &more[..30]);
    append(&path, &more[30..]);
    let sample = wait_for(&mut trace, "two more", |sample| sample.recorded == 5);
    assert_eq!(counts(&sample), [("tick", 3), ("tock", 2)]);
    assert!(sample.time_ns > before_ns, "{before_ns}, then {}", sample.time_ns);
    assert_eq!(sample.error, None);
    let_it_rest(&file);
    drop(file);
    wait_for(&mut trace, "the end", |sample| sample.state == TraceState::Left);
    // Another process appends to the file.
    append(&path, &records(0, 200, 1, NOBODY));
    wait_for(&mut trace, "one more", |sample| sample.recorded == 6);
}

#[test]
fn a_trace_without_a_writer_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    let_it_rest(&append(&path, &[header(), records(0, 10, 1000, NOBODY)].concat()));
    let mut trace = Trace::open(&path, &options()).unwrap();
    let sample = wait_for(&mut trace, "the end", |sample| sample.state == TraceState::Ended);
    assert_eq!((sample.recorded, sample.time_ns), (1000, 1009 * SECOND_NS));
    let tick = sample.events.iter().find(|event| event.name == "tick").unwrap();
    let (minute, whole) = &**tick.histories.as_ref().unwrap();
    assert_eq!(minute.rates(0, sample.time_ns, 60), [1.0; 60]);
    assert_eq!(whole.shape(whole.last(), 1), [1000.0]);
}

#[test]
fn the_size_of_a_compact_trace_is_that_of_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    let v4_header = header();
    let (start, mappings) = v4_header.split_at(24);
    let (first, second) = mappings.split_at(mappings.len() / 2);
    let records: Vec<Vec<u8>> = (0..1000).map(|second| records(0, 10 + second, 1, NOBODY)).collect();
    let (mut block, mut file) = (BlockEncoder::default(), Vec::new());
    for bytes in [start, first, second].into_iter().chain(records.iter().map(Vec::as_slice)) {
        block.push(bytes, |_| None, &mut file).unwrap();
    }
    block.finish(&mut file);
    assert!(file.len() < 1000 * records[0].len());
    let_it_rest(&append(&path, &file));
    let mut trace = Trace::open(&path, &options()).unwrap();
    let sample = wait_for(&mut trace, "the end", |sample| sample.state == TraceState::Ended);
    assert_eq!((sample.recorded, sample.file_bytes), (1000, file.len() as u64));
}

#[test]
fn a_replaced_trace_is_counted_from_its_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    append(&path, &[header(), records(0, 10, 3, NOBODY)].concat());
    let mut trace = Trace::open(&path, &options()).unwrap();
    wait_for(&mut trace, "three records", |sample| sample.recorded == 3);
    // The file is rewritten in place, as by a shell redirection.
    std::fs::write(&path, [header(), records(1, 20, 1, NOBODY)].concat()).unwrap();
    let sample =
        wait_for(&mut trace, "the shorter one", |sample| sample.generation == 1 && sample.recorded == 1);
    assert_eq!(counts(&sample), [("tick", 0), ("tock", 1)]);
    // The file is replaced, as editors do.
    let other = folder.path().join("other");
    append(&other, &[header(), records(0, 30, 7, NOBODY)].concat());
    std::fs::rename(&other, &path).unwrap();
    let sample = wait_for(&mut trace, "the other one", |sample| sample.recorded == 7);
    assert_eq!((sample.generation, counts(&sample)), (2, vec![("tick", 7), ("tock", 0)]));
}

#[test]
fn an_empty_file_may_become_a_trace_and_damage_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    append(&path, &[]);
    let mut trace = Trace::open(&path, &options()).unwrap();
    assert_eq!(trace.sample(true).unwrap().recorded, 0);
    append(&path, &header());
    append(&path, &records(0, 10, 2, NOBODY));
    wait_for(&mut trace, "two records", |sample| sample.recorded == 2);
    // Append more bytes than one record with a damaged length could contain.
    append(&path, &[0xee; 1 << 20]);
    let sample = wait_for(&mut trace, "the damage", |sample| sample.error.is_some());
    assert_eq!((sample.recorded, sample.state), (2, TraceState::Ended));
    assert!(sample.error.unwrap().contains("record 3"));
}

#[test]
fn files_that_are_not_traces_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text");
    std::fs::write(&path, "no trace at all\n").unwrap();
    assert!(Trace::open(&path, &options()).is_err());
    assert!(Trace::open(folder.path(), &options()).is_err());
    assert!(Trace::open(&folder.path().join("none"), &options()).is_err());
}
