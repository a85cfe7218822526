//! Makes traces like those of ringtrace's runtime, of several runs, machines and boots.

#![allow(dead_code, reason = "each test program uses some functions")]

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use ringtrace_wire::simpletrace::metadata::{Anchor, BOOT, Cause, HOST, Lost, Metadata, TRACE, Total};

pub const SECOND: u64 = 1_000_000_000;

const ENCODER: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };

/// What a program's metadata say.
#[derive(Clone, Copy)]
pub struct Program {
    pub host: &'static str,
    pub boot: &'static str,
    pub trace: &'static str,
    pub pid: u32,
    /// The time since 1970, in seconds, at which the clock was zero.
    pub zero_s: i128,
    /// The time on the clock, in seconds, at which the program read the wall clock.
    pub anchored_s: Option<u64>,
}

pub const PROGRAM: Program = Program {
    host: "one",
    boot: "b-1",
    trace: "00000000000000aa",
    pid: 7,
    zero_s: 1_795_000_000,
    anchored_s: Some(0),
};

/// A program on another machine, with the same process, thread and keys. Its machine was started ten
/// seconds earlier.
pub const TWO: Program =
    Program { host: "two", boot: "b-2", trace: "00000000000000bb", zero_s: PROGRAM.zero_s - 10, ..PROGRAM };

/// A program whose trace contains nothing about its origin, like QEMU's.
pub const ANONYMOUS: Program = Program { host: "", boot: "", trace: "", anchored_s: None, ..PROGRAM };

/// A file of a program, with the events `begin` and `end`, which have a key.
pub struct Recorded {
    pub bytes: Vec<u8>,
    program: Program,
    pieces: u32,
}

impl AsRef<[u8]> for Recorded {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Recorded {
    pub fn new(program: Program) -> Recorded {
        let mut bytes = Vec::new();
        ENCODER.header(0, 0, &mut bytes);
        let mut recorded = Recorded { bytes, program, pieces: 0 };
        recorded.say(&Metadata::Version(1));
        if let Some(anchored_s) = program.anchored_s {
            let realtime_ns = (program.zero_s + i128::from(anchored_s)) * i128::from(SECOND);
            recorded.say(&Metadata::Anchor(Anchor { monotonic_ns: anchored_s * SECOND, realtime_ns }));
        }
        for (key, value) in [(HOST, program.host), (BOOT, program.boot), (TRACE, program.trace)] {
            if !value.is_empty() {
                recorded.say(&Metadata::Other(key.to_owned(), value.into()));
            }
        }
        for (id, name) in [(1, "begin"), (2, "end")] {
            recorded.say(&Metadata::Declaration(format!("{name}(int key) \"key=%d\"")));
            ENCODER.mapping(id, name.as_bytes(), &mut recorded.bytes);
        }
        recorded
    }

    pub fn say(&mut self, metadata: &Metadata) {
        metadata.encode(self.pieces, ByteOrder::Little, &mut self.bytes);
        self.pieces += 1;
    }

    pub fn thread(mut self, tid: u32, name: &str) -> Recorded {
        self.say(&Metadata::Thread(tid, name.to_owned()));
        self
    }

    pub fn begin(self, ns: u64, key: u64) -> Recorded {
        self.event(1, ns, key)
    }

    pub fn end(self, ns: u64, key: u64) -> Recorded {
        self.event(2, ns, key)
    }

    pub fn event(mut self, id: u64, ns: u64, key: u64) -> Recorded {
        ENCODER.record(1 << 32 | id, ns, self.program.pid, &[Value::Integer(key)], &mut self.bytes).unwrap();
        self
    }

    pub fn dropped(mut self, ns: u64, count: u64) -> Recorded {
        self.say(&Metadata::Lost(Lost { tid: 1, cause: Cause::Dropped, count }));
        ENCODER.dropped(count, ns, self.program.pid, &mut self.bytes);
        self
    }

    /// Adds the totals of thread 1, which recorded `recorded` events and dropped `dropped` events.
    pub fn total(mut self, recorded: u64, dropped: u64) -> Recorded {
        let issued = recorded + dropped;
        self.say(&Metadata::Total(Total { tid: 1, issued, recorded, dropped, overwritten: 0, refused: 0 }));
        self
    }
}
