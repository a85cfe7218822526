//! A trace that has all there can be: every type with its extreme values, bytes of all kinds, threads that are renamed, events lost by
//! every cause, pauses, requests that overlap, begin again or never end, and times at the ends of what there is.

use std::fs;
use std::path::Path;

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::metadata::{Anchor, CAUSES, Lost, Metadata};
use ringtrace_wire::simpletrace::{Encoder, Value, Version};

const DECLARATIONS: [&str; 6] = [
    "all_types(int8_t i8, uint8_t u8, int16_t i16, uint16_t u16, int32_t i32, uint32_t u32, int64_t i64, uint64_t u64, \
     size_t size, bool flag, void *pointer, double real, const char *text) \"\"",
    "request_begin(uint64_t id, const char *what) \"\"",
    "request_step(uint64_t id, int pid) \"\"",
    "request_end(uint64_t id, int status) \"\"",
    "queue(int depth) \"\"",
    "nothing(void) \"\"",
];

/// The pairs and counters in it.
pub const PAIRS: &str = "\
pair request
  begin request_begin id
  end   request_end id
  step  request_step id
counter queue depth
  value queue depth
";

/// When its clock and the wall clock were read together.
pub const ANCHOR: Anchor = Anchor { monotonic_ns: 5_000_000, realtime_ns: 1_700_000_000_123_456_789 };

const ENCODER: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };

struct Made {
    bytes: Vec<u8>,
    pieces: u32,
}

impl Made {
    fn say(&mut self, metadata: &Metadata) {
        metadata.encode(self.pieces, ENCODER.order, &mut self.bytes);
        self.pieces += 1;
    }

    fn record(&mut self, event: u64, tid: u64, time_ns: u64, values: &[Value<'_>]) {
        ENCODER.record(tid << 32 | event, time_ns, 4711, values, &mut self.bytes).unwrap();
    }
}

/// Writes it.
pub fn write(path: &Path) {
    use Value::{Integer, Str};
    let mut made = Made { bytes: Vec::new(), pieces: 0 };
    ENCODER.header(0, 0, &mut made.bytes);
    made.say(&Metadata::Version(1));
    made.say(&Metadata::Anchor(ANCHOR));
    for (event, declaration) in (0..).zip(DECLARATIONS) {
        made.say(&Metadata::Declaration(declaration.to_owned()));
        let name = declaration.split('(').next().unwrap();
        for tid in [0_u64, 4711, 4712] {
            ENCODER.mapping(tid << 32 | event, name.as_bytes(), &mut made.bytes);
        }
    }
    made.say(&Metadata::Thread(4711, "main".to_owned()));
    made.say(&Metadata::Thread(4712, "wor\"ker \u{1f980}".to_owned()));

    let long = "0123456789".repeat(100);
    let texts: [&[u8]; 9] = [
        b"",
        b"plain",
        "K\u{f6}ln \u{1f980}".as_bytes(),
        b"\xff\xfe\x80",
        b"C:\\dir",
        b"C:\\x41\xff",
        b"a \"quote\"\n\ttab \x01\x7f",
        long.as_bytes(),
        b"zero\0byte",
    ];
    let numbers = [0, 1, 0x7f, 0x80, 0xffff_ffff, 0x7fff_ffff_ffff_ffff, 0x8000_0000_0000_0000, u64::MAX];
    for ((index, text), bits) in (0..).zip(texts).zip(numbers.into_iter().cycle()) {
        let mut values = vec![Integer(bits); 12];
        values.push(Str(text));
        made.record(0, 4711 + index % 2, 1_000_000 + index, &values);
    }
    made.record(5, 0, 2_000_000, &[]);

    // Two that overlap, with their steps; one that begins again; one of which the end goes back in time; one that never ends.
    made.record(1, 4711, 3_000_000, &[Integer(1), Str(b"read")]);
    made.record(1, 4712, 3_000_100, &[Integer(2), Str(b"write \xff")]);
    made.record(2, 4712, 3_000_200, &[Integer(1), Integer(u64::MAX)]);
    made.record(4, 4712, 3_000_250, &[Integer(u64::MAX)]);
    made.record(3, 4712, 3_000_300, &[Integer(1), Integer(u64::MAX)]);
    made.record(4, 4712, 3_000_350, &[Integer(2)]);
    made.record(2, 4711, 3_000_400, &[Integer(2), Integer(7)]);
    made.record(3, 4711, 3_000_500, &[Integer(2), Integer(0)]);
    made.record(1, 4711, 3_001_000, &[Integer(3), Str(b"first")]);
    made.record(1, 4711, 3_001_100, &[Integer(3), Str(b"again")]);
    made.record(3, 4711, 3_001_150, &[Integer(3), Integer(0)]);
    made.record(1, 4711, 3_002_000, &[Integer(4), Str(b"backwards")]);
    made.record(3, 4711, 3_001_900, &[Integer(4), Integer(0)]);
    made.record(1, 4711, 3_001_120, &[Integer(5), Str(b"within the one before last")]);
    made.record(3, 4711, 3_001_170, &[Integer(5), Integer(0)]);
    made.record(1, 4711, 3_003_000, &[Integer(6), Str(b"for ever")]);

    made.say(&Metadata::Paused(3_500_000));
    made.say(&Metadata::Resumed(3_600_000));
    for (count, cause) in (1_u64..).zip(CAUSES) {
        made.say(&Metadata::Lost(Lost { tid: 4712, cause, count }));
        ENCODER.dropped(count, 4_000_000 + count, 4711, &mut made.bytes);
    }
    ENCODER.dropped(u64::MAX, 4_000_010, 4711, &mut made.bytes);

    made.say(&Metadata::Thread(4712, "renamed".to_owned()));
    for time_ns in [1 << 53, (1 << 53) + 1, i64::MAX as u64, 1 << 63, u64::MAX, 0] {
        made.record(5, 4712, time_ns, &[]);
    }
    made.say(&Metadata::Paused(5_000_000));
    fs::write(path, made.bytes).unwrap();
}
