//! Writes the binary seeds: `RINGTRACE_ACCEPT=1 cargo test -p ringtrace-fuzz-targets`.

use std::fs;
use std::path::Path;

use ringtrace_kvmtrace::{Layout, Record, Variant, WideRecords, Words};
use ringtrace_tracefile::metadata::{Anchor, Cause, FIRST_ID, Lost, Metadata, Total};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::compact::{BlockEncoder, MAGIC};
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use ringtrace_wire::simpletrace::header::HEADER_BYTES;
use ringtrace_wire::simpletrace::{Step, Version, step_by_length};

/// The versions, in the order of their numbers in an input.
const VERSIONS: [Version; 5] = [Version::V0, Version::V2, Version::V3, Version::V4, Version::Rfc2011];
const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

const DECLARATIONS: &str = "alloc(size_t size, void *ptr) \"%zu %p\"\nfree(void *ptr) \"%p\"\n\
    disable open(const char *path, int fd) \"'%s' %d\"\nvcpu halt(bool now) \"%d\"\n";

struct Seed {
    target: &'static str,
    name: String,
    data: Vec<u8>,
}

fn seeds() -> Vec<Seed> {
    let mut seeds = Vec::new();
    let mut add = |target, name: String, data| seeds.push(Seed { target, name, data });
    for (number, version) in (0..).zip(VERSIONS) {
        for (order_bit, order) in [0, 16].into_iter().zip(ORDERS) {
            let encoder = Encoder { version, order };
            let name = format!("{version}-{order}");
            let header = header(&encoder);
            let records = records(&encoder);
            let trace = [&header[..], &records].concat();

            // Use both kinds of framing, by length and by declarations. Events 0 and 3 have two
            // integers as arguments, event 1 has one integer, event 2 has a string and an integer.
            for (framing, framing_bit) in [("length", 0), ("declared", 32)] {
                let start = [number | order_bit | framing_bit, 7, 2, 1, 2 | 8, 2];
                add("steps", format!("{name}-{framing}"), [&start[..], &records].concat());
            }
            add("sniff", name.clone(), trace.iter().copied().take(160).collect());
            add("encode", name.clone(), program(number | order_bit));
            let texts = format!("7@ {name}\0alloc:free:ptr\0size > 16 || now\0{DECLARATIONS}\0");
            add("reader", name.clone(), [texts.as_bytes(), &trace].concat());
            // Convert each version to another version, and to self-describing v4.
            for (to, mode) in [((number + 1) % 5 + 8, "plain"), (3 + 16, "described")] {
                let start = [to, number | order_bit, 0];
                let data = [&start[..], DECLARATIONS.as_bytes(), &[0], &trace].concat();
                add("convert", format!("{name}-to-{}-{mode}", VERSIONS[usize::from(to & 7)]), data);
            }
            let cut = &trace[..trace.len() - 5];
            let texts = format!("7@@B\x05\0open:open:path\0time < 1ms\0{DECLARATIONS}\0");
            add("reader", format!("{name}-cut"), [texts.as_bytes(), cut].concat());
            let mut damaged = [&trace[..], &records].concat();
            damaged[trace.len() / 2..][..9].fill(0xee);
            let texts = format!("7`@\u{3}@\0a:b\0\0{DECLARATIONS}\0");
            add("reader", format!("{name}-damaged"), [texts.as_bytes(), &damaged].concat());
            add("summary", name.clone(), [texts.as_bytes(), &damaged].concat());
            let texts = format!("7A{}!\x06\0\0\0{DECLARATIONS}\0", char::from(number | order_bit));
            add("reader", format!("{name}-headerless"), [texts.as_bytes(), &records].concat());
        }
    }
    let recording = recording();
    let trace_at = recording.iter().position(|&byte| byte == 0xff).expect("the header is all ones");
    let data = [&[3, 3, 0, 0][..], &recording[trace_at..]].concat();
    add("convert", "recording".into(), data);
    add("summary", "recording".into(), recording.clone());
    add("reader", "recording".into(), recording);
    let self_describing = self_describing();
    let trace_at = self_describing.iter().position(|&byte| byte == 0xff).expect("the header is all ones");
    let data = [&[3, 3, 0, 0][..], &self_describing[trace_at..]].concat();
    add("convert", "self-describing".into(), data);
    add("summary", "self-describing".into(), self_describing.clone());
    add("reader", "self-describing".into(), self_describing);
    add("sniff", "gzip".into(), b"\x1f\x8b\x08\0\0\0\0\0".to_vec());
    add("sniff", "declarations".into(), DECLARATIONS.into());
    for (name, metadata) in metadata() {
        let data = [&FIRST_ID.to_le_bytes()[..], metadata.to_name().as_bytes()].concat();
        add("metadata", name.into(), data);
    }
    for (name, seed, look) in [("small", b'A', b'T'), ("large", b'C', b'~')] {
        let texts = |seed: u8, look: u8| {
            let options = ["7@@", &String::from_utf8_lossy(&[seed, look])].concat();
            format!("{options}\0alloc:free:ptr\0size > 16 || now\0{DECLARATIONS}\0")
        };
        let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
        let trace = [header(&encoder), records(&encoder)].concat();
        add("compact", format!("encoded-{name}"), [texts(seed, look).as_bytes(), &trace].concat());
        let blocks = blocks(&trace, usize::from(look));
        add("compact", format!("blocks-{name}"), [texts(seed + 1, look).as_bytes(), &blocks].concat());
        let cut = &blocks[..blocks.len() - 20];
        add("compact", format!("cut-{name}"), [texts(seed + 1, look).as_bytes(), cut].concat());
        let mut damaged = blocks.clone();
        let middle = blocks.len() / 2;
        damaged[middle..middle + 9].fill(0xee);
        let keeps_going = texts(seed + 1, look).replacen("7@", "7`", 1);
        add("compact", format!("damaged-{name}"), [keeps_going.as_bytes(), &damaged].concat());
        // A block of an unknown kind, and a block that is missing.
        damaged = blocks;
        let second =
            1 + damaged[1..].windows(8).position(|bytes| *bytes == MAGIC).unwrap_or(damaged.len() - 13);
        damaged[second + 12] = 7;
        add("compact", format!("unknown-{name}"), [keeps_going.as_bytes(), &damaged].concat());
    }
    // The target copies these records, which results in so many blocks that there are totals.
    let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
    let mut trace = header(&encoder);
    encoder.mapping(0, b"alloc", &mut trace);
    for number in 0..10 {
        let values = [Value::Integer(number), Value::Integer(0)];
        encoder
            .record(0, 1_000_000 + 1000 * number, 7, &values, &mut trace)
            .expect("the values are integers");
    }
    let texts = format!("7@@C \0alloc:free:ptr\0size > 16\0{DECLARATIONS}\0");
    add("compact", "encoded-many".into(), [texts.as_bytes(), &trace].concat());
    for (number, variant) in (1..).zip(Variant::ALL) {
        for (order_bits, order) in [4, 8].into_iter().zip(ORDERS) {
            let stream = kvmtrace_stream(Layout { variant, order, wide_records: WideRecords::Read });
            let name = format!("{variant:?}-{order}").to_lowercase();
            add("sniff", format!("kvmtrace-{name}"), stream.clone());
            let texts = b"0x10001 %(ts)d %(tsc)f %(1)s\n0 %(event)#x %s\n\0";
            let own = [&[number | order_bits, 9, 9][..], texts, &stream].concat();
            add("kvmtrace", format!("{name}-own"), own);
            let told = [&[0, 5, 2, 0][..], &stream].concat();
            add("kvmtrace", format!("{name}-told"), told);
        }
    }
    seeds
}

/// Encodes a v4 trace as blocks of about `most` bytes of v4.
fn blocks(trace: &[u8], most: usize) -> Vec<u8> {
    let (mut encoder, mut blocks, mut at) = (BlockEncoder::default(), Vec::new(), 0);
    let mut size = HEADER_BYTES;
    while at < trace.len() {
        if encoder.expanded_bytes() >= most {
            encoder.finish(&mut blocks);
        }
        encoder.push(&trace[at..at + size], |_| None, &mut blocks).expect("these are records");
        at += size;
        size = match step_by_length(Version::V4, ByteOrder::Little, &trace[at..]) {
            Step::Record(record) => record.size,
            Step::Mapping(mapping) => mapping.size,
            Step::NeedMore(_) | Step::Fault(_) => break,
        };
    }
    encoder.finish(&mut blocks);
    blocks
}

fn header(encoder: &Encoder) -> Vec<u8> {
    let mut header = Vec::new();
    encoder.header(4711, 1_000_000, &mut header);
    header
}

/// Returns some events, a dropped record, and a record with a lower time than its predecessor. In
/// v4, mapping records define the ids of the events; in other versions, the ids are positions.
fn records(encoder: &Encoder) -> Vec<u8> {
    let mut out = Vec::new();
    for (id, name) in [(0, "alloc"), (1, "free"), (2, "open"), (3, "halt")] {
        encoder.mapping(id, name.as_bytes(), &mut out);
    }
    let path = match encoder.version {
        Version::V0 => Value::Integer(0x7fff_0000),
        _ => Value::Str(b"/dev/kvm"),
    };
    let integers = [Value::Integer(64), Value::Integer(0x5555_0000)];
    let records: [(u64, u64, &[Value<'_>]); 4] = [
        (0, 1_000_500, &integers),
        (2, 1_002_000, &[path, Value::Integer(3)]),
        (1, 1_001_999, &integers[1..]),
        (3, 5, &integers),
    ];
    for (id, timestamp_ns, values) in records {
        encoder
            .record(id, timestamp_ns, 4711, values, &mut out)
            .expect("every version can represent these values");
    }
    encoder.dropped(12, 2_000_000, 4711, &mut out);
    out
}

/// Returns an input of the target `encode` with all kinds of items.
fn program(shape: u8) -> Vec<u8> {
    let mut out = vec![shape];
    out.extend([0x11; 16]);
    // Add a mapping of id 5 to `ev`, a dropped record, records of integers, and a record of a
    // string and an integer.
    out.extend([&[0][..], &5_u64.to_le_bytes(), &[2], b"ev"].concat());
    out.extend([&[1][..], &9_u64.to_le_bytes(), &[7, 0, 0, 0], &3_u64.to_le_bytes()].concat());
    out.extend(
        [&[0x22][..], &5_u64.to_le_bytes(), &8_u64.to_le_bytes(), &[1; 4], &[0xff; 9], &[0x80; 9]].concat(),
    );
    out.extend([&[0x22][..], &6_u64.to_le_bytes(), &[0xff; 8], &[2; 4], &[4], b"str\0", &[0x80; 9]].concat());
    out
}

fn metadata() -> [(&'static str, Metadata); 7] {
    let anchor = Anchor { monotonic_ns: 1_000_000, realtime_ns: 1_700_000_000_000_000_000 };
    [
        ("version", Metadata::Version(1)),
        ("declaration", Metadata::Declaration("tick(int n) \"n=%d\\n\"".into())),
        ("anchor", Metadata::Anchor(anchor)),
        ("thread", Metadata::Thread(77, "w\u{f6}rker".into())),
        ("lost", Metadata::Lost(Lost { tid: 77, cause: Cause::Overwritten, count: 9 })),
        ("total", Metadata::Total(TOTAL)),
        ("other", Metadata::Other("host".into(), b"a\\b\n\xff".to_vec())),
    ]
}

const TOTAL: Total = Total { tid: 77, issued: 15, recorded: 1, dropped: 2, overwritten: 4, refused: 8 };

/// Returns a v4 trace as the runtime writes it, with the metadata of threads before their first
/// records.
fn recording() -> Vec<u8> {
    let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
    let mut out = b"7@@5\x44\0tick:tick:n\0thread ~ 'w*'\0\0".to_vec();
    encoder.header(0, 0, &mut out);
    let lost = |tid, cause| Metadata::Lost(Lost { tid, cause, count: 3 });
    let policy = Metadata::Other("policy".into(), b"overwrite".to_vec());
    for metadata in [Metadata::Version(1), policy, Metadata::Declaration("tick(int n) \"\"".into())] {
        metadata.encode(0, ByteOrder::Little, &mut out);
    }
    for tid in [77_u32, 78] {
        Metadata::Thread(tid, format!("w{tid}")).encode(1, ByteOrder::Little, &mut out);
        encoder.mapping(u64::from(tid) << 32 | 1, b"tick", &mut out);
    }
    for n in 0..4_u64 {
        let id = (77 + n % 2) << 32 | 1;
        encoder.record(id, 1_000_000 + n, 4711, &[Value::Integer(n)], &mut out).expect("v4 can represent it");
    }
    for (tid, cause) in [(77, Cause::Refused), (78, Cause::Overwritten)] {
        lost(tid, cause).encode(2, ByteOrder::Little, &mut out);
        encoder.dropped(3, 999_000, 4711, &mut out);
    }
    for tid in [77, 78] {
        Metadata::Total(Total { tid, ..TOTAL }).encode(3, ByteOrder::Little, &mut out);
    }
    out
}

/// Returns a self-describing v4 trace with threads.
fn self_describing() -> Vec<u8> {
    let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
    let mut out = b"7@@5\x44\0tick:tick:n\0n > 3\0\0".to_vec();
    encoder.header(0, 0, &mut out);
    encoder.mapping(77 << 32, b"tick", &mut out);
    for (number, (_, metadata)) in (0..).zip(metadata()) {
        encoder.mapping(FIRST_ID + number, metadata.to_name().as_bytes(), &mut out);
    }
    for n in [1_u64, 2, 1] {
        encoder
            .record(77 << 32, 1_000_000 + n, 4711, &[Value::Integer(n)], &mut out)
            .expect("v4 can represent it");
    }
    out
}

fn kvmtrace_stream(layout: Layout) -> Vec<u8> {
    let mut out = Vec::new();
    layout.encode_start(&mut out);
    let records: [(u32, Option<u64>, &[u32]); 4] = [
        (0x0001_0001, Some(0x12_3456_789a), &[]),
        (0x0002_0005, Some(0x12_3456_8000), &[0x3f8, 1]),
        (0x0001_0002, None, &[0x30, 0, 1, 2, 3]),
        (0x0002_0001, Some(1), &[1, 2, 3, 4, 5, 6, 7]),
    ];
    for (event, timestamp, words) in records {
        let record = Record { event, pid: 4711, vcpu: 1, timestamp, words: Words::new(words) };
        layout.encode_record(&record, &mut out);
    }
    out
}

#[test]
fn seeds_are_up_to_date() {
    let accept = std::env::var_os("RINGTRACE_ACCEPT").is_some();
    for Seed { target, name, data } in seeds() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../seeds").join(target).join(name);
        if accept {
            fs::write(&path, &data).expect("the seed can be written");
        }
        let there = fs::read(&path).unwrap_or_default();
        assert!(there == data, "{} differs; RINGTRACE_ACCEPT=1 writes it", path.display());
    }
}
