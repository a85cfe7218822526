//! Compares every value in CSV, JSON lines and Parquet, as read by DuckDB, Arrow, Python's own
//! modules and `jq`, with the value that our own reader returns.

#![allow(clippy::unwrap_used, clippy::panic, reason = "failing tests panic")]

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use ringtrace_events::SourceFile;
use ringtrace_export::{ExportTarget, OutputKind, TraceInfo, TypedValue, format, named_values, run};
use ringtrace_peers::python;
use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::pair::{BUILT_IN, Description, SpanEvent, SpanId, SpanTracker, parse};
use ringtrace_tracefile::{
    Entry, Filter, FilterOptions, Flow, Input, Needs, Options, Reader, Traces, pauses,
};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

/// A trace, the declarations of its events, and the description of its spans.
struct Recording {
    trace: PathBuf,
    events: Option<PathBuf>,
    description: Description,
    /// Whether to disable the fast path with a filter that accepts everything. Without a filter and
    /// a description, ordinary records take the fast path.
    is_filtered: bool,
}

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata");

/// The description for `testdata/export/everything.trace`.
const PAIRS: &str = include_str!("../../../testdata/export/everything.pairs");

impl Recording {
    fn of_export(name: &str) -> Recording {
        let trace = Path::new(TESTDATA).join(format!("export/{name}.trace"));
        let (description, diagnostics) = parse(&SourceFile::new("pairs", PAIRS));
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        Recording { trace, events: None, description, is_filtered: false }
    }

    fn boot() -> Recording {
        let at = |name: &str| Path::new(TESTDATA).join(name);
        let mut recording = Recording {
            trace: at("boot-small.bin"),
            events: Some(at("boot-small.events")),
            description: Description::default(),
            is_filtered: false,
        };
        let traces = recording.traces();
        let schemas: Vec<_> = traces.readers().iter().map(|reader| reader.schemas().clone()).collect();
        let schemas: Vec<_> = schemas.iter().map(|schemas| &**schemas).collect();
        recording.description = BUILT_IN[0].description().known_to(&schemas);
        recording
    }

    fn traces(&self) -> Traces {
        let sources =
            self.events.iter().map(|file| SourceFile::from_bytes("events", &fs::read(file).unwrap()));
        let options = Options { sources: sources.collect(), ..Options::default() };
        let reader = Reader::new("trace", Input::open(&self.trace).unwrap(), &options).unwrap();
        let mut traces = Traces::new(vec![reader], Needs { anchor: true, origin: false }).unwrap();
        if self.is_filtered {
            traces.set_filter(Filter::new(FilterOptions { since_ns: Some(0), ..FilterOptions::default() }));
        }
        traces
    }

    fn tracker(&self) -> SpanTracker {
        SpanTracker::new(self.description.clone()).keep_begins(true)
    }

    fn export(&self, to: &str, out: &Path) {
        let mut traces = self.traces();
        let format = format(to).unwrap();
        let place = match format.output {
            OutputKind::Folder => {
                fs::create_dir_all(out).unwrap();
                ExportTarget::Folder(out.to_owned())
            }
            _ => ExportTarget::File(File::create(out).unwrap()),
        };
        let anchor = traces.times().anchor;
        let info = TraceInfo { anchor, description: self.description.clone(), ..TraceInfo::default() };
        let exporter = (format.start)(place, &info).unwrap();
        run(&mut traces, &mut self.tracker(), exporter, 2).unwrap();
    }

    /// Returns the contents of the trace as read by ringtrace's own reader, one item for each line.
    fn reference(&self) -> Vec<Value> {
        let mut traces = self.traces();
        let anchor = traces.times().anchor;
        let mut tracker = self.tracker();
        let mut lines = Vec::new();
        let mut visit = |entry: &Entry<'_>| {
            let record = record(entry, anchor);
            lines.push(record.clone());
            if !entry.is_dropped() {
                let (span_events, tracks) = tracker.of(entry).unwrap();
                let track = |track: u32| tracks[track as usize].name.clone();
                for span_event in span_events.iter() {
                    lines.extend(match *span_event {
                        SpanEvent::Begin(_) => None,
                        SpanEvent::End { span: id, begin } => Some(span(&self.description, id, &track(id.track), &begin, "ended", Some(entry))),
                        SpanEvent::Restarted { span: id, begin } => Some(span(&self.description, id, &track(id.track), &begin, "restarted", None)),
                        SpanEvent::Step(id) => Some(json!({
                            "kind": "step", "pair": self.description.pairs[id.pair].name, "span": id.number,
                            "step": entry.schema.name.to_string(), "time_ns": entry.timestamp_ns,
                            "pid": record["pid"], "tid": record["tid"], "thread": record["thread"],
                        })),
                        SpanEvent::Counter { counter, track: number, value } => Some(json!({
                            "kind": "counter", "counter": self.description.counters[counter].name, "track": track(number),
                            "time_ns": entry.timestamp_ns, "value": value as i64,
                            "pid": record["pid"], "tid": record["tid"], "thread": record["thread"],
                        })),
                    });
                }
            }
            Flow::Continue
        };
        traces.for_each(&mut visit).unwrap();
        for (id, begin) in tracker.open() {
            let track = tracker.tracks()[id.track as usize].name.clone();
            lines.push(span(&self.description, id, &track, &begin, "open", None));
        }
        for pause in pauses(traces.readers()[0].metadata()) {
            let duration_ns = pause.from_ns.and(pause.to_ns).map(|_| pause.duration_ns());
            lines.push(json!({"kind": "pause", "begin_ns": pause.from_ns, "end_ns": pause.to_ns, "duration_ns": duration_ns}));
        }
        lines
    }

    /// Compares the exports with the results of ringtrace's own reader, using a Python program.
    /// Returns the program's output.
    fn compare(&self) -> Option<String> {
        let Exports { folder, parquet, csv, jsonl } = self.exports();
        let reference = folder.path().join("reference");
        let mut lines = File::create(&reference).unwrap();
        self.reference().iter().for_each(|line| writeln!(lines, "{line}").unwrap());
        let ran =
            python::run("duckdb", include_str!("tables/compare.py"), &[reference, parquet, csv, jsonl])?;
        Some(ran.succeeded())
    }

    fn exports(&self) -> Exports {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let exports =
            Exports { parquet: at("out.parquet"), csv: at("out.csv"), jsonl: at("out.jsonl"), folder };
        self.export("parquet", &exports.parquet);
        self.export("csv", &exports.csv);
        self.export("jsonl", &exports.jsonl);
        exports
    }
}

/// The exports of one recording.
struct Exports {
    folder: TempDir,
    parquet: PathBuf,
    csv: PathBuf,
    jsonl: PathBuf,
}

fn arguments(entry: &Entry<'_>) -> Map<String, Value> {
    let mut arguments = Map::new();
    for (name, value) in named_values(entry) {
        let value = match value {
            TypedValue::Signed(number) => json!({"number": number}),
            TypedValue::Unsigned(number) => json!({"number": number}),
            TypedValue::Bool(value) => json!({"bool": value}),
            TypedValue::Double(bits) => json!({"double": bits}),
            TypedValue::Pointer(bits) => json!({"pointer": bits}),
            TypedValue::Text(bytes) => {
                json!({"text": bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()})
            }
        };
        arguments.insert(name.into_owned(), value);
    }
    arguments
}

fn record(entry: &Entry<'_>, anchor: Option<Anchor>) -> Value {
    json!({
        "kind": if entry.is_dropped() { "dropped" } else { "event" },
        "event": entry.schema.name.to_string(),
        "time_ns": entry.timestamp_ns,
        "time": anchor.map(|anchor| anchor.realtime_ns(entry.timestamp_ns) as i64),
        "pid": entry.version.info().has_pid.then_some(entry.pid),
        "tid": entry.tid(),
        "thread": entry.thread_name(),
        "cause": entry.lost.map(|lost| lost.cause.word()),
        "args": arguments(entry),
        "cpu": entry.context.cpu(),
    })
}

fn span(
    description: &Description,
    id: SpanId,
    track: &str,
    begin: &Entry<'_>,
    outcome: &str,
    end: Option<&Entry<'_>>,
) -> Value {
    let end_ns = end.map(|end| end.timestamp_ns);
    json!({
        "kind": "span", "pair": description.pairs[id.pair].name, "track": track, "outcome": outcome, "span": id.number,
        "begin_event": begin.schema.name.to_string(), "end_event": end.map(|end| end.schema.name.to_string()),
        "begin_ns": begin.timestamp_ns, "end_ns": end_ns,
        "latency_ns": end_ns.and_then(|end_ns| end_ns.checked_sub(begin.timestamp_ns)),
        "begin_args": arguments(begin), "end_args": end.map(arguments),
    })
}

/// Checks that `output` reports `count` comparisons of `what`.
fn compared(output: &str, what: &str, count: usize) {
    assert!(output.lines().any(|line| line == format!("{what} {count}")), "{what} {count}:\n{output}");
}

#[test]
fn everything_is_in_all_tables() {
    let Some(output) = Recording::of_export("everything").compare() else { return };
    for consumer in ["jsonl", "csv", "duckdb"] {
        compared(&output, &format!("{consumer}: span"), 7);
        compared(&output, &format!("{consumer}: step"), 2);
        compared(&output, &format!("{consumer}: counter"), 3);
        compared(&output, &format!("{consumer}: pause"), 2);
    }
    compared(&output, "duckdb: dropped", 5);
}

#[test]
fn times_beyond_signed_ones_and_traces_without_records() {
    let Some(output) = Recording::of_export("far").compare() else { return };
    compared(&output, "duckdb: record", 6);
    Recording::of_export("empty").compare();
}

#[test]
fn requests_of_a_boot_have_the_latency_that_stat_prints() {
    let recording = Recording::boot();
    let Some(output) = recording.compare() else { return };
    for consumer in ["jsonl", "csv", "arrow", "duckdb"] {
        compared(&output, &format!("{consumer}: record"), 17_361);
    }
    let mut latencies: Vec<u64> = recording
        .reference()
        .iter()
        .filter(|line| line["pair"] == "virtio-blk request" && line["kind"] == "span")
        .filter_map(|line| line["latency_ns"].as_u64())
        .collect();
    latencies.sort_unstable();
    assert_eq!(latencies.len(), 275);

    let folder = tempfile::tempdir().unwrap();
    recording.export("parquet", &folder.path().join("boot.parquet"));
    // The first query is compared; the others are examples from docs/tables.md.
    let mut questions = vec![
        "SELECT count(*), min(latency_ns), max(latency_ns), sum(latency_ns) FROM 'boot.parquet/spans/*/*.parquet' \
         WHERE pair = 'virtio-blk request' AND latency_ns IS NOT NULL",
    ];
    let document = include_str!("../../../docs/tables.md");
    let block = document.split("```sql\n").nth(1).unwrap().split("```").next().unwrap();
    questions.extend(block.lines());
    let script = "
import duckdb, os, sys
os.chdir(sys.argv[1])
for question in sys.argv[2:]:
    rows = duckdb.sql(question).fetchall()
    print(len(rows), *rows[0])
";
    let arguments: Vec<&str> =
        [folder.path().to_str().unwrap()].into_iter().chain(questions.iter().copied()).collect();
    let Some(ran) = python::run("duckdb", script, &arguments) else { return };
    let answers = ran.succeeded();
    let answers: Vec<&str> = answers.lines().collect();
    let sum: u64 = latencies.iter().sum();
    assert_eq!(answers[0], format!("1 275 {} {} {sum}", latencies[0], latencies[274]));
    assert_eq!(answers[1], "54 apic_register_write 5913");
    assert_eq!(answers.len(), questions.len());
}

#[test]
fn traces_of_the_corpus_are_in_all_tables() {
    let Some(corpus) = ringtrace_corpus::find_or_skip("qemu") else { return };
    for name in ["oddnames", "dropped-first", "toggled"] {
        let (trace, events) = (corpus.join(format!("{name}.bin")), Some(corpus.join("trace-events-all")));
        Recording { trace, events, description: Description::default(), is_filtered: false }.compare();
    }
}

#[test]
fn the_fast_path_writes_the_same_as_the_slow_path() {
    for recording in [Recording::of_export("everything"), Recording::of_export("far"), Recording::boot()] {
        let fast = Recording { description: Description::default(), ..recording };
        let by_lane = fast.exports();
        let slow = Recording { is_filtered: true, ..fast };
        let by_entry = slow.exports();
        for (one, other) in [(by_lane.csv, by_entry.csv), (by_lane.jsonl, by_entry.jsonl)] {
            assert!(fs::read(one).unwrap() == fs::read(other).unwrap(), "{}", slow.trace.display());
        }
    }
    let everything = Recording::of_export("everything");
    Recording { description: Description::default(), ..everything }.compare();
}

#[test]
fn jq_reads_each_line() {
    let Exports { jsonl, folder: _folder, .. } = Recording::of_export("everything").exports();
    let program = r#"[inputs | select(.row | not)] | length, (map(select(.cause).args.num_events_dropped) | add), (map(.args | length) | add)"#;
    let Ok(output) = Command::new("jq").args(["-n", program]).arg(&jsonl).output() else {
        return eprintln!("SKIPPED: no jq");
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let records = Recording::of_export("everything").reference();
    let records = records.iter().filter(|line| line["args"].is_object());
    let (count, arguments) =
        records.fold((0, 0), |(count, sum), line| (count + 1, sum + line["args"].as_object().unwrap().len()));
    let dropped: u64 = 20 + 300 + 4000 + (1 << 40);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{count}\n{dropped}\n{arguments}\n"));
}
