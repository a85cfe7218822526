//! Decodes simpletrace records of every version, in chunks.
//!
//! An input consists of six bytes and the records. The first byte selects the version, the byte
//! order and the framing; the second is the seed of the chunks; the other four determine the
//! arguments of four events.

use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use ringtrace_wire::simpletrace::{
    ArgumentKind, ByLength, DROPPED_ID, DROPPED_KINDS, Framing, Layout, LayoutVisitor, MAX_RECORD_BYTES,
    Record, Step, Tail, Version, with_layout,
};
use ringtrace_wire::{ByteOrder, Order};

use crate::Target;
use crate::choices::{Choices, Chunks};

pub(crate) const TARGET: Target = Target {
    name: "steps",
    about: "the size of chunks does not matter; each step advances; values survive encoding and decoding",
    max_bytes: 2048,
    run,
};

/// The versions, in the order of their numbers in an input. The seeds depend on this order.
pub(crate) const VERSIONS: [Version; 5] =
    [Version::V0, Version::V2, Version::V3, Version::V4, Version::Rfc2011];

fn run(data: &[u8]) {
    let mut choices = Choices::new(data);
    let shape = choices.byte();
    let version = VERSIONS[usize::from(shape & 15) % VERSIONS.len()];
    let order = if shape & 16 == 0 { ByteOrder::Little } else { ByteOrder::Big };
    let chunks = Chunks::new(choices.byte());
    let declared = Declared([choices.byte(), choices.byte(), choices.byte(), choices.byte()].map(kinds));
    let records = choices.rest();
    if shape & 32 == 0 {
        with_layout(version, order, Check { framing: &ByLength, declared: &declared, records, chunks });
    } else {
        with_layout(version, order, Check { framing: &declared, declared: &declared, records, chunks });
    }
}

/// Returns up to seven arguments. The low three bits of `shape` are their number. Each of the other
/// bits makes some of them strings.
fn kinds(shape: u8) -> Vec<ArgumentKind> {
    let kind = |index: u8| match shape >> (3 + index % 5) & 1 {
        0 => ArgumentKind::Integer { signed: index % 2 == 1 },
        _ => ArgumentKind::Str,
    };
    (0..shape & 7).map(kind).collect()
}

/// The arguments of four events. The low bits of an id select an event; one id in eight is unknown.
struct Declared([Vec<ArgumentKind>; 4]);

impl Framing for Declared {
    fn kinds(&self, id: u64) -> Option<&[ArgumentKind]> {
        (id & 7 != 7).then(|| &*self.0[(id & 3) as usize])
    }
    const BY_LENGTH: bool = false;
}

struct Check<'a, F> {
    framing: &'a F,
    declared: &'a Declared,
    records: &'a [u8],
    chunks: Chunks,
}

/// The end of a walk through records.
#[derive(Debug, PartialEq)]
enum End<'a> {
    /// The walk stopped at a fault.
    Step(Step<'a>),
    Tail(Tail<'a>),
}

impl<F: Framing> LayoutVisitor for Check<'_, F> {
    type Output = ();

    fn visit<L: Layout>(self) {
        let (steps, end) = self.walk::<L>();
        let (pieces, end_of_pieces) = self.walk_in_pieces::<L>();
        assert_eq!(pieces, steps);
        assert_eq!(end_of_pieces, end);
        for step in steps {
            if let Step::Record(record) = step {
                check_record::<L>(&record, self.declared);
            }
        }
    }
}

impl<'a, F: Framing> Check<'a, F> {
    /// Returns all steps, with all bytes available at once.
    fn walk<L: Layout>(&self) -> (Vec<Step<'a>>, End<'a>) {
        let (mut steps, mut rest) = (Vec::new(), self.records);
        loop {
            let step = L::step(rest, self.framing);
            if let Some(record) = L::ordinary(rest, MAX_RECORD_BYTES) {
                assert_eq!(L::step(rest, &ByLength), Step::Record(record));
            }
            let size = match step {
                Step::Record(record) => record.size,
                Step::Mapping(mapping) => mapping.size,
                Step::Fault(_) => return (steps, End::Step(step)),
                Step::NeedMore(need) => {
                    assert!(
                        need > rest.len(),
                        "{need} bytes were requested, but {} were available",
                        rest.len()
                    );
                    return (steps, End::Tail(L::tail(rest, self.framing)));
                }
            };
            assert!(0 < size && size <= rest.len(), "a step of {size} bytes, but {} are left", rest.len());
            steps.push(step);
            rest = &rest[size..];
        }
    }

    /// Like `walk`, but sees the records through a window that grows chunk by chunk.
    fn walk_in_pieces<L: Layout>(&self) -> (Vec<Step<'a>>, End<'a>) {
        let (mut steps, mut at, mut end, mut chunks) = (Vec::new(), 0, 0, self.chunks);
        loop {
            let window = &self.records[at..end];
            let step = L::step(window, self.framing);
            match step {
                Step::Record(Record { size, .. }) => at += size,
                Step::Mapping(mapping) => at += mapping.size,
                Step::Fault(_) => return (steps, End::Step(step)),
                Step::NeedMore(need) => {
                    assert!(
                        need > window.len(),
                        "{need} bytes were requested, but {} were available",
                        window.len()
                    );
                    if end == self.records.len() {
                        return (steps, End::Tail(L::tail(window, self.framing)));
                    }
                    end = (end + chunks.next_bytes()).min(self.records.len());
                    continue;
                }
            }
            steps.push(step);
        }
    }
}

/// Decodes the arguments, encodes them, and decodes them again.
fn check_record<L: Layout>(record: &Record<'_>, declared: &Declared) {
    let order = <L::Order as Order>::ORDER;
    let kinds =
        if record.id == DROPPED_ID { DROPPED_KINDS } else { declared.kinds(record.id).unwrap_or_default() };
    let Some(values) = decode::<L>(record.payload, kinds) else { return };

    let encoder = Encoder { version: L::VERSION, order };
    let mut bytes = Vec::new();
    if encoder.record(record.id, record.timestamp_ns, record.pid, &values, &mut bytes).is_err() {
        assert_eq!(bytes, [], "this version cannot represent the value, but it was written");
        return;
    }
    let Step::Record(again) = L::step(&bytes, &ByLength) else {
        panic_with("not a record", &bytes);
    };
    assert_eq!(again.size, bytes.len());
    assert_eq!((again.id, again.timestamp_ns, again.pid), (record.id, record.timestamp_ns, record.pid));
    assert_eq!(decode::<L>(again.payload, kinds), Some(values));
}

/// Decodes the values of a payload. Returns `None` if values are missing or truncated.
fn decode<'a, L: Layout>(payload: &'a [u8], kinds: &[ArgumentKind]) -> Option<Vec<Value<'a>>> {
    let mut rest = payload;
    let values = kinds.iter().map(|kind| match kind {
        ArgumentKind::Integer { signed } => L::integer(&mut rest, *signed).map(Value::Integer),
        ArgumentKind::Str => L::string(&mut rest)
            .filter(|string| string.bytes.len() as u64 == string.length)
            .map(|string| Value::Str(string.bytes)),
    });
    values.collect()
}

#[expect(clippy::panic, reason = "targets report failures by panicking")]
pub(crate) fn panic_with(message: &str, bytes: &[u8]) -> ! {
    panic!("{message}: {}", bytes.escape_ascii())
}
