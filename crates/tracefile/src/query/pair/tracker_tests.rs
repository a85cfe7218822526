use std::collections::{BTreeMap, BTreeSet, HashMap};

use proptest::collection::vec;
use proptest::prelude::*;
use ringtrace_events::SourceFile;

use super::*;
use crate::entry::sample::{Made, Sample};
use crate::entry::{Entry, Value};

const DECLARATIONS: &str = "\
read(void *disk, void *req, const char *why) \"\"
write(void *disk, void *req) \"\"
issued(void *req) \"\"
done(void *req, int ret) \"\"
depth(void *disk, int requests) \"\"
phase(const char *name) \"\"
";

const REQUESTS: &str = "\
pair request
  begin read req
  begin write req
  step issued req
  end done req
  track disk
counter queue
  value depth requests
  track disk
";

fn described(text: &str) -> Description {
    let source = SourceFile::new("test.pairs", text);
    let (description, diagnostics) = parse(&source);
    assert_eq!(diagnostics, []);
    description
}

fn tracker(text: &str, max_open: usize) -> SpanTracker {
    let sample = Sample::new(DECLARATIONS);
    let mut tracker = SpanTracker::with_max_open(described(text), max_open).keep_begins(true);
    tracker.bind(&[&sample.schemas]).unwrap();
    tracker.check_known(&[&sample.schemas]).unwrap();
    tracker
}

fn made(name: &'static str, timestamp_ns: u64, values: &[u64]) -> Made {
    let mut values: Vec<Value<'_>> = values.iter().map(|&value| Value::Integer(value)).collect();
    if name == "read" {
        values.push(Value::Str(b"why not"));
    }
    Made { pid: 7, ..Made::new(name, timestamp_ns, &values) }
}

/// Formats span events with a few words for each, such as `begin 1 request disk=0xd/0`.
fn reported(events: &[SpanEvent<'_>], tracks: &[Track]) -> Vec<String> {
    let place = |span: &SpanId| format!("{} {}/{}", span.number, tracks[span.track as usize].name, span.lane);
    let begin = |entry: &Entry<'_>| {
        let values: Vec<String> = entry.values().map(|value| format!("{value:?}")).collect();
        format!("{}@{}({})", entry.schema.name, entry.timestamp_ns, values.join(","))
    };
    let format = |event: &SpanEvent<'_>| match event {
        SpanEvent::Begin(span) => format!("begin {}", place(span)),
        SpanEvent::Step(span) => format!("step {}", place(span)),
        SpanEvent::End { span, begin: entry } => format!("end {} {}", place(span), begin(entry)),
        SpanEvent::Restarted { span, begin: entry } => format!("restarted {} {}", place(span), begin(entry)),
        SpanEvent::Counter { counter, track, value } => {
            format!("counter {counter} {} {value}", tracks[*track as usize].name)
        }
    };
    events.iter().map(format).collect()
}

fn feed(tracker: &mut SpanTracker, records: &[Made]) -> Vec<Vec<String>> {
    let sample = Sample::new(DECLARATIONS);
    let feed = |record: &Made| {
        let entry = sample.entry(record);
        let (events, tracks) = tracker.of(&entry).unwrap();
        reported(&events, tracks)
    };
    records.iter().map(feed).collect()
}

#[test]
fn records_cause_the_described_events() {
    let mut tracker = tracker(REQUESTS, 100);
    let records = [
        made("read", 10, &[0xd, 1]),
        made("write", 11, &[0xd, 2]),
        made("write", 12, &[0xe, 3]),
        made("issued", 13, &[2]),
        made("depth", 14, &[0xd, -2_i64 as u64]),
        made("done", 15, &[1, 0]),
        made("read", 16, &[0xd, 4]),
        made("read", 17, &[0xd, 2]),
        made("issued", 18, &[9]),
        made("done", 19, &[9, 0]),
        made("phase", 20, &[]),
    ];
    let reported = feed(&mut tracker, &records);
    let expected: [&[&str]; 11] = [
        &["begin 1 request disk=0xd/0"],
        &["begin 2 request disk=0xd/1"],
        &["begin 3 request disk=0xe/0"],
        &["step 2 request disk=0xd/1"],
        &["counter 0 queue disk=0xd -2"],
        &["end 1 request disk=0xd/0 read@10(Integer(13),Integer(1),Str([119, 104, 121, 32, 110, 111, 116]))"],
        &["begin 4 request disk=0xd/0"],
        &["restarted 2 request disk=0xd/1 write@11(Integer(13),Integer(2))", "begin 5 request disk=0xd/1"],
        &[],
        &[],
        &[],
    ];
    assert_eq!(reported, expected);
    let counts = tracker.pairs()[0].statistics();
    assert_eq!((counts.steps, counts.steps_within, counts.steps_alone), (2, 1, 1));
    assert_eq!(tracker.open_counts(), [3]);
    let open: Vec<_> = tracker.open().map(|(span, begin)| (span.number, begin.timestamp_ns)).collect();
    assert_eq!(open, [(3, 12), (4, 16), (5, 17)]);
    let sample = Sample::new(DECLARATIONS);
    let concerns = |name| tracker.concerns(sample.schemas.find(name).unwrap());
    assert!(concerns("done") && !concerns("phase"));
}

#[test]
fn an_end_of_one_pair_is_not_alone_in_another() {
    let text = "\
pair read
  begin read req
  end done req
pair write
  begin write req
  end done req
";
    let mut tracker = tracker(text, 100);
    let records = [
        made("read", 1, &[0xd, 1]),
        made("write", 2, &[0xd, 2]),
        made("done", 3, &[1, 0]),
        made("done", 4, &[2, 0]),
        made("done", 5, &[3, 0]),
        // One record ends spans of both pairs.
        made("read", 6, &[0xd, 4]),
        made("write", 7, &[0xd, 4]),
        made("done", 8, &[4, 0]),
    ];
    feed(&mut tracker, &records);
    for pair in tracker.pairs() {
        let counts = pair.statistics();
        assert_eq!((counts.ends, counts.matched, counts.ends_elsewhere, counts.ends_alone), (4, 2, 1, 1));
    }
}

#[test]
fn begins_without_stored_values_are_empty() {
    let mut tracker = tracker(REQUESTS, 100).keep_begins(false);
    let records = [made("write", 1, &[0xd, 1]), made("done", 2, &[1, 0])];
    assert_eq!(
        feed(&mut tracker, &records),
        [["begin 1 request disk=0xd/0"], ["end 1 request disk=0xd/0 write@1()"]]
    );
}

#[test]
fn tracks_are_bounded() {
    let mut tracker = tracker(REQUESTS, 100);
    let records: Vec<Made> = (0..MAX_TRACKS as u64 + 3).map(|disk| made("depth", disk, &[disk, 1])).collect();
    feed(&mut tracker, &records);
    assert_eq!(tracker.tracks().len(), MAX_TRACKS + 1);
    assert_eq!(tracker.tracks().last().unwrap().name, "queue (other)");
    assert_eq!(tracker.untracked(), 3);
    // Each pair has a separate limit.
    let reported = feed(&mut tracker, &[made("read", 1, &[0xd, 1]), made("read", 2, &[0xd, 2])]);
    assert_eq!(reported, [["begin 1 request (other)/0"], ["begin 2 request (other)/1"]]);
}

#[test]
fn tracks_have_process_and_thread() {
    let text = "pair phase\n  begin phase pid\n  end phase pid\n  track tid,name,pid\n";
    let sample = Sample::new(DECLARATIONS);
    let mut tracker = tracker(text, 100);
    let with = |tid| Made { pid: 5, tid, ..Made::new("phase", 1, &[Value::Str(b"a\n")]) };
    for record in [with(9), with(0)] {
        tracker.of(&sample.entry(&record)).unwrap();
    }
    let of = TrackOwner::Pair(0);
    let expected = [
        Track { name: "phase tid=9 name=a\\n pid=5".to_owned(), of, pid: Some(5), tid: Some(9) },
        Track { name: "phase tid=? name=? pid=?".to_owned(), of, pid: None, tid: None },
    ];
    assert_eq!(tracker.tracks(), expected);
}

#[test]
fn descriptions_that_do_not_fit_are_errors() {
    let sample = Sample::new(DECLARATIONS);
    for (text, message, help) in [
        (
            "pair p\n  begin raed req\n  end done req\n",
            "test.pairs:2: pair `p`: unknown event `raed`",
            "did you mean `read`?",
        ),
        (
            "pair p\n  begin read req\n\n  end done rq\n",
            "test.pairs:4: `done` has no argument `rq`; it has `req` and `ret`",
            "did you mean `req`?",
        ),
        (
            "pair p\n  begin read\n  end write\n",
            "the key is ambiguous: `read` and `write` both have `disk` and `req`",
            "add the key after each event, as in `begin read disk` or `begin read req`",
        ),
        (
            "pair p\n  begin read\n  end write\n  end depth\n  end phase\n",
            "`read` has `disk`, `req` and `why`, `write` has `disk` and `req`, `depth` has `disk` and `requests`, \
             `phase` has `name`: the events share no pointer or integer argument",
            "add a key after each event: an argument, `pid` or `tid`",
        ),
        (
            "pair p\n  begin read why\n  end done req\n",
            "`why` of `read` is a string, but `req` of `done` is an integer, so they never match",
            "match `read` and `done` by arguments of the same type",
        ),
        (
            "pair p\n  begin read req\n  begin write req\n  end done req\n  track why\n",
            "track of `p`: `write` has no argument `why`; it has `disk` and `req`",
            "use `pid`, `tid`, or arguments that every `begin` or `value` event has",
        ),
        (
            "counter c\n  value depth request\n",
            "test.pairs:2: `depth` has no argument `request`; it has `disk` and `requests`",
            "did you mean `requests`?",
        ),
        (
            "counter c\n  value phase name\n",
            "test.pairs:2: counter `c`: `name` of `phase` is a string, not a number",
            "use an integer argument",
        ),
        (
            "counter c\n  value dept x\n",
            "test.pairs:2: counter `c`: unknown event `dept`",
            "did you mean `depth`?",
        ),
    ] {
        let mut tracker = SpanTracker::new(described(text));
        let bound = tracker.bind(&[&sample.schemas]);
        let error = bound.and_then(|()| tracker.check_known(&[&sample.schemas])).unwrap_err();
        assert_eq!((error.message.as_str(), error.help.as_str()), (message, help));
        // Without `bind`, the first record of the event returns the same error.
        if message.contains("has no argument") {
            let mut tracker = SpanTracker::new(described(text));
            let names = ["read", "write", "done", "depth", "phase"];
            let records = names.map(|name| Made { name, ..Made::default() });
            let error = records.iter().find_map(|made| tracker.of(&sample.entry(made)).err()).unwrap();
            assert_eq!(error.message, message);
        }
    }
}

#[test]
fn the_shared_argument_is_found() {
    let sample = Sample::new(DECLARATIONS);
    let mut tracker = SpanTracker::new(described("pair p\n  begin issued\n  end done\n  step read\n"));
    tracker.bind(&[&sample.schemas]).unwrap();
    let pair = &tracker.description().pairs[0];
    let key = [KeySource::Argument("req".to_owned())];
    assert!(pair.events().all(|event| event.keys == key));
    assert_eq!(pair.name, "p");
}

/// Two pairs with every feature: alternatives, steps, a shared end, an event that ends and begins,
/// tracks.
const CROWDED: &str = "\
pair request
  begin read req
  begin write req
  step issued req
  end done req
  track disk
pair turn
  begin write req,pid
  end write req,pid
  end done req,pid
  step depth disk,pid
counter queue
  value depth requests
";

fn record() -> impl Strategy<Value = Made> {
    let name = prop::sample::select(vec!["read", "write", "issued", "done", "depth", "phase"]);
    (name, 0_u64..100, 0_u64..6, 0_u64..3, 1_u32..3, 0_usize..40).prop_map(
        |(name, timestamp_ns, key, disk, pid, cut)| {
            let values = match name {
                "issued" | "done" => vec![key, 0],
                "depth" => vec![key, disk],
                "phase" => vec![],
                _ => vec![disk, key],
            };
            let mut made = Made { pid, ..made(name, timestamp_ns, &values) };
            // Truncate some records, so that they have no key.
            if cut < 2 {
                made.payload.truncate(cut * 8);
            }
            made
        },
    )
}

proptest! {
    #[test]
    fn spans_never_overlap_and_sums_hold(records in vec(record(), 0..150), max_open in 0_usize..6) {
        let sample = Sample::new(DECLARATIONS);
        let mut tracker = tracker(CROWDED, max_open);
        // For each track, its open lanes with their spans and the records that began the spans.
        let mut taken: HashMap<u32, BTreeMap<u32, (u64, &Made)>> = HashMap::new();
        let mut ended = BTreeSet::new();
        let mut last = 0;
        for record in &records {
            let entry = sample.entry(record);
            let (events, tracks) = tracker.of(&entry).unwrap();
            for event in events.iter() {
                match *event {
                    SpanEvent::Begin(span) => {
                        prop_assert_eq!(tracks[span.track as usize].of, TrackOwner::Pair(span.pair));
                        let lanes = taken.entry(span.track).or_default();
                        let first_free = (0..).find(|lane| !lanes.contains_key(lane)).unwrap();
                        prop_assert_eq!(span.lane, first_free);
                        lanes.insert(span.lane, (span.number, record));
                        prop_assert_eq!(span.number, last + 1);
                        last = span.number;
                    }
                    SpanEvent::End { span, begin } | SpanEvent::Restarted { span, begin } => {
                        let begun = taken.get_mut(&span.track).unwrap().remove(&span.lane);
                        let (number, begun) = begun.unwrap();
                        prop_assert_eq!(number, span.number);
                        prop_assert!(ended.insert(number));
                        let begun = sample.entry(begun);
                        prop_assert_eq!(
                            (begin.timestamp_ns, begin.pid, &begin.schema.name, begin.payload),
                            (begun.timestamp_ns, begun.pid, &begun.schema.name, begun.payload)
                        );
                        prop_assert_eq!(begin.tid(), begun.tid());
                    }
                    SpanEvent::Step(span) => {
                        prop_assert_eq!(taken[&span.track][&span.lane].0, span.number);
                    }
                    SpanEvent::Counter { track, value, .. } => {
                        prop_assert_eq!(tracks[track as usize].of, TrackOwner::Counter(0));
                        prop_assert_eq!(Some(Value::Integer(value as u64)), entry.value(1));
                    }
                }
            }
        }
        let open: BTreeSet<u64> = tracker.open().map(|(span, _)| span.number).collect();
        let never_ended: BTreeSet<u64> = (1..=last).filter(|number| !ended.contains(number)).collect();
        prop_assert_eq!(&open, &never_ended);

        for (pair, open) in tracker.pairs().iter().zip(tracker.open_counts()) {
            let counts = pair.statistics();
            prop_assert!(open <= max_open as u64 && open <= counts.most_open);
            prop_assert_eq!(
                counts.begins,
                counts.matched + counts.restarted + open + counts.begins_not_followed + counts.begins_without_key
            );
            prop_assert_eq!(
                counts.ends,
                counts.matched + counts.ends_elsewhere + counts.ends_alone + counts.ends_without_key
            );
            prop_assert_eq!(counts.steps, counts.steps_within + counts.steps_alone + counts.steps_without_key);
            prop_assert_eq!(counts.matched, counts.latencies.count() + counts.backward);
        }
        let records_of = |name| records.iter().filter(|record| record.name == name).count() as u64;
        let counts = tracker.pairs()[0].statistics();
        prop_assert_eq!(counts.begins, records_of("read") + records_of("write"));
        prop_assert_eq!(counts.ends, records_of("done"));
        prop_assert_eq!(counts.steps, records_of("issued"));
    }

    /// `stat` uses a pairing without tracks and without stored begin records, which must have the
    /// same counts.
    #[test]
    fn counts_do_not_depend_on_tracks(records in vec(record(), 0..80), max_open in 0_usize..6) {
        let sample = Sample::new(DECLARATIONS);
        let mut tracker = tracker(CROWDED, max_open);
        let mut pairing: Pairing<()> = Pairing::new(described(CROWDED).pairs, max_open);
        pairing.bind(&[&sample.schemas]).unwrap();
        for record in &records {
            let entry = sample.entry(record);
            tracker.of(&entry).unwrap();
            pairing.count(&entry, &mut ()).unwrap();
        }
        for (one, other) in tracker.pairs().iter().zip(pairing.pairs()) {
            prop_assert_eq!(format!("{:?}", one.statistics()), format!("{:?}", other.statistics()));
            prop_assert_eq!(one.oldest_open(9), other.oldest_open(9));
            prop_assert_eq!(one.ends_alone(), other.ends_alone());
        }
    }
}
