//! The text must not depend on the division into pieces: it equals the text that one thread
//! renders.

use std::io::Write as _;
use std::sync::atomic::AtomicUsize;

use proptest::prelude::*;
use ringtrace_events::SourceFile;
use ringtrace_wire::compact::{BlockEncoder, BlockHeader, HEADER_BYTES};
use ringtrace_wire::simpletrace::ArgumentKind;
use ringtrace_wire::simpletrace::context::{self, RecordContext};
use ringtrace_wire::simpletrace::encode::{Encoder, Value};

use super::*;
use crate::entry::Entry;
use crate::input::Input;
use crate::metadata::{CAUSES, FIRST_ID, Lost, Metadata, Module};
use crate::query::filter::FilterOptions;
use crate::read::era::Era;
use crate::read::options::Options;
use crate::read::visitor::{BlockRecords, OrdinaryRecords};
use crate::text::{
    JsonText, LineOptions, LineStyle, LineText, OriginTexts, SimpletraceText, SurroundedText, TimeMode,
    ValueStyle,
};

const DECLARATIONS: &str = "none(void) \"nothing\"\none(uint64_t a) \"a %\" PRIu64\n\
    str(const char *s, int n) \"%s %d\"\nlate(int x) \"%d\"\n";

#[derive(Debug, Clone)]
enum Part {
    None,
    One(u64),
    /// A string, which can resemble records.
    Str(Vec<u8>),
    Dropped(u64),
    /// Maps id 7 to another event.
    Remap(usize),
    /// A record with id 7, whose event depends on the previous mappings.
    Seven(u64),
    /// Declares an event in the trace only.
    Declare(usize),
    /// A record of an event that is declared in the trace only, if it was declared before.
    Own(usize, u64),
    /// Declares that ids contain the thread.
    Threads,
    /// A record of the event `one` with a thread.
    InThread(u64),
    /// A record with one of several threads, after the mapping and the thread's name.
    Worker(u64, usize),
    Rename(u64),
    /// A loss of events: the thread's index, the cause and the number of events.
    Lost(u64, usize, u64),
    /// A context, which belongs to the next part if that is a record.
    Context(Option<u32>, Vec<u64>),
    /// An executable segment, at an address of contexts.
    Module(u64),
    Raw(Vec<u8>),
}

fn part(damaged: bool) -> impl Strategy<Value = Part> {
    // Records of the event `one` in a string. They can make the reader guess a wrong start.
    let mut decoy = Vec::new();
    for n in 0..12 {
        ENCODER.record(1, 1_000 + n, 3, &[Value::Integer(n)], &mut decoy).unwrap();
    }
    let raw_bytes = if damaged { 1..30 } else { 0..1 };
    prop_oneof![
        4 => Just(Part::None),
        8 => any::<u64>().prop_map(Part::One),
        4 => proptest::collection::vec(any::<u8>(), 0..40).prop_map(Part::Str),
        1 => Just(Part::Str(decoy)),
        1 => any::<u64>().prop_map(Part::Dropped),
        1 => (0..4_usize).prop_map(Part::Remap),
        2 => any::<u64>().prop_map(Part::Seven),
        1 => (0..OWN.len()).prop_map(Part::Declare),
        4 => (0..OWN.len(), any::<u64>()).prop_map(|(event, a)| Part::Own(event, a)),
        1 => Just(Part::Threads),
        2 => any::<u64>().prop_map(Part::InThread),
        8 => (0..WORKERS, 0..2_usize).prop_map(|(worker, event)| Part::Worker(worker, event)),
        1 => (0..WORKERS).prop_map(Part::Rename),
        2 => (0..WORKERS, 0..3_usize, 1..100_u64).prop_map(|(worker, cause, count)| Part::Lost(worker, cause, count)),
        4 => (any::<Option<u32>>(), proptest::collection::vec(0..100_u64, 0..5))
            .prop_map(|(cpu, stack)| Part::Context(cpu, stack)),
        1 => (0..100_u64).prop_map(Part::Module),
        1 => proptest::collection::vec(any::<u8>(), raw_bytes).prop_map(Part::Raw),
    ]
}

const ENCODER: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
const NAMES: [&str; 4] = ["none", "one", "str", "late"];
/// Events that the trace itself declares.
const OWN: [(&str, &str); 3] =
    [("a", "a(void) \"a\""), ("b", "b(int x) \"b %d\""), ("c", "c(int y, int z) \"c %d %d\"")];
const FIRST_OWN: u64 = 20;
/// The id of `one` with a thread.
const IN_THREAD: u64 = 9 << 32 | 1;

const WORKERS: u64 = 5;
const FIRST_WORKER: u64 = 100;

/// With `threads_first`, the trace declares at its start that ids contain the thread.
fn encode(parts: &[Part], times: &[u64], threads_first: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    ENCODER.header(0, 0, &mut bytes);
    if threads_first {
        Metadata::Version(1).encode(0, ENCODER.order, &mut bytes);
    }
    for (id, name) in (0..).zip(NAMES) {
        ENCODER.mapping(id, name.as_bytes(), &mut bytes);
    }
    ENCODER.mapping(7, b"one", &mut bytes);
    ENCODER.mapping(IN_THREAD, b"one", &mut bytes);
    for (id, (name, _)) in (FIRST_OWN..).zip(OWN) {
        ENCODER.mapping(id, name.as_bytes(), &mut bytes);
    }
    let mut declared = [false; OWN.len()];
    let mut seven = 1;
    let mut known = HashSet::new();
    for (part, &time) in parts.iter().zip(times) {
        let pid = (time % 3) as u32;
        let out = &mut bytes;
        match part {
            Part::None => ENCODER.record(0, time, pid, &[], out).unwrap(),
            Part::One(a) => ENCODER.record(1, time, pid, &[Value::Integer(*a)], out).unwrap(),
            Part::Str(s) => {
                ENCODER.record(2, time, pid, &[Value::Str(s), Value::Integer(time)], out).unwrap();
            }
            Part::Dropped(count) => ENCODER.dropped(*count, time, pid, out),
            Part::Remap(to) => {
                seven = *to;
                ENCODER.mapping(7, NAMES[*to].as_bytes(), out);
            }
            Part::Seven(a) => {
                let values: &[Value<'_>] = match seven {
                    0 => &[],
                    2 => &[Value::Str(b"seven"), Value::Integer(*a)],
                    _ => &[Value::Integer(*a)],
                };
                ENCODER.record(7, time, pid, values, out).unwrap();
            }
            Part::Declare(event) => {
                let metadata = Metadata::Declaration(OWN[*event].1.to_owned());
                declared[*event] = true;
                ENCODER.mapping(FIRST_ID, metadata.to_name().as_bytes(), out);
            }
            Part::Own(event, a) if declared[*event] => {
                let values = &[Value::Integer(*a), Value::Integer(time)][..*event];
                ENCODER.record(FIRST_OWN + *event as u64, time, pid, values, out).unwrap();
            }
            Part::Own(..) => {}
            Part::Threads => ENCODER.mapping(FIRST_ID, Metadata::Version(1).to_name().as_bytes(), out),
            Part::InThread(a) => ENCODER.record(IN_THREAD, time, pid, &[Value::Integer(*a)], out).unwrap(),
            Part::Worker(worker, event) => {
                let tid = FIRST_WORKER + worker;
                if known.insert((tid, None)) {
                    Metadata::Thread(tid as u32, format!("worker {worker}")).encode(1, ENCODER.order, out);
                }
                let id = tid << 32 | *event as u64;
                if known.insert((tid, Some(*event))) {
                    ENCODER.mapping(id, NAMES[*event].as_bytes(), out);
                }
                let values = &[Value::Integer(time)][..*event];
                ENCODER.record(id, time, pid, values, out).unwrap();
            }
            Part::Rename(worker) => {
                Metadata::Thread((FIRST_WORKER + worker) as u32, format!("at {time}")).encode(
                    1,
                    ENCODER.order,
                    out,
                );
            }
            Part::Lost(worker, cause, count) => {
                let (tid, cause) = ((FIRST_WORKER + worker) as u32, CAUSES[*cause]);
                Metadata::Lost(Lost { tid, cause, count: *count }).encode(2, ENCODER.order, out);
                ENCODER.dropped(*count, time, pid, out);
            }
            Part::Context(cpu, stack) => context::encode(*cpu, stack.iter().copied(), ENCODER.order, out),
            Part::Module(start) => {
                let path = format!("/lib/{time}").into_bytes();
                let (end, build_id) = (start + time % 30, vec![1; (time % 3) as usize]);
                let module = Module { start: *start, end, address: 0x1000, build_id, path };
                Metadata::Module(module).encode(3, ENCODER.order, out);
            }
            Part::Raw(raw) => out.extend_from_slice(raw),
        }
    }
    bytes
}

fn open(bytes: &[u8]) -> Reader {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    let options = Options { sources: vec![SourceFile::new("events", DECLARATIONS)], ..Options::default() };
    Reader::new("trace", Input::from_file(file).unwrap(), &options).unwrap()
}

/// The result of reading a trace to its end: text, dropped events, number of records, result,
/// anomalies and metadata.
type Outcome = (String, Dropped, u64, Result<(), Error>, Vec<(u64, Vec<Error>)>, Vec<Metadata>);

fn finish<R: Render>(
    mut reader: Reader,
    filter: &Filter,
    text: &mut R,
    mut out: Vec<u8>,
    mut dropped: Dropped,
    result: Result<(), Error>,
) -> Outcome {
    let mut filter = filter.clone();
    let mut visit = LineVisitor {
        text,
        filter: &mut filter,
        out: TextBuffer::default(),
        most_bytes: usize::MAX,
        dropped: Dropped::default(),
        unnamed: None,
    };
    let result = result.and_then(|()| reader.for_each_mut(&mut visit).map(|_| ()));
    out.extend_from_slice(visit.out.as_bytes());
    dropped.add(visit.dropped);
    let anomalies = reader.anomalies().iter().map(|(_, count, kept)| (count, kept.to_vec())).collect();
    (
        String::from_utf8_lossy(&out).into_owned(),
        dropped,
        reader.records(),
        result,
        anomalies,
        reader.metadata().to_vec(),
    )
}

fn same_text<R: Render + Clone + Send>(
    bytes: &[u8],
    filter: &Filter,
    text: &R,
    threads: usize,
    piece_bytes: usize,
) {
    let expected =
        |bytes: &[u8]| finish(open(bytes), filter, &mut text.clone(), Vec::new(), Dropped::default(), Ok(()));
    same_text_of(open(bytes), expected(bytes), filter, text, threads, piece_bytes);
    // The text of a compact trace is that of the v4 trace. Only large blocks have records that are
    // rendered while they are decoded.
    let most = if piece_bytes.is_multiple_of(2) { piece_bytes } else { 30 * piece_bytes };
    let (whole, file) = compact(bytes, most);
    let reader = open(&file);
    assert!(file.is_empty() || reader.is_compact());
    same_text_of(reader, expected(&bytes[..whole]), filter, text, threads, 1);
}

/// Returns the arguments of most ids, which can differ from those in the records.
fn kinds(id: u64) -> Option<&'static [ArgumentKind]> {
    const INTEGER: ArgumentKind = ArgumentKind::Integer { signed: false };
    match id as u32 {
        0 | 20 => Some(&[]),
        1 | 7 | 21 => Some(&[INTEGER]),
        2 => Some(&[ArgumentKind::Str, INTEGER]),
        22 => Some(&[INTEGER; 2]),
        _ => None,
    }
}

/// Converts the whole records at the start of a v4 trace to blocks of about `most` bytes. Returns
/// their size in the v4 trace, too.
fn compact(v4: &[u8], most: usize) -> (usize, Vec<u8>) {
    let (mut encoder, mut file, mut at) = (BlockEncoder::default(), Vec::new(), 0);
    let mut size = 24;
    while let Some(record) = v4.get(at..at + size) {
        encoder.push(record, kinds, &mut file).unwrap();
        at += size;
        let mut is_context = false;
        size = match step_by_length(Version::V4, ByteOrder::Little, &v4[at..]) {
            Step::Record(record) => record.size,
            Step::Mapping(mapping) => {
                is_context = RecordContext::of(&mapping).is_some();
                mapping.size
            }
            _ => break,
        };
        // Blocks are independent only if contexts are in the blocks of their records, but the text
        // never depends on them.
        if encoder.expanded_bytes() >= most && (!is_context || at % 2 == 0) {
            encoder.finish(&mut file);
        }
    }
    encoder.finish(&mut file);
    (at, file)
}

fn same_text_of<R: Render + Clone + Send>(
    mut reader: Reader,
    expected: Outcome,
    filter: &Filter,
    text: &R,
    threads: usize,
    piece_bytes: usize,
) {
    let (mut text, mut out) = (text.clone(), Vec::new());
    let write = |bytes: &[u8]| {
        out.extend_from_slice(bytes);
        Ok(())
    };
    let (dropped, result) =
        render_pieces(&mut reader, filter, &mut text, threads, piece_bytes, write).unwrap();
    let found = finish(reader, filter, &mut text, out, dropped, result);
    for (line, (expected, found)) in expected.0.lines().zip(found.0.lines()).enumerate() {
        assert_eq!(expected, found, "line {line}");
    }
    assert_eq!(expected.0.lines().count(), found.0.lines().count());
    assert_eq!((expected.1, expected.2, expected.3), (found.1, found.2, found.3));
    assert_eq!((expected.4, expected.5), (found.4, found.5));
}

fn check(parts: &[Part], times: &[u64], threads_first: bool, cut: usize, threads: usize, piece_bytes: usize) {
    let mut bytes = encode(parts, times, threads_first);
    bytes.truncate(bytes.len() - cut.min(bytes.len() / 2));
    let everything = Filter::default();
    let some = Filter::new(FilterOptions {
        exclude: vec!["none".into()],
        since_ns: Some(500),
        ..FilterOptions::default()
    });
    let options = LineOptions {
        style: LineStyle::Simpletrace,
        values: ValueStyle::Typed,
        time: Some(TimeMode::Delta),
        colour: false,
        raw_strings: false,
        harmless: false,
    };
    let called = Filter::new(FilterOptions { thread_names: vec!["*1".into()], ..FilterOptions::default() });
    let times = crate::traces::Times::default();
    let simpletrace = surrounded(SimpletraceText::new(Era::Q10_2).with_threads());
    same_text(&bytes, &called, &simpletrace, threads, piece_bytes);
    same_text(&bytes, &everything, &JsonText::new(times), threads, piece_bytes);
    for filter in [&everything, &some] {
        same_text(&bytes, filter, &simpletrace, threads, piece_bytes);
        same_text(&bytes, filter, &surrounded(LineText::new(options, times)), threads, piece_bytes);
    }
}

fn surrounded<R>(text: R) -> SurroundedText<R> {
    SurroundedText::new(text, OriginTexts::default()).with_stacks(None)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn pieces_do_not_change_the_text(
        parts in proptest::collection::vec(part(false), 0..200),
        times in proptest::collection::vec(0..2_000_u64, 200),
        threads_first: bool,
        cut in 0..60_usize,
        threads in 1..4_usize,
        piece_bytes in 1..600_usize,
    ) {
        check(&parts, &times, threads_first, cut, threads, piece_bytes);
    }

    #[test]
    fn pieces_do_not_change_reports_of_damage(
        parts in proptest::collection::vec(part(true), 0..100),
        times in proptest::collection::vec(any::<u64>(), 100),
        threads_first: bool,
        cut in 0..60_usize,
        threads in 1..4_usize,
        piece_bytes in 1..600_usize,
    ) {
        check(&parts, &times, threads_first, cut, threads, piece_bytes);
    }
}

/// Replaces a byte in the body of one of the blocks in `file` after the first one, and corrects the
/// checksums.
fn damage(file: &mut [u8], at: prop::sample::Index, byte: u8) {
    let mut start = BlockHeader::parse(file).unwrap().block_bytes();
    let at = start + at.index(file.len() - start + 1);
    while let Ok(header) = BlockHeader::parse(&file[start..]) {
        let body = start + HEADER_BYTES..start + header.block_bytes();
        if body.contains(&at) {
            file[at] = byte;
            let crc = crc32c::crc32c(&file[body]);
            file[start + 20..start + 24].copy_from_slice(&crc.to_le_bytes());
            let crc = crc32c::crc32c(&file[start + 12..start + HEADER_BYTES]);
            file[start + 8..start + 12].copy_from_slice(&crc.to_le_bytes());
            return;
        }
        start += header.block_bytes();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// Nothing of a block is printed if one of its items is invalid.
    #[test]
    fn pieces_do_not_change_the_text_of_invalid_blocks(
        parts in proptest::collection::vec(part(false), 50..200),
        times in proptest::collection::vec(0..2_000_u64, 200),
        threads_first: bool,
        threads in 1..3_usize,
        most in 100..6000_usize,
        at: prop::sample::Index,
        byte: u8,
    ) {
        let (_, mut file) = compact(&encode(&parts, &times, threads_first), most);
        damage(&mut file, at, byte);
        let (filter, text) = (Filter::default(), SimpletraceText::new(Era::Q10_2).with_threads());
        let expected =
            finish(open(&file), &filter, &mut text.clone(), Vec::new(), Dropped::default(), Ok(()));
        same_text_of(open(&file), expected, &filter, &text, threads, 1);
    }
}

/// A renderer that counts the lines that are not rendered while they are decoded.
#[derive(Clone)]
struct CountingV4(SimpletraceText, Arc<AtomicUsize>);

impl Render for CountingV4 {
    fn render(&mut self, entry: &Entry<'_>, out: &mut TextBuffer) {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.render(entry, out);
    }

    fn render_fast(&mut self, records: &mut OrdinaryRecords<'_>, out: &mut TextBuffer) {
        let before = records.count();
        self.0.render_fast(records, out);
        self.1.fetch_add((records.count() - before) as usize, Ordering::Relaxed);
    }

    fn render_block(&mut self, records: &mut BlockRecords<'_, '_>, out: &mut TextBuffer) {
        self.0.render_block(records, out);
    }

    fn resume_after(&mut self, last_ns: Option<u64>) {
        self.0.resume_after(last_ns);
    }

    fn last_ns(&self) -> Option<u64> {
        self.0.last_ns()
    }

    fn first_time(&self) -> Option<FirstTime> {
        self.0.first_time()
    }
}

#[test]
fn most_lines_of_blocks_are_rendered_while_they_are_decoded() {
    const RECORDS: u64 = 40_000;
    let parts: Vec<Part> = (0..RECORDS)
        .map(|n| match n % 4 {
            0 => Part::None,
            1 => Part::InThread(n),
            2 => Part::Worker(n % WORKERS, 1),
            _ if n % 4000 == 3 => Part::Str(b"text".to_vec()),
            _ => Part::One(u64::MAX / (n + 1)),
        })
        .collect();
    let times: Vec<u64> = (0..RECORDS).map(|n| if n % 4000 == 9 { n / 2 } else { n }).collect();
    let (_, file) = compact(&encode(&parts, &times, true), 400_000);
    let text = SimpletraceText::new(Era::Q10_2).with_threads();
    let filter = Filter::default();
    let expected = finish(open(&file), &filter, &mut text.clone(), Vec::new(), Dropped::default(), Ok(()));
    assert_eq!(expected.2, RECORDS);
    let lines = Arc::default();
    same_text_of(open(&file), expected, &filter, &surrounded(CountingV4(text, Arc::clone(&lines))), 1, 1);
    let lines = lines.load(Ordering::Relaxed) as u64;
    assert!(lines < RECORDS / 10, "{lines} of {RECORDS} lines");
}

/// A renderer that counts the lines of all its clones.
#[derive(Clone)]
struct Counting(Arc<AtomicUsize>);

impl Render for Counting {
    fn render(&mut self, _: &Entry<'_>, _: &mut TextBuffer) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn render_block(&mut self, _: &mut BlockRecords<'_, '_>, _: &mut TextBuffer) {}

    fn resume_after(&mut self, _: Option<u64>) {}

    fn last_ns(&self) -> Option<u64> {
        None
    }

    fn first_time(&self) -> Option<FirstTime> {
        None
    }
}

#[test]
fn new_threads_do_not_force_a_second_rendering() {
    const RECORDS: u64 = 5000;
    let mut bytes = Vec::new();
    ENCODER.header(0, 0, &mut bytes);
    Metadata::Version(1).encode(0, ENCODER.order, &mut bytes);
    for number in 0..RECORDS {
        let tid = 1 + number / 10;
        let id = tid << 32 | 1;
        if number % 10 == 0 {
            Metadata::Thread(tid as u32, "worker".to_owned()).encode(0, ENCODER.order, &mut bytes);
            ENCODER.mapping(id, b"one", &mut bytes);
        }
        ENCODER.record(id, number, 1, &[Value::Integer(1)], &mut bytes).unwrap();
    }
    let lines = Arc::default();
    let mut reader = open(&bytes);
    let filter = Filter::default();
    render_pieces(&mut reader, &filter, &mut Counting(Arc::clone(&lines)), 2, 1000, |_| Ok(()))
        .unwrap()
        .1
        .unwrap();
    assert_eq!(reader.metadata().len() as u64, 1 + RECORDS / 10);
    // Only pieces that a worker took before the event's first mapping are rendered twice.
    let again = lines.load(Ordering::Relaxed) as u64 - RECORDS;
    assert!(again < RECORDS / 10, "{again} lines were rendered again");
}

#[test]
fn a_failed_write_ends_the_rendering() {
    let parts = vec![Part::One(1); 1000];
    let times: Vec<u64> = (0..1000).collect();
    let mut reader = open(&encode(&parts, &times, false));
    let mut left = 3;
    let write = |_: &[u8]| {
        left -= 1;
        if left == 0 { Err(io::Error::from(io::ErrorKind::BrokenPipe)) } else { Ok(()) }
    };
    let mut text = SimpletraceText::new(Era::Q10_2);
    let result = render_pieces(&mut reader, &Filter::default(), &mut text, 2, 512, write);
    assert_eq!(result.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}

#[derive(Clone)]
struct Fragile(u32);

impl Render for Fragile {
    fn render(&mut self, _: &Entry<'_>, _: &mut TextBuffer) {
        self.0 += 1;
        assert!(self.0 < 10, "the tenth line");
    }

    fn render_block(&mut self, _: &mut BlockRecords<'_, '_>, _: &mut TextBuffer) {}

    fn resume_after(&mut self, _: Option<u64>) {}

    fn last_ns(&self) -> Option<u64> {
        None
    }

    fn first_time(&self) -> Option<FirstTime> {
        None
    }
}

#[test]
fn workers_do_not_wait_for_one_that_panicked() {
    let parts = vec![Part::One(1); 5000];
    let times: Vec<u64> = (0..5000).collect();
    let mut reader = open(&encode(&parts, &times, false));
    let rendered = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        render_pieces(&mut reader, &Filter::default(), &mut Fragile(0), 3, 100, |_| Ok(()))
    }));
    assert!(rendered.is_err());
}
