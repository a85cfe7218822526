//! Tests `ringtrace stat` with console sessions.
//!
//! The sessions in `testdata/stat` run in a folder with the recordings of `testdata` and `odd.bin`,
//! which [`odd_trace`] creates.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;
mod late;

use std::fs;
use std::path::{Path, PathBuf};

use console::Shell;
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use ringtrace_wire::simpletrace::metadata::{FIRST_ID, Metadata};

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

const ODD_DECLARATIONS: &str = "\
alloc(void *ptr, size_t size) \"ptr=%p size=%zu\"
release(void *ptr) \"ptr=%p\"
request(uint32_t id, const char *path) \"id=%u path=%s\"
done(uint32_t id, int ret) \"id=%u ret=%d\"
never(int x) \"x=%d\"
";

/// Creates a trace with unusual cases: dropped events, decreasing times, begin events without an
/// end event, repeated begin events, end events without a begin event or before it, and strings
/// that are not UTF-8.
fn odd_trace() -> Vec<u8> {
    const SECOND: u64 = 1_000_000_000;
    let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
    let mut out = Vec::new();
    encoder.header(0, 0, &mut out);
    for (id, name) in [(0, "alloc"), (1, "release"), (2, "request"), (3, "done")] {
        encoder.mapping(id, name.as_bytes(), &mut out);
    }
    let mut add = |id, timestamp_ns, pid, values: &[Value<'_>]| {
        encoder.record(id, timestamp_ns, pid, values, &mut out).unwrap();
    };
    let integer = Value::Integer;
    for number in 0..1000 {
        let at = SECOND + number * 1_000_000;
        add(0, at, 10, &[integer(0x5500_0000 + number * 64), integer(16 << (number % 4))]);
        // One block in a hundred is never released. Blocks that are allocated later live longer.
        if number % 100 != 7 {
            add(1, at + 500 + number * number, 10, &[integer(0x5500_0000 + number * 64)]);
        }
    }
    add(0, 3 * SECOND, 10, &[integer(0x5500_0000 + 7 * 64), integer(16)]);
    add(1, 3 * SECOND - 250, 10, &[integer(0x5500_0000 + 7 * 64)]);
    add(1, 3 * SECOND, 11, &[integer(0xdead_0000)]);
    for (id, path) in [(1, &b"/tmp/a"[..]), (2, b"caf\xe9 \x1b[31m"), (1, b"/tmp/a")] {
        add(2, 4 * SECOND + id, 11, &[integer(id), Value::Str(path)]);
    }
    add(3, 4 * SECOND + 9, 11, &[integer(1), integer(-5_i64 as u64)]);
    encoder.dropped(1234, 4 * SECOND + 10, 11, &mut out);
    out
}

/// Creates a trace of floating-point values: `seconds` from 0.001 to 2 in `worked`, and NaN,
/// infinite and negative values of `share`. In `slept`, `seconds` is an integer.
fn doubles_trace() -> Vec<u8> {
    let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
    let mut out = Vec::new();
    encoder.header(0, 0, &mut out);
    let worked = "worked(const char *job, double seconds, float share) \"%s %g %g\"";
    let declarations = [worked, "slept(int seconds) \"%d\""];
    let metadata = [Metadata::Version(1)].into_iter();
    for data in metadata.chain(declarations.map(|text| Metadata::Declaration(text.to_owned()))) {
        encoder.mapping(FIRST_ID, data.to_name().as_bytes(), &mut out);
    }
    encoder.mapping(7 << 32 | 1, b"worked", &mut out);
    encoder.mapping(7 << 32 | 2, b"slept", &mut out);
    let shares = [0.25, -0.5, f64::NAN, 0.0, f64::INFINITY, -f64::NAN, -0.0, 0.75];
    for (number, share) in (1..=2000_u32).zip(shares.into_iter().cycle()) {
        let job: &[u8] = if number % 2 == 0 { b"even" } else { b"odd" };
        let bits = |value: f64| Value::Integer(value.to_bits());
        let values = [Value::Str(job), bits(f64::from(number) / 1000.0), bits(share)];
        encoder.record(7 << 32 | 1, u64::from(number) * 1_000_000, 7, &values, &mut out).unwrap();
    }
    encoder.record(7 << 32 | 2, 2_001_000_000, 7, &[Value::Integer(3)], &mut out).unwrap();
    out
}

/// Creates a folder with the recordings, for the sessions.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["boot-small.bin", "boot-small.events", "qemu-io.bin", "qemu-io.events"] {
        fs::copy(testdata().join(name), folder.path().join(name)).unwrap();
    }
    for name in ["disk.pairs", "mistakes.pairs", "odd.pairs"] {
        fs::copy(testdata().join("pairs").join(name), folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("odd.bin"), odd_trace()).unwrap();
    fs::write(folder.path().join("doubles.bin"), doubles_trace()).unwrap();
    for (name, bytes) in late::traces() {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    fs::write(folder.path().join("odd.events"), ODD_DECLARATIONS).unwrap();
    folder
}

#[test]
fn console_sessions() {
    let folder = folder();
    Shell::new(folder.path()).hold_all(&testdata().join("stat"));
}

#[test]
fn every_field_of_the_json_is_described() {
    let description = fs::read_to_string(testdata().join("../docs/stat.md")).unwrap();
    let folder = folder();
    let shell = Shell::new(folder.path());
    for options in [
        "-e odd.events odd.bin --by event",
        "-e odd.events odd.bin --by pid",
        "-e odd.events odd.bin --by size",
        "-e odd.events odd.bin --hist size",
        "-e odd.events odd.bin --pair alloc:release --pairs odd.pairs",
        "-e odd.events odd.bin --pair request:done --by ret --slowest 1",
        "doubles.bin --hist share",
    ] {
        let line = format!("ringtrace stat --json {options}");
        let document: serde_json::Value = serde_json::from_str(&shell.answer(&line)).unwrap();
        let mut fields = Vec::new();
        collect_fields(&document, &mut fields);
        assert!(!fields.is_empty());
        for field in fields {
            assert!(description.contains(&format!("`{field}`")), "docs/stat.md does not describe `{field}`");
        }
    }
}

fn collect_fields(value: &serde_json::Value, fields: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(object) => {
            for (field, value) in object {
                fields.push(field.clone());
                // The members of `args` are named after arguments.
                if field != "args" {
                    collect_fields(value, fields);
                }
            }
        }
        serde_json::Value::Array(values) => values.iter().for_each(|value| collect_fields(value, fields)),
        _ => {}
    }
}
