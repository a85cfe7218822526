//! kvmtrace streams, read in any pieces and printed.
//!
//! An input is three bytes (variant, order and wide records; the seed of the pieces; which definitions), definitions up
//! to a byte 0, then the stream.

use ringtrace_kvmtrace::{
    Clock, DefinitionSet, Definitions, Error, EventCounts, Position, SETS, Stream, StreamOptions,
};
use ringtrace_kvmtrace::{Layout, MAGIC_BYTES, Record, Step, Tail, Variant, WideRecords};
use ringtrace_wire::ByteOrder;

use crate::Target;
use crate::choices::{Choices, Chunks};
use crate::dribble::Dribble;

pub(crate) const TARGET: Target = Target {
    name: "kvmtrace",
    about: "the same records and the same end whatever the pieces; records encode and decode to the same",
    max_bytes: 2048,
    run,
};

fn run(data: &[u8]) {
    let mut choices = Choices::new(data);
    let shape = choices.byte();
    let chunks = Chunks::new(choices.byte());
    let set = choices.byte();
    let text = choices.until(0);
    let bytes = choices.rest();

    let expected = StreamOptions {
        variant: [None, Some(Variant::K1), Some(Variant::K2), Some(Variant::K3)][usize::from(shape & 3)],
        order: [None, Some(ByteOrder::Little), Some(ByteOrder::Big), None][usize::from(shape >> 2 & 3)],
        wide_records: if shape & 16 == 0 { WideRecords::Read } else { WideRecords::Misread },
    };
    let whole = Told::read(Stream::open(bytes, expected));
    let pieces = Told::read(Stream::open(Dribble::new(bytes, chunks), expected));
    assert_eq!(pieces, whole);

    if let Some(layout) = whole.layout {
        check_against_steps(&whole, layout, bytes);
    }
    let definitions = match SETS.get(usize::from(set)) {
        Some(set) => DefinitionSet::definitions(set),
        None => Definitions::parse("fuzz", text).unwrap_or_else(|_| Definitions::empty()),
    };
    print(&whole, &definitions);
}

/// What a stream told.
#[derive(Debug, PartialEq)]
struct Told {
    layout: Option<Layout>,
    records: Vec<(Position, Record)>,
    trouble: Option<String>,
}

impl Told {
    fn read(stream: Result<Stream<impl std::io::Read>, Error>) -> Told {
        let show = |trouble: Error| format!("{trouble} {:?}", trouble.help());
        let mut stream = match stream {
            Ok(stream) => stream,
            Err(trouble) => return Told { layout: None, records: Vec::new(), trouble: Some(show(trouble)) },
        };
        let mut records = Vec::new();
        loop {
            records.extend(std::iter::from_fn(|| stream.buffered()));
            match stream.fill() {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    let trouble = Some(show(Error::Io(error)));
                    return Told { layout: Some(stream.layout()), records, trouble };
                }
            }
        }
        Told { layout: Some(stream.layout()), records, trouble: stream.finish().err().map(show) }
    }
}

/// The stream told what its bytes say.
fn check_against_steps(told: &Told, layout: Layout, bytes: &[u8]) {
    let start = if layout.variant.has_magic() && !bytes.is_empty() { MAGIC_BYTES } else { 0 };
    let mut rest = bytes.get(start..).unwrap_or_default();
    for (place, record) in &told.records {
        assert_eq!(place.offset, (bytes.len() - rest.len()) as u64);
        let Step::Record { record: found, size } = layout.step(rest) else {
            crate::steps::panic_with("no record here", rest);
        };
        assert_eq!(found, *record);
        check_encoding(layout, record, &rest[..size]);
        rest = &rest[size..];
    }
    assert!(matches!(layout.step(rest), Step::NeedMore(need) if need > rest.len()));
    assert_eq!(layout.tail(rest) == Tail::Clean, told.trouble.is_none());
}

fn check_encoding(layout: Layout, record: &Record, bytes: &[u8]) {
    if layout.wide_records == WideRecords::Read {
        let mut encoded = Vec::new();
        layout.encode_record(record, &mut encoded);
        assert_eq!(encoded, bytes);
    }
    let _ = layout.is_start_of_another(record);
}

fn print(told: &Told, definitions: &Definitions) {
    let (mut clock, mut statistics) =
        (Clock::new(Some(1000.0), definitions.time_names()), EventCounts::default());
    let mut out = Vec::new();
    for (_, record) in &told.records {
        statistics.count(record.event);
        out.clear();
        if definitions.render(record.event, &clock.arguments(record), &mut out).is_err() {
            assert_eq!(out, [], "a mistake appended something");
        }
    }
    let counted: u64 = statistics.sorted().iter().map(|(_, count)| count).sum();
    assert_eq!(counted, told.records.len() as u64);
}
