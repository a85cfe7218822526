//! Reads compact traces: arbitrary blocks with valid checksums, and v4 traces encoded as blocks.
//!
//! See `case` for the format of the input. The lowest bit of the seed selects whether the trace
//! consists of blocks, or is to be encoded.

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
    about: "blocks are read in every way with the same result; a trace is restored from its blocks",
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
    let (whole, blocks) = encode(trace, usize::from(case.look));
    assert!(decode(&blocks) == trace[..whole], "a trace is restored");
    // Records without a header can look like a compact trace.
    if blocks.is_empty() || trace.starts_with(&MAGIC) {
        return;
    }
    let v4 = [start, &trace[..whole]].concat();
    let compact = [start, &blocks].concat();
    let compact = Case::new(&compact);
    let transcript = Transcript::read(Case::new(&v4).whole(), usize::MAX);
    assert_eq!(Transcript::read(compact.whole(), usize::MAX), transcript, "as v4");
    check(&compact);
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
    loop {
        let rest = &v4[at..];
        let size = match detect(rest) {
            Detected::Header(header) if at == 0 => header.size,
            _ => match step_by_length(Version::V4, ByteOrder::Little, rest) {
                Step::Record(record) => record.size,
                Step::Mapping(mapping) => mapping.size,
                Step::NeedMore(_) | Step::Fault(_) => break,
            },
        };
        if encoder.expanded_bytes() >= most {
            encoder.finish(&mut blocks);
        }
        if encoder.push(&rest[..size], kinds, &mut blocks).is_err() {
            break;
        }
        at += size;
    }
    encoder.finish(&mut blocks);
    (at, blocks)
}

fn decode(mut blocks: &[u8]) -> Vec<u8> {
    let (mut out, mut decoder) = (Vec::new(), BlockDecoder::default());
    while !blocks.is_empty() {
        let header = BlockHeader::parse(blocks).expect("the encoder writes valid headers");
        let body = header.body(blocks).expect("the encoder writes whole blocks");
        assert!(header.is_intact(body));
        assert_eq!(header.expanded_before, out.len() as u64);
        out.extend_from_slice(decoder.decode(&header, body).expect("the encoder writes valid bodies"));
        blocks = &blocks[header.block_bytes()..];
    }
    out
}
