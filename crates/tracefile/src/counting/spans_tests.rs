//! The spans must not depend on the number of threads or on the format: they equal those of the entries.

use proptest::prelude::*;
use ringtrace_events::SourceFile;

use super::*;
use crate::pieces::samples::{Part, compact, damage, encode, open, part, recording, recordings};
use crate::query::FilterOptions;
use crate::query::pair::parse;
use crate::traces::Needs;

/// Descriptions of pairs. Most of them can be matched separately in pieces.
const PAIRS: [&str; 10] = [
    "pair p\n  begin one pid\n  end none pid\n",
    "pair p\n  begin one tid\n  end none tid\n",
    "pair p\n  begin one a\n  end late x\n",
    "pair p\n  begin one a\n  end b x\npair q\n  begin str pid\n  end c pid\n",
    "pair p\n  begin one pid\n  end one pid\n",
    "pair p\n  begin one pid\n  end none pid\npair q\n  begin str pid\n  end none pid\n",
    "pair p\n  begin one a, pid\n  end late x, pid\n",
    "pair p\n  begin one pid\n  step str pid\n  end none pid\n",
    // The keys of unmatched records are shown with the type of one of the arguments.
    "pair p\n  begin one a\n  begin late x\n  end c y\n",
    "pair p\n  begin absent a\n  end late x\n",
];

/// The result of reading a trace: all counts, and everything that is reported.
#[derive(Debug, PartialEq)]
struct Outcome {
    pairs: Vec<String>,
    range: Option<EventRange>,
    dropped: Dropped,
    has_matched: bool,
    read_errors: Vec<Error>,
    pair_error: Option<String>,
    records: u64,
    anomalies: Vec<(u64, Vec<Error>)>,
}

/// The pairs to count, and their entries.
struct Wanted<'w> {
    pairs: &'w str,
    max_open: usize,
    filter: &'w FilterOptions,
}

/// Returns the result of reading one trace with `count`.
fn outcome(
    reader: Reader,
    wanted: &Wanted<'_>,
    count: impl FnOnce(&mut Traces, &mut Pairing<()>) -> Result<CountedSpans, PairError>,
) -> Outcome {
    let (description, diagnostics) = parse(&SourceFile::new("test.pairs", wanted.pairs));
    assert_eq!(diagnostics, []);
    let mut pairing = Pairing::new(description.pairs, wanted.max_open);
    pairing.bind(&[reader.schemas()]).unwrap();
    let mut traces = Traces::new(vec![reader], Needs::default()).unwrap();
    traces.set_filter(Filter::new(wanted.filter.clone()));
    let counted = count(&mut traces, &mut pairing);
    let is_everything = traces.filter().is_everything();
    let pairs = pairing.pairs().iter().map(|pair| {
        let mut statistics = pair.statistics().clone();
        let latencies = std::mem::take(&mut statistics.latencies);
        let buckets: Vec<_> = latencies.buckets().collect();
        let latencies = (latencies.sum(), latencies.min(), latencies.max(), buckets);
        format!("{statistics:?} {latencies:?} {:?} {:?}", pair.ends_alone(), pair.oldest_open(9999))
    });
    let reader = traces.readers()[0];
    Outcome {
        pairs: pairs.collect(),
        range: counted.as_ref().ok().map(|counted| counted.range),
        dropped: pairing.dropped(),
        has_matched: is_everything || traces.has_matched(),
        pair_error: counted.as_ref().err().map(|error| error.message.clone()),
        read_errors: counted.map(|counted| counted.failed).unwrap_or_default(),
        records: reader.records(),
        anomalies: reader.anomalies().iter().map(|(_, count, kept)| (count, kept.to_vec())).collect(),
    }
}

/// Counts entries one after the other, without fast paths.
fn count_entries(traces: &mut Traces, pairing: &mut Pairing<()>) -> Result<CountedSpans, PairError> {
    let (mut filter, mut range, mut fits) = (traces.filter().clone(), EventRange::default(), Ok(()));
    let count = &mut |entry: &Entry<'_>| {
        if filter.accepts(entry) && fits.is_ok() {
            range.count(entry);
            fits = pairing.count(entry, &mut ());
        }
        if fits.is_ok() { Flow::Continue } else { Flow::Stop }
    };
    let read = traces.single().unwrap().for_each_mut(count);
    if range.events > 0 {
        traces.set_has_matched();
    }
    fits.map(|()| CountedSpans { range, failed: read.err().into_iter().collect() })
}

/// Checks that all ways of counting have the same result, for all descriptions.
fn check(open: impl Fn() -> Reader, max_open: usize, threads: usize, piece_bytes: usize) {
    let late = FilterOptions { since_ns: Some(500), ..Default::default() };
    for filter in [&FilterOptions::default(), &late] {
        for pairs in PAIRS {
            let wanted = Wanted { pairs, max_open, filter };
            let expected = outcome(open(), &wanted, count_entries);
            let one =
                outcome(open(), &wanted, |traces, pairing| count_with(traces, pairing, 1, 1, |_| false));
            assert_eq!(expected, one, "{pairs}, without pieces");
            let several = outcome(open(), &wanted, |traces, pairing| {
                count_with(traces, pairing, threads, piece_bytes, pieces::is_supported)
            });
            assert_eq!(expected, several, "{pairs}, {threads} threads");
        }
    }
}

/// Parts of which most are records of pairs.
fn parts(damaged: bool) -> impl Strategy<Value = Vec<Part>> {
    let paired = prop_oneof![3 => (0..4_u64).prop_map(Part::One), 3 => Just(Part::None)];
    let any = part(damaged);
    prop_oneof![
        proptest::collection::vec(paired.clone(), 0..200),
        proptest::collection::vec(prop_oneof![9 => paired, 1 => part(false)], 0..200),
        proptest::collection::vec(any, 0..100),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn threads_do_not_change_the_spans(
        parts in parts(true),
        times in proptest::collection::vec(prop_oneof![4 => 0..2_000_u64, 1 => any::<u64>()], 200),
        threads_first: bool,
        max_open in prop_oneof![1..5_usize, Just(100)],
        threads in 1..4_usize,
        piece_bytes in 1..600_usize,
    ) {
        let bytes = encode(&parts, &times, threads_first);
        let (_, blocks) = compact(&bytes, piece_bytes);
        check(|| open(&bytes), max_open, threads, piece_bytes);
        check(|| open(&blocks), max_open, threads, piece_bytes);
    }

    #[test]
    fn threads_do_not_change_the_spans_of_invalid_blocks(
        parts in parts(false),
        times in proptest::collection::vec(0..2_000_u64, 200),
        threads in 1..4_usize,
        most in 100..6000_usize,
        at: prop::sample::Index,
        byte: u8,
        has_right_checksums: bool,
    ) {
        let (_, mut file) = compact(&encode(&parts, &times, true), most);
        damage(&mut file, at, byte, has_right_checksums);
        check(|| open(&file), 100, threads, 1);
    }
}

/// Nearly all records are matched in pieces, because nothing in them requires another way.
#[test]
fn spans_across_pieces_are_matched_in_pieces() {
    const RECORDS: usize = 5000;
    let parts: Vec<Part> =
        (0..RECORDS).map(|number| if number % 3 == 1 { Part::None } else { Part::One(1) }).collect();
    let times: Vec<u64> = (0..RECORDS as u64).collect();
    let (_, blocks) = compact(&encode(&parts, &times, false), 2000);
    let filter = FilterOptions::default();
    let wanted = Wanted { pairs: PAIRS[0], max_open: 100, filter: &filter };
    let mut pieces = 0;
    outcome(open(&blocks), &wanted, |traces, pairing| {
        let matcher = PartMatcher::new(pairing).unwrap();
        let work = SpanWork {
            matcher,
            range: EventRange::default(),
            filter: Filter::default(),
            unnamed: UnnamedThreads::new(false),
        };
        let options = PieceOptions { threads: 2, piece_bytes: 1, thread_names: false };
        let mut range = EventRange::default();
        let mut sum = Sum { pairing, range: &mut range };
        assert!(pieces::process(traces.single().unwrap(), &work, &mut sum, options).is_ok());
        pieces = range.events;
        Ok(CountedSpans { range, failed: Vec::new() })
    });
    assert_eq!(pieces, RECORDS as u64);
}

#[test]
fn threads_do_not_change_the_spans_of_recordings() {
    let mut compared = 0;
    for (path, bytes) in recordings() {
        let (_, blocks) = compact(&bytes, bytes.len() / 20 + 1);
        for whole in [bytes, blocks] {
            if recording(&path, &whole).is_some() {
                check(|| recording(&path, &whole).unwrap(), 100, 2, whole.len() / 20 + 1);
                compared += 1;
            }
        }
    }
    assert!(compared > 10, "{compared}");
}
