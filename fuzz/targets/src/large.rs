//! Tests with inputs that are too large for a fuzzer: time and memory must be proportional to their
//! size.

use std::io::{Cursor, Read, Seek, Write};
use std::time::{Duration, Instant};

use ringtrace_events::format::{Format, Outline, Value};
use ringtrace_events::lint::{Levels, lint};
use ringtrace_events::message::{MessageFormat, render};
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::spacing::normalise;
use ringtrace_events::{CType, SourceFile};
use ringtrace_kvmtrace::Definitions;
use ringtrace_tracefile::expression::Expression;
use ringtrace_tracefile::metadata::{FIRST_ID, Metadata};
use ringtrace_tracefile::{Entry, Flow, Input, Needs, Options, Reader, Traces};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value as Written};

use crate::memory::{Measuring, peak_bytes};
use crate::transcript::Transcript;

#[global_allocator]
static ALLOCATOR: Measuring = Measuring;

/// Linear algorithms take a few seconds on a busy machine; others take minutes.
const TIMEOUT: Duration = Duration::from_secs(100);

/// Runs `work` on an input of `input_bytes`. Its memory must stay below about `times` times that
/// size.
fn within(input_bytes: usize, times: usize, work: impl FnOnce()) {
    let start = Instant::now();
    let peak = peak_bytes(work);
    assert!(start.elapsed() < TIMEOUT, "{} bytes took {:?}", input_bytes, start.elapsed());
    assert!(
        peak < (4 << 20) + times * input_bytes,
        "{input_bytes} bytes of input took {peak} bytes of memory"
    );
}

const V4: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };

fn v4_trace(write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = Vec::new();
    V4.header(0, 0, &mut out);
    write(&mut out);
    out
}

fn put(id: u64, values: &[Written<'_>], out: &mut Vec<u8>) {
    V4.record(id, 1, 1, values, out).expect("v4 can represent every value");
}

/// A reader that returns at most this many bytes per read.
struct SmallReads(Cursor<Vec<u8>>, usize);

impl Read for SmallReads {
    fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
        let most = room.len().min(self.1);
        self.0.read(&mut room[..most])
    }
}

fn options(declarations: &str) -> Options {
    Options { sources: vec![SourceFile::new("events", declarations)], ..Options::default() }
}

fn read(trace: &[u8], options: &Options) -> Transcript {
    let input = Input::from_reader(Box::new(Cursor::new(trace.to_vec())));
    Transcript::read(Reader::new("large", input, options), usize::MAX)
}

/// Reads the trace from a file, from a pipe in reads of `read_bytes`, and one entry at a time.
/// Checks that all results are equal.
fn read_in_every_way(trace: &[u8], read_bytes: usize, options: &Options) -> Transcript {
    let transcript = read(trace, options);
    let small_reads = || {
        let input = Input::from_reader(Box::new(SmallReads(Cursor::new(trace.to_vec()), read_bytes)));
        Reader::new("large", input, options)
    };
    let mut file = tempfile::tempfile().expect("a temporary file can be created");
    file.write_all(trace).and_then(|()| file.rewind()).expect("the file can be written");
    let mapped = Reader::new("large", Input::from_file(file).expect("a regular file can be mapped"), options);
    let summary = mapped.as_ref().ok().and_then(Reader::again).map(|mut reader| reader.summarize(true));
    assert!(Transcript::read(mapped, usize::MAX) == transcript, "mapped");
    assert!(Transcript::read(small_reads(), usize::MAX) == transcript, "from a pipe");
    assert!(Transcript::read_one_by_one(small_reads()) == transcript, "one by one");
    let of_small_reads = small_reads().ok().map(|mut reader| reader.summarize(true));
    assert_eq!(format!("{of_small_reads:?}"), format!("{summary:?}"));
    transcript
}

#[test]
fn records_of_any_size_are_read_alike_from_files_and_pipes() {
    let trace = |bytes: usize| {
        v4_trace(|out| {
            V4.mapping(1, b"text", out);
            put(1, &[Written::Str(b"before")], out);
            put(1, &[Written::Str(&vec![b'x'; bytes])], out);
            put(1, &[Written::Str(b"behind")], out);
        })
    };
    for bytes in [100_000, 200_000, 1_100_000] {
        for keep_going in [false, true] {
            let options = Options { keep_going, ..options("text(const char *s) \"%s\"\n") };
            let transcript = read_in_every_way(&trace(bytes), 997, &options);
            assert!(transcript.failed.is_none(), "{:?}", transcript.failed);
            assert!(transcript.entries.len() >= 2, "{} entries", transcript.entries.len());
        }
    }
}

#[test]
fn a_record_of_many_arguments_takes_linear_time() {
    let rfc = Encoder { version: Version::Rfc2011, order: ByteOrder::Little };
    let mut trace = Vec::new();
    rfc.header(1, 1, &mut trace);
    rfc.record(0, 1, 1, &[Written::Str(b""); 130_000], &mut trace).expect("the proposal has no limit");
    let count_at = trace.len() - 8 * 130_000 - 8;
    within(trace.len(), 40, || drop(read_in_every_way(&trace, 1, &options("many(void)\n"))));
    // Set the count to the largest possible value.
    trace[count_at..][..8].fill(0xff);
    within(trace.len(), 40, || drop(read_in_every_way(&trace, 1, &options("many(void)\n"))));
}

#[test]
fn sparse_ids_take_no_more_memory() {
    let id_of: [fn(u64) -> u64; 4] =
        [|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15), |n| n << 32 | 0xffff, |n| n << 48, |n| u64::MAX - 2 - n];
    for id_of in id_of {
        let trace = v4_trace(|out| {
            for n in 1..50_000 {
                V4.mapping(id_of(n), b"tick", out);
            }
            put(id_of(49_999), &[], out);
        });
        within(trace.len(), 40, || assert_eq!(read(&trace, &options("tick(void)\n")).entries.len(), 1));
    }
}

#[test]
fn events_may_be_declared_after_all_are_mapped() {
    let trace = v4_trace(|out| {
        for n in 0..30_000 {
            V4.mapping(n, format!("event{n}").as_bytes(), out);
        }
        for n in 0..30_000 {
            let declaration = Metadata::Declaration(format!("event{n}(void)"));
            V4.mapping(FIRST_ID + n, declaration.to_name().as_bytes(), out);
        }
        put(29_999, &[], out);
    });
    within(trace.len(), 100, || assert_eq!(read(&trace, &options("")).entries.len(), 1));
}

#[test]
fn traces_of_many_events_are_merged() {
    const EVENTS: u64 = 20_000;
    let trace = v4_trace(|out| {
        for n in 0..EVENTS {
            let declaration = Metadata::Declaration(format!("event{n}(void)"));
            V4.mapping(FIRST_ID + n, declaration.to_name().as_bytes(), out);
            V4.mapping(n, format!("event{n}").as_bytes(), out);
        }
        (0..EVENTS).for_each(|n| put(n, &[], out));
    });
    let open = || {
        let input = Input::from_reader(Box::new(Cursor::new(trace.clone())));
        Reader::new("large", input, &options("")).expect("a trace")
    };
    let mut given = 0;
    within(trace.len(), 150, || {
        let mut traces =
            Traces::new(vec![open(), open()], Needs::default()).expect("two traces can be merged");
        let result = traces.for_each(&mut |_: &Entry<'_>| {
            given += 1;
            Flow::Continue
        });
        assert_eq!(result, Ok(Flow::Continue));
    });
    assert_eq!(given, 2 * EVENTS);
}

#[test]
fn impossible_lengths_are_errors() {
    let name = v4_trace(|out| {
        V4.mapping(5, b"name", out);
        let length_at = out.len() - 4 - 4;
        out[length_at..][..4].fill(0xff);
    });
    within(name.len(), 1, || drop(read_in_every_way(&name, 1, &options(""))));
    let text = v4_trace(|out| {
        V4.mapping(1, b"text", out);
        put(1, &[Written::Str(b"text")], out);
        let length_at = out.len() - 4 - 4;
        out[length_at..][..4].fill(0xff);
    });
    let transcript = read_in_every_way(&text, 1, &options("text(const char *s)\n"));
    assert_eq!(transcript.entries.len(), 1);
}

#[test]
fn declarations_in_one_line_and_in_a_million() {
    let repeated = |text: &str, bytes: usize| text.repeat(bytes / text.len());
    let a_line = |text: &str| format!("event({}) \"x\"\n", repeated(text, 1 << 20));
    let texts = [
        repeated("(", 1 << 16),
        repeated("(\n", 1 << 18),
        repeated("a(", 1 << 20),
        repeated("a()\n", 1 << 21),
        repeated("a b\n", 1 << 19),
        repeated("tcg a(int x) \"%d\", \"%d\"\n", 1 << 19),
        a_line("int x, "),
        a_line("unsigned "),
        a_line("*"),
        a_line(","),
        format!("event(int x) {}\n", repeated("\"%d\" ", 1 << 20)),
        format!("event(int x) \"{}\"\n", repeated("%d", 1 << 20)),
        format!("event(int x) \"{}\"\n", repeated("\\x41", 1 << 20)),
        format!("{}(int x)\n", repeated("e\u{301}", 1 << 20)),
        repeated(" ", 1 << 20),
    ];
    for text in texts {
        within(text.len(), 250, || {
            let mut parsed = parse(vec![SourceFile::new("large", &*text)], Dialect::NEW);
            lint(&mut parsed, &Levels::default(), None);
            let colour = MessageFormat::Human { colour: true };
            drop(render(&parsed.diagnostics, &parsed.declarations.sources, colour));
        });
        within(text.len(), 100, || drop(normalise(&text)));
    }
}

#[test]
fn a_format_with_ten_thousand_conversions() {
    for conversion in ["%d", "%4096d", "%*d", "%.*s", "%99999999999d", "%", "%\\"] {
        let source = format!("\"{}\"", conversion.repeat(10_000));
        let types = [CType::Integer { bytes: 4, signed: true }; 16];
        let values = [Value::Integer(u64::MAX); 16];
        within(source.len(), 200, || {
            drop(Outline::parse(&source));
            Format::parse(&source).render(&types, &values, &mut Vec::new());
        });
    }
}

#[test]
fn incomplete_expressions_and_definitions() {
    let pieces =
        ["(", "!", "-", "a+", "a&&", "a||(", "a==a&&", "!(", "((a))&&", "\"", "'", "1+", "a~\"*\"&&"];
    for piece in pieces {
        let text = piece.repeat((1 << 16) / piece.len());
        for text in [&*text, &*format!("{text}a"), &*(text.clone() + &text)] {
            within(text.len(), 300, || {
                if let Err(error) = Expression::parse(text) {
                    assert!(error.to_string().len() < 2000);
                }
            });
        }
    }
    for piece in ["(", "-", "1+", "1**", "1<<", "2*", "9", "0x", "~", "%(1)d", "(1)"] {
        let repeated = piece.repeat((1 << 20) / piece.len());
        let text = format!("{repeated}1 format\n0x10001 {repeated}\n");
        within(text.len(), 300, || drop(Definitions::parse("large", text.as_bytes())));
    }
    within(1 << 20, 300, || drop(Definitions::parse("large", " \n".repeat(1 << 19).as_bytes())));
}
