//! Round trips of every version and byte order, decoded in pieces of any size.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use proptest::prelude::*;
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use ringtrace_wire::simpletrace::header::Detected;
use ringtrace_wire::simpletrace::{
    ArgumentKind, ByLength, DROPPED_ID, Framing, Layout, LayoutVisitor, MAX_RECORD_BYTES, Step, Tail,
    VERSIONS, Version, detect, with_layout,
};

/// A record to encode, with owned values.
#[derive(Debug, Clone, PartialEq)]
struct Made {
    id: u64,
    timestamp_ns: u64,
    pid: u32,
    values: Vec<Owned>,
}

#[derive(Debug, Clone, PartialEq)]
enum Owned {
    Integer(u64),
    Str(Vec<u8>),
}

/// Returns the arguments of event `id`. The high bits of the id contain the number of arguments,
/// and the low bits mark the strings among them.
fn kinds(id: u64, version: Version) -> Vec<ArgumentKind> {
    (0..id >> 8)
        .map(|bit| match version.info().has_strings && id >> bit & 1 == 1 {
            true => ArgumentKind::Str,
            false => ArgumentKind::Integer { signed: false },
        })
        .collect()
}

struct Declared(Vec<(u64, Vec<ArgumentKind>)>);

impl Framing for Declared {
    fn kinds(&self, id: u64) -> Option<&[ArgumentKind]> {
        self.0.iter().find(|known| known.0 == id).map(|known| known.1.as_slice())
    }
    const BY_LENGTH: bool = false;
}

fn made(version: Version) -> impl Strategy<Value = Made> {
    (0..6_u64, 0..256_u64, any::<u64>(), any::<u32>()).prop_flat_map(
        move |(count, bits, timestamp_ns, pid)| {
            let id = count << 8 | bits;
            let values: Vec<_> = kinds(id, version)
                .into_iter()
                .map(|kind| match kind {
                    // The reader removes a NUL at the end of an RFC 2011 string.
                    ArgumentKind::Str => {
                        proptest::collection::vec(1..=255_u8, 0..30).prop_map(Owned::Str).boxed()
                    }
                    ArgumentKind::Integer { .. } => any::<u64>().prop_map(Owned::Integer).boxed(),
                })
                .collect();
            values.prop_map(move |values| Made { id, timestamp_ns, pid, values })
        },
    )
}

fn encode(made: &[Made], encoder: Encoder) -> Vec<u8> {
    let mut bytes = Vec::new();
    encoder.header(77, 0, &mut bytes);
    encoder.mapping(5, b"five", &mut bytes);
    for record in made {
        let values: Vec<Value<'_>> = record
            .values
            .iter()
            .map(|value| match value {
                Owned::Integer(value) => Value::Integer(*value),
                Owned::Str(bytes) => Value::Str(bytes),
            })
            .collect();
        encoder.record(record.id, record.timestamp_ns, record.pid, &values, &mut bytes).unwrap();
    }
    encoder.dropped(9, 1, 2, &mut bytes);
    bytes
}

/// Decodes `bytes`, which arrive in pieces of `chunk` bytes.
struct Decode<'d, F> {
    bytes: &'d [u8],
    chunk: usize,
    framing: &'d F,
}

impl<F: Framing> LayoutVisitor for Decode<'_, F> {
    type Output = Vec<Made>;

    fn visit<L: Layout>(self) -> Vec<Made> {
        let (mut at, mut have, mut found) = (0, 0, Vec::new());
        while at < self.bytes.len() {
            let window = &self.bytes[at..have];
            if let Some(record) = L::ordinary(window, MAX_RECORD_BYTES) {
                assert_eq!(L::step(window, &ByLength), Step::Record(record));
            }
            match L::step(window, self.framing) {
                Step::Record(record) => {
                    let mut rest = record.payload;
                    let kinds = match record.id {
                        DROPPED_ID => vec![ArgumentKind::Integer { signed: false }],
                        id => kinds(id, L::VERSION),
                    };
                    let values = kinds
                        .iter()
                        .map(|kind| match kind {
                            ArgumentKind::Integer { signed } => {
                                Owned::Integer(L::integer(&mut rest, *signed).unwrap())
                            }
                            ArgumentKind::Str => {
                                let string = L::string(&mut rest).unwrap();
                                assert_eq!(string.length, string.bytes.len() as u64);
                                Owned::Str(string.bytes.to_vec())
                            }
                        })
                        .collect();
                    let (id, timestamp_ns, pid) = (record.id, record.timestamp_ns, record.pid);
                    found.push(Made { id, timestamp_ns, pid, values });
                    at += record.size;
                }
                Step::Mapping(mapping) => {
                    assert_eq!((mapping.id, mapping.name), (5, &b"five"[..]));
                    at += mapping.size;
                }
                Step::NeedMore(need) => {
                    assert!(need > window.len(), "the decoder requested bytes that it already has");
                    assert!(have < self.bytes.len(), "the decoder requested more bytes than exist");
                    have = (have + self.chunk).min(self.bytes.len());
                }
                Step::Fault(fault) => panic!("{fault}"),
            }
        }
        found
    }
}

fn round_trip(version: Version, order: ByteOrder, made: &[Made], chunk: usize) {
    let bytes = encode(made, Encoder { version, order });
    let Detected::Header(header) = detect(&bytes) else { panic!("the file has no header") };
    assert_eq!((header.version, header.order), (version, order));
    let mut expected = made.to_vec();
    expected.push(Made { id: DROPPED_ID, timestamp_ns: 1, pid: 2, values: vec![Owned::Integer(9)] });
    for record in &mut expected {
        // In the RFC 2011 version, the process id is in the header, not in the records.
        if !version.info().has_pid || version == Version::Rfc2011 {
            record.pid = 0;
        }
    }
    let body = &bytes[header.size..];
    let by_length = with_layout(version, order, Decode { bytes: body, chunk, framing: &ByLength });
    assert_eq!(by_length, expected);
    let declared = Declared(made.iter().map(|record| (record.id, kinds(record.id, version))).collect());
    let by_declaration = with_layout(version, order, Decode { bytes: body, chunk, framing: &declared });
    assert_eq!(by_declaration, expected);
}

/// Walks over arbitrary bytes.
struct Walk<'w> {
    bytes: &'w [u8],
    cut: usize,
}

impl LayoutVisitor for Walk<'_> {
    type Output = ();

    fn visit<L: Layout>(self) {
        let mut at = 0;
        loop {
            let window = &self.bytes[at..];
            // Additional bytes do not change the result.
            let shorter = L::step(&window[..self.cut.min(window.len())], &ByLength);
            let step = L::step(window, &ByLength);
            if !matches!(shorter, Step::NeedMore(_)) {
                assert_eq!(shorter, step);
            }
            at += match step {
                Step::Record(record) => record.size,
                Step::Mapping(mapping) => mapping.size,
                Step::NeedMore(need) => {
                    assert!(need > window.len());
                    if let Tail::Cut(Step::Record(record)) = L::tail(window, &ByLength) {
                        assert_eq!(record.size, window.len());
                    }
                    return;
                }
                Step::Fault(fault) => {
                    assert!(fault.at <= window.len() && !fault.to_string().is_empty());
                    return;
                }
            };
            assert!(at <= self.bytes.len());
        }
    }
}

proptest! {
    #[test]
    fn encoded_records_are_decoded(
        (version, made) in (0..VERSIONS.len()).prop_flat_map(|index| {
            let version = VERSIONS[index].version;
            (Just(version), proptest::collection::vec(made(version), 0..12))
        }),
        big: bool,
        chunk in 1..200_usize,
    ) {
        round_trip(version, if big { ByteOrder::Big } else { ByteOrder::Little }, &made, chunk);
    }

    #[test]
    fn steps_over_any_bytes_advance(
        bytes: Vec<u8>,
        version in 0..VERSIONS.len(),
        big: bool,
        cut in 0..64_usize,
    ) {
        let order = if big { ByteOrder::Big } else { ByteOrder::Little };
        with_layout(VERSIONS[version].version, order, Walk { bytes: &bytes, cut });
        let _ = detect(&bytes);
    }
}

#[test]
fn every_version_is_listed_once() {
    for info in VERSIONS {
        assert_eq!(info.version.info().name, info.name);
        assert_eq!(Version::from_name(info.name), Some(info.version));
    }
}

/// Compares encoded bytes with handwritten examples of the documented formats.
#[test]
fn fields_have_the_documented_offsets() {
    let bytes = |version, order| {
        let encoder = Encoder { version, order };
        let mut out = Vec::new();
        encoder.header(0x11, 0x22, &mut out);
        encoder.mapping(1, b"ab", &mut out);
        encoder.record(1, 0x0203, 0x0405, &[Value::Integer(0x0607)], &mut out).unwrap();
        out.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let zeros = |words: usize| "0000000000000000".repeat(words);
    let v4 = [
        "ffffffffffffffff b429a40acb77b1f2 0400000000000000",
        "0000000000000000 0100000000000000 02000000 6162",
        "0100000000000000 0100000000000000 0302000000000000 20000000 05040000 0706000000000000",
    ];
    let v3 = [
        "ffffffffffffffff f2b177cb0aa429b4 0000000000000003",
        "0000000000000001 0000000000000203 00000020 00000405 0000000000000607",
    ];
    let v2 = [
        "ffffffffffffffff b429a40acb77b1f2 0200000000000000",
        "0100000000000000 0302000000000000 20000000 00000000 0706000000000000",
    ];
    let v0 = [
        "ffffffffffffffff b429a40acb77b1f2",
        &zeros(6),
        "0100000000000000 0302000000000000 0706000000000000",
        &zeros(5),
    ];
    let rfc = [
        "ff1100aa00000000 1100000000000000 0200000000000000 2200000000000000",
        "d4c3b2a100000000 0100000000000000 0302000000000000 0100000000000000",
        "0800000000000000 0706000000000000",
    ];
    for (version, order, expected) in [
        (Version::V4, ByteOrder::Little, &v4[..]),
        (Version::V3, ByteOrder::Big, &v3),
        (Version::V2, ByteOrder::Little, &v2),
        (Version::V0, ByteOrder::Little, &v0),
        (Version::Rfc2011, ByteOrder::Little, &rfc),
    ] {
        assert_eq!(bytes(version, order), expected.concat().replace(' ', ""), "{version}");
    }
}
