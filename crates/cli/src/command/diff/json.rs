//! JSON output. docs/diff.md describes each member.

use crate::output::json_pretty;
use ringtrace_report::diff::{Change, Difference, Finding, Measure, Subject};
use ringtrace_tracefile::Pause;
use ringtrace_tracefile::statistics::Sketch;
use serde::Serialize;

use super::Side;
use crate::exit::CliError;

/// The version of the format. It is increased when a member is removed or its meaning changes.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'d> {
    version: u32,
    level: f64,
    threshold: f64,
    whole: bool,
    absolute: bool,
    questions: usize,
    pace: f64,
    overall_pace: Option<f64>,
    lossy: [f64; 2],
    rates_compared: bool,
    machine: f64,
    span_ns: u64,
    recordings: Vec<RecordingJson>,
    findings: Vec<FindingJson<'d>>,
    consequences: Vec<FindingJson<'d>>,
    events: Vec<Event<'d>>,
    pairs: Vec<Pair<'d>>,
}

#[derive(Serialize)]
struct RecordingJson {
    trace: String,
    events: u64,
    span_ns: u64,
    dropped_records: u64,
    dropped: u64,
    overwritten: u64,
    refused: u64,
    pauses: usize,
    paused_ns: u64,
}

#[derive(Serialize)]
struct FindingJson<'d> {
    change: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'d str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pair: Option<&'d str>,
    factor: Option<f64>,
    p: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    follows: Option<&'d str>,
}

#[derive(Serialize)]
struct Event<'d> {
    event: &'d str,
    counts: [u64; 2],
    per_s: [Option<f64>; 2],
    p: Option<f64>,
}

#[derive(Serialize)]
struct Pair<'d> {
    pair: &'d str,
    doubtful: [u64; 2],
    latencies: [Latencies; 2],
    levels: Vec<Level>,
}

#[derive(Serialize)]
struct Latencies {
    count: u64,
    min_ns: Option<u64>,
    mean_ns: Option<u64>,
    max_ns: Option<u64>,
}

#[derive(Serialize)]
struct Level {
    measure: &'static str,
    percentile: Option<f64>,
    machine: f64,
    latency_ns: [u64; 2],
    factor: f64,
    threshold: f64,
    p: f64,
}

pub fn render(difference: &Difference, sides: &[Side; 2]) -> Result<String, CliError> {
    let document = Document {
        version: VERSION,
        level: difference.settings.level,
        threshold: difference.settings.threshold,
        whole: difference.settings.whole,
        absolute: difference.settings.absolute,
        questions: difference.comparisons,
        pace: difference.pace,
        overall_pace: difference.overall_pace,
        lossy: difference.lossy,
        rates_compared: difference.compares_rates(),
        machine: difference.machine,
        span_ns: difference.span_ns,
        recordings: sides.iter().map(recorded).collect(),
        findings: difference.findings.iter().map(|finding| found(finding, None, difference)).collect(),
        consequences: (difference.consequences.iter())
            .map(|(finding, of)| found(finding, Some(*of), difference))
            .collect(),
        events: (difference.events.iter())
            .map(|event| Event { event: &event.name, counts: event.counts, per_s: event.per_s, p: event.p })
            .collect(),
        pairs: (difference.pairs.iter())
            .map(|pair| Pair {
                pair: &pair.name,
                doubtful: pair.doubtful,
                latencies: pair.latencies.each_ref().map(latencies),
                levels: (pair.levels.iter())
                    .map(|level| Level {
                        measure: if level.what == Measure::Mean { "mean" } else { "percentile" },
                        percentile: match level.what {
                            Measure::Mean => None,
                            Measure::Percentile(hundredths) => Some(f64::from(hundredths) / 100.0),
                        },
                        machine: level.machine,
                        latency_ns: level.latency_ns,
                        factor: level.factor(),
                        threshold: level.threshold,
                        p: level.p,
                    })
                    .collect(),
            })
            .collect(),
    };
    json_pretty(&document)
}

fn recorded(side: &Side) -> RecordingJson {
    let recording = &side.recording;
    let dropped = recording.dropped();
    RecordingJson {
        trace: side.name.clone(),
        events: recording.events(),
        span_ns: recording.span_ns(),
        dropped_records: dropped.records,
        dropped: dropped.causes.dropped,
        overwritten: dropped.causes.overwritten,
        refused: dropped.causes.refused,
        pauses: recording.pauses().len(),
        paused_ns: recording.pauses().iter().map(Pause::duration_ns).fold(0, u64::saturating_add),
    }
}

fn found<'d>(finding: &Finding, follows: Option<Subject>, difference: &'d Difference) -> FindingJson<'d> {
    let name = |of: Subject| match of {
        Subject::Event(index) => &*difference.events[index].name,
        Subject::Pair(index) => &*difference.pairs[index].name,
    };
    let (event, pair) = match finding.subject {
        of @ Subject::Event(_) => (Some(name(of)), None),
        of @ Subject::Pair(_) => (None, Some(name(of))),
    };
    let follows = follows.map(name);
    let change = match finding.change {
        Change::Appeared => "appeared",
        Change::Vanished => "vanished",
        Change::MoreOften => "more_often",
        Change::LessOften => "less_often",
        Change::Slower => "slower",
        Change::Faster => "faster",
    };
    let factor = finding.factor.filter(|factor| factor.is_finite());
    FindingJson { change, event, pair, factor, p: finding.p, follows }
}

fn latencies(sketch: &Sketch) -> Latencies {
    Latencies { count: sketch.count(), min_ns: sketch.min(), mean_ns: sketch.mean(), max_ns: sketch.max() }
}
