//! Reads kvmtrace streams in chunks, and prints them.
//!
//! An input consists of three bytes, definitions up to a zero byte, and the stream. The first byte
//! selects the variant, the byte order and the treatment of wide records; the second is the seed of
//! the chunks; the third selects the definitions.

use ringtrace_kvmtrace::{
    Clock, DefinitionSet, Definitions, Error, EventCounts, Position, SETS, Stream, StreamOptions,
};
use ringtrace_kvmtrace::{Layout, MAGIC_BYTES, Record, Step, Tail, Variant, WideRecords};
use ringtrace_wire::ByteOrder;

use crate::Target;
use crate::choices::{Choices, Chunks};
use crate::chunked_reader::ChunkedReader;

pub(crate) const TARGET: Target = Target {
    name: "kvmtrace",
    about: "the size of chunks does not matter; records survive encoding and decoding",
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
    let whole = Transcript::read(Stream::open(bytes, expected));
    let pieces = Transcript::read(Stream::open(ChunkedReader::new(bytes, chunks), expected));
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

/// The contents of a stream.
#[derive(Debug, PartialEq)]
struct Transcript {
    layout: Option<Layout>,
    records: Vec<(Position, Record)>,
    error: Option<String>,
}

impl Transcript {
    fn read(stream: Result<Stream<impl std::io::Read>, Error>) -> Transcript {
        let show = |error: Error| format!("{error} {:?}", error.help());
        let mut stream = match stream {
            Ok(stream) => stream,
            Err(error) => {
                return Transcript { layout: None, records: Vec::new(), error: Some(show(error)) };
            }
        };
        let mut records = Vec::new();
        loop {
            records.extend(std::iter::from_fn(|| stream.buffered()));
            match stream.fill() {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    let error = Some(show(Error::Io(error)));
                    return Transcript { layout: Some(stream.layout()), records, error };
                }
            }
        }
        Transcript { layout: Some(stream.layout()), records, error: stream.finish().err().map(show) }
    }
}

/// Compares the records with those that the decoder in `wire` returns.
fn check_against_steps(transcript: &Transcript, layout: Layout, bytes: &[u8]) {
    let start = if layout.variant.has_magic() && !bytes.is_empty() { MAGIC_BYTES } else { 0 };
    let mut rest = bytes.get(start..).unwrap_or_default();
    for (place, record) in &transcript.records {
        assert_eq!(place.offset, (bytes.len() - rest.len()) as u64);
        let Step::Record { record: found, size } = layout.step(rest) else {
            crate::steps::panic_with("not a record", rest);
        };
        assert_eq!(found, *record);
        check_encoding(layout, record, &rest[..size]);
        rest = &rest[size..];
    }
    assert!(matches!(layout.step(rest), Step::NeedMore(need) if need > rest.len()));
    assert_eq!(layout.tail(rest) == Tail::Clean, transcript.error.is_none());
}

fn check_encoding(layout: Layout, record: &Record, bytes: &[u8]) {
    if layout.wide_records == WideRecords::Read {
        let mut encoded = Vec::new();
        layout.encode_record(record, &mut encoded);
        assert_eq!(encoded, bytes);
    }
    let _ = layout.is_start_of_another(record);
}

fn print(transcript: &Transcript, definitions: &Definitions) {
    let (mut clock, mut statistics) =
        (Clock::new(Some(1000.0), definitions.time_names()), EventCounts::default());
    let mut out = Vec::new();
    for (_, record) in &transcript.records {
        statistics.count(record.event);
        out.clear();
        if definitions.render(record.event, &clock.arguments(record), &mut out).is_err() {
            assert_eq!(out, [], "a failed call appended something");
        }
    }
    let counted: u64 = statistics.sorted().iter().map(|(_, count)| count).sum();
    assert_eq!(counted, transcript.records.len() as u64);
}
