use std::collections::HashMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::entry::sample::{Made, Sample};
use crate::entry::{Entry, Value};

const DECLARATIONS: &str = "\
alloc(void *ptr, size_t size) \"\"
release(void *ptr) \"\"
submit(void *vdev, void *req, const char *what) \"\"
complete(void *vdev, void *req, int status) \"\"
named(const char *what) \"\"
tick(int cpu) \"\"
idle(void) \"\"
";

fn pairing(specs: &[&str], max_open: usize) -> Result<Pairing<usize>, PairError> {
    let specs = specs.iter().map(|spec| PairSpec::parse(spec)).collect::<Result<Vec<_>, _>>()?;
    let sample = Sample::new(DECLARATIONS);
    let mut pairing = Pairing::new(specs.iter().map(PairDescription::from), max_open);
    pairing.bind(&[&sample.schemas])?;
    pairing.check_known(&[&sample.schemas])?;
    Ok(pairing)
}

/// A sink that stores the index of each begin record, and collects the pair, the begin record and
/// the end record of every span.
#[derive(Default)]
struct Places {
    place: usize,
    spans: Vec<(usize, usize, usize)>,
}

impl SpanSink for Places {
    type Kept = usize;

    fn begin(&mut self, _: usize, _: &Entry<'_>, _: Option<Open<usize>>) -> usize {
        self.place
    }

    fn end(&mut self, pair: usize, begun: Open<usize>, _: &Entry<'_>) {
        self.spans.push((pair, begun.kept, self.place));
    }
}

/// Processes `made`. Returns the pair, the begin record and the end record of every span.
fn feed(pairing: &mut Pairing<usize>, made: &[Made]) -> Vec<(usize, usize, usize)> {
    let sample = Sample::new(DECLARATIONS);
    let mut places = Places::default();
    for (place, made) in made.iter().enumerate() {
        places.place = place;
        pairing.count(&sample.entry(made), &mut places).unwrap();
    }
    places.spans
}

fn integers(name: &'static str, timestamp_ns: u64, values: &[u64]) -> Made {
    let values: Vec<Value<'_>> = values.iter().map(|&value| Value::Integer(value)).collect();
    Made::new(name, timestamp_ns, &values)
}

fn shown(unmatched: &[Unmatched]) -> Vec<String> {
    let keys = |one: &Unmatched| one.keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    unmatched.iter().map(|one| format!("{} at {}", keys(one), one.timestamp_ns)).collect()
}

#[test]
fn begins_are_matched_with_ends() {
    let mut pairing = pairing(&["alloc:release"], 100).unwrap();
    let spans = feed(
        &mut pairing,
        &[
            integers("alloc", 10, &[0xa, 1]),
            integers("alloc", 20, &[0xb, 1]),
            integers("release", 25, &[0xb]),
            integers("alloc", 30, &[0xa, 1]), // 0xa again, while it is open
            integers("release", 31, &[0xc]),
            integers("idle", 32, &[]),
            integers("release", 40, &[0xa]),
            integers("alloc", 50, &[0xf, 1]),
            integers("release", 45, &[0xf]), // earlier than its begin
            integers("alloc", 61, &[0xd, 1]),
            integers("alloc", 60, &[0xe, 1]),
        ],
    );
    assert_eq!(spans, [(0, 1, 2), (0, 3, 6), (0, 7, 8)]);
    let pair = &pairing.pairs()[0];
    assert_eq!(pair.description().name, "alloc:release:ptr");
    let statistics = pair.statistics();
    assert_eq!((statistics.begins, statistics.ends, statistics.matched), (6, 4, 3));
    assert_eq!((statistics.restarted, statistics.ends_alone, pair.open_count()), (1, 1, 2));
    assert_eq!((statistics.backward, statistics.largest_backward_ns), (1, 5));
    assert_eq!((statistics.latencies.min(), statistics.latencies.max()), (Some(5), Some(10)));
    assert_eq!(statistics.most_open, 2);
    assert_eq!(shown(&pair.oldest_open(10)), ["0xe at 60", "0xd at 61"]);
    assert_eq!(shown(&pair.oldest_open(1)), ["0xe at 60"]);
    assert_eq!(shown(pair.ends_alone()), ["0xc at 31"]);
}

#[test]
fn several_keys_must_all_be_the_same() {
    let mut pairing = pairing(&["submit:complete:vdev,req,pid", "submit:named:what"], 100).unwrap();
    let submit = |time, pid, vdev, req, what: &str| {
        let values = [Value::Integer(vdev), Value::Integer(req), Value::Str(what.as_bytes())];
        Made { pid, ..Made::new("submit", time, &values) }
    };
    let complete = |time, pid, vdev, req| Made { pid, ..integers("complete", time, &[vdev, req, 0]) };
    let spans = feed(
        &mut pairing,
        &[
            submit(1, 7, 0x10, 0x20, "read\n"),
            submit(2, 8, 0x10, 0x20, "write"),
            complete(3, 9, 0x10, 0x20),
            complete(4, 7, 0x10, 0x20),
            complete(5, 7, 0x20, 0x10),
            Made::new("named", 6, &[Value::Str(b"write")]),
        ],
    );
    assert_eq!(spans, [(0, 0, 3), (1, 1, 5)]);
    assert_eq!(shown(pairing.pairs()[0].ends_alone()), ["0x10,0x20,9 at 3", "0x20,0x10,7 at 5"]);
    assert_eq!(shown(&pairing.pairs()[0].oldest_open(5)), ["0x10,0x20,8 at 2"]);
    assert_eq!(shown(&pairing.pairs()[1].oldest_open(5)), ["read\\n at 1"]);
}

#[test]
fn an_event_can_end_and_begin() {
    let mut pairing = pairing(&["tick:tick"], 100).unwrap();
    let ticks = [(1, 0), (2, 1), (5, 0), (6, 0)].map(|(time, cpu)| integers("tick", time, &[cpu]));
    assert_eq!(feed(&mut pairing, &ticks), [(0, 0, 2), (0, 2, 3)]);
    assert_eq!(pairing.pairs()[0].statistics().restarted, 0);
}

#[test]
fn threads_match_where_the_trace_has_them() {
    let mut pairing = pairing(&["idle:tick:tid"], 100).unwrap();
    let on = |tid, made| Made { tid, ..made };
    let made =
        [on(5, integers("idle", 1, &[])), on(0, integers("idle", 2, &[])), on(5, integers("tick", 3, &[1]))];
    assert_eq!(feed(&mut pairing, &made), [(0, 0, 2)]);
    assert_eq!(pairing.pairs()[0].statistics().begins_without_key, 1);
}

#[test]
fn an_event_declared_late_is_bound_when_it_comes() {
    let (early, late) = (Sample::new("alloc(void *ptr) \"\"\n"), Sample::new(DECLARATIONS));
    let mut pairing: Pairing<()> =
        Pairing::new([PairDescription::from(&PairSpec::parse("alloc:release:ptr").unwrap())], 10);
    pairing.bind(&[&early.schemas]).unwrap();
    let error = pairing.check_known(&[&early.schemas]).unwrap_err();
    assert_eq!(error.message, "pair `alloc:release:ptr`: unknown event `release`");
    let (alloc, release) = (integers("alloc", 1, &[1]), integers("release", 2, &[1]));
    for (sample, made) in [(&early, &alloc), (&late, &release)] {
        pairing.count(&sample.entry(made), &mut ()).unwrap();
    }
    assert_eq!(pairing.check_known(&[&early.schemas]), Ok(()));
    assert_eq!(pairing.pairs()[0].statistics().matched, 1);
}

#[test]
fn pairs_that_cannot_match_are_errors() {
    for (spec, message, help) in [
        ("aloc:release", "pair `aloc:release`: unknown event `aloc`", "did you mean `alloc`?"),
        (
            "submit:complete_irq",
            "pair `submit:complete_irq`: unknown event `complete_irq`",
            "did you mean `complete`?",
        ),
        ("mit:alloc:ptr", "pair `mit:alloc:ptr`: unknown event `mit`", "did you mean `submit`?"),
        (
            "submit:complete",
            "the key is ambiguous: `submit` and `complete` both have `vdev` and `req`",
            "choose a key with `:vdev` or `:req`, or use all with `:vdev,req`",
        ),
        (
            "alloc:tick",
            "`alloc` has `ptr` and `size`, `tick` has `cpu`: the events share no pointer or integer argument",
            "match different names with `alloc:tick:ARG=ARG`, or match by `pid` or `tid`",
        ),
        ("alloc:release:pt", "`alloc` has no argument `pt`; it has `ptr` and `size`", "did you mean `ptr`?"),
        (
            "alloc:release:size",
            "`release` has no argument `size`; it has `ptr`",
            "if the events use different names, write ARG=ARG",
        ),
        (
            "submit:complete:what=status",
            "`what` of `submit` is a string, but `status` of `complete` is an integer, so they never match",
            "match `submit` and `complete` by arguments of the same type",
        ),
    ] {
        let error = pairing(&[spec], 10).map(|_| ()).unwrap_err();
        assert_eq!((error.message.as_str(), error.help.as_str()), (message, help));
    }
}

/// A simple model of the policy in the module's documentation.
#[derive(Default)]
struct Model {
    open: HashMap<u64, (usize, u64)>,
    spans: Vec<(usize, usize, usize)>,
    restarted: u64,
    alone: u64,
    refused: u64,
}

impl Model {
    fn begin(&mut self, place: usize, time: u64, key: u64, max_open: usize) {
        if !self.open.contains_key(&key) && self.open.len() == max_open {
            self.refused += 1;
        } else if self.open.insert(key, (place, time)).is_some() {
            self.restarted += 1;
        }
    }

    fn end(&mut self, place: usize, key: u64) {
        match self.open.remove(&key) {
            Some((begin, _)) => self.spans.push((0, begin, place)),
            None => self.alone += 1,
        }
    }
}

proptest! {
    #[test]
    fn matches_as_the_model_does(
        events in vec((any::<bool>(), 0_u64..8, 0_u64..50), 0..80),
        max_open in 0_usize..8,
        by in prop_oneof![Just("ptr"), Just("ptr,pid")],
    ) {
        let mut pairing = pairing(&[&format!("alloc:release:{by}")], max_open).unwrap();
        let mut model = Model::default();
        let mut made = Vec::new();
        for (place, &(begins, key, time)) in events.iter().enumerate() {
            if begins {
                model.begin(place, time, key, max_open);
                made.push(integers("alloc", time, &[key, 0]));
            } else {
                model.end(place, key);
                made.push(integers("release", time, &[key]));
            }
        }
        prop_assert_eq!(&feed(&mut pairing, &made), &model.spans);

        let pair = &pairing.pairs()[0];
        let counted = pair.statistics();
        prop_assert_eq!(
            (counted.restarted, counted.ends_alone, counted.begins_not_followed),
            (model.restarted, model.alone, model.refused)
        );
        let open = pair.open_count() as u64;
        prop_assert_eq!(counted.begins, counted.matched + counted.restarted + open + counted.begins_not_followed);
        prop_assert_eq!(counted.ends, counted.matched + counted.ends_alone);

        let mut latencies = latencies_of(&events, &model.spans);
        prop_assert_eq!(counted.backward, latencies.iter().filter(|&&latency| latency < 0).count() as u64);
        latencies.retain(|&latency| latency >= 0);
        prop_assert_eq!(counted.latencies.sum(), latencies.iter().sum::<i128>() as u128);

        let mut open: Vec<(u64, u64)> = model.open.iter().map(|(&key, &(_, time))| (time, key)).collect();
        open.sort_unstable();
        let oldest = pair.oldest_open(3);
        let times: Vec<u64> = oldest.iter().map(|one| one.timestamp_ns).collect();
        prop_assert_eq!(times, open.iter().take(3).map(|&(time, _)| time).collect::<Vec<_>>());
    }
}

fn latencies_of(events: &[(bool, u64, u64)], spans: &[(usize, usize, usize)]) -> Vec<i128> {
    spans.iter().map(|&(_, begin, end)| i128::from(events[end].2) - i128::from(events[begin].2)).collect()
}

#[test]
fn keys_of_strings_stay_within_their_limit() {
    let mut pairing = pairing(&["named:named:what"], usize::MAX).unwrap();
    let sample = Sample::new(DECLARATIONS);
    let mut places = Places::default();
    for number in 0..100_000 {
        let made = Made::new("named", 1, &[Value::Str(format!("{number:0300}").as_bytes())]);
        pairing.count(&sample.entry(&made), &mut places).unwrap();
        let made = Made::new("named", 1, &[Value::Str(format!("{number:<200}").as_bytes())]);
        pairing.count(&sample.entry(&made), &mut places).unwrap();
    }
    // Only a prefix of each key is stored. The 300 zeros have the same prefix, so they are a single
    // key that begins and ends repeatedly.
    let pair = &pairing.pairs()[0];
    assert!(pair.open_count() * 200 < MAX_KEY_BYTES);
    assert!(pair.open_count() * 240 > MAX_KEY_BYTES, "{}", pair.open_count());
    assert_eq!(pair.statistics().matched, 99_999);
    assert_eq!(pair.statistics().begins_not_followed, 200_000 - 99_999 - pair.open_count() as u64);
}
