//! The JSON summary of a trace. `docs/info.md` describes every field.

use std::collections::BTreeMap;
use std::path::Path;

use crate::output::json_line;
use ringtrace_tracefile::Error as TraceError;
use ringtrace_tracefile::metadata::{self, Metadata};
use ringtrace_tracefile::summary::{self, EventName, MAX_DROPPED_KEPT};
use ringtrace_tracefile::{Compression, TraceFiles};
use serde::Serialize;

use super::{TraceInfo, wall_clock};
use crate::exit::{CliError, Exit};

pub fn render(trace: &TraceInfo) -> Result<String, CliError> {
    json_line(&Document::new(trace))
}

/// Renders the error of a trace that could not be opened.
pub fn render_failure(path: &Path, failure: &CliError) -> Result<String, CliError> {
    json_line(&Unopened {
        file: path.display().to_string(),
        damaged: failure.exit != Exit::System,
        failed: Problem {
            kind: if failure.exit == Exit::System { "system" } else { "not-a-trace" },
            record: None,
            offset_bytes: None,
            message: &failure.message,
            help: failure.help.as_deref(),
        },
    })
}

#[derive(Serialize)]
struct Unopened<'a> {
    file: String,
    damaged: bool,
    failed: Problem<'a>,
}

/// The files of a trace in a folder.
#[derive(Serialize)]
struct Files {
    count: usize,
    compressed: usize,
    first: String,
    last: String,
    /// The number of files that were removed before they could be read.
    removed: usize,
}

#[derive(Serialize)]
struct Document<'a> {
    file: &'a str,
    version: &'static str,
    byte_order: String,
    written_by: &'static str,
    header: Option<Header>,
    file_bytes: Option<u64>,
    compression: Option<&'static str>,
    /// Only for compact traces.
    #[serde(skip_serializing_if = "Option::is_none")]
    compact_bytes: Option<u64>,
    /// Only for compact traces.
    #[serde(skip_serializing_if = "Option::is_none")]
    uncompressed_bytes: Option<u64>,
    /// Only for folders.
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<Files>,
    read_bytes: u64,
    records: u64,
    mapping_records: u64,
    mapping_bytes: u64,
    smallest_ns: Option<u64>,
    largest_ns: Option<u64>,
    duration_ns: Option<u64>,
    smallest_utc: Option<String>,
    largest_utc: Option<String>,
    backwards: Backwards,
    dropped: Dropped,
    processes: Vec<Process>,
    other_process_records: u64,
    threads: Vec<Thread<'a>>,
    ended: Option<bool>,
    events: Vec<Event<'a>>,
    other_id_records: u64,
    other_id_bytes: u64,
    never_recorded: Vec<&'a str>,
    checked_records: Option<u64>,
    metadata: BTreeMap<&'a str, Vec<String>>,
    damaged: bool,
    complaints: Vec<AnomalyJson<'a>>,
    failed: Option<Problem<'a>>,
}

#[derive(Serialize)]
struct Header {
    header_bytes: usize,
    version_field: u64,
    pid: Option<u64>,
    timestamp_ns: Option<u64>,
}

#[derive(Serialize)]
struct Backwards {
    records: u64,
    after_dropped: u64,
    largest_ns: u64,
    first_record: Option<u64>,
    first_offset_bytes: Option<u64>,
}

#[derive(Serialize)]
struct Dropped {
    events: u64,
    #[serde(flatten)]
    causes: Causes,
    records: u64,
    bytes: u64,
    kept: Vec<DroppedRecord>,
    max_kept: usize,
}

#[derive(Serialize)]
struct Causes {
    dropped: u64,
    overwritten: u64,
    refused: u64,
}

#[derive(Serialize)]
struct DroppedRecord {
    record: u64,
    offset_bytes: u64,
    timestamp_ns: Option<u64>,
    after_ns: Option<u64>,
    events: u64,
    possible: bool,
    tid: Option<u32>,
    cause: Option<&'static str>,
}

#[derive(Serialize)]
struct Process {
    pid: u32,
    records: u64,
}

#[derive(Serialize)]
struct Thread<'a> {
    tid: u32,
    name: Option<&'a str>,
    records: u64,
    #[serde(flatten)]
    lost: Causes,
    total: Option<Total>,
}

#[derive(Serialize)]
struct Total {
    issued: u64,
    recorded: u64,
    #[serde(flatten)]
    lost: Causes,
}

#[derive(Serialize)]
struct Event<'a> {
    name: Option<&'a str>,
    id: Option<u64>,
    records: u64,
    bytes: u64,
    declared: bool,
}

#[derive(Serialize)]
struct AnomalyJson<'a> {
    kind: &'static str,
    count: u64,
    damage: bool,
    first: Vec<Problem<'a>>,
}

#[derive(Serialize)]
struct Problem<'a> {
    kind: &'static str,
    record: Option<u64>,
    offset_bytes: Option<u64>,
    message: &'a str,
    help: Option<&'a str>,
}

impl<'a> Problem<'a> {
    fn new(kind: &'static str, error: &'a TraceError) -> Problem<'a> {
        Problem {
            kind,
            record: error.record,
            offset_bytes: error.offset,
            message: &error.message,
            help: error.help.as_deref(),
        }
    }
}

impl<'a> Document<'a> {
    fn new(trace: &'a TraceInfo) -> Document<'a> {
        let TraceInfo { reader, summary, anchor, .. } = trace;
        let utc = |ns: Option<u64>| Some(wall_clock((*anchor)?, ns?));
        let smallest_ns = summary.span.map(|span| span.smallest_ns);
        let largest_ns = summary.span.map(|span| span.largest_ns);
        Document {
            file: reader.name(),
            version: reader.version().info().name,
            byte_order: reader.order().to_string(),
            written_by: trace.written_by(),
            header: reader.header().map(|header| Header {
                header_bytes: header.size,
                version_field: header.version_field,
                pid: header.pid,
                timestamp_ns: header.timestamp_ns,
            }),
            file_bytes: reader.file_bytes(),
            compression: reader.compression().map(Compression::name),
            compact_bytes: reader.compact_bytes(),
            uncompressed_bytes: reader.compact_bytes().map(|bytes| bytes + reader.saved_bytes()),
            files: reader.files().map(Files::new),
            read_bytes: summary.read_bytes,
            records: summary.records,
            mapping_records: summary.mappings.records,
            mapping_bytes: summary.mappings.bytes,
            smallest_ns,
            largest_ns,
            duration_ns: summary.span.map(|span| span.duration_ns()),
            smallest_utc: utc(smallest_ns),
            largest_utc: utc(largest_ns),
            backwards: Backwards {
                records: summary.backwards.records,
                after_dropped: summary.backwards.after_dropped,
                largest_ns: summary.backwards.largest_ns,
                first_record: summary.backwards.first.map(|place| place.record),
                first_offset_bytes: summary.backwards.first.map(|place| place.offset),
            },
            dropped: Dropped::new(&summary.dropped),
            processes: summary
                .processes
                .iter()
                .map(|process| Process { pid: process.pid, records: process.records })
                .collect(),
            other_process_records: summary.other_processes,
            threads: summary.threads.iter().map(Thread::new).collect(),
            ended: summary.ended,
            events: summary.occurred().map(Event::new).collect(),
            other_id_records: summary.other_ids.records,
            other_id_bytes: summary.other_ids.bytes,
            never_recorded: summary.never_occurred().collect(),
            checked_records: summary.checked,
            metadata: values_by_key(reader.metadata()),
            damaged: summary.is_damaged(),
            complaints: summary
                .anomalies
                .iter()
                .map(|(anomaly, count, kept)| AnomalyJson {
                    kind: anomaly.name(),
                    count,
                    damage: anomaly.is_damage(),
                    first: kept.iter().map(|error| Problem::new(anomaly.name(), error)).collect(),
                })
                .collect(),
            failed: summary.failed.as_ref().map(|failed| {
                Problem::new(
                    if failed.kind() == ringtrace_tracefile::ErrorKind::System {
                        "system"
                    } else {
                        "unreadable"
                    },
                    failed,
                )
            }),
        }
    }
}

impl Files {
    fn new(files: &TraceFiles) -> Files {
        let mut paths = files.paths().map(|path| path.display().to_string());
        let count = paths.len();
        let first = paths.next().unwrap_or_default();
        let last = paths.next_back().unwrap_or_else(|| first.clone());
        Files { count, compressed: files.compressed(), first, last, removed: files.removed().len() }
    }
}

impl Causes {
    fn new(causes: ringtrace_tracefile::Causes) -> Causes {
        let ringtrace_tracefile::Causes { dropped, overwritten, refused } = causes;
        Causes { dropped, overwritten, refused }
    }
}

impl<'a> Thread<'a> {
    fn new(thread: &'a summary::Thread) -> Thread<'a> {
        let total = |total: metadata::Total| {
            let metadata::Total { issued, recorded, dropped, overwritten, refused, .. } = total;
            Total { issued, recorded, lost: Causes { dropped, overwritten, refused } }
        };
        Thread {
            tid: thread.tid,
            name: thread.name.as_deref(),
            records: thread.records,
            lost: Causes::new(thread.lost),
            total: thread.total.map(total),
        }
    }
}

impl Dropped {
    fn new(dropped: &summary::Dropped) -> Dropped {
        Dropped {
            events: dropped.events,
            causes: Causes::new(dropped.causes),
            records: dropped.records,
            bytes: dropped.bytes,
            kept: dropped
                .kept
                .iter()
                .map(|one| DroppedRecord {
                    record: one.place.record,
                    offset_bytes: one.place.offset,
                    timestamp_ns: one.timestamp_ns,
                    after_ns: one.after_ns,
                    events: one.events,
                    possible: one.possible,
                    tid: one.lost.map(|lost| lost.tid),
                    cause: one.lost.map(|lost| lost.cause.word()),
                })
                .collect(),
            max_kept: MAX_DROPPED_KEPT,
        }
    }
}

impl<'a> Event<'a> {
    fn new(event: &'a summary::EventCount) -> Event<'a> {
        let (name, id) = match &event.name {
            EventName::Name(name) => (Some(&**name), None),
            EventName::Id(id) => (None, Some(*id)),
        };
        Event { name, id, records: event.count.records, bytes: event.count.bytes, declared: event.declared }
    }
}

/// Groups metadata by key. Omits declarations, threads and losses, because other members contain
/// them.
fn values_by_key(pieces: &[Metadata]) -> BTreeMap<&str, Vec<String>> {
    let mut all: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for piece in pieces {
        let (key, value) = match piece {
            Metadata::Version(version) => ("version", version.to_string()),
            Metadata::Anchor(anchor) => ("anchor", format!("{} {}", anchor.monotonic_ns, anchor.realtime_ns)),
            Metadata::Other(key, value) => (key.as_str(), String::from_utf8_lossy(value).into_owned()),
            Metadata::Paused(time_ns) => ("paused", time_ns.to_string()),
            Metadata::Resumed(time_ns) => ("resumed", time_ns.to_string()),
            Metadata::Declaration(_)
            | Metadata::Thread(..)
            | Metadata::Lost(_)
            | Metadata::Total(_)
            | Metadata::Module(_) => {
                continue;
            }
        };
        all.entry(key).or_default().push(value);
    }
    all
}
