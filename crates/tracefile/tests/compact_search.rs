//! Blocks of a compact trace are found without visiting all headers, with the results of a reader that
//! visits all of them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::cell::Cell;
use std::io::{Cursor, Write};

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use ringtrace_tracefile::metadata::Metadata;
use ringtrace_tracefile::text::JsonText;
use ringtrace_tracefile::{
    Anomalies, Entry, Error, Filter, FilterOptions, Flow, Input, Needs, Options, Reader, Times, Traces,
    parallel,
};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::compact::{BlockEncoder, BlockHeader, HEADER_BYTES};
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use ringtrace_wire::simpletrace::{ArgumentKind, Version};

const ORDER: ByteOrder = ByteOrder::Little;
const ENCODER: Encoder = Encoder { version: Version::V4, order: ORDER };
const INTEGERS: [ArgumentKind; 1] = [ArgumentKind::Integer { signed: false }];

/// A block of a trace.
#[derive(Debug, Clone)]
struct Block {
    /// The times of the records after the usual time.
    times: Vec<u64>,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    Integers,
    /// The first record contains a string of this size.
    Text(usize),
    /// The first record contains the bytes of previous blocks.
    Blocks,
    /// The first event has a new name.
    Mapping,
    Metadata,
    Dropped(u64),
    /// The whole block is late by this time.
    Late(u64),
}

fn block() -> impl Strategy<Value = Block> {
    let content = prop_oneof![
        80 => Just(Content::Integers),
        5 => (0usize..3000).prop_map(Content::Text),
        1 => (0usize..60_000).prop_map(Content::Text),
        1 => Just(Content::Blocks),
        1 => Just(Content::Mapping),
        1 => Just(Content::Metadata),
        1 => (0u64..99).prop_map(Content::Dropped),
        1 => (0u64..5000).prop_map(Content::Late),
    ];
    let times = prop_oneof![6 => 0u64..100, 1 => 0u64..400];
    (prop::collection::vec(times, 0..5), content).prop_map(|(times, content)| Block { times, content })
}

/// The time between two blocks.
const STEP_NS: u64 = 100;

/// Encodes a trace with a block for each element of `blocks`. Times start at 10,000 ns.
fn trace(blocks: &[Block], is_compressed: bool) -> Vec<u8> {
    let mut encoder =
        if is_compressed { BlockEncoder::compressed().unwrap() } else { BlockEncoder::default() };
    let (mut file, mut v4, mut next_name) = (Vec::new(), Vec::new(), 10);
    ENCODER.header(0, 0, &mut v4);
    Metadata::Declaration("one(uint64_t n)".to_owned()).encode(0, ORDER, &mut v4);
    Metadata::Declaration("text(const char *s)".to_owned()).encode(1, ORDER, &mut v4);
    ENCODER.mapping(1, b"one", &mut v4);
    ENCODER.mapping(2, b"text", &mut v4);
    for (number, block) in (0..).zip(blocks) {
        let mut base_ns = 10_000 + STEP_NS * number;
        let (mut id, mut text) = (1, None);
        match block.content {
            Content::Integers => {}
            Content::Text(bytes) => text = Some(vec![b'x'; bytes]),
            Content::Blocks => text = Some(file[..file.len().min(60_000)].to_vec()),
            Content::Mapping => {
                id = next_name;
                next_name += 1;
                Metadata::Declaration(format!("late{id}(uint64_t n)")).encode(id as u32, ORDER, &mut v4);
                ENCODER.mapping(id, format!("late{id}").as_bytes(), &mut v4);
            }
            Content::Metadata => Metadata::Thread(7, format!("t{number}")).encode(3, ORDER, &mut v4),
            Content::Dropped(count) => ENCODER.dropped(count, base_ns, 4711, &mut v4),
            Content::Late(ns) => base_ns = base_ns.saturating_sub(ns),
        }
        for (index, time) in block.times.iter().enumerate() {
            let ns = base_ns + time;
            match &text {
                Some(text) if index == 0 => {
                    ENCODER.record(2, ns, 4711, &[Value::Str(text)], &mut v4).unwrap();
                }
                _ => ENCODER.record(id, ns, 4711, &[Value::Integer(number)], &mut v4).unwrap(),
            }
        }
        encoder.push(&v4, |id| (id != 2).then_some(&INTEGERS[..]), &mut file).unwrap();
        encoder.finish(&mut file);
        v4.clear();
    }
    file
}

/// A trace of `count` blocks with four records each.
fn even_trace(count: usize) -> Vec<u8> {
    trace(&vec![Block { times: vec![0, 20, 40, 60], content: Content::Integers }; count], false)
}

fn mapped(bytes: &[u8]) -> Input {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    Input::from_file(file).unwrap()
}

fn stream(bytes: &[u8]) -> Input {
    Input::from_reader(Box::new(Cursor::new(bytes.to_vec())))
}

/// The offset and the header of each block.
fn blocks(file: &[u8]) -> Vec<(usize, BlockHeader)> {
    let (mut blocks, mut at) = (Vec::new(), 0);
    while at < file.len() {
        let header = BlockHeader::parse(&file[at..]).unwrap();
        blocks.push((at, header));
        at += header.block_bytes();
    }
    blocks
}

/// The start of `file`, with at least the first block, which a reader needs.
fn truncated(file: &[u8], cut: Index) -> &[u8] {
    let first = BlockHeader::parse(file).unwrap().block_bytes();
    &file[..first.max(cut.index(file.len()))]
}

fn open(input: Input, keep_going: bool) -> Result<Reader, Error> {
    Reader::new("trace", input, &Options { keep_going, ..Options::default() })
}

/// The result of reading a trace: entries, anomalies, the error, and the names that are known at the
/// end.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Outcome {
    entries: Vec<String>,
    anomalies: Vec<String>,
    error: Option<String>,
    names: Vec<String>,
}

fn messages(anomalies: &Anomalies) -> Vec<String> {
    let kept = anomalies.iter().flat_map(|(anomaly, count, kept)| {
        kept.iter().map(move |error| format!("{anomaly:?} {count} {error}"))
    });
    kept.collect()
}

/// Reads the entries in `since..=until`, in nanoseconds of the trace's clock. Returns nothing if the
/// trace cannot be opened.
fn read(input: Input, keep_going: bool, (since, until): (u64, u64)) -> Option<Outcome> {
    let reader = open(input, keep_going).ok()?;
    let mut traces = Traces::new(vec![reader], Needs::default()).unwrap();
    let range = FilterOptions { since_ns: Some(since), until_ns: Some(until), ..FilterOptions::default() };
    traces.set_filter(Filter::new(range));
    let mut entries = Vec::new();
    let result = traces.for_each(&mut |entry: &Entry<'_>| {
        entries.push(format!(
            "{} {:#x} {} {} {:?}",
            entry.number, entry.offset, entry.timestamp_ns, entry.schema.name, entry.payload
        ));
        Flow::Continue
    });
    let readers = traces.readers();
    let names = readers[0].schemas().all().map(|(_, schema)| schema.name.to_string());
    Some(Outcome {
        entries,
        anomalies: messages(readers[0].anomalies()),
        error: result.err().map(|errors| errors[0].to_string()),
        names: names.collect(),
    })
}

/// Renders the entries in `since..=until` with two threads. Returns the text, the number of lost events,
/// and the entries and anomalies after the text. All headers are visited if the reader keeps going.
fn lines(bytes: &[u8], keep_going: bool, (since, until): (u64, u64)) -> Vec<String> {
    let reader = open(mapped(bytes), keep_going).unwrap();
    let mut traces = Traces::new(vec![reader], Needs::default()).unwrap();
    let range = FilterOptions { since_ns: Some(since), until_ns: Some(until), ..FilterOptions::default() };
    let filter = Filter::new(range);
    traces.set_filter(filter.clone());
    let (mut text, mut out) = (JsonText::new(Times::default()), Vec::new());
    let write = |bytes: &[u8]| {
        out.extend_from_slice(bytes);
        Ok(())
    };
    let reader = traces.single().unwrap();
    let pieces = parallel::render_pieces(reader, &filter, &mut text, 2, 100, write).unwrap();
    pieces.read.unwrap();
    // After a block with large records, the reader continues.
    let mut rest = vec![String::from_utf8(out).unwrap(), pieces.dropped.events.to_string()];
    let mut add = |entry: &Entry<'_>| {
        rest.push(format!("{} {:#x} {}", entry.number, entry.offset, entry.timestamp_ns));
        Flow::Continue
    };
    let ended = reader.for_each_mut(&mut add);
    rest.extend(messages(reader.anomalies()));
    rest.extend(ended.err().map(|error| error.to_string()));
    rest
}

/// Damage to a file.
#[derive(Debug, Clone)]
enum Damage {
    /// Bits of a byte change.
    Bits(Index, u8),
    /// A part of the file is overwritten.
    Overwrite(Index, Vec<u8>),
    /// Bytes are removed and others inserted.
    Splice(Index, usize, Vec<u8>),
    /// Blocks are removed.
    Blocks(Index, usize),
    /// A header is damaged.
    Header(Index, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let bytes = |most| prop::collection::vec(any::<u8>(), 0..most);
    prop_oneof![
        1 => (any::<Index>(), 1u8..).prop_map(|(at, bits)| Damage::Bits(at, bits)),
        1 => (any::<Index>(), bytes(600)).prop_map(|(at, bytes)| Damage::Overwrite(at, bytes)),
        1 => (any::<Index>(), 0usize..400, bytes(400)).prop_map(|(at, size, bytes)| Damage::Splice(at, size, bytes)),
        1 => (any::<Index>(), 1usize..4).prop_map(|(block, count)| Damage::Blocks(block, count)),
        4 => (any::<Index>(), 0..HEADER_BYTES).prop_map(|(block, at)| Damage::Header(block, at)),
    ]
}

fn damaged(file: &[u8], damage: &Damage) -> Vec<u8> {
    let mut bytes = file.to_vec();
    match damage {
        Damage::Bits(at, bits) => bytes[at.index(file.len())] ^= bits,
        Damage::Overwrite(at, by) => {
            let at = at.index(file.len());
            let end = file.len().min(at + by.len());
            bytes[at..end].copy_from_slice(&by[..end - at]);
        }
        Damage::Splice(at, size, by) => {
            let at = at.index(file.len());
            bytes.splice(at..file.len().min(at + size), by.iter().copied());
        }
        Damage::Blocks(block, count) => {
            let all = blocks(file);
            let first = block.index(all.len());
            let end = all.get(first + count).map_or(file.len(), |(at, _)| *at);
            bytes.drain(all[first].0..end);
        }
        Damage::Header(block, at) => bytes[block.get(&blocks(file)).0 + at] ^= 1,
    }
    bytes
}

/// Returns a range between two times, most of which are in the trace.
fn ranges() -> impl Strategy<Value = Vec<(u64, u64)>> {
    let time = || prop_oneof![9 => 9_500u64..50_000, 1 => Just(0), 1 => Just(u64::MAX)];
    let length = prop_oneof![Just(0), 0u64..3000, Just(u64::MAX)];
    let range = (time(), length).prop_map(|(since, length)| (since, since.saturating_add(length)));
    prop::collection::vec(range, 4)
}

/// Runs `test` with random traces of many blocks.
fn with_traces<S: Strategy>(
    cases: u32,
    more: S,
    test: impl Fn(&[u8], S::Value) -> Result<(), TestCaseError>,
) {
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let blocks = prop::collection::vec(block(), 60..400);
    let result = runner.run(&(blocks, any::<bool>(), more), |(blocks, is_compressed, more)| {
        test(&trace(&blocks, is_compressed), more)
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

/// A search finds what a reader finds that visits all blocks, also in files that end within a block.
#[test]
fn a_range_is_that_of_a_stream() {
    with_traces(32, (ranges(), any::<Index>()), |file, (ranges, cut)| {
        for file in [file, &file[..1000.max(cut.index(file.len()))]] {
            for range in ranges.clone() {
                for keep_going in [false, true] {
                    let expected = read(stream(file), keep_going, range);
                    prop_assert_eq!(read(mapped(file), keep_going, range), expected);
                }
            }
        }
        Ok(())
    });
}

/// The blocks that a search finds are rendered like those that a reader finds that visits all headers.
#[test]
fn a_range_is_rendered_like_one_of_all_blocks() {
    with_traces(24, (ranges(), any::<Index>()), |file, (ranges, cut)| {
        for file in [file, truncated(file, cut)] {
            for &range in &ranges {
                let (found, expected) = (lines(file, false, range), lines(file, true, range));
                prop_assert!(found[0] == expected[0]);
                // A reader that keeps going counts damage instead of returning an error.
                if !expected.iter().any(|line| line.starts_with("Damage")) {
                    prop_assert_eq!(&found[1..], &expected[1..]);
                }
            }
        }
        Ok(())
    });
}

/// Totals from the end of the file are those of all headers.
#[test]
fn totals_are_those_of_all_headers() {
    let with_origin = |file: &[u8], keep_going| {
        let needs = Needs { origin: true, anchor: false };
        let traces = Traces::new(vec![open(mapped(file), keep_going).unwrap()], needs).unwrap();
        (traces.times(), traces.time_range_ns())
    };
    with_traces(24, any::<Index>(), |file, cut| {
        for file in [file, truncated(file, cut)] {
            prop_assert_eq!(with_origin(file, false), with_origin(file, true));
            let outline = open(mapped(file), false).unwrap().outline_from(0).unwrap();
            // This reader visits all headers.
            let expected = open(mapped(file), true).unwrap().outline_from(0).unwrap();
            prop_assert_eq!(format!("{outline:?}"), format!("{expected:?}"));
        }
        Ok(())
    });
}

/// Bytes in a string that look like a block at the right place are not believed.
#[test]
fn a_forged_header_is_not_believed() {
    let forged_text = |text: &[u8]| {
        let mut encoder = BlockEncoder::default();
        let (mut file, mut v4) = (Vec::new(), Vec::new());
        ENCODER.header(0, 0, &mut v4);
        Metadata::Declaration("text(const char *s)".to_owned()).encode(1, ORDER, &mut v4);
        ENCODER.mapping(2, b"text", &mut v4);
        for number in 0..200 {
            let text = if number == 70 { text } else { b"intact" };
            ENCODER.record(2, 10_000 + STEP_NS * number, 1, &[Value::Str(text)], &mut v4).unwrap();
            encoder.push(&v4, |_| None, &mut file).unwrap();
            encoder.finish(&mut file);
            v4.clear();
        }
        file
    };
    // The string is so large that the search finds its headers first.
    let size = 2_000_000;
    let placeholder = vec![b'x'; size];
    let start = forged_text(&placeholder).windows(9).position(|bytes| bytes == b"xxxxxxxxx").unwrap();
    let mut text = placeholder;
    let template = BlockHeader::parse(&forged_text(b"intact")).unwrap();
    for at in (0..size - HEADER_BYTES).step_by(1000) {
        // A header with the latest time so far of the last block.
        let header = forged(&template, (start + at) as u64, 10_000 + STEP_NS * 199);
        text[at..at + HEADER_BYTES].copy_from_slice(&header);
    }
    let file = forged_text(&text);
    assert_eq!(BlockHeader::parse(&file[start + 5000..]).unwrap().at, start as u64 + 5000);
    for since in [20, 60, 70, 80, 199] {
        let range = (10_000 + STEP_NS * since, 10_000 + STEP_NS * (since + 1));
        let expected = read(stream(&file), false, range);
        assert_eq!(read(mapped(&file), false, range), expected, "{since}");
    }
}

/// Returns a header that states the offset `at` and this latest time so far.
fn forged(template: &BlockHeader, at: u64, latest_ns: u64) -> [u8; HEADER_BYTES] {
    let mut encoder = BlockEncoder::default();
    let (mut v4, mut file) = (Vec::new(), Vec::new());
    ENCODER.record(2, latest_ns, 1, &[Value::Integer(1)], &mut v4).unwrap();
    encoder.push(&v4, |_| None, &mut file).unwrap();
    encoder.finish(&mut file);
    let mut header = *file.first_chunk::<HEADER_BYTES>().unwrap();
    header[16..20].copy_from_slice(&template.body_bytes.to_le_bytes());
    header[120..].copy_from_slice(&at.to_le_bytes());
    let crc = crc32c::crc32c(&header[12..]);
    header[8..12].copy_from_slice(&crc.to_le_bytes());
    header
}

/// In a damaged file, a search finds what a reader finds that visits all blocks, or does not notice the
/// damage, and finds the entries of the intact file.
#[test]
fn damage_is_reported_or_not_noticed() {
    let [reported, unnoticed] = [Cell::new(0), Cell::new(0)];
    with_traces(24, (ranges(), prop::collection::vec(damage(), 8)), |intact, (ranges, damages)| {
        for damage in damages {
            let file = damaged(intact, &damage);
            for &range in &ranges {
                let expected = read(stream(&file), true, range);
                prop_assert_eq!(read(mapped(&file), true, range), expected, "keep going, {:?}", damage);
                let found = read(mapped(&file), false, range);
                if found == read(stream(&file), false, range) {
                    reported.update(|count| count + 1);
                } else {
                    prop_assert_eq!(&found, &read(stream(intact), false, range), "{:?}", damage);
                    unnoticed.update(|count| count + 1);
                }
            }
        }
        Ok(())
    });
    let [reported, unnoticed] = [reported, unnoticed].map(Cell::into_inner);
    println!("{reported} reported, {unnoticed} not noticed");
    assert!(reported > 200 && unnoticed > 20, "{reported} {unnoticed}");
}

/// Blocks are larger than the range in which the search visits all headers.
#[test]
fn each_of_many_large_blocks_is_found() {
    let file = trace(&vec![Block { times: vec![0, 20], content: Content::Text(9000) }; 150], false);
    for number in 0..150 {
        let base_ns = 10_000 + STEP_NS * number;
        for range in [(base_ns, base_ns), (base_ns + 20, base_ns + 119), (base_ns + 21, base_ns + 100)] {
            let expected = read(stream(&file), false, range);
            assert_eq!(read(mapped(&file), false, range), expected, "{range:?}");
        }
    }
}

/// Damage in a header far from the range is not noticed, unless the reader keeps going or is strict.
#[test]
fn headers_far_from_the_range_are_not_visited() {
    let intact = even_trace(1000);
    let range = (10_000 + 500 * STEP_NS, 10_000 + 502 * STEP_NS);
    let expected = read(mapped(&intact), false, range).unwrap();
    assert_eq!((expected.entries.len(), &expected.error), (9, &None));
    let all = blocks(&intact);
    let mut unnoticed = 0;
    for block in 1..all.len() {
        let mut file = intact.clone();
        file[all[block].0 + 50] ^= 1;
        let found = read(mapped(&file), false, range).unwrap();
        if found == expected {
            unnoticed += 1;
        } else {
            assert_eq!(Some(found), read(stream(&file), false, range), "{block}");
        }
        let anomalies = read(mapped(&file), true, range).unwrap().anomalies;
        assert_eq!(anomalies.len(), 1, "{block}: {anomalies:?}");
    }
    println!("damage in {unnoticed} of {} headers is not noticed", all.len());
    assert!(unnoticed > 800, "{unnoticed}");
}
