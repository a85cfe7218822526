//! The traces of a small fleet: a program in two versions, on two machines, before and after midnight.

use std::path::{Path, PathBuf};

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use ringtrace_wire::simpletrace::metadata::{
    Anchor, BOOT, BUILD_ID, COMMAND, Cause, HOST, Lost, Metadata, TRACE,
};

const ENCODER: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };

const MILLISECOND: u64 = 1_000_000;

/// The event ids, which are the same in both versions.
const DISK_READ: u64 = 1;
const DISK_DONE: u64 = 2;
const TICKET: u64 = 3;

/// The declarations of the first version.
const FIRST: [&str; 3] = [
    r#"disk_read(uint64_t req, uint64_t sector, uint32_t size, const char *file) "req=%" PRIu64 " sector=%" PRIu64 " size=%u file=%s""#,
    r#"disk_done(uint64_t req, int ret) "req=%" PRIu64 " ret=%d""#,
    r#"ticket(uint64_t token) "token=0x%" PRIx64"#,
];

/// The declarations of the second version: `size` has another type, and `priority` is new.
const SECOND: [&str; 3] = [
    r#"disk_read(uint64_t req, uint64_t sector, uint64_t size, const char *file, int priority) "req=%" PRIu64 " sector=%" PRIu64 " size=%" PRIu64 " file=%s priority=%d""#,
    FIRST[1],
    FIRST[2],
];

/// A trace of the fleet.
pub struct Recording {
    pub name: &'static str,
    host: &'static str,
    boot: &'static str,
    id: &'static str,
    pid: u32,
    is_second: bool,
    /// The time since 1970 at which the first record was made, in milliseconds.
    begin_ms: i128,
    requests: u64,
    seed: u64,
}

/// 2026-11-23T23:59:59.500Z.
const BEFORE_MIDNIGHT_MS: i128 = 1_795_478_399_500;

pub const FLEET: [Recording; 4] = [
    Recording {
        name: "alpha-1.trace",
        host: "alpha",
        boot: "11111111-1111-4111-8111-111111111111",
        id: "a1000000000000000000000000000001",
        pid: 4711,
        is_second: false,
        begin_ms: BEFORE_MIDNIGHT_MS,
        requests: 200,
        seed: 1,
    },
    Recording {
        name: "alpha-2.trace",
        host: "alpha",
        boot: "11111111-1111-4111-8111-111111111111",
        id: "a2000000000000000000000000000002",
        pid: 4712,
        is_second: false,
        begin_ms: BEFORE_MIDNIGHT_MS + 100,
        requests: 100,
        seed: 2,
    },
    Recording {
        name: "beta-1.trace",
        host: "beta",
        boot: "22222222-2222-4222-8222-222222222222",
        id: "b1000000000000000000000000000003",
        // A process with this id is on the other machine, too, and the keys of requests are equal.
        pid: 4711,
        is_second: false,
        begin_ms: BEFORE_MIDNIGHT_MS + 50,
        requests: 150,
        seed: 3,
    },
    Recording {
        name: "beta-2.trace",
        host: "beta",
        boot: "22222222-2222-4222-8222-222222222222",
        id: "b2000000000000000000000000000004",
        pid: 4713,
        is_second: true,
        begin_ms: BEFORE_MIDNIGHT_MS + 60_000,
        requests: 120,
        seed: 4,
    },
];

/// A generator of pseudo-random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % limit
    }
}

/// The bytes of a trace under construction.
struct Bytes {
    bytes: Vec<u8>,
    pieces: u32,
}

impl Bytes {
    fn say(&mut self, metadata: &Metadata) {
        metadata.encode(self.pieces, ByteOrder::Little, &mut self.bytes);
        self.pieces += 1;
    }
}

impl Recording {
    /// Returns the bytes of the trace.
    pub fn bytes(&self) -> Vec<u8> {
        // The clock of the second machine is far from that of the first one.
        let begin_ns =
            if self.host == "alpha" { 1_000 } else { 7_000_000 } * 1_000 * MILLISECOND + u64::from(self.pid);
        let mut random = Random(self.seed);
        let mut made = Bytes { bytes: Vec::new(), pieces: 0 };
        ENCODER.header(0, 0, &mut made.bytes);
        made.say(&Metadata::Version(1));
        let realtime_ns = self.begin_ms * i128::from(MILLISECOND) + 7;
        made.say(&Metadata::Anchor(Anchor { monotonic_ns: begin_ns, realtime_ns }));
        let command = format!("/usr/bin/engine\0--name\0{}\0", self.name);
        let build_id = if self.is_second { "0002" } else { "0001" };
        for (key, value) in [
            (HOST, self.host),
            (BOOT, self.boot),
            (TRACE, self.id),
            (BUILD_ID, build_id),
            (COMMAND, &command),
        ] {
            made.say(&Metadata::Other(key.to_owned(), value.into()));
        }
        let declarations = if self.is_second { SECOND } else { FIRST };
        for (id, declaration) in (1..).zip(declarations) {
            made.say(&Metadata::Declaration(declaration.to_owned()));
            let name = declaration.split_once('(').map_or("", |(name, _)| name);
            for tid in [0, 1] {
                ENCODER.mapping((u64::from(self.pid) + tid) << 32 | id, name.as_bytes(), &mut made.bytes);
            }
        }
        made.say(&Metadata::Thread(self.pid, "main".to_owned()));
        made.say(&Metadata::Thread(self.pid + 1, "w\u{f6}rker".to_owned()));

        // The events: time, thread and arguments.
        let mut events: Vec<(u64, u64, u64, Vec<u64>)> = Vec::new();
        let mut now_ns = begin_ns;
        for req in 0..self.requests {
            now_ns += random.below(10 * MILLISECOND);
            let tid = u64::from(self.pid) + random.below(2);
            let sector = random.below(1 << 40);
            let size = 512 << random.below(6);
            events.push((now_ns, tid, DISK_READ, vec![req, sector, size, random.below(5), random.below(3)]));
            // Some requests never end.
            if random.below(20) > 0 {
                let ret = if random.below(10) == 0 { (-5_i64).cast_unsigned() } else { 0 };
                let end_ns = now_ns + 1 + random.below(20 * MILLISECOND);
                events.push((end_ns, tid, DISK_DONE, vec![req, ret]));
            }
            if random.below(4) == 0 {
                let token = match random.below(8) {
                    0 => u64::MAX,
                    1 => 1 << 63,
                    _ => random.below(1 << 30) << 34 | random.below(1 << 30),
                };
                events.push((now_ns + 1, tid, TICKET, vec![token]));
            }
        }
        events.sort();
        let files = [&b"a.qcow2"[..], b"b\xff.raw", "gr\u{fc}n".as_bytes(), b"quote\"'\\,", b""];
        for (number, (ns, tid, event, numbers)) in (1..).zip(&events) {
            let mut values: Vec<Value<'_>> = numbers.iter().map(|number| Value::Integer(*number)).collect();
            if *event == DISK_READ {
                values[3] = Value::Str(files[numbers[3] as usize]);
                values.truncate(if self.is_second { 5 } else { 4 });
            }
            ENCODER.record(tid << 32 | event, *ns, self.pid, &values, &mut made.bytes).unwrap();
            if number % 100 == 0 {
                let (cause, count) =
                    if number % 200 == 0 { (Cause::Dropped, 3) } else { (Cause::Overwritten, number) };
                made.say(&Metadata::Lost(Lost { tid: *tid as u32, cause, count }));
                ENCODER.dropped(count, *ns, self.pid, &mut made.bytes);
            }
        }
        made.bytes
    }

    /// Returns the bytes of the trace, with further records at `times`.
    pub fn bytes_with(&self, times: impl Iterator<Item = u64>) -> Vec<u8> {
        let mut bytes = self.bytes();
        for ns in times {
            let (id, values) = (u64::from(self.pid) << 32 | TICKET, [Value::Integer(1)]);
            ENCODER.record(id, ns, self.pid, &values, &mut bytes).unwrap();
        }
        bytes
    }

    pub fn id(&self) -> &str {
        self.id
    }

    /// Returns the path of the trace, which is checked in.
    pub fn path(&self) -> PathBuf {
        folder().join("traces").join(self.name)
    }
}

/// Returns the folder of the traces and the queries.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/queries")
}

#[test]
fn the_traces_equal_the_accepted_ones() {
    let accepts = std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1");
    for recording in &FLEET {
        let (path, bytes) = (recording.path(), recording.bytes());
        // Another test may be reading the file, so do not rewrite it if it is already up to date.
        if accepts && std::fs::read(&path).ok().as_deref() != Some(&bytes) {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &bytes).unwrap();
        }
        assert!(std::fs::read(&path).unwrap() == bytes, "{}: RINGTRACE_ACCEPT=1 accepts", path.display());
    }
}
