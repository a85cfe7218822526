//! Exports as lines do not depend on the number of threads, nor on whether the trace is compact.

#![allow(clippy::unwrap_used, reason = "failing tests panic")]

use std::fs;
use std::path::Path;

use ringtrace_events::SourceFile;
use ringtrace_export::{ExportTarget, TraceInfo, format, run};
use ringtrace_tracefile::metadata::{CAUSES, Lost, Metadata};
use ringtrace_tracefile::pair::SpanTracker;
use ringtrace_tracefile::{Filter, FilterOptions, Input, Needs, Options, Reader, Traces};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::compact::BlockEncoder;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use ringtrace_wire::simpletrace::{ArgumentKind, Step, Version, step_by_length};

const ENCODER: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
const DECLARATIONS: &str = "two(uint64_t a, int b) \"\"\nstring(const char *s, uint64_t a) \"\"\n\
    enum mode { OFF, SLOW = 2 }\nstate(bool on, mode mode, void *p) \"\"\n";

/// Enough records for a file that several threads read.
const RECORDS: u64 = 110_000;

/// Returns a v4 trace of five threads, some of which get their names late, with losses.
fn trace() -> Vec<u8> {
    let mut bytes = Vec::new();
    ENCODER.header(0, 0, &mut bytes);
    Metadata::Version(1).encode(0, ENCODER.order, &mut bytes);
    for number in 0..RECORDS {
        let tid = 100 + number / 7 % 5;
        let id = |event: u64| tid << 32 | event;
        if number < 35 && number % 7 == 0 {
            for (event, name) in (0..).zip(["two", "string", "state"]) {
                ENCODER.mapping(id(event), name.as_bytes(), &mut bytes);
            }
        }
        if number % 20_011 == 20_010 {
            Metadata::Thread(tid as u32, format!("\"worker\" {number}")).encode(1, ENCODER.order, &mut bytes);
            Metadata::Lost(Lost { tid: tid as u32, cause: CAUSES[0], count: 3 }).encode(
                2,
                ENCODER.order,
                &mut bytes,
            );
            ENCODER.dropped(3, 1000 + number, 7, &mut bytes);
        }
        let word = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (number % 64);
        let integer = Value::Integer(word);
        let (event, values) = match number % 10 {
            3 => (1, vec![Value::Str(if number % 100 == 3 { b"\"a\", \xff" } else { b"plain" }), integer]),
            7 => (2, vec![integer; 3]),
            _ => (0, vec![integer; 2]),
        };
        ENCODER.record(id(event), 1000 + number, 7, &values, &mut bytes).unwrap();
    }
    bytes
}

fn compact(v4: &[u8]) -> Vec<u8> {
    const INTEGER: ArgumentKind = ArgumentKind::Integer { signed: false };
    let kinds = |id: u64| -> Option<&'static [ArgumentKind]> {
        match id as u32 {
            0 => Some(&[INTEGER; 2]),
            1 => Some(&[ArgumentKind::Str, INTEGER]),
            2 => Some(&[INTEGER; 3]),
            _ => None,
        }
    };
    let (mut encoder, mut file, mut at, mut size) = (BlockEncoder::default(), Vec::new(), 0, 24);
    while let Some(record) = v4.get(at..at + size) {
        encoder.push(record, kinds, &mut file).unwrap();
        at += size;
        size = match step_by_length(Version::V4, ByteOrder::Little, &v4[at..]) {
            Step::Record(record) => record.size,
            Step::Mapping(mapping) => mapping.size,
            _ => break,
        };
        if encoder.expanded_bytes() >= 300_000 {
            encoder.finish(&mut file);
        }
    }
    encoder.finish(&mut file);
    file
}

fn export(trace: &Path, to: &str, filter: &FilterOptions, threads: usize) -> String {
    let options = Options { sources: vec![SourceFile::new("events", DECLARATIONS)], ..Options::default() };
    let reader = Reader::new("trace", Input::open(trace).unwrap(), &options).unwrap();
    let mut traces = Traces::new(vec![reader], Needs::default()).unwrap();
    traces.set_filter(Filter::new(filter.clone()));
    let out = tempfile::NamedTempFile::new().unwrap();
    let target = ExportTarget::File(out.reopen().unwrap());
    let exporter = (format(to).unwrap().start)(target, &TraceInfo::default()).unwrap();
    let exported = run(&mut traces, &mut SpanTracker::default(), exporter, threads).unwrap();
    assert_eq!(exported.read_errors, []);
    assert_eq!(exported.dropped.events, 15);
    let matches = filter.include.iter().all(|name| name != "absent");
    assert!(traces.filter().is_everything() || traces.has_matched() == matches);
    fs::read_to_string(out.path()).unwrap()
}

#[test]
fn threads_do_not_change_exported_lines() {
    let folder = tempfile::tempdir().unwrap();
    let (v4, blocks) = (folder.path().join("v4"), folder.path().join("compact"));
    let bytes = trace();
    fs::write(&v4, &bytes).unwrap();
    fs::write(&blocks, compact(&bytes)).unwrap();
    let only = |name: &str| FilterOptions { include: vec![name.into()], ..FilterOptions::default() };
    for (filter, least) in
        [(FilterOptions::default(), RECORDS), (only("state"), RECORDS / 20), (only("absent"), 5)]
    {
        for to in ["jsonl", "csv"] {
            let expected = export(&v4, to, &filter, 1);
            assert!(expected.lines().count() as u64 > least);
            for threads in [1, 2, 3] {
                assert!(expected == export(&v4, to, &filter, threads), "{to}, {threads} threads");
                assert!(
                    expected == export(&blocks, to, &filter, threads),
                    "{to}, compact, {threads} threads"
                );
            }
        }
    }
}
