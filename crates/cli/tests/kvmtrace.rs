//! Tests `ringtrace kvmtrace` and the program name `kvmtrace_format` with console sessions.
//!
//! The sessions in `testdata/kvmtrace` run in that folder, with definitions files and the streams
//! of [`streams`]. `RINGTRACE_ACCEPT=1` writes the streams, too.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Once;

use console::{Shell, accepting};
use ringtrace_kvmtrace::{Layout, Record, Variant, WideRecords, Words};
use ringtrace_wire::ByteOrder::{self, Big, Little};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/kvmtrace")
}

fn record(event: u32, timestamp: Option<u64>, words: &[u32]) -> Record {
    Record { event, pid: 4711, vcpu: 1, timestamp, words: Words::new(words) }
}

fn stream(variant: Variant, order: ByteOrder, records: &[Record]) -> Vec<u8> {
    let layout = Layout { variant, order, wide_records: WideRecords::Read };
    let mut bytes = Vec::new();
    layout.encode_start(&mut bytes);
    for record in records {
        layout.encode_record(record, &mut bytes);
    }
    bytes
}

/// Returns records of a virtual CPU with unusual cases: no words and five words, no time,
/// decreasing times, and numbers of all sizes.
fn work() -> Vec<Record> {
    const START: u64 = 0x12_3456_7000;
    vec![
        record(0x10001, Some(START), &[]),
        record(0x10002, Some(START + 731), &[0x4000_0001, 0x0000_0003, 0xfee0_0001]),
        record(0x20001, None, &[2, 0x8000_1000, 0xffff_8000]),
        record(0x20005, None, &[0x3f8, 1]),
        record(0x2000d, None, &[1, 2, 3, 4, 0xffff_ffff]),
        record(0x20014, None, &[]),
        record(0x10001, Some(START + 700), &[]),
        record(0x20014, None, &[0xfee0_00b0]),
        Record { pid: u32::MAX, vcpu: 0, ..record(0xfff_ffff, Some(0), &[7]) },
        record(0, Some(u64::MAX), &[]),
        record(0x10001, Some(0x8000_0000_0000_0000), &[]),
        record(0x10001, Some(0x7fff_ffff_ffff_ffff), &[]),
    ]
}

/// Returns the streams in the folder.
fn streams() -> Vec<(&'static str, Vec<u8>)> {
    let work = work();
    let wide = [
        record(0x10001, Some(100), &[]),
        record(0x20001, Some(200), &[1, 2, 3, 4, 5, 6]),
        record(0x20001, None, &[1, 2, 3, 4, 5, 6, 7]),
        record(0x10001, Some(300), &[]),
    ];
    let whole = stream(Variant::K3, Little, &work[..3]);
    let magic = 4;
    let entry = 20;
    let exit = 32;
    let fault_header = magic + entry + exit + 12;
    let mut joined = stream(Variant::K3, Big, &work[..2]);
    joined.extend(stream(Variant::K3, Big, &work[..2]));
    vec![
        ("k1-le.bin", stream(Variant::K1, Little, &work)),
        ("k1-be.bin", stream(Variant::K1, Big, &work)),
        ("k2-be.bin", stream(Variant::K2, Big, &work)),
        ("k3-le.bin", stream(Variant::K3, Little, &work)),
        ("k3-be.bin", stream(Variant::K3, Big, &work)),
        ("wide.bin", stream(Variant::K3, Little, &wide)),
        ("joined.bin", joined),
        ("empty.bin", Vec::new()),
        ("magic-only.bin", stream(Variant::K3, Big, &[])),
        ("cut-magic.bin", whole[..3].to_vec()),
        ("cut-header.bin", whole[..magic + entry + 5].to_vec()),
        ("cut-before-timestamp.bin", whole[..magic + entry + 12].to_vec()),
        ("cut-timestamp.bin", whole[..magic + entry + 15].to_vec()),
        ("cut-before-data.bin", whole[..fault_header].to_vec()),
        ("cut-data.bin", whole[..fault_header + 7].to_vec()),
        ("other.bin", b"\x7fELF\x02\x01\x01".to_vec()),
    ]
}

/// When accepting, writes the streams before the first test uses them.
fn accept_streams() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        for (name, bytes) in streams().into_iter().filter(|_| accepting()) {
            fs::write(folder().join(name), bytes).unwrap();
        }
    });
}

#[test]
fn console_sessions() {
    accept_streams();
    for (name, bytes) in streams() {
        assert_eq!(fs::read(folder().join(name)).unwrap(), bytes, "{name} differs from the encoder's output");
    }
    Shell::new(folder()).hold_all(&folder());
}

/// The variants have different bytes but the same content.
#[test]
fn every_variant_prints_the_same() {
    accept_streams();
    let shell = Shell::new(folder());
    let text = |variant: &str, file: &str| {
        shell.answer(&format!("ringtrace kvmtrace --variant {variant} cycles.formats < {file}"))
    };
    let expected = text("k3", "k3-le.bin");
    assert_eq!(expected.lines().count(), work().len());
    for (variant, file) in [
        ("k1", "k1-le.bin"),
        ("k1", "k1-be.bin"),
        ("k2", "k2-be.bin"),
        ("k2", "k3-le.bin"),
        ("k3", "k3-be.bin"),
    ] {
        assert_eq!(text(variant, file), expected, "{file}");
        assert_eq!(shell.answer(&format!("ringtrace kvmtrace cycles.formats < {file}")), expected, "{file}");
    }
}

/// The tool must write each line to a pipe immediately. A closed pipe is not an error.
#[test]
fn pipes() {
    use std::io::{BufRead, BufReader, Write};
    let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"))
        .args(["kvmtrace", "cycles.formats"])
        .current_dir(folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = tool.stdin.take().unwrap();
    let mut lines = BufReader::new(tool.stdout.take().unwrap()).lines();
    let bytes = stream(Variant::K3, Little, &[record(0x10001, Some(5), &[])]);
    let (first, rest) = bytes.split_at(7);
    input.write_all(first).unwrap();
    input.write_all(rest).unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), "5 (+       0)  ENTER  cpu=1 pid=4711");

    drop(lines);
    // Either the tool has ended already, or this write makes it notice the closed pipe.
    let _ = input.write_all(&stream(Variant::K1, Little, &work()));
    drop(input);
    let output = tool.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}
