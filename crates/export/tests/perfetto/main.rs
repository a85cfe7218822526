//! Compares exports, as read by Perfetto's trace processor, with the traces, as read by our own
//! reader.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod expected;
mod found;
mod nested;
mod page;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ringtrace_corpus::find_or_skip;
use ringtrace_events::SourceFile;
use ringtrace_export::{ExportTarget, Exporter, TraceInfo, format, run};
use ringtrace_tracefile::pair::{BUILT_IN, Description, SpanTracker, parse};
use ringtrace_tracefile::{Input, Needs, Options, Reader, Schemas, Traces};

use serde_json::Value;

use expected::{All, Expected};

/// The formats that Perfetto reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Perfetto,
    Chrome,
}

const FORMATS: [(Format, &str); 2] = [(Format::Perfetto, "perfetto"), (Format::Chrome, "chrome")];

fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

fn open(trace: &Path, events: Option<&Path>) -> Traces {
    let sources = events.map(|events| SourceFile::new("events", fs::read_to_string(events).unwrap()));
    let options = Options { sources: sources.into_iter().collect(), ..Options::default() };
    let reader = Reader::new("trace", Input::open(trace).unwrap(), &options).unwrap();
    Traces::new(vec![reader], Needs { anchor: true, ..Needs::default() }).unwrap()
}

fn run_export(trace: &Path, events: Option<&Path>, description: &Description, exporter: Box<dyn Exporter>) {
    let mut traces = open(trace, events);
    let mut tracker = SpanTracker::new(description.clone());
    {
        let schemas: Vec<&Schemas> = traces.readers().into_iter().map(|reader| &**reader.schemas()).collect();
        tracker.bind(&schemas).unwrap();
    }
    run(&mut traces, &mut tracker, exporter, 1).unwrap();
}

/// All tracks except the tracks of threads. Several tracks can have the same name.
const TRACKS: [&str; 8] = [
    "Dropped events",
    "Recording off",
    "queue depth queue=0",
    "queue depth queue=1",
    "request",
    "request / pid=4242",
    "request / pid=4242",
    "request / pid=5151",
];

/// The difference between the clock of `everything.trace` and the wall clock.
const ANCHOR_DIFFERENCE: &str = "1786428001868715796";

/// Exports a trace, and returns the contents of the export as decoded by our own reader.
fn export(
    format_and_name: (Format, &str),
    trace: &Path,
    events: Option<&Path>,
    description: &Description,
    out: &Path,
) -> All {
    let place = ExportTarget::File(File::create(out).unwrap());
    let anchor = open(trace, events).times().anchor;
    let info = TraceInfo { anchor, description: description.clone(), ..TraceInfo::default() };
    run_export(trace, events, description, (format(format_and_name.1).unwrap().start)(place, &info).unwrap());
    let all = Rc::new(RefCell::new(All::default()));
    let expected = Expected {
        format: format_and_name.0,
        description: description.clone(),
        all: Rc::clone(&all),
        open: BTreeMap::new(),
    };
    run_export(trace, events, description, Box::new(expected));
    Rc::into_inner(all).unwrap().into_inner()
}

/// Compares slices one by one, because a single difference is easier to read than two lists.
#[track_caller]
fn assert_same_slices(format: Format, found: &All, expected: &All) {
    for (found, expected) in found.slices.iter().zip(&expected.slices) {
        let is_rounded = format == Format::Chrome && expected.time_ns >= 1000 << 43;
        let expected = if is_rounded { expected.about_at(found) } else { expected.clone() };
        assert_eq!(*found, expected);
    }
    assert_eq!(found.slices.len(), expected.slices.len());
}

/// The pairs and counters of `everything.trace`.
const PAIRS: &str = "\
pair request
  begin request_begin req
  end   request_end req
  step  request_merge req
  track pid
counter queue depth
  value queue_depth depth
  track queue
";

#[test]
fn a_trace_with_everything_is_all_there() {
    let (description, diagnostics) = parse(&SourceFile::new("pairs", PAIRS));
    assert_eq!(diagnostics.len(), 0, "{diagnostics:?}");
    for format in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("everything");
        let expected = export(format, &testdata("export/everything.trace"), None, &description, &out);
        let realtime = "select to_realtime(ts) - ts from slice limit 1";
        let tracks = "select parent.name, t.name from track t left join track parent on parent.id = t.parent_id \
                      where t.name is not null";
        let Some((found, more)) = found::find(&out, format.0, &[realtime, tracks]) else { return };
        assert_same_slices(format.0, &found, &expected);
        assert_eq!(found.threads, expected.threads);
        if format.0 == Format::Perfetto {
            assert_eq!(found.values, expected.values);
            assert_eq!(found.flows, expected.flows);
            assert_eq!(more[0], [[ANCHOR_DIFFERENCE]]);
            let names =
                |row: &Vec<Value>| row.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" / ");
            let mut tracks: Vec<String> = more[1].iter().map(names).collect();
            tracks.sort_unstable();
            assert_eq!(tracks, TRACKS);
        }
    }
}

/// Without pairs, records take the fast path.
#[test]
fn a_trace_with_everything_is_all_there_without_pairs() {
    for format in FORMATS {
        for name in ["everything", "far", "empty"] {
            let folder = tempfile::tempdir().unwrap();
            let out = folder.path().join(name);
            let trace = testdata(&format!("export/{name}.trace"));
            let expected = export(format, &trace, None, &Description::default(), &out);
            let Some((found, _)) = found::find(&out, format.0, &[]) else { return };
            assert_same_slices(format.0, &found, &expected);
        }
    }
}

/// Exports QEMU traces with times that decrease after a dropped record, and with bytes that are not
/// UTF-8.
#[test]
fn recordings_of_the_corpus_are_all_there() {
    for name in ["dropped-first", "oddnames"] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join(name);
        let Some(trace) = find_or_skip(format!("qemu/{name}.bin")) else { return };
        let Some(events) = find_or_skip("qemu/trace-events-all") else { return };
        let expected = export(FORMATS[0], &trace, Some(&events), &Description::default(), &out);
        let Some((found, _)) = found::find(&out, Format::Perfetto, &[]) else { return };
        assert_same_slices(Format::Perfetto, &found, &expected);
    }
}

#[test]
fn requests_of_a_boot_are_slices() {
    let mut description = BUILT_IN[0].description();
    description.pairs.retain(|pair| pair.name == "virtio-blk request");
    for format in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("boot");
        let (trace, events) = (testdata("boot-small.bin"), testdata("boot-small.events"));
        let expected = export(format, &trace, Some(&events), &description, &out);
        let asked = "select count(*), min(dur), max(dur), sum(dur) from slice where category = 'virtio-blk request' and dur > 0";
        let Some((found, rest)) = found::find(&out, format.0, &[asked]) else { return };
        assert_same_slices(format.0, &found, &expected);
        // The output of `stat --pairs qemu` in `docs/perfetto.md`.
        assert_eq!(rest[0], [["275", "66980", "10487652", "50691011"]]);
    }
}

#[test]
fn a_boot_is_all_there() {
    for format in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("boot");
        let (trace, events) = (testdata("boot-small.bin"), testdata("boot-small.events"));
        let expected = export(format, &trace, Some(&events), &Description::default(), &out);
        let Some((found, _)) = found::find(&out, format.0, &[]) else { return };
        assert_same_slices(format.0, &found, &expected);
        assert_eq!(found.slices.len(), 17361);
    }
}
