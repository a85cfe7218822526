//! Traces of any bytes with any declarations, read in every way there is.
//!
//! An input is texts that end in a byte 0 each: five characters of options, a pair of events, a condition, declarations.
//! The trace follows.

use std::io::{Seek, Write};

use ringtrace_events::Source as Declarations;
use ringtrace_tracefile::era::ERAS;
use ringtrace_tracefile::expression::Expression;
use ringtrace_tracefile::sort::{Limits, Sorted, Survey};
use ringtrace_tracefile::{Complaint, Entry, Filter, Flow, Input, Needs, Options, Reader, Traces, Wanted};
use ringtrace_wire::ByteOrder;

use crate::Target;
use crate::choices::{Choices, Chunks};
use crate::counted::Counted;
use crate::dribble::Dribble;
use crate::printed::{check_again, check_look, check_parallel};
use crate::steps::VERSIONS;
use crate::summarized::check_summaries;
use crate::told::Told;

pub(crate) const TARGET: Target = Target {
    name: "reader",
    about: "the same entries and complaints from a pipe, a file, with pauses and one by one; counts that add up",
    max_bytes: 4096,
    run,
};

fn run(data: &[u8]) {
    let mut choices = Choices::new(data);
    let mut letters = Choices::new(choices.until(0));
    let [era, shape, layout, chunks, look] = std::array::from_fn(|_| letters.byte());
    let pair = String::from_utf8_lossy(choices.until(0));
    let condition = String::from_utf8_lossy(choices.until(0));
    let declarations = choices.until(0);
    let trace = choices.rest();

    let options = options(era, shape, layout, declarations);
    let open = |input: Input| Reader::new("fuzz", input, &options);
    let from_pipe = || open(pipe(trace, Chunks::new(chunks)));

    let told =
        Told::read(open(Input::from_reader(Box::new(std::io::Cursor::new(trace.to_vec())))), usize::MAX);
    assert_eq!(Told::read(from_pipe(), usize::MAX), told, "in pieces");
    assert_eq!(Told::read(open(file(trace)), usize::MAX), told, "mapped");
    assert_eq!(Told::read(from_pipe(), usize::from(chunks % 5) + 1), told, "with pauses");
    assert_eq!(Told::read_one_by_one(from_pipe()), told, "one by one");
    check_sorted(open(file(trace)), chunks, &told);
    for check in [false, true] {
        let of_file = open(file(trace)).ok().map(|mut reader| format!("{:?}", reader.summarize(check)));
        let of_pipe = from_pipe().ok().map(|mut reader| format!("{:?}", reader.summarize(check)));
        assert_eq!(of_pipe, of_file);
    }
    check_again(open(file(trace)), &told);
    check_parallel(open(file(trace)), 16 + 8 * usize::from(look), &told);
    check_look(from_pipe(), look);
    check_summaries(open(file(trace)), from_pipe(), look & 1 != 0, options.keep_going, &told);

    if let Ok(reader) = from_pipe() {
        Counted::count(reader, &pair);
    }
    if let (Ok(one), Ok(two)) = (open(file(trace)), from_pipe()) {
        check_merged(vec![one, two], &condition, &told);
    }
}

fn options(era: u8, shape: u8, layout: u8, declarations: &[u8]) -> Options {
    let order = if layout & 16 == 0 { ByteOrder::Little } else { ByteOrder::Big };
    Options {
        sources: vec![Declarations::from_bytes("events", declarations)],
        era: ERAS.get(usize::from(era & 7)).map(|info| info.era),
        no_header: shape & 1 != 0,
        version: VERSIONS.get(usize::from(layout & 7)).copied(),
        order: (layout & 8 == 0).then_some(order),
        count_disabled: [None, None, Some(true), Some(false)][usize::from(shape >> 1 & 3)],
        era_dialect: shape & 8 != 0,
        strict: shape & 16 != 0,
        keep_going: shape & 32 != 0,
        ..Options::default()
    }
}

fn pipe(trace: &[u8], chunks: Chunks) -> Input {
    Input::from_reader(Box::new(Dribble::new(trace.to_vec(), chunks)))
}

fn file(trace: &[u8]) -> Input {
    let mut file = tempfile::tempfile().expect("a temporary file");
    file.write_all(trace).and_then(|()| file.rewind()).expect("room for some kilobytes");
    Input::from_file(file).expect("a regular file can be mapped")
}

/// Two readers of one trace together give every entry twice, whatever its time.
fn check_merged(readers: Vec<Reader>, condition: &str, told: &Told) {
    let needs = Needs { origin: true, anchor: true };
    let Ok(mut traces) = Traces::new(readers, needs) else {
        assert!(told.failed.is_some());
        return;
    };
    let times = traces.times();
    let condition = Expression::parse(condition).ok();
    if let Some(condition) = condition.clone() {
        let origin_ns = times.origin_ns.unwrap_or(0);
        traces.set_filter(Filter::new(Wanted { condition: Some(condition), origin_ns, ..Wanted::default() }));
    }
    let mut given = 0;
    let result = traces.for_each(&mut |_: &Entry<'_>| {
        given += 1;
        Flow::Continue
    });
    match condition {
        None => assert_eq!(given, 2 * told.entries.len()),
        Some(_) => assert_eq!(given % 2, 0),
    }
    let failures = result.err().unwrap_or_default();
    assert_eq!(failures.len(), if told.failed.is_some() { 2 } else { 0 });
}

/// Sorting with hardly any memory gives the same entries as sorting them here. A dropped record without a time stays
/// behind the record before it.
fn check_sorted(reader: Result<Reader, Complaint>, seed: u8, told: &Told) {
    let Ok(reader) = reader else { return };
    let limits = Limits {
        block_records: u32::from(seed & 3) + 1,
        blocks: usize::from(seed >> 2 & 7) + 2,
        entries: usize::from(seed >> 3 & 15) + 1,
        read_entries: usize::from(seed & 1) + 1,
        joined_runs: usize::from(seed >> 5 & 1) + 2,
        epochs: usize::from(seed >> 6),
    };
    let Ok(survey) = Survey::new(&reader, &limits) else {
        assert!(reader.mapped().is_none());
        return;
    };
    let mut sorted = Sorted::new(survey, limits).expect("a file can be sorted");
    let got = Told::of_source(&mut sorted);
    let mut last_ns = 0;
    let mut expected: Vec<_> = told
        .entries
        .iter()
        .cloned()
        .map(|entry| {
            let timeless = entry.dropped.is_some() && entry.timestamp_ns == 0;
            last_ns = if timeless { last_ns } else { entry.timestamp_ns };
            (last_ns, entry)
        })
        .collect();
    expected.sort_by_key(|(time_ns, _)| *time_ns);
    assert_eq!(got.entries, expected.into_iter().map(|(_, entry)| entry).collect::<Vec<_>>());
    assert_eq!(got.failed, told.failed);
    assert_eq!(got.oddities, told.oddities);
}
