//! Compact traces are read like the v4 traces that they contain, from files and streams, intact and
//! damaged.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod copies;
mod damage;
mod selection;
mod versions;

use std::io::{Cursor, Read, Write};
use std::sync::atomic::Ordering;
use std::time::Duration;

use crc32c::crc32c;
use ringtrace_tracefile::expression::Expression;
use ringtrace_tracefile::metadata::{Anchor, Cause, Lost, Metadata};
use ringtrace_tracefile::summary::Unread;
use ringtrace_tracefile::{
    Anomaly, Entry, Filter, FilterOptions, Flow, FollowFlags, Input, Needs, Options, Reader, Times, Traces,
};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::compact::{BlockEncoder, BlockHeader, EventSet, HEADER_BYTES, Kind};
use ringtrace_wire::simpletrace::context;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use ringtrace_wire::simpletrace::{ArgumentKind, Step, Version, step_by_length};

const ORDER: ByteOrder = ByteOrder::Little;
const ENCODER: Encoder = Encoder { version: Version::V4, order: ORDER };
const INTEGERS: [ArgumentKind; 1] = [ArgumentKind::Integer { signed: false }];

/// The number of records before the late mapping record.
const EARLY: u64 = 300;

/// Returns a v4 trace of events in two threads, with contexts, lost events, and an event that is
/// named late.
fn trace() -> Vec<u8> {
    let mut out = Vec::new();
    let mut number = 0;
    let mut metadata = |metadata: Metadata, out: &mut Vec<u8>| {
        metadata.encode(number, ORDER, out);
        number += 1;
    };
    ENCODER.header(0, 0, &mut out);
    metadata(Metadata::Version(1), &mut out);
    metadata(Metadata::Anchor(Anchor { monotonic_ns: 0, realtime_ns: 1 << 60 }), &mut out);
    metadata(Metadata::Declaration("one(uint64_t n)".to_owned()), &mut out);
    metadata(Metadata::Declaration("two(const char *s, int n)".to_owned()), &mut out);
    metadata(Metadata::Declaration("late(uint64_t n)".to_owned()), &mut out);
    metadata(Metadata::Thread(7, "seven".to_owned()), &mut out);
    let record = |event: u64, tid: u64, ns: u64, values: &[Value<'_>], out: &mut Vec<u8>| {
        ENCODER.record(tid << 32 | event, ns, 4711, values, out).unwrap();
    };
    for (event, name) in [(1, "one"), (2, "two")] {
        for tid in [7, 8] {
            ENCODER.mapping(tid << 32 | event, name.as_bytes(), &mut out);
        }
    }
    for n in 0..2 * EARLY {
        let ns = 1000 + 10 * n;
        if n == EARLY {
            ENCODER.mapping(7 << 32 | 3, b"late", &mut out);
        }
        if n % 7 == 3 {
            context::encode(Some(n as u32 % 4), [n, n + 1], ORDER, &mut out);
        }
        match n % 5 {
            0 => {
                let text = vec![b'a' + (n % 26) as u8; n as usize % 40];
                record(2, 7, ns, &[Value::Str(&text), Value::Integer(n)], &mut out);
            }
            1 if n > EARLY => record(3, 7, ns, &[Value::Integer(n)], &mut out),
            2 if n % 50 == 2 => {
                let lost = Lost { tid: 8, cause: Cause::Dropped, count: n };
                metadata(Metadata::Lost(lost), &mut out);
                ENCODER.dropped(n, ns, 4711, &mut out);
            }
            _ => record(1, 7 + n % 2, ns, &[Value::Integer(n * n)], &mut out),
        }
    }
    out
}

/// Returns the sizes of the header and the records of a v4 trace.
fn sizes(v4: &[u8]) -> Vec<usize> {
    let mut sizes = vec![24];
    let mut at = 24;
    while at < v4.len() {
        let size = match step_by_length(Version::V4, ORDER, &v4[at..]) {
            Step::Record(record) => record.size,
            Step::Mapping(mapping) => mapping.size,
            other => panic!("{other:?}"),
        };
        sizes.push(size);
        at += size;
    }
    sizes
}

/// Converts a v4 trace to blocks of about `most` bytes of v4.
fn compact(v4: &[u8], most: usize) -> Vec<u8> {
    compact_with(BlockEncoder::default(), v4, most)
}

fn compact_with(mut encoder: BlockEncoder, v4: &[u8], most: usize) -> Vec<u8> {
    let (mut file, mut at) = (Vec::new(), 0);
    let kinds = |id: u64| (id & 0xffff_ffff == 1).then_some(INTEGERS.as_slice());
    for size in sizes(v4) {
        if encoder.expanded_bytes() >= most {
            encoder.finish(&mut file);
        }
        encoder.push(&v4[at..at + size], kinds, &mut file).unwrap();
        at += size;
    }
    encoder.finish(&mut file);
    file
}

/// Returns the offset and the header of each block of records.
fn blocks(file: &[u8]) -> Vec<(usize, BlockHeader)> {
    let (mut blocks, mut at) = (Vec::new(), 0);
    while at < file.len() {
        let header = BlockHeader::parse(&file[at..]).unwrap();
        if header.kind == Kind::Records {
            blocks.push((at, header));
        }
        at += header.block_bytes();
    }
    blocks
}

/// Reads a few bytes at a time.
struct Slow(Cursor<Vec<u8>>, usize);

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let step = buffer.len().min(self.1);
        self.0.read(&mut buffer[..step])
    }
}

fn mapped(bytes: &[u8]) -> Input {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    Input::from_file(file).unwrap()
}

fn stream(bytes: &[u8], step: usize) -> Input {
    Input::from_reader(Box::new(Slow(Cursor::new(bytes.to_vec()), step)))
}

fn open(input: Input, options: &Options) -> Reader {
    Reader::new("trace", input, options).unwrap()
}

/// Returns everything that a reader knows about an entry.
fn seen(entry: &Entry<'_>) -> String {
    let stack: Vec<u64> = entry.stack().map(|frame| frame.address).collect();
    format!(
        "{} {:#x} {} {:#x} {} {} {:?} {:?} {:?} {:?} {stack:?}",
        entry.number,
        entry.offset,
        entry.timestamp_ns,
        entry.id,
        entry.pid,
        entry.schema.name,
        entry.payload,
        entry.lost,
        entry.thread_name(),
        entry.context.cpu(),
    )
}

/// Returns the entries. If the trace can be read again, checks that decoding ahead changes nothing.
fn entries_of(reader: &mut Reader) -> Vec<String> {
    let again = reader.again();
    let entries = all_entries(reader);
    if let Some(mut again) = again {
        again.decode_ahead(true);
        assert_eq!(all_entries(&mut again), entries);
        assert_eq!(again.records(), reader.records());
        let anomalies =
            |reader: &Reader| reader.anomalies().iter().map(|it| format!("{it:?}")).collect::<Vec<_>>();
        assert_eq!(anomalies(&again), anomalies(reader));
    }
    entries
}

fn all_entries(reader: &mut Reader) -> Vec<String> {
    let mut entries = Vec::new();
    reader
        .for_each(|entry: &Entry<'_>| {
            entries.push(seen(entry));
            Flow::Continue
        })
        .unwrap();
    entries
}

fn entries(input: Input) -> Vec<String> {
    entries_of(&mut open(input, &Options::default()))
}

#[test]
fn entries_are_those_of_the_v4_trace() {
    let v4 = trace();
    let expected = entries(mapped(&v4));
    assert_eq!(expected.len() as u64, 2 * EARLY);
    // With the smallest size, each record and each context is in a block of its own.
    for most in [1, 500, 5000, usize::MAX] {
        let file = compact(&v4, most);
        assert_eq!(entries(mapped(&file)), expected, "{most}");
        for step in [1, 100, 1 << 20] {
            assert_eq!(entries(stream(&file, step)), expected, "{most} {step}");
        }
    }
}

#[test]
fn a_file_can_be_read_again_and_a_compressed_one_as_well() {
    let v4 = trace();
    let file = compact(&v4, 2000);
    let expected = entries(mapped(&v4));
    let mut zipped = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    zipped.write_all(&file).unwrap();
    for bytes in [file.clone(), zipped.finish().unwrap()] {
        let mut reader = open(mapped(&bytes), &Options::default());
        assert_eq!(entries_of(&mut reader), expected);
        let mut again = reader.again().unwrap();
        assert_eq!(entries_of(&mut again), expected);
        assert!(reader.is_compact());
    }
    let reader = open(mapped(&file), &Options::default());
    assert_eq!(
        (reader.file_bytes(), reader.compact_bytes()),
        (Some(v4.len() as u64), Some(file.len() as u64))
    );
    assert!(open(stream(&file, 9), &Options::default()).again().is_none());
}

#[test]
fn sorting_and_merging_give_the_entries_of_the_v4_trace() {
    let mut v4 = trace();
    // Append late records of an earlier time.
    for n in 0..50 {
        ENCODER.record(7 << 32 | 1, 1005 + 20 * n, 4711, &[Value::Integer(n)], &mut v4).unwrap();
    }
    let file = compact(&v4, 2000);
    let sorted = |inputs: Vec<Input>, sorts: bool| {
        let options = Options { spool: sorts, ..Options::default() };
        let readers = inputs.into_iter().map(|input| open(input, &options)).collect();
        let needs = Needs { origin: true, anchor: true };
        let mut traces =
            if sorts { Traces::sorted(readers, needs) } else { Traces::new(readers, needs) }.unwrap();
        let mut found = vec![format!("{:?}", traces.times())];
        traces
            .for_each(&mut |entry: &Entry<'_>| {
                found.push(seen(entry));
                Flow::Continue
            })
            .unwrap();
        found
    };
    for sorts in [true, false] {
        let expected = sorted(vec![mapped(&v4), mapped(&v4)], sorts);
        assert_eq!(sorted(vec![mapped(&file), stream(&file, 77)], sorts), expected);
        let one = sorted(vec![mapped(&v4)], sorts);
        assert_eq!(sorted(vec![mapped(&file)], sorts), one);
        assert_eq!(sorted(vec![stream(&file, 1000)], sorts), one);
    }
}

#[test]
fn a_summary_is_that_of_the_v4_trace() {
    let v4 = trace();
    let summary = |input: Input| format!("{:?}", open(input, &Options::default()).summarize(true));
    let expected = summary(mapped(&v4));
    for most in [1, 3000] {
        let file = compact(&v4, most);
        assert_eq!(summary(mapped(&file)), expected);
        assert_eq!(summary(stream(&file, 3)), expected);
    }
}

#[test]
fn a_growing_file_is_followed() {
    let file = compact(&trace(), 2000);
    let expected = entries(mapped(&file));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    // Start in the middle of a header.
    let mut growing = std::fs::File::create(&path).unwrap();
    growing.write_all(&file[..10]).unwrap();
    let flags = FollowFlags::default();
    let writer = {
        let (file, end) = (file.clone(), flags.end.clone());
        std::thread::spawn(move || {
            for piece in file[10..].chunks(file.len() / 9) {
                std::thread::sleep(Duration::from_millis(20));
                growing.write_all(piece).unwrap();
            }
            end.store(true, Ordering::Release);
        })
    };
    let options = Options { live: true, ..Options::default() };
    let mut reader = open(Input::follow_until(&path, flags).unwrap(), &options);
    let found = entries_of(&mut reader);
    writer.join().unwrap();
    assert_eq!(found, expected);
    assert!(reader.anomalies().is_empty());
}

/// Blocks that a program appends after the file was opened are not damage.
#[test]
fn a_file_that_grows_ends_where_it_ended() {
    let whole = compact(&trace(), 2000);
    let all = blocks(&whole);
    let middle = all[all.len() / 2].0;
    let expected = entries(mapped(&whole[..middle]));
    let grown = || {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace");
        std::fs::write(&path, &whole[..middle]).unwrap();
        let input = Input::open(&path).unwrap();
        std::fs::write(&path, &whole).unwrap();
        open(input, &Options::default())
    };
    let mut reader = grown();
    assert_eq!(all_entries(&mut reader), expected);
    assert!(reader.anomalies().is_empty());
    assert!(!grown().summarize(false).is_damaged());
    assert!(!grown().outline_from(0).unwrap().is_damaged());
}
