//! Compares exports, as read by speedscope, with the traces, as read by our own reader.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use crate::exported::Recording;
use ringtrace_export::{TypedValue, named_values, utf8};
use ringtrace_peers::{chromium, node};
use ringtrace_tracefile::Entry;
use ringtrace_tracefile::metadata::Cause;
use ringtrace_tracefile::pair::{SpanEvent, SpanId, Track};
use ringtrace_tracefile::statistics::Sketch;
use serde_json::{Value, json};

/// An event that opens or closes a frame: whether it opens the frame, the frame's name, and the
/// time in nanoseconds since the first record.
type Event = (bool, String, i128);

/// Profiles by name.
type Profiles = BTreeMap<String, Vec<Event>>;

/// Loads each file into speedscope, and saves the file that speedscope exports.
const STEPS: &str = "
    const [index, ...files] = args;
    for (const file of files) {
        await page.goto('file://' + index);
        await page.setInputFiles('input[type=file]', file);
        await page.getByText('Time Order').waitFor();
        const download = page.waitForEvent('download');
        await page.getByText('Export').click();
        await (await download).saveAs(file + '.again');
    }
    return problems;
";

fn read(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

fn profiles(file: &Value) -> Profiles {
    let frames = file["shared"]["frames"].as_array().unwrap();
    let profile = |profile: &Value| {
        assert_eq!(profile["startValue"], 0);
        let event = |event: &Value| {
            // Frames without a duration are open for a fraction of a nanosecond.
            let at_ns = event["at"].as_f64().unwrap().floor() as i128;
            let frame = &frames[event["frame"].as_u64().unwrap() as usize];
            (event["type"] == "O", frame["name"].as_str().unwrap().to_owned(), at_ns)
        };
        let events = profile["events"].as_array().unwrap().iter().map(event).collect();
        (profile["name"].as_str().unwrap().to_owned(), events)
    };
    file["profiles"].as_array().unwrap().iter().map(profile).collect()
}

/// Returns whether `value` is valid according to `schema`. Supports only the features of JSON
/// Schema that speedscope's schema uses.
fn fits(value: &Value, schema: &Value, definitions: &Value) -> bool {
    schema.as_object().unwrap().iter().all(|(keyword, rule)| match keyword.as_str() {
        "$schema" | "title" | "definitions" => true,
        "$ref" => {
            let name = rule.as_str().unwrap().strip_prefix("#/definitions/").unwrap();
            fits(value, &definitions[name], definitions)
        }
        "anyOf" => rule.as_array().unwrap().iter().any(|schema| fits(value, schema, definitions)),
        "const" => value == rule,
        "enum" => rule.as_array().unwrap().contains(value),
        "required" => rule.as_array().unwrap().iter().all(|name| value.get(name.as_str().unwrap()).is_some()),
        "properties" => {
            rule.as_object().unwrap().iter().all(|(name, schema)| {
                value.get(name).is_none_or(|property| fits(property, schema, definitions))
            })
        }
        "items" => value.as_array().into_iter().flatten().all(|item| fits(item, rule, definitions)),
        "type" => match rule.as_str().unwrap() {
            "array" => value.is_array(),
            "number" => value.is_number(),
            "object" => value.is_object(),
            "string" => value.is_string(),
            other => panic!("unsupported type {other}"),
        },
        other => panic!("unsupported keyword {other}"),
    })
}

/// Returns the name of the frame for a record.
fn about(entry: &Entry<'_>, values: impl Iterator<Item = (String, String)>) -> String {
    values.fold(entry.schema.name.to_string(), |text, (name, value)| format!("{text} {name}={value}"))
}

fn values(entry: &Entry<'_>) -> impl Iterator<Item = (String, String)> {
    named_values(entry).map(|(name, value)| {
        let value = match value {
            TypedValue::Signed(number) => number.to_string(),
            TypedValue::Unsigned(number) => number.to_string(),
            TypedValue::Bool(truth) => truth.to_string(),
            TypedValue::Double(bits) => format!("{:?}", f64::from_bits(bits)),
            TypedValue::Pointer(bits) => format!("{bits:#x}"),
            TypedValue::Text(bytes) => json!(utf8(bytes)).to_string(),
        };
        (name.into_owned(), value)
    })
}

fn thread(entry: &Entry<'_>) -> String {
    entry.tid().map_or_else(String::new, |tid| format!(" (thread {tid})"))
}

/// The start and the text of an open frame.
type Step = (i128, [String; 2]);

/// The expected profiles, according to ringtrace's own reader.
#[derive(Default)]
struct Expected {
    pairs: Vec<String>,
    first_ns: Option<u64>,
    last_ns: i128,
    profiles: Profiles,
    /// The frames currently open, by profile name, until the next frames replace them.
    shown: HashMap<String, [String; 2]>,
    steps: HashMap<(u32, u32), Vec<Step>>,
    threads: HashMap<(u32, u32), String>,
}

impl Expected {
    fn of(recording: &Recording) -> Profiles {
        let pairs = recording.description.pairs.iter().map(|pair| pair.name.clone()).collect();
        let mut expected = Expected { pairs, ..Expected::default() };
        let (tracker, pauses) = recording.follow(|entry, span_events, tracks| {
            expected.first_ns.get_or_insert(entry.timestamp_ns);
            expected.last_ns = expected.time_ns(entry.timestamp_ns);
            expected.entry(entry, span_events, tracks);
        });
        // The last frames are open for one nanosecond.
        let last_ns = expected.last_ns + 1;
        for (span, begin) in tracker.open() {
            expected.span(span, &begin, ", open", last_ns, tracker.tracks());
        }
        for pause in pauses {
            let from_ns = expected.time_ns(pause.from_ns.unwrap());
            let to_ns = pause.to_ns.map_or(last_ns, |to_ns| expected.time_ns(to_ns)).max(from_ns);
            let ends = if pause.to_ns.is_none() { " and was not switched on again" } else { "" };
            expected.show("recording", from_ns, "Recording paused", format!("Recording was off{ends}"));
            expected.close("recording", to_ns);
        }
        for name in expected.profiles.keys().cloned().collect::<Vec<_>>() {
            expected.close(&name, last_ns);
        }
        expected.profiles
    }

    fn time_ns(&self, ns: u64) -> i128 {
        i128::from(ns - self.first_ns.unwrap())
    }

    fn show(&mut self, profile: &str, at_ns: i128, name: &str, about: String) {
        self.close(profile, at_ns);
        let events = self.profiles.entry(profile.to_owned()).or_default();
        events.extend([(true, name.to_owned(), at_ns), (true, about.clone(), at_ns)]);
        self.shown.insert(profile.to_owned(), [name.to_owned(), about]);
    }

    fn close(&mut self, profile: &str, at_ns: i128) {
        if let Some([name, about]) = self.shown.remove(profile) {
            self.profiles.get_mut(profile).unwrap().extend([(false, about, at_ns), (false, name, at_ns)]);
        }
    }

    fn entry(&mut self, entry: &Entry<'_>, span_events: &[SpanEvent<'_>], tracks: &[Track]) {
        let at_ns = self.time_ns(entry.timestamp_ns);
        if entry.is_dropped() {
            let cause = entry.lost.map_or(Cause::Dropped, |lost| lost.cause).word();
            let profile = self.profile_of(entry);
            let about = format!("{} events {cause}", entry.dropped().unwrap());
            return self.show(&profile, at_ns, "Dropped events", about);
        }
        let mut is_alone = true;
        for span_event in span_events {
            is_alone &= matches!(span_event, SpanEvent::Counter { .. });
            match span_event {
                SpanEvent::Begin(_) => {}
                SpanEvent::End { span, begin } => {
                    let same: Vec<_> = values(begin).collect();
                    let end = about(entry, values(entry).filter(|value| !same.contains(value)));
                    self.span(*span, begin, &format!(" -> {end}{}", thread(entry)), at_ns, tracks);
                }
                SpanEvent::Restarted { span, begin } => self.span(*span, begin, ", restarted", at_ns, tracks),
                SpanEvent::Step(span) => {
                    let frames =
                        [entry.schema.name.to_string(), about(entry, values(entry)) + &thread(entry)];
                    self.steps.entry((span.track, span.lane)).or_default().push((at_ns, frames));
                }
                SpanEvent::Counter { track, value, .. } => {
                    let name = &tracks[*track as usize].name;
                    self.show(name, at_ns, name, value.to_string());
                }
            }
        }
        if is_alone {
            let profile = self.profile_of(entry);
            self.show(&profile, at_ns, &entry.schema.name, about(entry, values(entry)));
        }
    }

    /// Returns the profile of the record's thread. The profile's name contains the name that the
    /// thread had at its first record.
    fn profile_of(&mut self, entry: &Entry<'_>) -> String {
        let process = if entry.pid == 0 { "recording".to_owned() } else { format!("process {}", entry.pid) };
        let name = match (entry.tid(), entry.thread_name()) {
            (None, _) => format!("{process}: each event lasts until the next"),
            (Some(tid), None) => format!("{process}: thread {tid}, each event lasts until the next"),
            (Some(tid), Some(name)) => format!("{process}: {name} ({tid}), each event lasts until the next"),
        };
        self.threads.entry((entry.pid, entry.tid().unwrap_or(entry.pid))).or_insert(name).clone()
    }

    fn span(&mut self, span: SpanId, begin: &Entry<'_>, how: &str, to_ns: i128, tracks: &[Track]) {
        let track = &tracks[span.track as usize].name;
        let profile = if span.lane == 0 { track.clone() } else { format!("{track} ({})", span.lane + 1) };
        let pair = self.pairs[span.pair].clone();
        let about = about(begin, values(begin)) + &thread(begin) + how;
        let steps = self.steps.remove(&(span.track, span.lane)).unwrap_or_default();
        let from_ns = self.time_ns(begin.timestamp_ns);
        let events = self.profiles.entry(profile).or_default();
        events.extend([(true, pair.clone(), from_ns), (true, about.clone(), from_ns)]);
        for (index, (at_ns, [name, about])) in steps.iter().enumerate() {
            let until_ns = steps.get(index + 1).map_or(to_ns, |next| next.0);
            events.extend([(true, name.clone(), *at_ns), (true, about.clone(), *at_ns)]);
            events.extend([(false, about.clone(), until_ns), (false, name.clone(), until_ns)]);
        }
        events.extend([(false, about, to_ns), (false, pair, to_ns)]);
    }
}

/// Returns the latencies of all spans of a pair. The spans in a profile do not overlap.
fn latencies(profiles: &Profiles, pair: &str) -> Sketch {
    let mut latencies = Sketch::default();
    for events in profiles.values() {
        let mut begun_ns = 0;
        for (opens, _, at_ns) in events.iter().filter(|event| event.1 == pair) {
            match opens {
                true => begun_ns = *at_ns,
                false => latencies.add((at_ns - begun_ns) as u64),
            }
        }
    }
    latencies
}

#[test]
fn all_is_there() {
    let mut recordings = vec![
        ("boot-small", Recording::of_qemu("boot-small")),
        ("everything", Recording::made_up("everything")),
        ("empty", Recording::made_up("empty")),
        ("far", Recording::made_up("far")),
    ];
    if let Some(corpus) = ringtrace_corpus::find_or_skip("qemu") {
        for name in ["oddnames", "dropped-first", "toggled"] {
            let trace = corpus.join(name).with_extension("bin");
            recordings.push((name, Recording::new(trace, corpus.join("trace-events-all"))));
        }
    }
    let (Some(index), Some(schema)) = (
        node::package("speedscope", "dist/release/index.html"),
        node::package("speedscope", "dist/release/file-format-schema.json"),
    ) else {
        return;
    };
    let exports: Vec<_> = recordings.iter().map(|(_, recording)| recording.export("speedscope")).collect();
    let files: Vec<&PathBuf> = exports.iter().map(|(_, file)| file).collect();
    // Chromium is started once and shows all files, one after the other.
    let arguments: Vec<&PathBuf> = [&index].into_iter().chain(files.iter().copied()).collect();
    let Some(ran) = chromium::run(STEPS, &arguments) else { return };
    assert_eq!(ran.succeeded().trim(), "[]");

    let schema = read(&schema);
    for ((name, recording), file) in recordings.iter().zip(files) {
        let written = read(file);
        assert!(fits(&written, &schema, &schema["definitions"]), "{name} does not match the schema");
        let mut understood = profiles(&read(&file.with_extension("json.again")));
        understood.retain(|_, events| !events.is_empty());
        let expected = Expected::of(recording);
        assert_eq!(understood.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{name}");
        for (profile, events) in &understood {
            assert_eq!(events.len(), expected[profile].len(), "{name}: {profile}");
            for (event, expected) in events.iter().zip(&expected[profile]) {
                // As doubles, times that are far from 0 are inexact.
                if *name == "far" {
                    let distance = (event.2 - expected.2).abs();
                    assert!((event.0, &event.1, distance <= 16_384) == (expected.0, &expected.1, true));
                    continue;
                }
                assert_eq!(event, expected, "{name}: {profile}");
            }
        }
        if *name == "everything" {
            assert_eq!(written["name"], "recording, from 2026-11-23T12:00:01.123456800Z");
        }
        if *name == "boot-small" {
            assert_eq!(written["name"], "recording, from 1892255602468 ns");
            // The latencies equal those of `ringtrace stat --pairs qemu`.
            let (tracker, _) = recording.follow(|_, _, _| {});
            let found = latencies(&understood, "virtio-blk request");
            let counted = &tracker.pairs()[0].statistics().latencies;
            let facts =
                |latencies: &Sketch| (latencies.count(), latencies.min(), latencies.max(), latencies.mean());
            assert_eq!(facts(&found), facts(counted));
            assert_eq!(found.count(), 275);
        }
    }
}
