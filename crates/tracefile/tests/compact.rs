//! Compact traces are read like the v4 traces that they contain, from files and streams, intact and
//! damaged.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

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
    let (mut encoder, mut file, mut at) = (BlockEncoder::default(), Vec::new(), 0);
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

/// Returns the offset and the header of each block, except blocks of totals.
fn blocks(file: &[u8]) -> Vec<(usize, BlockHeader)> {
    let (mut blocks, mut at) = (Vec::new(), 0);
    while at < file.len() {
        let header = BlockHeader::parse(&file[at..]).unwrap();
        if header.kind != Kind::Totals {
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

/// Reads `file` with `keep_going`. Returns the entries, and the kinds and messages of anomalies.
fn read_damaged(input: Input) -> (Vec<String>, Vec<(Anomaly, String)>) {
    let mut reader = open(input, &Options { keep_going: true, ..Options::default() });
    let found = entries_of(&mut reader);
    let anomalies = reader.anomalies();
    let message = |(anomaly, count, kept): (Anomaly, u64, &[ringtrace_tracefile::Error])| {
        assert_eq!(count, 1);
        (anomaly, kept[0].to_string())
    };
    (found, anomalies.iter().map(message).collect())
}

/// Checks that exactly the entries of the blocks in `lost` are missing from `file`, and that there is
/// one anomaly, with a message that contains `message`.
fn check_damage(file: &[u8], intact: &[u8], lost: std::ops::Range<usize>, kind: Anomaly, message: &str) {
    let expected = entries(mapped(intact));
    let blocks = blocks(intact);
    let number =
        |block: usize| blocks.get(block).map_or(expected.len(), |(_, header)| header.records_before as usize);
    let expected = [&expected[..number(lost.start)], &expected[number(lost.end)..]].concat();
    for input in [mapped(file), stream(file, 50)] {
        let (found, anomalies) = read_damaged(input);
        assert_eq!(found, expected);
        let [(found, text)] = anomalies.as_slice() else { panic!("{anomalies:?}") };
        assert_eq!(*found, kind);
        assert!(text.contains(message), "{text}");
    }
}

/// A trace without mapping records after the first block, in blocks of 20 records.
fn plain_trace() -> Vec<u8> {
    let mut out = Vec::new();
    ENCODER.header(0, 0, &mut out);
    Metadata::Declaration("one(uint64_t n)".to_owned()).encode(0, ORDER, &mut out);
    ENCODER.mapping(1, b"one", &mut out);
    for n in 0..200 {
        ENCODER.record(1, 1000 + n, 1, &[Value::Integer(n)], &mut out).unwrap();
    }
    compact(&out, 800)
}

#[test]
fn a_damaged_body_costs_its_block() {
    let intact = plain_trace();
    let all = blocks(&intact);
    let mut file = intact.clone();
    file[all[3].0 + HEADER_BYTES + 20] ^= 1;
    let message = format!(
        "trace: offset {:#x}: the checksum of a block's body is wrong; 20 records (800 bytes as v4) are missing",
        all[3].0
    );
    check_damage(&file, &intact, 3..4, Anomaly::Damage, &message);
}

#[test]
fn a_damaged_header_costs_its_block() {
    let intact = plain_trace();
    let all = blocks(&intact);
    let mut file = intact.clone();
    file[all[3].0 + 50] ^= 1;
    let message = format!(
        "trace: offset {:#x}: the checksum of a block's header is wrong; {} bytes were skipped; 20 records (800 bytes as v4) are missing",
        all[3].0,
        all[3].1.block_bytes(),
    );
    check_damage(&file, &intact, 3..4, Anomaly::Damage, &message);
    let last = all.len() - 1;
    let mut file = intact.clone();
    file[all[last].0 + 50] ^= 1;
    check_damage(
        &file,
        &intact,
        last..all.len(),
        Anomaly::Damage,
        "no block follows that shows how many records",
    );
}

/// After damage, the search for a block does not stop at a block in a string.
#[test]
fn a_block_in_a_string_is_not_read() {
    let text = plain_trace();
    let (mut v4, mut file, mut encoder) = (Vec::new(), Vec::new(), BlockEncoder::default());
    ENCODER.header(0, 0, &mut v4);
    Metadata::Version(1).encode(0, ORDER, &mut v4);
    Metadata::Declaration("two(const char *s, int n)".to_owned()).encode(1, ORDER, &mut v4);
    ENCODER.mapping(7 << 32 | 2, b"two", &mut v4);
    for n in 0..3 {
        ENCODER.record(7 << 32 | 2, n, 9, &[Value::Str(&text), Value::Integer(n)], &mut v4).unwrap();
        encoder.push(&v4, |_| None, &mut file).unwrap();
        encoder.finish(&mut file);
        v4.clear();
    }
    let damaged = blocks(&file)[1].0;
    file[damaged + 50] ^= 1;
    let options = Options { keep_going: true, ..Options::default() };
    let mut times = Vec::new();
    let mut reader = Reader::new("trace", mapped(&file), &options).unwrap();
    let result = reader.for_each(|entry: &Entry<'_>| {
        times.push((entry.number, entry.timestamp_ns));
        Flow::Continue
    });
    assert_eq!(result, Ok(Flow::Continue));
    assert_eq!(times, [(1, 0), (3, 2)]);
}

#[test]
fn garbage_between_blocks_costs_nothing() {
    let intact = plain_trace();
    let at = blocks(&intact)[4].0;
    for garbage in [1, 127, 5000, 200_000] {
        // The garbage contains starts of headers.
        let garbage: Vec<u8> = b"\x89rtb\r\n\x1a\nabc".iter().copied().cycle().take(garbage).collect();
        let file = [&intact[..at], &garbage, &intact[at..]].concat();
        let message = format!("{} bytes were skipped; 0 bytes of v4 data", garbage.len());
        check_damage(&file, &intact, 4..4, Anomaly::Damage, &message);
    }
}

#[test]
fn missing_blocks_are_noticed() {
    let intact = plain_trace();
    let all = blocks(&intact);
    // Whole blocks.
    let file = [&intact[..all[2].0], &intact[all[5].0..]].concat();
    check_damage(
        &file,
        &intact,
        2..5,
        Anomaly::Damage,
        "blocks are missing before this one; 60 records (2400 bytes",
    );
    // The second half of a block.
    let file = [&intact[..all[3].0 - 30], &intact[all[3].0..]].concat();
    check_damage(
        &file,
        &intact,
        2..3,
        Anomaly::Damage,
        "the checksum of a block's body is wrong; 20 records",
    );
    // The second half of a block, and the following blocks except for the last one, which is smaller
    // than the missing part.
    let last = all.len() - 1;
    let file = [&intact[..all[last].0 - 150], &intact[all[last].0..]].concat();
    let (found, anomalies) = read_damaged(mapped(&file));
    assert_eq!(found.len() as u64, 200 - u64::from(all[last - 1].1.records));
    assert_eq!(anomalies.len(), 1, "{anomalies:?}");
    // A block that occurs twice.
    let file = [&intact[..all[4].0], &intact[all[3].0..]].concat();
    check_damage(&file, &intact, 4..4, Anomaly::Damage, "a block belongs at offset ");
}

#[test]
fn a_truncated_last_block_is_tolerated() {
    let intact = plain_trace();
    let all = blocks(&intact);
    let last = all.len() - 1;
    let at = all[last].0;
    for (have, message) in [
        (1, "the file is truncated: the file ends within the header of a block: 1 of 128 bytes remain"),
        (127, "127 of 128 bytes remain"),
        (128, "but only 128 bytes remain"),
        (all[last].1.block_bytes() - 1, "records ("),
    ] {
        let mut file = intact[..at + have].to_vec();
        if have > HEADER_BYTES {
            // This byte could be the start of a header.
            file[at + have - 1] = 0x89;
        }
        let file = file.as_slice();
        check_damage(file, &intact, last..all.len(), Anomaly::CutBlock, message);
        // Without `keep_going`, this is a warning as well. With `strict`, it is an error.
        let mut reader = open(mapped(file), &Options::default());
        assert_eq!(entries_of(&mut reader).len() as u64, all[last].1.records_before);
        let mut reader = open(mapped(file), &Options { strict: true, ..Options::default() });
        let error = reader.for_each(|_: &Entry<'_>| Flow::Continue).unwrap_err();
        assert_eq!((error.record, error.offset), (None, Some(at as u64)));
        // The last block of a file that is being written may be incomplete.
        let mut reader = open(mapped(file), &Options { live: true, ..Options::default() });
        entries_of(&mut reader);
        assert!(reader.anomalies().is_empty());
    }
}

#[test]
fn damage_is_an_error_unless_the_reader_keeps_going() {
    let mut file = plain_trace();
    let all = blocks(&file);
    file[all[3].0 + HEADER_BYTES] ^= 1;
    let mut reader = open(mapped(&file), &Options::default());
    let mut records = 0;
    let mut count = |_: &Entry<'_>| {
        records += 1;
        Flow::Continue
    };
    let error = reader.for_each_mut(&mut count).unwrap_err();
    assert_eq!(error.help.as_deref(), Some("--keep-going reads the blocks after the damage"));
    // The error is final.
    reader.for_each_mut(&mut count).unwrap();
    assert_eq!(records, all[3].1.records_before);
    // A summary continues.
    let summary = open(mapped(&file), &Options::default()).summarize(false);
    assert_eq!((summary.records, summary.is_damaged(), summary.failed.is_none()), (180, true, true));
    let bytes = all.iter().map(|(_, header)| u64::from(header.expanded_bytes)).sum::<u64>();
    assert_eq!(summary.read_bytes, bytes - 800);
}

/// Returns the entries between two times, and the times of the trace.
fn between(input: Input, since_ns: Option<u64>, until_ns: Option<u64>) -> (Vec<String>, Times) {
    let needs = Needs { origin: true, anchor: true };
    filtered(input, needs, FilterOptions { since_ns, until_ns, ..FilterOptions::default() })
}

fn selected(input: Input, options: FilterOptions) -> Vec<String> {
    filtered(input, Needs::default(), options).0
}

fn filtered(input: Input, needs: Needs, options: FilterOptions) -> (Vec<String>, Times) {
    let mut traces = Traces::new(vec![open(input, &Options::default())], needs).unwrap();
    traces.set_filter(Filter::new(options));
    let mut found = Vec::new();
    traces
        .for_each(&mut |entry: &Entry<'_>| {
            found.push(seen(entry));
            Flow::Continue
        })
        .unwrap();
    (found, traces.times())
}

#[test]
fn times_select_the_entries_of_the_v4_trace() {
    let mut v4 = trace();
    // A record whose time is out of order.
    ENCODER.record(7 << 32 | 1, 2000, 4711, &[Value::Integer(1)], &mut v4).unwrap();
    for most in [200, 3000] {
        let file = compact(&v4, most);
        for since in [None, Some(0), Some(1990), Some(4000), Some(6990), Some(9000)] {
            for until in [None, Some(500), Some(1000), Some(2010), Some(4005), Some(8000)] {
                let expected = between(mapped(&v4), since, until);
                assert_eq!(between(mapped(&file), since, until), expected, "{since:?} {until:?} {most}");
                let streamed = between(stream(&file, 300), since, until);
                // The times of a stream are those of its first record.
                assert_eq!(streamed.0, expected.0, "{since:?} {until:?} {most}");
            }
        }
    }
}

/// Blocks outside the range are not decoded, so damage in them does no harm.
#[test]
fn times_skip_blocks() {
    let intact = plain_trace();
    let all = blocks(&intact);
    let mut file = intact.clone();
    for block in [1, 2, 3, 6, 7, 8] {
        file[all[block].0 + HEADER_BYTES] ^= 1;
    }
    let (since, until) = (Some(all[4].1.earliest_ns), Some(all[5].1.latest_ns));
    let expected = between(mapped(&intact), since, until);
    assert_eq!(expected.0.len(), 40);
    assert!(expected.0[0].starts_with(&format!(
        "{} {:#x} ",
        all[4].1.records_before + 1,
        all[4].1.expanded_before
    )));
    assert_eq!(between(mapped(&file), since, until), expected);
}

fn condition(text: &str) -> FilterOptions {
    FilterOptions { condition: Some(Expression::parse(text).unwrap()), ..FilterOptions::default() }
}

fn named(pattern: &str) -> FilterOptions {
    FilterOptions { include: vec![pattern.to_owned()], ..FilterOptions::default() }
}

/// An event that is named late is selected, although its id is unknown at the start.
#[test]
fn events_select_the_entries_of_the_v4_trace() {
    let v4 = trace();
    let excluded = FilterOptions { exclude: vec!["one".to_owned()], ..FilterOptions::default() };
    let conditions = ["name == \"late\" && n > 400", "!(name ~ \"*o*\")", "n == 9 || name == \"late\""];
    let all = conditions.map(condition).into_iter().chain([named("late"), named("two"), excluded]);
    for options in all {
        let expected = selected(mapped(&v4), options.clone());
        assert!(!expected.is_empty());
        // Smaller blocks would separate contexts from their records, and skipping would lose contexts.
        for most in [700, 3000] {
            let file = compact(&v4, most);
            assert_eq!(selected(mapped(&file), options.clone()), expected, "{options:?} {most}");
            assert_eq!(selected(stream(&file, 300), options.clone()), expected, "{options:?} {most}");
        }
    }
}

/// Blocks without selected events are not decoded, so damage in them does no harm.
#[test]
fn events_skip_blocks() {
    let mut v4 = Vec::new();
    ENCODER.header(0, 0, &mut v4);
    for (id, name) in [(1, "one"), (2, "two")] {
        Metadata::Declaration(format!("{name}(uint64_t n)")).encode(id as u32, ORDER, &mut v4);
        ENCODER.mapping(id, name.as_bytes(), &mut v4);
    }
    for n in 0..200 {
        let id = if (n / 40) % 2 == 0 { 1 } else { 2 };
        ENCODER.record(id, 1000 + n, 1, &[Value::Integer(n)], &mut v4).unwrap();
    }
    let intact = compact(&v4, 400);
    let mut file = intact.clone();
    let mut two = EventSet::default();
    two.insert(2);
    let others = blocks(&intact)
        .into_iter()
        .filter(|(_, header)| header.mappings == 0 && !header.events.may_intersect(&two));
    let others: Vec<_> = others.collect();
    assert!(others.len() > 5);
    for (at, _) in others {
        file[at + HEADER_BYTES] ^= 1;
    }
    for options in [named("tw*"), condition("name == \"two\" && n < 100 && time < 1h")] {
        let expected = selected(mapped(&v4), options.clone());
        assert!(expected.len() >= 40);
        assert_eq!(selected(mapped(&file), options), expected);
    }
}

/// To find all declarations, only blocks with mapping records are read, also at the end of a truncated
/// file.
#[test]
fn declarations_are_found_in_blocks_with_mapping_records() {
    let mut v4 = trace();
    Metadata::Declaration("last(uint64_t n)".to_owned()).encode(99, ORDER, &mut v4);
    ENCODER.record(7 << 32 | 1, 9999, 4711, &[Value::Integer(1)], &mut v4).unwrap();
    let names = |input: Input| -> Vec<String> {
        let schemas = open(input, &Options::default()).all_declared().unwrap();
        schemas.all().map(|(_, schema)| schema.name.to_string()).collect()
    };
    let expected = names(mapped(&v4));
    assert!(expected.contains(&"last".to_owned()), "{expected:?}");
    let mut file = compact(&v4, 400);
    assert_eq!(names(mapped(&file)), expected);
    let unread: Vec<_> = blocks(&file).into_iter().filter(|(_, header)| header.mappings == 0).collect();
    assert!(unread.len() > 5);
    for (at, _) in unread {
        file[at + HEADER_BYTES] ^= 1;
    }
    assert_eq!(names(mapped(&file)), expected);
    file.pop();
    assert_eq!(names(mapped(&file)), expected[..expected.len() - 1]);
}

/// An outline agrees with the summary, and damage in blocks that it does not read does no harm.
#[test]
fn an_outline_reads_only_headers_and_mapping_records() {
    let intact = plain_trace();
    let all = blocks(&intact);
    let mut file = intact.clone();
    file[all[3].0 + HEADER_BYTES] ^= 1;
    let expected = open(mapped(&intact), &Options::default()).summarize(false);
    let mut reader = open(mapped(&file), &Options::default());
    assert!(reader.outline().is_none(), "the file is small");
    let outline = reader.outline_from(0).unwrap();
    let unread = Unread { blocks: all.len() as u64 - 1, of: all.len() as u64 };
    assert_eq!(outline.unread, Some(unread));
    assert_eq!((outline.records, outline.span), (expected.records, expected.span));
    assert_eq!((outline.occurred().count(), outline.is_damaged()), (0, false));
    assert_eq!(expected.unread, None);
    // A truncated last block is reported, but a damaged header must be found by reading everything.
    let cut = &intact[..intact.len() - 1];
    let outline = open(mapped(cut), &Options::default()).outline_from(0).unwrap();
    assert!(outline.is_damaged());
    assert_eq!(outline.records, all[all.len() - 1].1.records_before);
    file[all[3].0 + 20] ^= 1;
    assert!(open(mapped(&file), &Options::default()).outline_from(0).is_none());
    assert!(open(stream(&intact, 100), &Options::default()).outline_from(0).is_none());
}

/// The losses in an outline are those of the summary.
#[test]
fn an_outline_reports_losses() {
    let v4 = trace();
    let expected = open(mapped(&v4), &Options::default()).summarize(false).dropped;
    for most in [1, 500] {
        let outline = open(mapped(&compact(&v4, most)), &Options::default()).outline_from(0).unwrap();
        assert_eq!(outline.dropped.events, expected.events, "{most}");
        assert!(outline.dropped.has_any());
    }
}

/// Replaces the header at `at`, with the right checksum.
fn set_header(file: &mut [u8], at: usize, change: impl FnOnce(&mut [u8])) {
    change(&mut file[at..at + HEADER_BYTES]);
    let crc = crc32c(&file[at + 12..at + HEADER_BYTES]);
    file[at + 8..at + 12].copy_from_slice(&crc.to_le_bytes());
}

#[test]
fn newer_blocks_are_skipped_or_refused() {
    let intact = plain_trace();
    let expected = entries(mapped(&intact));
    let at = blocks(&intact)[4].0;
    let mut newer = intact[at..blocks(&intact)[5].0].to_vec();
    set_header(&mut newer, 0, |header| {
        header[12] = 3;
        // Other fields may mean something else.
        header[24..].fill(0xff);
    });
    let file = [&intact[..at], &newer, &intact[at..], &newer].concat();
    for input in [mapped(&file), stream(&file, 60)] {
        assert_eq!(entries(input), expected);
    }
    // A block of an unknown kind can be incomplete, too.
    let file = [&intact, &newer[..newer.len() - 1]].concat();
    for input in [mapped(&file), stream(&file, 60)] {
        let (found, anomalies) = read_damaged(input);
        assert_eq!(found, expected);
        assert_eq!(anomalies.iter().map(|(anomaly, _)| *anomaly).collect::<Vec<_>>(), [Anomaly::CutBlock]);
    }
    set_header(&mut newer, 0, |header| header[13] = 0x80);
    let file = [&intact[..at], &newer, &intact[at..]].concat();
    for keep_going in [false, true] {
        let mut reader = open(mapped(&file), &Options { keep_going, ..Options::default() });
        let error = reader.for_each(|_: &Entry<'_>| Flow::Continue).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("trace: offset {at:#x}: a newer version of ringtrace wrote a block of kind 0x8003")
        );
    }
}

#[test]
fn compressed_bodies_are_read() {
    let intact = plain_trace();
    let expected = entries(mapped(&intact));
    let mut file = Vec::new();
    for (at, header) in blocks(&intact) {
        let body = &intact[at + HEADER_BYTES..at + header.block_bytes()];
        let zipped = ruzstd::encoding::compress_to_vec(body, ruzstd::encoding::CompressionLevel::Fastest);
        let start = file.len();
        file.extend_from_slice(&intact[at..at + HEADER_BYTES]);
        file.extend_from_slice(&zipped);
        set_header(&mut file, start, |header| {
            header[14] = 1;
            header[16..20].copy_from_slice(&(zipped.len() as u32).to_le_bytes());
            header[20..24].copy_from_slice(&crc32c(&zipped).to_le_bytes());
        });
    }
    assert_eq!(entries(mapped(&file)), expected);
    assert_eq!(entries(stream(&file, 70)), expected);
    // The decompressed size is limited by the one in the header.
    let all = blocks(&file);
    set_header(&mut file, all[3].0, |header| header[24] -= 1);
    let (found, anomalies) = read_damaged(mapped(&file));
    assert_eq!(found.len(), expected.len() - 20);
    assert!(anomalies[0].1.contains("the decompressed body of a block does not have "), "{anomalies:?}");
}
