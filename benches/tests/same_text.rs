//! The handwritten loops do the same work as the tool: same text, same number of records.

#![allow(clippy::unwrap_used, reason = "allowed in tests, but clippy also checks their helpers")]

use std::process::Command;

use ringtrace_events::SourceFile;
use ringtrace_tracefile::text::{Render, SimpletraceText, TextBuffer};
use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};

const DECLARATIONS: &str =
    "perf_two(uint64_t a, uint64_t b) \"%d\"\nperf_str(const char *s, uint64_t a) \"%s\"\n";

const RECORDS: u64 = 20_000;

/// Returns a trace with values, times and pids of every number of digits.
fn trace() -> Vec<u8> {
    let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
    let mut bytes = Vec::new();
    encoder.header(0, 0, &mut bytes);
    for (id, name) in (0..).zip([&b"perf_two"[..], b"perf_str"]) {
        encoder.mapping(id, name, &mut bytes);
    }
    let mut timestamp_ns = 0;
    for number in 0..RECORDS {
        let value = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(number + 1);
        timestamp_ns += value >> (20 + number % 44);
        let string = &b"all that is between the blank and the tilde, but for two"[..(number % 57) as usize];
        let small = Value::Integer(value >> (number % 64));
        let (id, first) = if number % 3 == 0 { (1, Value::Str(string)) } else { (0, Value::Integer(value)) };
        let pid = u32::try_from(value >> (32 + number / 1000)).unwrap();
        encoder.record(id, timestamp_ns, pid, &[first, small], &mut bytes).unwrap();
    }
    bytes
}

fn text_by_the_tool(trace: &[u8]) -> Vec<u8> {
    let options =
        Options { sources: vec![SourceFile::new("declarations", DECLARATIONS)], ..Options::default() };
    let input = Input::from_reader(Box::new(std::io::Cursor::new(trace.to_vec())));
    let mut reader = Reader::new("trace", input, &options).unwrap();
    let mut text = SimpletraceText::new(reader.era());
    let mut out = TextBuffer::default();
    reader
        .for_each(|entry: &Entry<'_>| {
            text.render(entry, &mut out);
            Flow::Continue
        })
        .unwrap();
    out.as_bytes().to_vec()
}

fn yardstick(words: [&str; 2]) -> Vec<u8> {
    let output = Command::new(env!("CARGO_BIN_EXE_yardstick")).args(words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
fn the_yardstick_writes_the_same_text_and_counts_the_same_records() {
    let trace = trace();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    std::fs::write(&path, &trace).unwrap();
    let path = path.to_str().unwrap();
    let (theirs, ours) = (yardstick(["text", path]), text_by_the_tool(&trace));
    // Compare line by line, because the whole output is too long for a message.
    let line =
        theirs.split(|&byte| byte == b'\n').zip(ours.split(|&byte| byte == b'\n')).find(|(a, b)| a != b);
    let line = line.map(|(theirs, ours)| [theirs, ours].map(|line| line.escape_ascii().to_string()));
    assert_eq!(line, None);
    assert_eq!(theirs.len(), ours.len());
    assert_eq!(yardstick(["walk", path]), format!("{RECORDS} records\n").into_bytes());
}
