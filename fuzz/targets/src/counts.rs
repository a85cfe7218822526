//! Checks the sums of statistics and pairs.

use ringtrace_tracefile::pair::{Open, PairDescription, PairSpec, Pairing, SpanSink};
use ringtrace_tracefile::statistics::{Group, GroupBy, Sketch, Statistics};
use ringtrace_tracefile::{Entry, Flow, Needs, OrdinaryRecords, Reader, Traces, Visitor, count_traces};

/// The maximum number of groups and open spans. Some inputs exceed it.
const MAX_GROUPS: usize = 3;

/// Statistics and pairs of a trace.
pub(crate) struct Counts {
    statistics: Vec<Statistics>,
    pairing: Option<Pairing<u64>>,
    matched: Matched,
    entries: u64,
}

/// Counts the end events that match a begin event.
struct Matched(u64);

impl SpanSink for Matched {
    type Kept = u64;

    fn begin(&mut self, _: usize, entry: &Entry<'_>, _: Option<Open<u64>>) -> u64 {
        entry.timestamp_ns
    }

    fn end(&mut self, _: usize, open: Open<u64>, _: &Entry<'_>) {
        assert_eq!(open.kept, open.begin_ns);
        self.0 += 1;
    }
}

impl Counts {
    /// Computes all statistics of the remaining entries of `reader`, and the pairs described by
    /// `pair`. They equal those of the readers that `again` opens, which use the fast path.
    pub(crate) fn count(mut reader: Reader, pair: &str, again: impl Fn() -> Option<Reader>) {
        let pairing = PairSpec::parse(pair).ok().and_then(|spec| {
            assert_eq!(PairSpec::parse(&spec.to_string()), Ok(spec.clone()));
            let mut pairing = Pairing::new([PairDescription::from(&spec)], MAX_GROUPS);
            pairing.bind(&[reader.schemas()]).ok()?;
            Some(pairing)
        });
        let argument =
            reader.schemas().all().find_map(|(_, schema)| Some(schema.arguments.first()?.name.clone()));
        let by = [
            GroupBy::Event,
            GroupBy::Pid,
            GroupBy::Tid,
            GroupBy::Argument(argument.map_or("x".into(), |name| name.to_string())),
        ];
        let statistics = by.into_iter().map(|by| Statistics::new(by, MAX_GROUPS)).collect();
        let mut counted = Counts { statistics, pairing, matched: Matched(0), entries: 0 };
        let _ = reader.for_each(|entry: &Entry<'_>| counted.entry(entry));
        counted.check();
        counted.check_fast_path(pair, again);
    }

    fn check_fast_path(&self, pair: &str, again: impl Fn() -> Option<Reader>) {
        for statistics in &self.statistics {
            let Some(reader) = again() else { return };
            let Ok(mut traces) = Traces::new(vec![reader], Needs::default()) else { return };
            let mut fast = Statistics::new(statistics.by().clone(), MAX_GROUPS);
            let _ = count_traces(&mut traces, &mut fast, 2);
            let all = |of: &Statistics| {
                let groups = of.groups().iter().chain([of.all(), of.other()]);
                groups.map(|group| format!("{group:?}")).collect::<Vec<_>>()
            };
            assert_eq!(all(&fast), all(statistics));
            assert_eq!((fast.without(), fast.dropped()), (statistics.without(), statistics.dropped()));
        }
        let (Some(pairing), Some(mut reader)) = (&self.pairing, again()) else { return };
        let Ok(spec) = PairSpec::parse(pair) else { return };
        let mut fast = Pairing::new([PairDescription::from(&spec)], MAX_GROUPS);
        if fast.bind(&[reader.schemas()]).is_err() {
            return;
        }
        let _ = reader.for_each_mut(&mut FastPairs(&mut fast));
        let (fast, slow) = (&fast.pairs()[0], &pairing.pairs()[0]);
        assert_eq!(format!("{:?}", fast.statistics()), format!("{:?}", slow.statistics()));
        assert_eq!(fast.ends_alone(), slow.ends_alone());
        assert_eq!(fast.oldest_open(2), slow.oldest_open(2));
    }

    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.entries += 1;
        for statistics in &mut self.statistics {
            statistics.count(entry);
        }
        // If a later declaration in the trace does not match the pair, matching ends.
        self.pairing.take_if(|pairing| pairing.count(entry, &mut self.matched).is_err());
        Flow::Continue
    }

    fn check(&self) {
        for statistics in &self.statistics {
            let groups = statistics.groups();
            assert!(groups.len() <= MAX_GROUPS);
            let grouped: u64 = groups.iter().map(Group::count).sum();
            let events = grouped + statistics.other().count() + statistics.without();
            assert_eq!(events, statistics.all().count());
            assert_eq!(events + statistics.dropped().records, self.entries);
            for group in groups {
                let _ = group.label().to_string();
                check_percentiles(group.gaps());
            }
        }
        let Some(pair) = self.pairing.as_ref().map(|pairing| &pairing.pairs()[0]) else { return };
        let counts = pair.statistics();
        let open = pair.open_count() as u64;
        assert!(open <= MAX_GROUPS as u64 && counts.most_open >= open);
        assert_eq!(counts.matched, self.matched.0);
        assert_eq!(
            counts.begins,
            counts.matched + counts.restarted + open + counts.begins_not_followed + counts.begins_without_key
        );
        assert_eq!(counts.ends, counts.matched + counts.ends_alone + counts.ends_without_key);
        assert_eq!(counts.matched, counts.latencies.count() + counts.backward);
        check_percentiles(&counts.latencies);
        for unmatched in pair.ends_alone().iter().chain(&pair.oldest_open(2)) {
            unmatched.keys.iter().for_each(|key| drop(key.to_string()));
        }
    }
}

/// Counts pairs without entries where possible.
struct FastPairs<'p>(&'p mut Pairing<()>);

impl Visitor for FastPairs<'_> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        if self.0.count(entry, &mut ()).is_ok() { Flow::Continue } else { Flow::Stop }
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        self.0.count_records(records, |_| {});
        Flow::Continue
    }
}

/// Checks that percentiles increase, from the minimum to the maximum.
fn check_percentiles(sketch: &Sketch) {
    let percentiles: Vec<_> =
        [0, 5000, 9000, 9900, 10_000].map(|hundredths| sketch.percentile(hundredths)).into();
    assert!(percentiles.is_sorted(), "{percentiles:?}");
    if let (Some(min), Some(max)) = (sketch.min(), sketch.max()) {
        let within = percentiles.iter().flatten().all(|value| (min..=max).contains(value));
        assert!(within, "{percentiles:?} in {min}..={max}");
    }
    let in_buckets: u64 = sketch.buckets().map(|(_, count)| count).sum();
    assert_eq!(in_buckets, sketch.count());
}
