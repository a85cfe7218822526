//! Reads compact traces: arbitrary blocks with valid checksums, and v4 traces encoded as blocks.
//!
//! See `case` for the format of the input. The lowest bit of the seed selects whether the trace
//! consists of blocks, or is to be encoded. The next bit selects whether its records are copied first.

use ringtrace_tracefile::{Error as TraceError, Reader, Schema};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::compact::{BlockDecoder, BlockEncoder, BlockHeader, HEADER_BYTES, MAGIC};
use ringtrace_wire::simpletrace::header::{Detected, detect};
use ringtrace_wire::simpletrace::{ArgumentKind, Step, Version, step_by_length};

use crate::Target;
use crate::case::Case;
use crate::reader::check;
use crate::transcript::Transcript;

pub(crate) const TARGET: Target = Target {
    name: "compact",
    about: "blocks are read in every way with the same result, whole and in part; a trace is restored from its blocks",
    max_bytes: 4096,
    run,
};

fn run(data: &[u8]) {
    let case = Case::new(data);
    let (start, trace) = data.split_at(data.len() - case.trace().len());
    if case.seed & 1 == 0 {
        let blocks = with_checksums(trace);
        check(&Case::new(&[start, &blocks].concat()));
        return;
    }
    let copied = (case.seed & 2 != 0).then(|| with_copies(trace));
    let trace = copied.as_deref().unwrap_or(trace);
    let (whole, blocks) = encode(trace, usize::from(case.look));
    assert!(decode(&blocks) == trace[..whole], "a trace is restored");
    // Records without a header can look like a compact trace.
    if blocks.is_empty() || trace.starts_with(&MAGIC) {
        return;
    }
    let v4 = [start, &trace[..whole]].concat();
    let compact = [start, &blocks].concat();
    let compact = Case::new(&compact);
    let transcript = Transcript::read(compact.whole(), usize::MAX);
    let expected = Transcript::read(Case::new(&v4).whole(), usize::MAX);
    // A record without a declaration is skipped, but in v4, it can be damaged, and its length wrong.
    if !expected.anomalies.iter().any(|(kind, ..)| *kind == "damage") {
        assert_eq!(transcript, expected, "as v4");
    }
    check(&compact);
    check_range(&compact, start, &transcript);
}

/// Checks that the blocks of a time range that are found by searching are those that a reader finds
/// that visits all blocks. If a header is damaged, the search need not notice that.
fn check_range(intact: &Case<'_>, start: &[u8], transcript: &Transcript) {
    let choice = usize::from(intact.seed) << 8 | usize::from(intact.look);
    let Some(first) = transcript.entries.get(choice % transcript.entries.len().max(1)) else { return };
    let since_ns = first.timestamp_ns;
    let until_ns = since_ns.saturating_add(1 << (choice % 64));
    let range = |reader: Result<Reader, TraceError>| {
        let selected = reader.map(|mut reader| {
            reader.select(since_ns, until_ns, None::<fn(u32, &Schema) -> bool>);
            reader
        });
        Transcript::read(selected, usize::MAX)
    };
    let expected = range(intact.pipe());
    assert_eq!(range(intact.file()), expected, "a range");
    let mut damaged = [start, intact.trace()].concat();
    let at = start.len() + choice.wrapping_mul(40_503) % intact.trace().len();
    damaged[at] ^= 1;
    let damaged = Case::new(&damaged);
    let (found, visited) = (range(damaged.file()), range(damaged.pipe()));
    if found != visited {
        assert!(!damaged.visits_all(), "damage is found");
        assert_eq!(found, expected, "damage is outside of the range");
    }
}

/// Returns `bytes` with valid checksums in the headers of blocks. Limits the sizes in the headers: a
/// reader may need memory for the largest possible block, whatever the size of the file is.
fn with_checksums(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let mut at = 0;
    while at + HEADER_BYTES <= bytes.len() {
        if !bytes[at..].starts_with(&MAGIC) {
            at += 1;
            continue;
        }
        let size = u32::from_le_bytes([bytes[at + 16], bytes[at + 17], bytes[at + 18], bytes[at + 19]]);
        let end = (at + HEADER_BYTES).saturating_add(size as usize);
        if let Some(body) = bytes.get(at + HEADER_BYTES..end) {
            let crc = crc32c(body);
            bytes[at + 20..at + 24].copy_from_slice(&crc.to_le_bytes());
        }
        for most_significant in [27, 31] {
            bytes[at + most_significant] = 0;
            bytes[at + most_significant - 1] &= 3;
        }
        let crc = crc32c(&bytes[at + 12..at + HEADER_BYTES]);
        bytes[at + 8..at + 12].copy_from_slice(&crc.to_le_bytes());
        at = end;
    }
    bytes
}

fn crc32c(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0x82f6_3b78 & (crc & 1).wrapping_neg()))
    })
}

/// Encodes the whole records at the start of `v4` as blocks of about `most` bytes of v4. Returns the
/// size of these records, too.
fn encode(v4: &[u8], most: usize) -> (usize, Vec<u8>) {
    const KINDS: [ArgumentKind; 2] = [ArgumentKind::Str, ArgumentKind::Integer { signed: false }];
    // The declared arguments need not match the records.
    let kinds = |id: u64| KINDS.get(..id as usize & 3);
    let (mut encoder, mut blocks, mut at) = (BlockEncoder::default(), Vec::new(), 0);
    while let Some((size, _)) = step(v4, at) {
        if encoder.expanded_bytes() >= most {
            encoder.finish(&mut blocks);
        }
        if encoder.push(&v4[at..at + size], kinds, &mut blocks).is_err() {
            break;
        }
        at += size;
    }
    encoder.finish(&mut blocks);
    (at, blocks)
}

/// Returns the size of the file header or the record at `at`, and whether it is a record with a time.
fn step(v4: &[u8], at: usize) -> Option<(usize, bool)> {
    let rest = &v4[at..];
    match detect(rest) {
        Detected::Header(header) if at == 0 => Some((header.size, false)),
        _ => match step_by_length(Version::V4, ByteOrder::Little, rest) {
            Step::Record(record) => Some((record.size, true)),
            Step::Mapping(mapping) => Some((mapping.size, false)),
            Step::NeedMore(_) | Step::Fault(_) => None,
        },
    }
}

/// Appends copies of the records with a time to the whole records of `v4`, each with later times. The
/// result can have so many blocks that there are totals.
fn with_copies(v4: &[u8]) -> Vec<u8> {
    const TIME_AT: usize = 16;
    let (mut records, mut at) = (Vec::new(), 0);
    while let Some((size, has_time)) = step(v4, at) {
        if has_time {
            records.push(at..at + size);
        }
        at += size;
    }
    let mut copied = v4[..at].to_vec();
    for copy in 1..8 {
        for record in &records {
            let mut record = v4[record.clone()].to_vec();
            if let Some(time) = record[TIME_AT..].first_chunk_mut() {
                *time = u64::from_le_bytes(*time).wrapping_add(copy << 20).to_le_bytes();
            }
            copied.extend_from_slice(&record);
        }
    }
    copied
}

fn decode(mut blocks: &[u8]) -> Vec<u8> {
    let (mut out, mut decoder) = (Vec::new(), BlockDecoder::default());
    while !blocks.is_empty() {
        let header = BlockHeader::parse(blocks).expect("the encoder writes valid headers");
        let body = header.body(blocks).expect("the encoder writes whole blocks");
        assert!(header.is_intact(body));
        if header.is_in_sequence() {
            assert_eq!(header.expanded_before, out.len() as u64);
            out.extend_from_slice(decoder.decode(&header, body).expect("the encoder writes valid bodies"));
        }
        blocks = &blocks[header.block_bytes()..];
    }
    out
}
