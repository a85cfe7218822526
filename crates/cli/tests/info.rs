//! Tests `ringtrace info` with console sessions.
//!
//! The sessions in `testdata/info` run in a folder with the recordings of `testdata` and the traces
//! that [`damaged`] and [`own`] create.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;

use std::fs;

use console::{Shell, root};
use ringtrace_tracefile::metadata::{Anchor, Cause, FIRST_ID, Lost, Metadata, Total};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};

const SECOND: u64 = 1_000_000_000;

const DECLARATIONS: &str = "\
open(const char *path, int mode) \"path=%s mode=%d\"
close(int fd) \"fd=%d\"
";

/// A trace under construction.
struct Made {
    encoder: Encoder,
    bytes: Vec<u8>,
}

impl Made {
    fn new(version: Version, order: ByteOrder) -> Made {
        let encoder = Encoder { version, order };
        let mut bytes = Vec::new();
        encoder.header(4711, 99 * SECOND, &mut bytes);
        for (id, name) in [(0, "open"), (1, "close"), (2, "never")] {
            encoder.mapping(id, name.as_bytes(), &mut bytes);
        }
        Made { encoder, bytes }
    }

    fn v4() -> Made {
        Made::new(Version::V4, ByteOrder::Little)
    }

    fn record(&mut self, id: u64, timestamp_ns: u64, values: &[Value<'_>]) {
        self.encoder.record(id, timestamp_ns, 4711, values, &mut self.bytes).unwrap();
    }

    /// Adds an `open` event and ten `close` events, from `start_ns` on.
    fn some(mut self, start_ns: u64) -> Made {
        if self.encoder.version != Version::V0 {
            self.record(0, start_ns, &[Value::Str(b"/etc/hosts"), Value::Integer(2)]);
        }
        for number in 1..=10 {
            self.record(1, start_ns + number * 1500, &[Value::Integer(number)]);
        }
        self
    }

    fn dropped(mut self, count: u64, timestamp_ns: u64) -> Made {
        self.encoder.dropped(count, timestamp_ns, 4711, &mut self.bytes);
        self
    }

    fn cut(mut self, bytes: usize) -> Made {
        self.bytes.truncate(self.bytes.len() - bytes);
        self
    }
}

/// Returns damaged traces by name.
fn damaged() -> Vec<(&'static str, Vec<u8>)> {
    let mut unknown = Made::v4().some(SECOND);
    for number in 0..5 {
        unknown.record(700 + number % 2, 2 * SECOND + number, &[Value::Integer(number)]);
    }
    let mut misfit = Made::v4().some(SECOND);
    misfit.record(0, 2 * SECOND, &[Value::Integer(1 << 40)]);
    misfit.record(1, 2 * SECOND, &[Value::Integer(1), Value::Integer(2)]);
    let mut length = Made::v4().some(SECOND);
    let wrong_at = length.bytes.len() + 24;
    length.record(1, 2 * SECOND, &[Value::Integer(11)]);
    let mut length = length.some(3 * SECOND);
    length.bytes[wrong_at] = 7;
    let mut name = Made::v4();
    name.encoder.mapping(9, b"ha\x1b[2Jha\xff", &mut name.bytes);
    name.record(9, SECOND, &[]);
    let many_drops =
        (0..30).fold(Made::v4(), |made, n| made.some(n * SECOND + SECOND).dropped(n + 1, n * SECOND));
    vec![
        ("cut-header.bin", Made::v4().bytes[..20].to_vec()),
        ("cut-record.bin", Made::v4().some(SECOND).cut(3).bytes),
        ("cut-in-header.bin", Made::v4().some(SECOND).cut(20).bytes),
        ("unknown-id.bin", unknown.bytes),
        ("misfit.bin", misfit.bytes),
        ("length.bin", length.bytes),
        ("name.bin", name.bytes),
        ("dropped.bin", Made::v4().dropped(44_825, 3 * SECOND).some(SECOND).dropped(2, 2 * SECOND).bytes),
        ("many-drops.bin", many_drops.bytes),
        ("empty.bin", Vec::new()),
        ("only-header.bin", Made::new(Version::V3, ByteOrder::Big).bytes),
        ("v3.bin", Made::new(Version::V3, ByteOrder::Big).some(SECOND).bytes),
        ("rfc.bin", Made::new(Version::Rfc2011, ByteOrder::Big).some(SECOND).bytes),
        (
            "v0.bin",
            Made::new(Version::V0, ByteOrder::Little)
                .some(SECOND)
                .dropped(3, 0)
                .dropped(0xffff_fecd, 0)
                .bytes,
        ),
    ]
}

/// Creates a trace with pauses. Each change is a time in seconds, and whether recording is switched
/// on (or off) then.
fn paused(changes: &[(u64, bool)]) -> Vec<u8> {
    let mut made = Made::v4();
    made.encoder.mapping(FIRST_ID, Metadata::Version(1).to_name().as_bytes(), &mut made.bytes);
    let mut made = made.some(SECOND / 2);
    for (number, &(second, on)) in (1..).zip(changes) {
        let time_ns = second * SECOND;
        let piece = if on { Metadata::Resumed(time_ns) } else { Metadata::Paused(time_ns) };
        made.encoder.mapping(FIRST_ID + number, piece.to_name().as_bytes(), &mut made.bytes);
        if on {
            made.record(1, time_ns + 1, &[Value::Integer(second)]);
        }
    }
    made.bytes
}

/// Creates a self-describing trace of three threads.
fn own() -> Vec<u8> {
    let mut made = Made::v4();
    let anchor = Anchor { monotonic_ns: 0, realtime_ns: 1_795_000_000 * i128::from(SECOND) };
    let pieces = [
        Metadata::Version(1),
        Metadata::Other("host".to_owned(), b"vmhost-7".to_vec()),
        Metadata::Other(
            "command".to_owned(),
            b"engine --\x1b[31mred --with-a-long-option=value --and-another-one=too".to_vec(),
        ),
        Metadata::Anchor(anchor),
        Metadata::Declaration("tick(int n) \"n=%d\"".to_owned()),
        Metadata::Thread(21, "worker one".to_owned()),
        Metadata::Thread(22, "worker two".to_owned()),
    ];
    for (index, piece) in (0..).zip(&pieces) {
        made.encoder.mapping(FIRST_ID + index, piece.to_name().as_bytes(), &mut made.bytes);
    }
    for tid in [21_u64, 22, 23] {
        made.encoder.mapping(tid << 32 | 5, b"tick", &mut made.bytes);
        for number in 0..tid {
            made.record(tid << 32 | 5, SECOND + number * 1000 + tid * 100_000, &[Value::Integer(number)]);
        }
    }
    made.bytes
}

/// Creates a recording like those of ringtrace's runtime: a main thread, two workers, and a signal
/// handler that interrupts them. With `ended`, it contains totals, which count `missing` more
/// records than the trace contains.
fn recording(ended: bool, missing: u64) -> Vec<u8> {
    let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
    let mut made = Made { encoder, bytes: Vec::new() };
    made.encoder.header(0, 0, &mut made.bytes);
    let mut number = 0;
    let mut say = |made: &mut Made, metadata: Metadata| {
        metadata.encode(number, ByteOrder::Little, &mut made.bytes);
        number += 1;
    };
    let other = |key: &str, value: &[u8]| Metadata::Other(key.to_owned(), value.to_vec());
    for piece in [
        Metadata::Version(1),
        other("host", b"vmhost-7"),
        other("command", b"target/release/copier\0--block-size\x0064 KiB\0/dev/zero\0out.img"),
        other("policy", b"overwrite"),
        other("clock", b"exact (tsc)"),
        Metadata::Declaration("tick(int n) \"n=%d\"".to_owned()),
    ] {
        say(&mut made, piece);
    }
    let threads = [(4711_u64, "copier", 30_u64), (4712, "read 0", 300), (4713, "write 0", 2000)];
    for (tid, name, records) in threads {
        say(&mut made, Metadata::Thread(tid as u32, name.to_owned()));
        made.encoder.mapping(tid << 32 | 1, b"tick", &mut made.bytes);
        for number in 0..records {
            made.record(
                tid << 32 | 1,
                SECOND + (tid - 4711) * SECOND + number * 1000,
                &[Value::Integer(number)],
            );
        }
    }
    for (tid, cause, count) in
        [(4712, Cause::Overwritten, 45_000), (4713, Cause::Overwritten, 1200), (4711, Cause::Refused, 2)]
    {
        say(&mut made, Metadata::Lost(Lost { tid, cause, count }));
        made = made.dropped(count, 4 * SECOND);
    }
    if ended {
        for (tid, recorded, overwritten, refused) in
            [(4711, 30, 0, 2), (4712, 300, 45_000, 0), (4713, 2000 + missing, 1200, 0)]
        {
            let issued = recorded + overwritten + refused;
            say(
                &mut made,
                Metadata::Total(Total { tid, issued, recorded, dropped: 0, overwritten, refused }),
            );
        }
    }
    made.bytes
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["boot-small.bin", "boot-small.events", "qemu-io.bin", "qemu-io.events"] {
        fs::copy(root().join("testdata").join(name), folder.path().join(name)).unwrap();
    }
    for (name, bytes) in damaged() {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    fs::write(folder.path().join("own.bin"), own()).unwrap();
    for (name, changes) in [
        ("off-once.bin", &[(2, false), (4, true)][..]),
        ("off-often.bin", &[(1, false), (2, true), (3, false), (4, true), (5, false), (6, true), (7, false)]),
        ("off-at-end.bin", &[(3, false)]),
    ] {
        fs::write(folder.path().join(name), paused(changes)).unwrap();
    }
    for (name, ended, missing) in
        [("ended.bin", true, 0), ("killed.bin", false, 0), ("incomplete.bin", true, 7)]
    {
        fs::write(folder.path().join(name), recording(ended, missing)).unwrap();
    }
    fs::write(folder.path().join("two.events"), DECLARATIONS).unwrap();
    fs::write(folder.path().join("tick.events"), "tick(int n) \"n=%d\"\n").unwrap();
    folder
}

#[test]
fn console_sessions() {
    let folder = folder();
    Shell::new(folder.path()).hold_all(&root().join("testdata/info"));
}

#[test]
fn every_field_of_the_json_is_described() {
    let description = fs::read_to_string(root().join("docs/info.md")).unwrap();
    let folder = folder();
    let shell = Shell::new(folder.path());
    for trace in ["own.bin", "ended.bin", "dropped.bin", "unknown-id.bin", "length.bin", "cut-header.bin"] {
        let answer = shell.answer(&format!("ringtrace info --json {trace} 2>/dev/null"));
        let mut document: serde_json::Value = serde_json::from_str(answer.lines().next().unwrap()).unwrap();
        // These keys come from the trace.
        if let Some(metadata) = document.get_mut("metadata") {
            *metadata = serde_json::Value::Null;
        }
        let mut fields = Vec::new();
        collect_fields(&document, &mut fields);
        for field in fields {
            assert!(description.contains(&format!("`{field}`")), "docs/info.md does not describe `{field}`");
        }
    }
}

fn collect_fields(value: &serde_json::Value, fields: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(object) => {
            for (field, value) in object {
                fields.push(field.clone());
                collect_fields(value, fields);
            }
        }
        serde_json::Value::Array(values) => values.iter().for_each(|value| collect_fields(value, fields)),
        _ => {}
    }
}
