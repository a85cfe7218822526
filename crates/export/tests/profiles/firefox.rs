//! Compares exports, as read by Firefox Profiler, with the traces, as read by our own reader.

use std::collections::BTreeMap;

use crate::exported::Recording;
use ringtrace_export::{TypedValue, named_values, utf8};
use ringtrace_peers::firefox::Profile;
use ringtrace_tracefile::Entry;
use ringtrace_tracefile::metadata::Cause;
use ringtrace_tracefile::pair::{SpanEvent, SpanId, Track};
use ringtrace_tracefile::statistics::Sketch;
use serde_json::{Map, Value, json};

/// A marker: its start, in nanoseconds since the first record, its duration in nanoseconds, its
/// name, and its fields by name.
type Marker = (i128, Option<i128>, String, Value);

/// Markers by process and thread, such as `4242 4243`. The spans of a pair are in a thread such as
/// `4242 pair 0`.
type Markers = BTreeMap<String, Vec<Marker>>;

/// Converts milliseconds to nanoseconds.
fn ns(milliseconds: &Value) -> i128 {
    (milliseconds.as_f64().unwrap() * 1e6).round() as i128
}

/// Returns all markers that the profiler finds.
fn found(profile: &Profile) -> Markers {
    let marker = |marker: &Value| {
        let fields = marker["fields"].as_array().into_iter().flatten();
        let field = |field: &Value| (field["label"].as_str().unwrap().to_owned(), field["value"].clone());
        let fields = Value::Object(fields.map(field).collect());
        let duration_ns = marker.get("duration").map(ns);
        (ns(&marker["start"]), duration_ns, marker["name"].as_str().unwrap().to_owned(), fields)
    };
    let thread = |(thread, markers): (Value, Vec<Value>)| {
        let tid = thread["tid"].as_str().map_or_else(|| thread["tid"].to_string(), str::to_owned);
        let mut markers: Vec<Marker> = markers.iter().map(marker).collect();
        markers.sort_by_key(|marker| format!("{marker:?}"));
        (format!("{} {tid}", thread["pid"].as_str().unwrap()), markers)
    };
    profile.markers().into_iter().map(thread).collect()
}

/// The expected markers, according to ringtrace's own reader.
#[derive(Default)]
struct Expected {
    first_ns: Option<u64>,
    last_ns: i128,
    markers: Markers,
}

impl Expected {
    fn of(recording: &Recording) -> Markers {
        let mut expected = Expected::default();
        let (tracker, pauses) = recording.follow(|entry, span_events, tracks| {
            let first_ns = *expected.first_ns.get_or_insert(entry.timestamp_ns);
            expected.last_ns = i128::from(entry.timestamp_ns) - i128::from(first_ns);
            expected.entry(entry, span_events, tracks);
        });
        for (span, begin) in tracker.open() {
            let name = format!("{}, open", tracker.tracks()[span.track as usize].name);
            let duration_ns = expected.last_ns - expected.time_ns(&begin);
            expected.span(span, &begin, duration_ns, name, vec![outcome("open")]);
        }
        let pid = recording_pid(&expected.markers).to_owned();
        for pause in pauses {
            let time_ns = |ns: u64| i128::from(ns) - i128::from(expected.first_ns.unwrap());
            let from_ns = time_ns(pause.from_ns.unwrap());
            let duration_ns = (pause.to_ns.map_or(expected.last_ns, time_ns) - from_ns).max(0);
            let name = "Recording paused".to_owned();
            expected.add(format!("{pid} recording"), (from_ns, Some(duration_ns), name, json!({})));
        }
        for markers in expected.markers.values_mut() {
            markers.sort_by_key(|marker| format!("{marker:?}"));
        }
        expected.markers
    }

    fn time_ns(&self, entry: &Entry<'_>) -> i128 {
        i128::from(entry.timestamp_ns) - i128::from(self.first_ns.unwrap())
    }

    fn add(&mut self, thread: String, marker: Marker) {
        self.markers.entry(thread).or_default().push(marker);
    }

    fn entry(&mut self, entry: &Entry<'_>, span_events: &[SpanEvent<'_>], tracks: &[Track]) {
        let at_ns = self.time_ns(entry);
        let thread = format!("{} {}", entry.pid, entry.tid().unwrap_or(entry.pid));
        if entry.is_dropped() {
            let cause = entry.lost.map_or(Cause::Dropped, |lost| lost.cause).word();
            let fields = json!({"dropped": entry.dropped(), "cause": cause});
            return self.add(thread, (at_ns, None, "Dropped events".to_owned(), fields));
        }
        let mut is_alone = true;
        for span_event in span_events {
            is_alone &= matches!(span_event, SpanEvent::Counter { .. });
            match span_event {
                SpanEvent::Begin(_) | SpanEvent::Counter { .. } => {}
                SpanEvent::End { span, begin } => {
                    let latency_ns = (at_ns - self.time_ns(begin)).max(0);
                    let mut more = vec![outcome("ended")];
                    more.push(("latency_ns".to_owned(), json!(latency_ns as u64)));
                    more.push(("end_event".to_owned(), json!(*entry.schema.name)));
                    more.extend(thread_fields(entry).map(|(name, value)| (format!("end_{name}"), value)));
                    let same: Vec<_> = values(begin).collect();
                    let new = values(entry).filter(|value| !same.contains(value));
                    more.extend(new.map(|(name, value)| (format!("end {name}"), value)));
                    let name = tracks[span.track as usize].name.clone();
                    self.span(*span, begin, latency_ns, name, more);
                }
                SpanEvent::Restarted { span, begin } => {
                    let name = format!("{}, restarted", tracks[span.track as usize].name);
                    self.span(*span, begin, at_ns - self.time_ns(begin), name, vec![outcome("restarted")]);
                }
                SpanEvent::Step(span) => {
                    let fields = values(entry).chain([("span".to_owned(), json!(span.number))]);
                    let fields = Value::Object(fields.collect());
                    let thread = format!("{} pair {}", entry.pid, span.pair);
                    self.add(thread, (at_ns, None, entry.schema.name.to_string(), fields));
                }
            }
        }
        if is_alone {
            let fields = Value::Object(values(entry).collect());
            self.add(thread, (at_ns, None, entry.schema.name.to_string(), fields));
        }
    }

    fn span(
        &mut self,
        span: SpanId,
        begin: &Entry<'_>,
        duration_ns: i128,
        name: String,
        more: Vec<(String, Value)>,
    ) {
        let mut fields: Map<String, Value> = values(begin).chain(thread_fields(begin)).chain(more).collect();
        fields.insert("span".to_owned(), json!(span.number));
        fields.insert("begin_event".to_owned(), json!(*begin.schema.name));
        let marker = (self.time_ns(begin), Some(duration_ns), name, Value::Object(fields));
        self.add(format!("{} pair {}", begin.pid, span.pair), marker);
    }
}

/// Returns the process id in the first key.
fn recording_pid(markers: &Markers) -> &str {
    markers.keys().next().map_or("0", |key| key.split(' ').next().unwrap())
}

/// Returns a record's values as JSON.
fn values(entry: &Entry<'_>) -> impl Iterator<Item = (String, Value)> {
    let exact = 1 << 53;
    let number = move |number: i128| {
        if number.abs() <= exact { json!(number as i64) } else { json!(number.to_string()) }
    };
    named_values(entry).map(move |(name, value)| {
        let value = match value {
            TypedValue::Signed(signed) => number(i128::from(signed)),
            TypedValue::Unsigned(unsigned) => number(i128::from(unsigned)),
            TypedValue::Bool(truth) => json!(truth),
            TypedValue::Double(bits) => double(f64::from_bits(bits)),
            TypedValue::Pointer(bits) => json!(format!("{bits:#x}")),
            TypedValue::Text(bytes) => json!(utf8(bytes)),
        };
        (name.into_owned(), value)
    })
}

fn double(number: f64) -> Value {
    match number {
        // The profiler prints whole numbers without a point.
        _ if number.fract() == 0.0 && number.abs() < 1e15 => json!(number as i64),
        _ if number.is_finite() => json!(number),
        _ => json!(format!("{number:?}")),
    }
}

fn outcome(word: &str) -> (String, Value) {
    ("outcome".to_owned(), json!(word))
}

fn thread_fields(entry: &Entry<'_>) -> impl Iterator<Item = (String, Value)> {
    let tid = entry.tid().map(|tid| ("tid".to_owned(), json!(tid)));
    tid.into_iter().chain(entry.thread_name().map(|name| ("thread".to_owned(), json!(name))))
}

/// Compares all markers that the profiler finds with those that our own reader finds.
#[track_caller]
fn all_is_there(recording: &Recording) -> Option<(Profile, Markers)> {
    let (_folder, out) = recording.export("firefox");
    let profile = Profile::load(&out)?;
    let (found, expected) = (found(&profile), Expected::of(recording));
    let threads = |markers: &Markers| markers.keys().cloned().collect::<Vec<_>>();
    assert_eq!(threads(&found), threads(&expected));
    for (thread, markers) in &found {
        assert_eq!(markers.len(), expected[thread].len(), "markers of {thread}");
        for (marker, expected) in markers.iter().zip(&expected[thread]) {
            assert_eq!(marker, expected, "in {thread}");
        }
    }
    Some((profile, found))
}

#[test]
fn a_boot_is_all_there() {
    let recording = Recording::of_qemu("boot-small");
    let Some((_, found)) = all_is_there(&recording) else { return };
    let requests = found["7751 pair 0"].iter().filter(|marker| marker.1.is_some());
    let mut found = Sketch::default();
    requests.for_each(|marker| found.add(marker.1.unwrap() as u64));
    // The latencies equal those of `ringtrace stat --pairs qemu`.
    let (tracker, _) = recording.follow(|_, _, _| {});
    let counted = &tracker.pairs()[0].statistics().latencies;
    let facts = |latencies: &Sketch| (latencies.count(), latencies.min(), latencies.max(), latencies.mean());
    assert_eq!(facts(&found), facts(counted));
    assert_eq!(found.count(), 275);
}

#[test]
fn everything_is_there() {
    let Some((profile, _)) = all_is_there(&Recording::made_up("everything")) else { return };
    let threads = profile.ask(&["thread", "list", "--sort", "index"]);
    let names = threads["threads"].as_array().unwrap().iter().map(|thread| thread["name"].as_str().unwrap());
    let expected = [
        "main",
        "w\u{f6}rker \"1\"",
        "after <b>",
        "thread 4245",
        "thread 7777",
        "request",
        "recording",
        "other",
        "request",
    ];
    assert_eq!(names.collect::<Vec<_>>(), expected);
    let meta = profile.ask(&["profile", "meta"]).to_string();
    for fact in [
        "2026-11-23T12:00:01.123Z",
        "2026-11-23T12:00:01.123456800Z",
        "9007199254741004 ns",
        "1099511632097",
        "request: 2",
    ] {
        assert!(meta.contains(fact), "{fact}: {meta}");
    }
    let counters = profile.ask(&["counter", "list"]);
    let counter = |index: usize| {
        let counter = &counters["counters"][index];
        (
            counter["name"].as_str().unwrap(),
            counter["pid"].as_str().unwrap(),
            counter["rangeSampleCount"].as_u64(),
        )
    };
    // The first sample is always 0.
    assert_eq!(counter(0), ("queue depth queue=0", "4242", Some(3)));
    assert_eq!(counter(1), ("queue depth queue=1", "5151", Some(2)));
    let graph = counters["counters"][0]["graph"].as_array().unwrap();
    assert_eq!(graph.last().and_then(Value::as_f64), Some(2.0), "{graph:?}");
}

#[test]
fn a_trace_without_records_is_a_profile() {
    let (_folder, out) = Recording::made_up("empty").export("firefox");
    let Some(profile) = Profile::load(&out) else { return };
    // A profile must have a thread.
    assert_eq!(found(&profile), Markers::from([("0 0".to_owned(), Vec::new())]));
}

#[test]
fn times_beyond_doubles_are_rounded() {
    let (_folder, out) = Recording::made_up("far").export("firefox");
    let Some(profile) = Profile::load(&out) else { return };
    let found = found(&profile);
    let times =
        found["4242 4242"].iter().map(|marker| (marker.0 as f64, marker.3["depth"].as_i64().unwrap()));
    let mut times: Vec<(f64, i64)> = times.collect();
    times.sort_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
    let half = 2_f64.powi(63);
    let expected = [(0.0, 0), (1.0, 1), (half, 0), (half, -1), (2.0 * half, -1), (2.0 * half, -2)];
    for (found, expected) in times.iter().zip(expected) {
        assert!((found.0 - expected.0).abs() <= 4096.0 && found.1 == expected.1, "{times:?}");
    }
}

#[test]
fn traces_of_the_corpus_are_all_there() {
    let Some(corpus) = ringtrace_corpus::find_or_skip("qemu") else { return };
    for name in ["oddnames", "dropped-first", "toggled"] {
        let trace = corpus.join(name).with_extension("bin");
        all_is_there(&Recording::new(trace, corpus.join("trace-events-all")));
    }
}
