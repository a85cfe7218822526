//! Tests that compare lines with golden lines, and with the lines that the reader prints for a
//! trace.

mod sinks;

use std::fmt::Write as _;
use std::path::PathBuf;

use proptest::prelude::*;
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::{Event, SourceFile};
use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::text::{LineOptions, LineStyle, LineText, Render, TextBuffer, ValueStyle};
use ringtrace_tracefile::traces::Times;
use ringtrace_tracefile::{Flow, Input, Options, Reader};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{self, Encoder};

use super::line::{LINE_BYTES, PREFIX_BYTES, Prefix, TextLine};
use super::log::{push_thread, push_time};
use super::moment::Moment;
use crate::event::Value;
use crate::event::format::ParsedFormat;
use crate::probe::payload::MAX_STR_BYTES;

const TID: i32 = 4712;
const TIMESTAMP_NS: u64 = 5_000_000_000;
const REALTIME: Moment = Moment { seconds: 1_795_179_251, microseconds: 722_755 };

/// Returns an event's line in each of the three styles of `log`, with line ends.
fn lines(event: &Event, values: &[Value<'_>]) -> [Vec<u8>; 3] {
    let format = ParsedFormat::new(
        event.format.as_deref(),
        event.arguments.iter().map(|argument| &*argument.ctype_text),
    );
    let mut line = TextLine::empty();
    line.render(&event.name, &format, values);
    let [plain, mut time, mut thread] = [Prefix::new(), Prefix::new(), Prefix::new()];
    push_time(REALTIME, &mut time).unwrap();
    push_thread(TID, REALTIME, &mut thread).unwrap();
    [plain, time, thread].map(|prefix| line.whole(&prefix).to_vec())
}

/// Returns the lines that the reader prints for a trace that contains the event.
fn read_lines(declaration: &str, values: &[Value<'_>]) -> [Vec<u8>; 3] {
    let name = declaration.split('(').next().unwrap();
    let mut trace = Vec::new();
    let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
    encoder.header(1, 0, &mut trace);
    let id = (TID as u64) << 32 | 1;
    let version = ringtrace_tracefile::metadata::Metadata::Version(1).to_name();
    encoder.mapping(ringtrace_tracefile::metadata::FIRST_ID, version.as_bytes(), &mut trace);
    encoder.mapping(id, name.as_bytes(), &mut trace);
    let recorded: Vec<encode::Value<'_>> = values
        .iter()
        .map(|value| match value {
            Value::Integer(bits) => encode::Value::Integer(*bits),
            Value::Str(bytes) => encode::Value::Str(bytes),
            Value::NoStr => panic!("a record cannot contain this value"),
        })
        .collect();
    encoder.record(id, TIMESTAMP_NS, 4711, &recorded, &mut trace).unwrap();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, &trace).unwrap();
    [LineStyle::Log, LineStyle::LogTime, LineStyle::LogPid].map(|style| {
        let look = LineOptions {
            style,
            values: ValueStyle::Hex,
            time: None,
            colour: false,
            raw_strings: false,
            // Control characters are escaped, as for a terminal: the program does not know where
            // its log is displayed.
            harmless: true,
        };
        let anchor = Anchor {
            monotonic_ns: TIMESTAMP_NS,
            realtime_ns: i128::from(REALTIME.seconds) * 1_000_000_000
                + i128::from(REALTIME.microseconds) * 1000,
        };
        let times = Times { anchor: Some(anchor), ..Times::default() };
        let sources = vec![SourceFile::new("trace-events", declaration)];
        let options = Options { sources, ..Options::default() };
        let mut reader = Reader::new("trace", Input::open(file.path()).unwrap(), &options).unwrap();
        let (mut text, mut out) = (LineText::new(look, times), TextBuffer::default());
        let read = reader.for_each(|entry: &ringtrace_tracefile::Entry<'_>| {
            text.render(entry, &mut out);
            Flow::Continue
        });
        read.unwrap();
        out.as_bytes().to_vec()
    })
}

/// Whether a record can contain everything that the line shows.
fn fits_record(values: &[Value<'_>]) -> bool {
    values.iter().all(|value| match value {
        Value::Integer(_) => true,
        Value::Str(bytes) => bytes.len() <= MAX_STR_BYTES,
        Value::NoStr => false,
    })
}

fn parsed(declaration: &str) -> Event {
    let mut parsed = parse(vec![SourceFile::new("lines.txt", declaration)], Dialect::Read);
    assert_eq!(parsed.declarations.events.len(), 1, "{declaration}");
    parsed.declarations.events.remove(0)
}

/// A value in the notation of `lines.txt`: a number, a string in quotes, or `none`. `*COUNT` after
/// a string repeats it.
#[derive(Debug, Clone)]
enum Given {
    Integer(u64),
    Text(Vec<u8>),
    NoText,
}

impl Given {
    fn parse(word: &str) -> Given {
        if word == "none" {
            return Given::NoText;
        }
        if let Some(digits) = word.strip_prefix("0x") {
            return Given::Integer(u64::from_str_radix(digits, 16).unwrap());
        }
        let Some(quoted) = word.strip_prefix('"') else {
            return Given::Integer(word.parse::<i128>().unwrap() as u64);
        };
        let (text, times) = quoted.rsplit_once('"').unwrap();
        let times = times.strip_prefix('*').map_or(1, |count| count.parse().unwrap());
        // The parser for formats in declarations handles C escapes.
        let mut bytes = Vec::new();
        ringtrace_events::format::Format::parse(&format!("\"{}\"", text.replace('%', "%%"))).render(
            &[],
            &[],
            &mut bytes,
        );
        Given::Text(bytes.repeat(times))
    }

    fn value(&self) -> Value<'_> {
        match self {
            Given::Integer(bits) => Value::Integer(*bits),
            Given::Text(bytes) => Value::Str(bytes),
            Given::NoText => Value::NoStr,
        }
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "tests may read the environment")]
fn lines_match_the_golden_file_and_the_reader() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/backend/tests/lines.txt");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut answer = String::new();
    let mut event: Option<(Event, &str)> = None;
    for line in text.lines().filter(|line| !line.starts_with('>')) {
        writeln!(answer, "{line}").unwrap();
        if let Some(words) = line.strip_prefix("    ") {
            let (event, declaration) = event.as_ref().unwrap();
            let given: Vec<Given> =
                words.split(" , ").filter(|word| *word != "(none)").map(Given::parse).collect();
            let values: Vec<Value<'_>> = given.iter().map(Given::value).collect();
            let lines = lines(event, &values);
            if fits_record(&values) {
                assert_eq!(lines, read_lines(declaration, &values), "{declaration}: {words}");
            }
            for line in lines {
                write!(answer, ">{}", String::from_utf8_lossy(&line)).unwrap();
            }
        } else if !line.is_empty() && !line.starts_with('#') {
            event = Some((parsed(line), line));
        }
    }
    if std::env::var_os("RINGTRACE_ACCEPT").is_some() {
        std::fs::write(&path, answer).unwrap();
    } else {
        assert_eq!(answer, text, "RINGTRACE_ACCEPT=1 accepts the new output");
    }
}

/// Declarations that cover almost all format features.
const DECLARATIONS: [&str; 8] = [
    "a(int n, const char *s, uint8_t b) \"%d '%s' %02x\"",
    "b(const char *s, const char *t) \"%10s|%-10s|\"",
    "c(int width, const char *s) \"%*s\"",
    "d(int length, const char *s) \"%.*s\"",
    "e(char c, char *s) \"%c %.3s\"",
    "f(uint64_t a, int64_t b, void *p) \"%\" PRIu64 \" %#\" PRIx64 \" %p %%\"",
    "g(const char *s)",
    "h(const char *s, int missing) \"%s %s %d\"",
];

proptest! {
    #[test]
    fn every_line_has_one_end_and_matches_the_reader(
        declaration in prop::sample::select(&DECLARATIONS[..]),
        numbers in prop::array::uniform3(prop_oneof![any::<u64>(), 0..64_u64, (0..64_u64).prop_map(u64::wrapping_neg)]),
        texts in prop::array::uniform3(prop_oneof![
            prop::collection::vec(any::<u8>(), 0..40),
            prop::collection::vec(0..32_u8, 0..200),
            prop::collection::vec(any::<u8>(), 500..600),
        ]),
    ) {
        let event = parsed(declaration);
        let values: Vec<Value<'_>> = event.arguments.iter().enumerate().map(|(at, argument)| {
            match ringtrace_events::CType::parse(&argument.ctype_text) {
                ringtrace_events::CType::Str => Value::Str(&texts[at]),
                // Probes extend narrow integer types.
                ctype => Value::Integer(ctype.narrow(numbers[at])),
            }
        }).collect();
        let [plain, time, thread] = lines(&event, &values);
        for line in [&plain, &time, &thread] {
            prop_assert!(line.len() <= LINE_BYTES);
            prop_assert_eq!(line.iter().position(u8::is_ascii_control), Some(line.len() - 1));
            prop_assert_eq!(line.last(), Some(&b'\n'));
        }
        if plain.len() + PREFIX_BYTES < LINE_BYTES && fits_record(&values) {
            prop_assert_eq!([plain, time, thread], read_lines(declaration, &values));
        }
    }
}

#[test]
fn a_long_line_is_marked_and_fits_an_atomic_pipe_write() {
    let event = parsed("long(const char *a, const char *b) \"%4000s %s\"");
    let values = [Value::Str(b"x"), Value::Str(b"y")];
    let format = ParsedFormat::new(event.format.as_deref(), ["const char *"; 2].into_iter());
    let mut line = TextLine::empty();
    line.render("long", &format, &values);
    assert!(line.is_cut());
    let plain = line.whole(&Prefix::new());
    assert_eq!(plain.len(), LINE_BYTES - PREFIX_BYTES);
    assert!(plain.starts_with(b"long   ") && plain.ends_with(b" ...\n"));
    let mut longest = Prefix::new();
    longest.push(&[b'p'; PREFIX_BYTES + 1]);
    assert_eq!(line.whole(&longest).len(), LINE_BYTES);
}
