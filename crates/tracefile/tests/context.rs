//! Contexts of records: however a trace is read, each record has its own, and no other.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::io::{self, Read, Write};

use ringtrace_events::ctype::StringRule;
use ringtrace_events::parse::Dialect;
use ringtrace_tracefile::metadata::{Metadata, Module};
use ringtrace_tracefile::sort::{Limits, Survey};
use ringtrace_tracefile::write::{Target, TraceWriter};
use ringtrace_tracefile::{
    Cursor, Entry, EntrySource, Flow, Input, Merge, Options, OrdinaryRecords, Reader, Sorted, Visitor,
};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::context;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};

/// A record's time, CPU and stack.
type Seen = (u64, Option<u32>, Vec<(u64, Option<u64>)>);

/// Returns a trace of `times`. Every third record has no context. Some contexts belong to no record.
fn trace(times: &[u64], order: ByteOrder) -> (Vec<u8>, Vec<Seen>) {
    let encoder = Encoder { version: Version::V4, order };
    let (mut out, mut expected) = (Vec::new(), Vec::new());
    encoder.header(0, 0, &mut out);
    Metadata::Version(1).encode(0, order, &mut out);
    Metadata::Declaration("one(uint64_t n)".to_owned()).encode(1, order, &mut out);
    let module =
        Module { start: 100, end: 200, address: 0x1000, build_id: Vec::new(), path: b"/bin/x".to_vec() };
    Metadata::Module(module).encode(2, order, &mut out);
    encoder.mapping(7 << 32 | 1, b"one", &mut out);
    for (index, &time) in times.iter().enumerate() {
        let (mut cpu, mut stack) = (None, Vec::new());
        match index % 3 {
            0 => {}
            1 => cpu = Some(index as u32),
            _ => {
                cpu = (index % 2 == 0).then_some(5);
                stack = (0..index as u64 % 70).map(|frame| time + frame).collect();
            }
        }
        if index % 10 == 3 {
            // Another mapping record follows, so this context belongs to no record.
            context::encode(Some(99), [1, 2, 3], order, &mut out);
            encoder.mapping(8 << 32 | 1, b"one", &mut out);
        }
        if cpu.is_some() || !stack.is_empty() {
            context::encode(cpu, stack.iter().copied(), order, &mut out);
        }
        encoder.record(7 << 32 | 1, time, 7, &[Value::Integer(time)], &mut out).unwrap();
        let in_file = |address: u64| (100..200).contains(&address).then(|| address - 100 + 0x1000);
        expected.push((time, cpu, stack.into_iter().map(|address| (address, in_file(address))).collect()));
    }
    (out, expected)
}

fn seen(entry: &Entry<'_>) -> Seen {
    let stack = entry.stack().map(|frame| (frame.address, frame.file_address())).collect();
    (entry.timestamp_ns, entry.context.cpu(), stack)
}

/// A reader that returns at most a few bytes at a time.
struct Slow {
    bytes: Vec<u8>,
    at: usize,
    step: usize,
}

impl Read for Slow {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.step.min(out.len()).min(self.bytes.len() - self.at);
        out[..count].copy_from_slice(&self.bytes[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

fn stream(bytes: &[u8], step: usize) -> Reader {
    let slow = Slow { bytes: bytes.to_vec(), at: 0, step };
    Reader::new("stream", Input::from_reader(Box::new(slow)), &Options::default()).unwrap()
}

fn mapped(bytes: &[u8]) -> Reader {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    Reader::new("file", Input::from_file(file).unwrap(), &Options::default()).unwrap()
}

fn read(mut reader: Reader) -> Vec<Seen> {
    let mut found = Vec::new();
    let _ = reader.for_each(|entry: &Entry<'_>| {
        found.push(seen(entry));
        Flow::Continue
    });
    found
}

fn drain(mut source: impl EntrySource) -> Vec<Seen> {
    let mut found = Vec::new();
    while source.peek_ns().unwrap().is_some() {
        found.push(seen(&source.entry().unwrap()));
        source.advance();
    }
    found
}

const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

#[test]
fn records_have_their_contexts_in_files_and_streams() {
    let times: Vec<u64> = (90..150).collect();
    for order in ORDERS {
        let (bytes, expected) = trace(&times, order);
        assert_eq!(read(mapped(&bytes)), expected);
        for step in (1..60).chain([100, 1000, usize::MAX]) {
            assert_eq!(read(stream(&bytes, step)), expected, "{step}");
            assert_eq!(drain(Cursor::new(stream(&bytes, step))), expected, "{step}");
        }
    }
}

#[test]
fn a_truncated_trace_has_the_contexts_of_its_complete_records() {
    let (bytes, expected) = trace(&(90..99).collect::<Vec<_>>(), ByteOrder::Little);
    for length in 24..bytes.len() {
        for reader in [mapped(&bytes[..length]), stream(&bytes[..length], 7)] {
            let found = read(reader);
            // The last record may be read although it is truncated. Its context is left out.
            let whole = found.len().saturating_sub(1);
            assert_eq!(found[..whole], expected[..whole], "{length}");
        }
    }
}

#[test]
fn sorting_keeps_contexts_also_in_temporary_files() {
    let times: Vec<u64> = (0..500).map(|n| 90 + n * 7919 % 500).collect();
    for order in ORDERS {
        let (bytes, mut expected) = trace(&times, order);
        expected.sort_by_key(|(time, ..)| *time);
        let few =
            Limits { block_records: 8, blocks: 16, entries: 32, read_entries: 4, joined_runs: 3, epochs: 2 };
        for limits in [Limits::of_one_in(1), few] {
            let survey = Survey::new(&mapped(&bytes), &limits).unwrap();
            assert!(!survey.is_in_order());
            assert_eq!(drain(Sorted::new(survey, limits).unwrap()), expected);
        }
        let sources: Vec<Box<dyn EntrySource>> =
            vec![Box::new(Cursor::new(mapped(&bytes))), Box::new(Cursor::new(stream(&bytes, 50)))];
        let mut found = Vec::new();
        let _ = Merge::new(sources).for_each(&mut |entry: &Entry<'_>| {
            found.push(seen(entry));
            Flow::Continue
        });
        assert_eq!(found.len(), 2 * expected.len());
        for one in expected {
            assert_eq!(found.iter().filter(|other| **other == one).count(), 2, "{one:?}");
        }
    }
}

/// Writes all records, on the fast path if possible.
struct Write2<'o>(TraceWriter, &'o mut Vec<u8>);

impl Visitor for Write2<'_> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.0.write(entry, self.1);
        Flow::Continue
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        let changes = records.thread_changes();
        records.skip_while(|record, schema| self.0.write_fast(record, schema, changes, self.1));
        Flow::Continue
    }
}

#[test]
fn written_traces_have_the_same_contexts() {
    let (bytes, expected) = trace(&(90..190).collect::<Vec<_>>(), ByteOrder::Little);
    for order in ORDERS {
        let target = Target {
            version: Version::V4,
            order,
            plain: false,
            declared: Options::default().declared.get(&[], Dialect::Read, StringRule::OneStar),
            anchor: None,
        };
        let mut out = Vec::new();
        let writer = TraceWriter::new(target).unwrap();
        let mut reader = mapped(&bytes);
        let mut visit = Write2(writer, &mut out);
        reader.for_each_mut(&mut visit).unwrap();
        visit.0.finish(reader.metadata(), visit.1);
        assert_eq!(read(mapped(&out)), expected);
    }
}
