//! Reads any trace with any declarations, in all possible ways.
//!
//! See `case` for the format of the input.

use ringtrace_tracefile::expression::Expression;
use ringtrace_tracefile::sort::{Limits, Sorted, Survey};
use ringtrace_tracefile::{Entry, Error as TraceError, Filter, FilterOptions, Flow, Needs, Reader, Traces};

use crate::Target;
use crate::case::Case;
use crate::counts::Counts;
use crate::text::{check_again, check_look, check_parallel};
use crate::transcript::Transcript;

pub(crate) const TARGET: Target = Target {
    name: "reader",
    about: "pipes, files, pauses and single steps give the same entries and errors; sums are correct",
    max_bytes: 4096,
    run,
};

fn run(data: &[u8]) {
    check(&Case::new(data));
}

/// Reads the trace of `case` in all possible ways.
pub(crate) fn check(case: &Case<'_>) {
    let transcript = Transcript::read(case.whole(), usize::MAX);
    assert_eq!(Transcript::read(case.pipe(), usize::MAX), transcript, "in pieces");
    assert_eq!(Transcript::read(case.file(), usize::MAX), transcript, "mapped");
    assert_eq!(Transcript::read(case.pipe(), usize::from(case.seed % 5) + 1), transcript, "with pauses");
    assert_eq!(Transcript::read_one_by_one(case.pipe()), transcript, "one by one");
    check_sorted(case.file(), case.seed, &transcript);
    check_again(case.file(), &transcript);
    check_parallel(case.file(), 16 + 8 * usize::from(case.look), &transcript);
    check_look(case.pipe(), case.look);
    if let Ok(reader) = case.pipe() {
        Counts::count(reader, &case.pair, || case.file().ok());
    }
    if let (Ok(one), Ok(two)) = (case.file(), case.pipe()) {
        check_merged(vec![one, two], &case.condition, &transcript);
    }
}

/// Checks that merging two readers of one trace gives every entry twice.
fn check_merged(readers: Vec<Reader>, condition: &str, transcript: &Transcript) {
    let needs = Needs { origin: true, anchor: true };
    let Ok(mut traces) = Traces::new(readers, needs) else {
        assert!(transcript.failed.is_some());
        return;
    };
    let times = traces.times();
    let condition = Expression::parse(condition).ok();
    if let Some(condition) = condition.clone() {
        let origin_ns = times.origin_ns.unwrap_or(0);
        traces.set_filter(Filter::new(FilterOptions {
            condition: Some(condition),
            origin_ns,
            ..FilterOptions::default()
        }));
    }
    let mut given = 0;
    let result = traces.for_each(&mut |_: &Entry<'_>| {
        given += 1;
        Flow::Continue
    });
    match condition {
        None => assert_eq!(given, 2 * transcript.entries.len()),
        Some(_) => assert_eq!(given % 2, 0),
    }
    let failures = result.err().unwrap_or_default();
    assert_eq!(failures.len(), if transcript.failed.is_some() { 2 } else { 0 });
}

/// Checks that [`Sorted`], limited to very little memory, gives the same order as the simple sort
/// in this function. Both keep a dropped record without a time after its predecessor.
fn check_sorted(reader: Result<Reader, TraceError>, seed: u8, transcript: &Transcript) {
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
    let mut sorted = match Sorted::new(survey, limits) {
        Ok(sorted) => sorted,
        Err(error) => {
            assert!(reader.is_compact(), "a file can be sorted: {error}");
            return;
        }
    };
    let got = Transcript::from_source(&mut sorted);
    let mut last_ns = 0;
    let mut expected: Vec<_> = transcript
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
    assert_eq!(got.failed, transcript.failed);
    assert_eq!(got.anomalies, transcript.anomalies);
}
