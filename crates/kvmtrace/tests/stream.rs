//! Properties of kvmtrace streams and definitions with arbitrary contents.

use std::io::{self, Read};

use proptest::prelude::*;
use ringtrace_kvmtrace::format::MAX_LINE_BYTES;
use ringtrace_kvmtrace::{Clock, Definitions, Error, Stream, StreamOptions};
use ringtrace_kvmtrace::{MAGIC, Variant, WideRecords};
use ringtrace_wire::ByteOrder;

/// A reader that returns its bytes in pieces. The pieces have the given sizes, in rotation.
struct Pieces<'a> {
    bytes: &'a [u8],
    sizes: Vec<usize>,
    turn: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.sizes[self.turn % self.sizes.len()].min(buffer.len()).min(self.bytes.len());
        self.turn += 1;
        let (piece, rest) = self.bytes.split_at(size);
        buffer[..size].copy_from_slice(piece);
        self.bytes = rest;
        Ok(size)
    }
}

/// Lists the results of a stream: its records with their positions, and its end.
fn reported(input: impl Read, expected: StreamOptions) -> Vec<String> {
    let end = |error: Error| error.to_string();
    let mut stream = match Stream::open(input, expected) {
        Ok(stream) => stream,
        Err(error) => return vec![end(error)],
    };
    let mut reported = vec![format!("{:?}", stream.layout())];
    loop {
        while let Some(record) = stream.buffered() {
            reported.push(format!("{record:?}"));
        }
        if !stream.fill().expect("memory can be read") {
            reported.push(stream.finish().map_or_else(end, |()| "clean".to_owned()));
            return reported;
        }
    }
}

fn any_expected() -> impl Strategy<Value = StreamOptions> {
    let variant = prop::sample::select(vec![None, Some(Variant::K1), Some(Variant::K2), Some(Variant::K3)]);
    let order = prop::sample::select(vec![None, Some(ByteOrder::Little), Some(ByteOrder::Big)]);
    let wide = prop::sample::select(vec![WideRecords::Read, WideRecords::Misread]);
    (variant, order, wide).prop_map(|(variant, order, wide_records)| StreamOptions {
        variant,
        order,
        wide_records,
    })
}

/// Generates bytes that mostly start with a valid stream header.
fn any_stream() -> impl Strategy<Value = Vec<u8>> {
    let beginning = prop::sample::select(vec![
        Vec::new(),
        MAGIC.to_le_bytes().to_vec(),
        MAGIC.to_be_bytes().to_vec(),
        0x8001_0001_u32.to_le_bytes().to_vec(),
        0x0010_0011_u32.to_be_bytes().to_vec(),
    ]);
    (beginning, prop::collection::vec(any::<u8>(), 0..400))
        .prop_map(|(beginning, rest)| [beginning, rest].concat())
}

/// Generates lines that consist of parts of definitions. Many of them are valid.
fn any_definitions() -> impl Strategy<Value = Vec<u8>> {
    let bits = [
        "0",
        "0x10001",
        "0x20001",
        "1",
        "<<",
        "16",
        "|",
        "(",
        ")",
        "-",
        "~",
        "**",
        "%",
        "#",
        " ",
        "\t",
        "\r",
        "\n",
        "\n",
        "\u{0}",
        "\u{e9}",
        "%(tsc)d",
        "%(relts)8d",
        "%(1)08x",
        "%(event)c",
        "%(vcpu)s",
        "%(pid)r",
        "%(5).3f",
        "%*d",
        "%d",
        "%99999d",
        "%(ts)99999999999g",
        "%(1)*%",
        ".",
        "9",
        "ENTER",
    ];
    let line =
        prop::collection::vec(prop::sample::select(bits.to_vec()), 0..8).prop_map(|bits| bits.concat());
    let definition = line.prop_map(|line| format!("0 {line}\n"));
    let soup =
        prop::collection::vec(prop::sample::select(bits.to_vec()), 0..30).prop_map(|bits| bits.concat());
    let bytes = prop::collection::vec(any::<u8>(), 0..60);
    prop_oneof![3 => definition.prop_map(String::into_bytes), 1 => soup.prop_map(String::into_bytes), 1 => bytes]
}

proptest! {
    #[test]
    fn chunks_do_not_matter(
        bytes in any_stream(),
        expected in any_expected(),
        sizes in prop::collection::vec(1..50usize, 1..10),
    ) {
        let pieces = Pieces { bytes: &bytes, sizes, turn: 0 };
        prop_assert_eq!(reported(&bytes[..], expected), reported(pieces, expected));
    }

    /// Rendering never panics and never exceeds the limit of a line.
    #[test]
    fn any_definitions_render(
        text in any_definitions(),
        bytes in any_stream(),
        mhz in prop::option::of(any::<f64>()),
    ) {
        let expected = StreamOptions { variant: Some(Variant::K1), order: None, wide_records: WideRecords::Read };
        let Ok(definitions) = Definitions::parse("any", &text) else { return Ok(()) };
        let _ = definitions.diagnostics();
        let Ok(mut stream) = Stream::open(&bytes[..], expected) else { return Ok(()) };
        let mut clock = Clock::new(mhz, definitions.time_names());
        let mut out = Vec::new();
        while let Some((_, record)) = stream.buffered() {
            let start = out.len();
            match definitions.render(record.event, &clock.arguments(&record), &mut out) {
                // If a value is missing, the output is the format's text and all values, which may
                // exceed the limit.
                Ok(()) => prop_assert!(out.len() - start <= MAX_LINE_BYTES + text.len() + 1000),
                Err(diagnostic) => {
                    prop_assert_eq!(out.len(), start);
                    prop_assert!(!diagnostic.message.is_empty());
                }
            }
        }
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_id() {
    let definitions = Definitions::parse("marked", b"\xef\xbb\xbf0x10001 ENTER\n0x10002 LEAVE")
        .expect("both definitions are valid");
    assert_eq!(definitions.event_name(0x10001).as_deref(), Some("ENTER"));
    assert_eq!(definitions.event_name(0x10002).as_deref(), Some("LEAVE"));
    assert_eq!(definitions.event_name(0x10003), None);
}

#[test]
fn an_unusable_file_has_one_diagnostic() {
    let huge = vec![b'#'; 2 << 20];
    for text in [&huge[..], b"\x7fELF\x01\x00\n\n\x00\n x\n"] {
        let diagnostics = Definitions::parse("unusable", text).expect_err("no definitions");
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    }
}
