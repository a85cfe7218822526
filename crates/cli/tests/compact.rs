//! All commands give the same output for a compact trace as for the v4 trace in it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;

use std::fs;
use std::path::Path;

use console::{Shell, root};
use ringtrace_tracefile::metadata::Metadata;
use ringtrace_wire::ByteOrder;
use ringtrace_wire::compact::{BlockEncoder, BlockHeader};
use ringtrace_wire::simpletrace::context;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use ringtrace_wire::simpletrace::{Step, Version, step_by_length};

const ENCODER: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };

/// Converts a v4 trace to blocks of about `most` bytes of v4.
fn compact(v4: &[u8], most: usize) -> Vec<u8> {
    encode(BlockEncoder::default(), v4, most)
}

/// Like `compact`, with compression.
fn compressed(v4: &[u8], most: usize) -> Vec<u8> {
    encode(BlockEncoder::compressed().unwrap(), v4, most)
}

fn encode(mut encoder: BlockEncoder, v4: &[u8], most: usize) -> Vec<u8> {
    let (mut file, mut at, mut size) = (Vec::new(), 0, 24);
    let mut is_context = false;
    while at < v4.len() {
        if encoder.expanded_bytes() >= most && !is_context {
            encoder.finish(&mut file);
        }
        encoder.push(&v4[at..at + size], |_| None, &mut file).unwrap();
        at += size;
        (size, is_context) = match step_by_length(Version::V4, ByteOrder::Little, &v4[at..]) {
            Step::Record(record) => (record.size, false),
            Step::Mapping(mapping) => (mapping.size, context::RecordContext::of(&mapping).is_some()),
            _ => break,
        };
    }
    encoder.finish(&mut file);
    file
}

/// Returns a trace of requests in several threads, with `count` events, a few contexts and losses.
fn requests(count: u64) -> Vec<u8> {
    let (mut out, order) = (Vec::new(), ByteOrder::Little);
    ENCODER.header(0, 0, &mut out);
    let declarations = [
        "request_begin(uint64_t req, const char *disk)",
        "request_end(uint64_t req, int ret) \"req %d ret %d\"",
    ];
    let declarations = declarations.map(|text| Metadata::Declaration(text.to_owned()));
    for (number, metadata) in (0..).zip([Metadata::Version(1)].iter().chain(&declarations)) {
        metadata.encode(number, order, &mut out);
    }
    for tid in 1..4 {
        Metadata::Thread(tid as u32, format!("worker {tid}")).encode(9 + tid as u32, order, &mut out);
        for (event, name) in [(1, "request_begin"), (2, "request_end")] {
            ENCODER.mapping(tid << 32 | event, name.as_bytes(), &mut out);
        }
    }
    for n in 0..count {
        let (req, ns, disk) = (n / 2, 1_000_000 + 700 * n, format!("disk{}", n % 9));
        let (event, second) = match n % 2 {
            0 => (1, Value::Str(disk.as_bytes())),
            _ => (2, Value::Integer(n % 5)),
        };
        if n % 1000 == 7 {
            context::encode(Some((n % 4) as u32), [0x1000 + n, 0x2000], order, &mut out);
        }
        if n % 20_000 == 11 {
            ENCODER.dropped(n % 100 + 1, ns, 4711, &mut out);
        }
        let id = (1 + req % 3) << 32 | event;
        ENCODER.record(id, ns, 4711, &[Value::Integer(req), second], &mut out).unwrap();
    }
    out
}

/// The commands. Their input is `trace`, and they may write to `out`.
const COMMANDS: &[&str] = &[
    "print trace",
    "print trace --threads 1",
    "print trace --threads 3",
    "print --style log trace --since 20us --until 3ms",
    "print --style jsonl trace --event '*end' --where 'req > 40' --threads 2",
    "print trace --since 1ms --until 1100us --threads 2",
    "print trace --until 30us --count",
    "print trace --since 10s",
    "print trace --head 5",
    "print trace --tail 5",
    "print trace -C 2 --since 2ms --head 4",
    "print --sort trace --tail 3",
    "print trace trace --tail 3",
    "print - < trace",
    "stat trace",
    "stat trace --pair 'request_begin:request_end:req' --slowest 3",
    "stat trace --hist req",
    "info trace --check | grep -v '  Format \\|  Size \\|  Blocks '",
    "list trace",
    "diff trace trace",
    "convert trace out --force && cat out",
    "convert trace out --force --since 1ms && cat out",
    "report trace -o out --force && grep -v 'compact\\|trace-size' out",
    "export trace --to chrome -o out --force && cat out",
    "export trace --to csv -o out --force && cat out",
    "export trace --to jsonl -o - --since 1ms",
];

#[test]
fn commands_give_the_output_of_the_v4_trace() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let folder = folder.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("trace"), bytes).unwrap();
        folder
    };
    // The larger trace is rendered on several threads.
    for (count, most) in [(300, 700), (120_000, 1 << 18)] {
        let v4 = requests(count);
        assert!(count < 1000 || v4.len() > 5 << 20);
        let file = compact(&v4, most);
        assert!(count < 1000 || file.len() < v4.len() / 2);
        let packed = compressed(&v4, most);
        assert!(packed.len() < file.len());
        let folders = [write("v4", &v4), write("compact", &file), write("compressed", &packed)];
        for command in COMMANDS {
            let [expected, found, found_compressed] =
                folders.each_ref().map(|folder| output(folder, command));
            for found in [found, found_compressed] {
                let difference = || first_difference(&expected, &found);
                assert!(expected == found, "{command} ({count} events)\n{}", difference());
            }
            assert!(!expected.contains("[exit 2]"), "{command}: {expected}");
        }
    }
}

fn output(folder: &Path, command: &str) -> String {
    Shell::new(folder).answer(&format!("ringtrace {command}"))
}

fn first_difference(expected: &str, found: &str) -> String {
    let lines = expected.lines().zip(found.lines()).enumerate();
    let different = lines.into_iter().find(|(_, (expected, found))| expected != found);
    format!(
        "{} and {} lines; first difference: {different:?}",
        expected.lines().count(),
        found.lines().count()
    )
}

/// The traces that QEMU wrote, as compact traces.
#[test]
fn traces_of_qemu_are_printed_like_v4() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["boot-small", "qemu-io"] {
        let v4 = fs::read(root().join(format!("testdata/{name}.bin"))).unwrap();
        fs::write(folder.path().join("v4"), &v4).unwrap();
        fs::write(folder.path().join("trace"), compact(&v4, 2000)).unwrap();
        fs::write(folder.path().join("compressed"), compressed(&v4, 1 << 18)).unwrap();
        let events = root().join(format!("testdata/{name}.events")).display().to_string();
        for options in ["", "--threads 1 --style log", "--since 0.1ms --style jsonl"] {
            let print = |file: &str| output(folder.path(), &format!("print -e {events} {options} {file}"));
            let expected = print("v4");
            assert!(expected.lines().count() > 50, "{expected}");
            assert_eq!(print("trace"), expected, "{name} {options}");
            assert_eq!(print("compressed"), expected, "{name} {options}, compressed");
        }
    }
}

/// Shows what `info` reports, and how damage is reported.
#[test]
fn sessions() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    let intact = compact(&requests(200), 2000);
    let mut at = 0;
    let mut starts = Vec::new();
    while at < intact.len() {
        starts.push(at);
        at += BlockHeader::parse(&intact[at..]).unwrap().block_bytes();
    }
    write("intact.trace", &intact);
    write("compressed.trace", &compressed(&requests(2000), 1 << 18));
    let mut damaged = intact.clone();
    damaged[starts[2] + 200] ^= 1;
    write("damaged.trace", &damaged);
    let mut header = intact.clone();
    header[starts[2] + 20] ^= 1;
    write("header.trace", &header);
    let mut first = intact.clone();
    first[..200].fill(0);
    write("first.trace", &first);
    write("missing.trace", &[&intact[..starts[2]], &intact[starts[3]..]].concat());
    write("cut.trace", &intact[..intact.len() - 9]);
    let mut newer = intact[..starts[2]].to_vec();
    // A header of kind 0x8001, with its checksum.
    let mut block = intact[starts[2]..starts[3]].to_vec();
    block[13] = 0x80;
    let crc = !block[12..128].iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0x82f6_3b78 & (crc & 1).wrapping_neg()))
    });
    block[8..12].copy_from_slice(&crc.to_le_bytes());
    newer.extend(block);
    write("newer.trace", &newer);
    Shell::new(folder.path()).hold_all(&root().join("testdata/compact"));
}
