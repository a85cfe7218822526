//! The counts must not depend on the number of threads or on the format: they equal those of the entries.

use proptest::prelude::*;

use super::*;
use crate::entry::Dropped;
use crate::metadata::Metadata;
use crate::pieces::samples::{compact, damage, encode, open, part, recording, recordings};
use crate::query::FilterOptions;
use crate::query::expression::Expression;
use crate::query::statistics::Sketch;
use crate::traces::Needs;

/// The result of reading a trace: all counts, and everything that is reported.
#[derive(Debug, PartialEq)]
struct Outcome {
    groups: Vec<String>,
    without: u64,
    dropped: Dropped,
    has_matched: bool,
    read_errors: Vec<Error>,
    records: u64,
    anomalies: Vec<(u64, Vec<Error>)>,
    metadata: Vec<Metadata>,
}

/// The entries to count, and their groups.
#[derive(Debug, Clone)]
struct Wanted {
    by: GroupBy,
    max_groups: usize,
    filter: FilterOptions,
}

/// Returns the result of reading one trace with `count`.
fn outcome(
    reader: Reader,
    wanted: &Wanted,
    count: impl FnOnce(&mut Traces, &mut Statistics) -> Result<(), Vec<Error>>,
) -> Outcome {
    let mut traces = Traces::new(vec![reader], Needs::default()).unwrap();
    traces.set_filter(Filter::new(wanted.filter.clone()));
    let mut statistics = Statistics::new(wanted.by.clone(), wanted.max_groups);
    let read_errors = count(&mut traces, &mut statistics).err().unwrap_or_default();
    let ends = [statistics.all(), statistics.other()];
    let groups = statistics.groups().iter().chain(ends).map(|group| {
        let gaps: &Sketch = group.gaps();
        let buckets: Vec<_> = gaps.buckets().collect();
        let gaps = (gaps.count(), gaps.sum(), gaps.min(), gaps.max(), buckets);
        let times = (group.count(), group.times_ns(), group.steps_back(), group.largest_step_back_ns());
        format!("{:?} {times:?} {gaps:?}", group.label())
    });
    let reader = traces.readers()[0];
    Outcome {
        groups: groups.collect(),
        without: statistics.without(),
        dropped: statistics.dropped(),
        has_matched: traces.filter().is_everything() || traces.has_matched(),
        read_errors,
        records: reader.records(),
        anomalies: reader.anomalies().iter().map(|(_, count, kept)| (count, kept.to_vec())).collect(),
        metadata: reader.metadata().to_vec(),
    }
}

/// Checks that all ways of counting have the same result.
fn check(open: impl Fn() -> Reader, wanted: &Wanted, threads: usize, piece_bytes: usize) {
    let expected = outcome(open(), wanted, |traces, statistics| {
        let mut filter = traces.filter().clone();
        let count = &mut |entry: &Entry<'_>| {
            if filter.accepts(entry) {
                statistics.count(entry);
            }
            Flow::Continue
        };
        // Without the fast path of the filter.
        let read = traces.single().unwrap().for_each_mut(count).map(|_| ()).map_err(|error| vec![error]);
        if statistics.all().count() > 0 {
            traces.set_has_matched();
        }
        read
    });
    let one = outcome(open(), wanted, |traces, statistics| count_with(traces, statistics, 1, 1, |_| false));
    assert_eq!(expected, one, "{wanted:?}, without pieces");
    let several = outcome(open(), wanted, |traces, statistics| {
        count_with(traces, statistics, threads, piece_bytes, pieces::is_supported)
    });
    assert_eq!(expected, several, "{wanted:?}, {threads} threads");
}

fn all_wanted() -> Vec<Wanted> {
    let by = |by: GroupBy| Wanted { by, max_groups: 1000, filter: FilterOptions::default() };
    let filtered = |filter: FilterOptions| Wanted { filter, ..by(GroupBy::Event) };
    vec![
        by(GroupBy::Event),
        by(GroupBy::Pid),
        by(GroupBy::Tid),
        by(GroupBy::Thread),
        by(GroupBy::Host),
        by(GroupBy::Trace),
        by(GroupBy::Argument("a".to_owned())),
        Wanted { max_groups: 2, ..by(GroupBy::Event) },
        Wanted { max_groups: 3, ..by(GroupBy::Tid) },
        filtered(FilterOptions { include: vec!["one".into()], since_ns: Some(500), ..Default::default() }),
        filtered(FilterOptions { thread_names: vec!["*1".into()], ..Default::default() }),
        filtered(FilterOptions { include: vec!["absent".into()], ..Default::default() }),
        filtered(FilterOptions { exclude: vec!["one".into(), "Dropped_*".into()], ..Default::default() }),
        filtered(FilterOptions { pids: vec![1], until_ns: Some(1500), ..Default::default() }),
        filtered(FilterOptions {
            condition: Expression::parse("name ~ \"o*\" && a > 5").ok(),
            ..Default::default()
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn threads_do_not_change_the_counts(
        parts in prop_oneof![proptest::collection::vec(part(false), 0..200), proptest::collection::vec(part(true), 0..100)],
        times in proptest::collection::vec(prop_oneof![4 => 0..2_000_u64, 1 => any::<u64>()], 200),
        threads_first: bool,
        cut in 0..60_usize,
        threads in 1..4_usize,
        piece_bytes in 1..600_usize,
    ) {
        let mut bytes = encode(&parts, &times, threads_first);
        bytes.truncate(bytes.len() - cut.min(bytes.len() / 2));
        let most = if piece_bytes.is_multiple_of(2) { piece_bytes } else { 30 * piece_bytes };
        let (_, blocks) = compact(&bytes, most);
        for wanted in all_wanted() {
            check(|| open(&bytes), &wanted, threads, piece_bytes);
            check(|| open(&blocks), &wanted, threads, piece_bytes);
        }
    }

    #[test]
    fn threads_do_not_change_the_counts_of_invalid_blocks(
        parts in proptest::collection::vec(part(false), 50..200),
        times in proptest::collection::vec(0..2_000_u64, 200),
        threads in 1..4_usize,
        most in 100..6000_usize,
        at: prop::sample::Index,
        byte: u8,
        has_right_checksums: bool,
    ) {
        let (_, mut file) = compact(&encode(&parts, &times, true), most);
        damage(&mut file, at, byte, has_right_checksums);
        for wanted in all_wanted() {
            check(|| open(&file), &wanted, threads, 1);
        }
    }
}

#[test]
fn threads_do_not_change_the_counts_of_recordings() {
    let mut compared = 0;
    for (index, (path, bytes)) in recordings().enumerate() {
        let (_, blocks) = compact(&bytes, bytes.len() / 20 + 1);
        for whole in [bytes, blocks] {
            let truncated = whole[..whole.len() - whole.len() / 7].to_vec();
            for (number, wanted) in all_wanted().into_iter().enumerate() {
                let bytes = [&whole, &truncated][(number / 2 + index) % 2];
                if recording(&path, bytes).is_some() {
                    let open = || recording(&path, bytes).unwrap();
                    check(open, &wanted, 2 + number % 2, whole.len() / 20 + 1);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 100, "{compared}");
}
