mod blocks;
mod damage;
mod python;

use std::collections::VecDeque;

use proptest::prelude::*;

use super::encode::NotRecords;
use super::*;
use crate::ByteOrder;
use crate::simpletrace::encode::{Encoder, Value};
use crate::simpletrace::header::{Detected, detect};
use crate::simpletrace::metadata::FIRST_ID;
use crate::simpletrace::metadata::Metadata;
use crate::simpletrace::{
    ArgumentKind, DROPPED_ID, MAX_RECORD_BYTES, Step, Version, context, step_by_length,
};

const ENCODER: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };

const INTEGER: ArgumentKind = ArgumentKind::Integer { signed: false };

/// The arguments of event n are those of element n modulo the number of elements.
const KINDS: &[&[ArgumentKind]] = &[
    &[],
    &[INTEGER],
    &[INTEGER, INTEGER],
    &[ArgumentKind::Str],
    &[INTEGER, ArgumentKind::Str, ArgumentKind::Str, INTEGER],
    &[INTEGER; 40],
    &[INTEGER; 8],
    &[ArgumentKind::Str, INTEGER],
    &[INTEGER, INTEGER, ArgumentKind::Str, INTEGER, INTEGER],
];

fn kinds(id: u64) -> Option<&'static [ArgumentKind]> {
    // The arguments of some events are unknown.
    (id & 7 != 7).then(|| KINDS[id as usize % KINDS.len()])
}

/// Returns the file header and the mapping records in v4 data that a copy contains.
fn copied(v4: &[u8]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    if let Detected::Header(header) = detect(v4) {
        out.extend_from_slice(&v4[..header.size]);
        at = header.size;
    }
    while at < v4.len() {
        let (size, is_copied) = match step_by_length(Version::V4, ByteOrder::Little, &v4[at..]) {
            Step::Record(record) => (record.size, false),
            Step::Mapping(mapping) => (mapping.size, mapping.id != FIRST_ID + u64::from(context::NUMBER)),
            other => panic!("{other:?}"),
        };
        if is_copied {
            out.extend_from_slice(&v4[at..at + size]);
        }
        at += size;
    }
    out
}

/// Returns the v4 file, and the headers of blocks with records. Checks the totals and the copies.
fn decode(mut file: &[u8]) -> (Vec<u8>, Vec<BlockHeader>) {
    let (mut out, mut headers, mut decoder) = (Vec::new(), Vec::new(), BlockDecoder::default());
    let (mut plain, mut totals, mut latest_ns) = (Vec::new(), FileTotals::NONE, 0);
    let (start_bytes, mut totals_at, mut totals_after) = (file.len(), None, 0);
    let mut uncopied: VecDeque<(u64, BlockHeader, Vec<u8>)> = VecDeque::new();
    while !file.is_empty() {
        let header = BlockHeader::parse(file).unwrap();
        let at = (start_bytes - file.len()) as u64;
        let is_due = (headers.len() as u64).is_multiple_of(BLOCKS_PER_TOTALS) && totals_after < headers.len();
        let is_copy_due = uncopied.front().is_some_and(|(end, ..)| at - end >= 4096);
        assert_eq!(header.kind == Kind::Copy, is_copy_due && !is_due);
        if header.kind == Kind::Copy {
            let (_, of, v4) = uncopied.pop_front().unwrap();
            assert_eq!((header.at, header.previous_mappings_at), (at, of.at));
            assert_eq!((header.records, header.mappings), (0, of.mappings));
            assert_eq!(header.expanded_before, of.expanded_before);
            assert_eq!(header.records_before, of.records_before);
            let body = header.body(file).unwrap();
            assert!(header.is_intact(body));
            let body = header.plain_body(body, &mut plain).unwrap();
            assert_eq!(decoder.decode(&header, body).unwrap(), v4);
            file = &file[header.block_bytes()..];
            continue;
        }
        assert_eq!(u64::from(header.totals_distance), totals_at.map_or(0, |totals_at| at - totals_at));
        assert_eq!(header.kind == Kind::Totals, is_due);
        if header.kind == Kind::Totals {
            assert_eq!(header.totals(), Some(totals));
            assert_eq!((header.block_bytes(), header.latest_so_far_ns), (HEADER_BYTES, latest_ns));
            (totals_at, totals_after) = (Some(at), headers.len());
            file = &file[HEADER_BYTES..];
            continue;
        }
        totals.add(&header, latest_ns);
        latest_ns = header.latest_so_far_ns;
        let body = header.body(file).unwrap();
        assert!(header.is_intact(body));
        assert_eq!(header.expanded_before, out.len() as u64);
        assert!(header.is_zstd || header.body_bytes == header.plain_bytes);
        let body = header.plain_body(body, &mut plain).unwrap();
        let block = decoder.decode(&header, body).unwrap();
        for most in [0, 1, 7, u64::MAX] {
            assert_eq!(decode_in_parts(&header, body, most), block);
        }
        let copied = copied(block);
        if !copied.is_empty() {
            uncopied.push_back((at + header.block_bytes() as u64, header, copied));
        }
        out.extend_from_slice(block);
        file = &file[header.block_bytes()..];
        headers.push(header);
    }
    (out, headers)
}

/// Encodes the records that it takes as v4.
struct TakeSome {
    /// The number of further records that it takes.
    left: u64,
    out: Vec<u8>,
}

impl TakeFew for TakeSome {
    fn take<const N: usize>(&mut self, event: FewEvent<'_>, timestamp_ns: u64, values: &[u64; N]) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let (id, pid) = event.ids();
        ENCODER.record(id, timestamp_ns, pid, &values.map(Value::Integer), &mut self.out).unwrap();
        true
    }
}

/// Returns the v4 data of a block, of which at most `most` records at a time are taken while they are
/// decoded.
fn decode_in_parts(header: &BlockHeader, body: &[u8], most: u64) -> Vec<u8> {
    let mut decoder = BlockDecoder::default();
    let mut block = decoder.start(header, body);
    let mut take = TakeSome { left: most, out: Vec::new() };
    loop {
        take.left = most;
        let end = block.take_while(&mut take);
        assert_eq!(take.out.len(), end);
        let is_whole = block.expand(50).unwrap();
        take.out.extend_from_slice(&block.decoded()[end..]);
        if is_whole {
            return take.out;
        }
    }
}

/// A part of a v4 file.
#[derive(Debug, Clone)]
enum Part {
    Event {
        id: u64,
        ns: u64,
        pid: u32,
        integers: Vec<u64>,
        strings: Vec<Vec<u8>>,
    },
    Mapping(u64, Vec<u8>),
    Metadata(String),
    Context(u32),
    Dropped(u64),
    /// A record of another type, or with other arguments than declared.
    Odd(u64, Vec<u8>),
    Finish,
}

fn part() -> impl Strategy<Value = Part> {
    let number = || prop_oneof![any::<u64>(), 0u64..300, Just(u64::MAX)];
    let id = || (0u64..4, prop_oneof![0u64..9, 0u64..600]).prop_map(|(tid, event)| tid << 32 | event);
    let string = || prop_oneof![Just(b"same".to_vec()), prop::collection::vec(any::<u8>(), 0..20)];
    prop_oneof![
        20 => (
            id(),
            number(),
            8u32..10,
            prop::collection::vec(number(), 40),
            prop::collection::vec(string(), 2)
        )
            .prop_map(|(id, ns, pid, integers, strings)| Part::Event { id, ns, pid, integers, strings }),
        1 => (id(), string()).prop_map(|(id, name)| Part::Mapping(id, name)),
        1 => "[a-z]{0,9}".prop_map(Part::Metadata),
        1 => (0u32..9).prop_map(Part::Context),
        1 => prop_oneof![0u64..9, any::<u64>()].prop_map(Part::Dropped),
        1 => (prop_oneof![9 => id(), 1 => Just(DROPPED_ID)], string())
            .prop_map(|(id, payload)| Part::Odd(id, payload)),
        1 => Just(Part::Finish),
    ]
}

fn encode(part: &Part, out: &mut Vec<u8>) {
    match part {
        Part::Event { id, ns, pid, integers, strings } => {
            let (mut integers, mut strings) = (integers.iter(), strings.iter());
            let values: Vec<_> = KINDS[*id as usize % KINDS.len()]
                .iter()
                .map(|kind| match kind {
                    ArgumentKind::Str => Value::Str(strings.next().unwrap()),
                    ArgumentKind::Integer { .. } => Value::Integer(*integers.next().unwrap()),
                })
                .collect();
            ENCODER.record(*id, *ns, *pid, &values, out).unwrap();
        }
        Part::Mapping(id, name) => ENCODER.mapping(*id, name, out),
        Part::Metadata(text) => {
            Metadata::Other(text.clone(), b"value".to_vec()).encode(7, ByteOrder::Little, out);
        }
        Part::Context(cpu) => {
            context::encode(Some(*cpu), [1, 2], ByteOrder::Little, out);
        }
        Part::Dropped(count) => ENCODER.dropped(*count, 5, 6, out),
        Part::Odd(id, payload) => {
            let start = out.len();
            let mut record = ENCODER.begin(*id, 77, 8, 0, out);
            record.payload(payload);
            record.finish();
            out[start] += (payload.len() & 1) as u8;
        }
        Part::Finish => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Decoding restores exactly the bytes that were encoded, and the headers match them.
    #[test]
    fn round_trip(parts in prop::collection::vec(part(), 0..60), compresses in any::<bool>()) {
        let (mut file, mut expected) = (Vec::new(), Vec::new());
        let mut encoder = if compresses { BlockEncoder::compressed().unwrap() } else { BlockEncoder::default() };
        ENCODER.header(0, 0, &mut expected);
        encoder.push(&expected, kinds, &mut file).unwrap();
        let (mut records, mut lost) = (0, 0u64);
        for part in &parts {
            let start = expected.len();
            encode(part, &mut expected);
            encoder.push(&expected[start..], kinds, &mut file).unwrap();
            match part {
                Part::Finish => encoder.finish(&mut file),
                Part::Dropped(count) => (records, lost) = (records + 1, lost.wrapping_add(*count)),
                Part::Odd(id, payload) => {
                    records += 1;
                    if let (DROPPED_ID, Some(count)) = (*id, payload.first_chunk()) {
                        lost = lost.wrapping_add(u64::from_le_bytes(*count));
                    }
                }
                Part::Event { .. } => records += 1,
                _ => {}
            }
        }
        encoder.finish(&mut file);
        let (out, headers) = decode(&file);
        prop_assert_eq!(out, expected);
        prop_assert_eq!(headers.iter().map(|header| u64::from(header.records)).sum::<u64>(), records);
        prop_assert_eq!(headers.iter().fold(0, |sum: u64, header| sum.wrapping_add(header.lost)), lost);
        let mut end = 0;
        for header in &headers {
            prop_assert!(header.latest_so_far_ns >= end);
            end = header.latest_so_far_ns;
            prop_assert!(compresses || !header.is_zstd);
        }
        prop_assert_eq!(encoder.saved_bytes(), headers.iter().map(BlockHeader::saved_bytes).sum::<u64>());
    }

    /// Blocks of totals are correct; see [`decode`].
    #[test]
    fn totals(times in prop::collection::vec(0u64..1000, 1..300), disorder in 1u64..1000, compresses in any::<bool>()) {
        let (mut file, mut expected) = (Vec::new(), Vec::new());
        let mut encoder = if compresses { BlockEncoder::compressed().unwrap() } else { BlockEncoder::default() };
        for (number, &time) in (0..).zip(&times) {
            let start = expected.len();
            let ns = 500 * number + time % disorder;
            ENCODER.record(1, ns, 1, &[Value::Integer(number)], &mut expected).unwrap();
            if time % 5 == 0 {
                ENCODER.dropped(time, ns, 1, &mut expected);
            }
            encoder.push(&expected[start..], kinds, &mut file).unwrap();
            encoder.finish(&mut file);
        }
        let (out, headers) = decode(&file);
        prop_assert_eq!(out, expected);
        prop_assert_eq!(headers.len(), times.len());
        prop_assert_eq!(encoder.saved_bytes(), headers.iter().map(BlockHeader::saved_bytes).sum::<u64>());
    }

    /// For any bytes, decoding ends and returns at most the number of bytes that the header states.
    #[test]
    fn damage(parts in prop::collection::vec(part(), 1..30), at in any::<prop::sample::Index>(), byte in any::<u8>(), short in 0u32..40) {
        let (mut file, mut bytes) = (Vec::new(), Vec::new());
        parts.iter().for_each(|part| encode(part, &mut bytes));
        let mut encoder = BlockEncoder::default();
        prop_assume!(!bytes.is_empty());
        encoder.push(&bytes, kinds, &mut file).unwrap();
        encoder.finish(&mut file);
        let intact = BlockHeader::parse(&file).unwrap();
        let mut header = intact;
        let mut body = header.body(&file).unwrap().to_vec();
        let at = at.index(body.len());
        body[at] = byte;
        header.expanded_bytes = header.expanded_bytes.saturating_sub(short);
        let mut decoder = BlockDecoder::default();
        let _ = decoder.decode(&header, &body);
        prop_assert!(decoder.decoded().len() <= header.expanded_bytes as usize);
        body.truncate(at);
        prop_assert!(decoder.decode(&intact, &body).is_err());
    }
}

/// Returns records of an event whose second integer is 0, or seems to be random.
fn two_integers(count: u64, is_random: bool) -> Vec<u8> {
    let mut records = Vec::new();
    for number in 0..count {
        let mixed = number.wrapping_mul(0xff51_afd7_ed55_8ccd);
        let random = (mixed ^ mixed >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        let values = [Value::Integer(number), Value::Integer(if is_random { random } else { 0 })];
        ENCODER.record(2, 20 * number + random % 9, 1, &values, &mut records).unwrap();
    }
    records
}

#[test]
fn bodies_are_compressed() {
    for is_random in [false, true] {
        let records = two_integers(20_000, is_random);
        let [plain, packed] =
            [BlockEncoder::default(), BlockEncoder::compressed().unwrap()].map(|mut encoder| {
                let mut file = Vec::new();
                // Small blocks, the last of which is only in the encoder.
                for part in records.chunks(48 * 3_000) {
                    encoder.push(part, kinds, &mut file).unwrap();
                    let block = encoder.finish_in_place().to_vec();
                    assert_eq!(encoder.last_block(), block);
                    file.extend_from_slice(&block);
                }
                file
            });
        assert!(decode(&plain).0 == records && decode(&packed).0 == records);
        let headers = decode(&packed).1;
        assert_eq!(headers.len(), 7);
        let mut at = 0;
        for header in &headers {
            assert!(header.is_zstd && header.body_bytes < header.plain_bytes, "{header:?}");
            assert_eq!(header.at, at);
            at += header.block_bytes() as u64;
        }
        let [plain, packed] = [plain, packed].map(|file| file.len() as f64 / 20_000.0);
        println!("{plain:.1} bytes an event, {packed:.1} with compression");
        assert!(plain < 14.0 && packed < if is_random { 12.0 } else { 3.0 }, "{plain} {packed}");
    }
}

/// Compression that saves almost nothing would only cost readers time.
#[test]
fn incompressible_bodies_are_stored_as_they_are() {
    let words = two_integers(8_000, true);
    let random: Vec<u8> = words.chunks(48).flat_map(|record| record[40..].iter().copied()).collect();
    let mut records = Vec::new();
    for text in random.chunks(1_000) {
        ENCODER.record(3, 1, 1, &[Value::Str(text)], &mut records).unwrap();
    }
    let mut encoder = BlockEncoder::compressed().unwrap();
    let mut file = Vec::new();
    // A compressible block follows, whose memory was used before.
    for part in [&records, &words, &records] {
        encoder.push(part, kinds, &mut file).unwrap();
        encoder.finish(&mut file);
    }
    let (out, headers) = decode(&file);
    assert!(out == [&records[..], &words, &records].concat());
    assert_eq!(headers.iter().map(|header| header.is_zstd).collect::<Vec<_>>(), [false, true, false]);
    let mut encoder = encoder.restart();
    assert_eq!((encoder.saved_bytes(), encoder.total_expanded_bytes()), (0, 0));
    file.clear();
    encoder.push(&words, kinds, &mut file).unwrap();
    encoder.finish(&mut file);
    let (out, headers) = decode(&file);
    assert!(out == words);
    assert!((headers[0].at, headers[0].is_zstd) == (0, true));
}

#[test]
fn records_of_one_event_are_encoded_together() {
    // Two records are earlier than the one before them, and one is centuries later.
    let times = [500, 700, 600, 650, u64::MAX - 5, u64::MAX, 3];
    // The 300th event has a long index.
    for (number, events) in [(0, 1), (299, 300)] {
        let (mut file, mut expected) = (Vec::new(), Vec::new());
        let mut encoder = BlockEncoder::default();
        let defined: Vec<_> =
            (0..events).map(|id| encoder.event(id, 8, Some(&[INTEGER; 2])).unwrap()).collect();
        let records = times.map(|time: u64| [0, 0, time, time << 40].map(u64::to_le_bytes));
        for (time, [.., first, second]) in times.iter().zip(&records) {
            let values = [first, second].map(|word| Value::Integer(u64::from_le_bytes(*word)));
            ENCODER.record(number, *time, 8, &values, &mut expected).unwrap();
        }
        let (mut at, mut together) = (0, 0);
        let event = defined[number as usize];
        assert!(encoder.takes_records(event, 2) && !encoder.takes_records(event, 1));
        while at < times.len() {
            let count = encoder.records::<2, 4>(event, &times[at..], &records[at..]);
            together += count;
            at += count;
            // The encoder stops if its buffer is full. The next record makes it larger.
            if count == 0 {
                assert!(encoder.record(event, times[at], records[at][2..].as_flattened()));
                at += 1;
            }
        }
        assert!(together >= 3, "{together}");
        assert_eq!(
            encoder.records::<1, 3>(event, &[u64::MAX], &[[[0; 8]; 3]]),
            0,
            "the event has two integers"
        );
        encoder.finish(&mut file);
        let (out, headers) = decode(&file);
        assert_eq!(out, expected);
        let header = headers[0];
        assert_eq!((header.earliest_ns, header.latest_ns, header.records), (3, u64::MAX, 7));
    }
}

/// Records of any number of integers are decoded equally in the middle of a body and near its end,
/// with short and with long indices, and if records of other events are between them.
#[test]
fn integers_of_any_number() {
    const MIXED: &[ArgumentKind] = &[ArgumentKind::Str, INTEGER, ArgumentKind::Str];
    let kinds = |id: u64| if id % 14 == 13 { MIXED } else { &[INTEGER; 13][..id as usize % 14] };
    let texts = [b"a string that is longer than most of them".as_slice(), b"sda", b"sda", b""];
    for ids in [14, 300] {
        let (mut expected, mut ends) = (Vec::new(), Vec::new());
        for number in 0..200u64 {
            let id = (number * 7 / 2 + number / 30) % ids;
            let values = kinds(id).iter().zip(number..).map(|(kind, n)| match kind {
                ArgumentKind::Str => Value::Str(texts[n as usize % texts.len()]),
                ArgumentKind::Integer { .. } => Value::Integer(n.wrapping_mul(n).wrapping_sub(9) << (n % 60)),
            });
            ENCODER.record(id, number * number, 8, &values.collect::<Vec<_>>(), &mut expected).unwrap();
            ends.push(expected.len());
        }
        // Each record is once the last one in a block.
        for end in ends {
            let (mut encoder, mut file) = (BlockEncoder::default(), Vec::new());
            for id in 0..ids {
                encoder.event(id, 8, Some(kinds(id)));
            }
            encoder.push(&expected[..end], |id| Some(kinds(id)), &mut file).unwrap();
            encoder.finish(&mut file);
            assert!(decode(&file).0 == expected[..end], "{ids} {end}");
        }
    }
}

/// The largest records of the most integers that are decoded by a function for their number: each number takes
/// eight bytes. A mapping record that is larger than any of them is between two runs.
#[test]
fn the_largest_records_of_a_few_integers() {
    let mut expected = Vec::new();
    for number in 0..40 {
        let is_odd = number % 2 == 1;
        let values = [Value::Integer(if is_odd { 1 << 63 } else { 0 }); 10];
        ENCODER.record(1, if is_odd { 1 << 62 } else { 0 }, 8, &values, &mut expected).unwrap();
        if number == 19 {
            ENCODER.mapping(2, &[b'n'; 200], &mut expected);
        }
    }
    let (mut encoder, mut file) = (BlockEncoder::default(), Vec::new());
    encoder.push(&expected, |_| Some(&[INTEGER; 10]), &mut file).unwrap();
    encoder.finish(&mut file);
    let (out, headers) = decode(&file);
    assert!(out == expected);
    let record_bytes = 1 + 6 + 11 * 8;
    assert!(
        headers[0].plain_bytes > 38 * record_bytes,
        "numbers take eight bytes: {}",
        headers[0].plain_bytes
    );
}

/// The bytes in `docs/formats/compact.md` are encoded and decoded as described there.
#[test]
fn the_example_in_the_document() {
    let document = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats/compact.md");
    let document = std::fs::read_to_string(document).unwrap();
    let (_, example) = document.split_once("## An example\n").unwrap();
    let (example, _) = example.split_once("\n## ").unwrap();
    let cells = example.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let bytes = cells.flat_map(|(bytes, _)| bytes.split_whitespace());
    let body: Vec<u8> = bytes.map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();

    let mut records = Vec::new();
    for time in [1000, 990] {
        let values = [Value::Integer(64), Value::Str(b"sda")];
        ENCODER.record(0x1234 << 32 | 7, time, 0x1234, &values, &mut records).unwrap();
    }
    let (mut file, mut encoder) = (Vec::new(), BlockEncoder::default());
    encoder.push(&records, |_| Some(&[INTEGER, ArgumentKind::Str]), &mut file).unwrap();
    encoder.finish(&mut file);
    assert_eq!(file[HEADER_BYTES..], body);
    assert_eq!(decode(&file).0, records);
}
