//! The text must not depend on the division into pieces: it equals the text that one thread
//! renders.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use ringtrace_wire::simpletrace::encode::Value;

use super::*;
use crate::entry::Entry;
use crate::metadata::Metadata;
use crate::pieces::samples::{ENCODER, Part, WORKERS, compact, damage, encode, open, part};
use crate::query::filter::FilterOptions;
use crate::read::era::Era;
use crate::read::visitor::{BlockRecords, OrdinaryRecords};
use crate::text::{
    FirstTime, JsonText, LineOptions, LineStyle, LineText, OriginTexts, SimpletraceText, SurroundedText,
    TimeMode, ValueStyle,
};

/// The result of reading a trace to its end: text, dropped events, number of records, result,
/// anomalies and metadata.
type Outcome = (String, Dropped, u64, Result<(), Error>, Vec<(u64, Vec<Error>)>, Vec<Metadata>);

fn finish<R: Render + Clone>(
    mut reader: Reader,
    filter: &Filter,
    text: &R,
    mut out: Vec<u8>,
    mut dropped: Dropped,
    result: Result<(), Error>,
) -> Outcome {
    let mut visit = LineVisitor::new(text.clone(), filter.clone(), false);
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
    let expected = |bytes: &[u8]| finish(open(bytes), filter, text, Vec::new(), Dropped::default(), Ok(()));
    same_text_of(open(bytes), expected(bytes), filter, text, threads, piece_bytes);
    // The text of a compact trace is that of the v4 trace. Only large blocks have records that are
    // rendered while they are decoded.
    let most = if piece_bytes.is_multiple_of(2) { piece_bytes } else { 30 * piece_bytes };
    let (whole, file) = compact(bytes, most);
    let reader = open(&file);
    assert!(file.is_empty() || reader.is_compact());
    same_text_of(reader, expected(&bytes[..whole]), filter, text, threads, 1);
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
    let pieces = render_pieces(&mut reader, filter, &mut text, threads, piece_bytes, write).unwrap();
    let found = finish(reader, filter, &text, out, pieces.dropped, pieces.read);
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
        has_right_checksums: bool,
    ) {
        let (_, mut file) = compact(&encode(&parts, &times, threads_first), most);
        damage(&mut file, at, byte, has_right_checksums);
        let filter = Filter::default();
        let text = SimpletraceText::new(Era::Q10_2).with_threads();
        let expected = finish(open(&file), &filter, &text, Vec::new(), Dropped::default(), Ok(()));
        same_text_of(open(&file), expected, &filter, &text, threads, 1);
        let text = JsonText::new(crate::traces::Times::default());
        let expected = finish(open(&file), &filter, &text, Vec::new(), Dropped::default(), Ok(()));
        same_text_of(open(&file), expected, &filter, &text, threads, 1);
    }
}

/// Blocks that were appended once more are reported, although their offsets are before the place at which the reader
/// continues after the pieces.
#[test]
fn repeated_blocks_after_the_pieces_are_reported() {
    let parts: Vec<Part> = (0..400).map(Part::One).collect();
    let times: Vec<u64> = (0..400).collect();
    let (_, file) = compact(&encode(&parts, &times, true), 1_000);
    let file = file.repeat(2);
    for threads in [1, 2] {
        let (text, filter) = (SimpletraceText::new(Era::Q10_2).with_threads(), Filter::default());
        let expected = finish(open(&file), &filter, &text, Vec::new(), Dropped::default(), Ok(()));
        let error = expected.3.as_ref().unwrap_err();
        assert!(expected.2 == 400 && error.message.contains("belongs at offset 0x0"), "{error:?}");
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
    let expected = finish(open(&file), &filter, &text, Vec::new(), Dropped::default(), Ok(()));
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
        .read
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
