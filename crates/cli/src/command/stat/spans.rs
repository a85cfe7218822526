//! Latencies by the value of an argument, and the slowest spans with their records.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::convert::Infallible;

use ringtrace_display::Table;
use ringtrace_report::{ShownRecord, SlowSpan, SlowestSpans};
use ringtrace_tracefile::pair::{Description, PairError, SpanEvent, SpanTracker};
use ringtrace_tracefile::statistics::{GroupBy, GroupIndex, Grouping, Label, Sketch};
use ringtrace_tracefile::{
    CountedSpans, Entry, EventRange, Flow, OrdinaryRecords, Schema, Schemas, Traces, Visitor,
};
use ringtrace_wire::simpletrace::Record;
use serde::Serialize;

use super::groups::{
    DEFAULT_TOP, Named, check_known, in_order, json_key, label_text, thread_name, trace_name,
};
use super::{Arguments, By, Distribution, Order, Side, push_durations};
use crate::exit::CliError;
use crate::quantity::{self, Units, counted, seconds_from};
use crate::terminal::Terminal;

/// Latencies by group, and the slowest spans of each pair.
pub struct SpanStatistics {
    tracker: SpanTracker,
    by: Option<(By, Grouping)>,
    /// By pair.
    latencies: Vec<GroupLatencies>,
    slowest: Option<SlowestSpans>,
}

/// The latencies of a pair's spans.
#[derive(Debug, Default)]
struct GroupLatencies {
    /// By group number.
    by_group: BTreeMap<usize, Sketch>,
    other: Sketch,
    without: u64,
}

impl SpanStatistics {
    pub fn new(
        description: Description,
        max_open: usize,
        arguments: &Arguments,
        traces: &Traces,
    ) -> SpanStatistics {
        let pairs = description.pairs.len();
        // Counters are not measured.
        let description = Description { counters: Vec::new(), ..description };
        let origins = &traces.aligned().origins;
        let grouping = |by: &By| Grouping::new(by.by.clone(), arguments.max_groups).with_origins(origins);
        SpanStatistics {
            tracker: SpanTracker::with_max_open(description, max_open).keep_begins(true),
            by: arguments.by.as_ref().map(|by| (by.clone(), grouping(by))),
            latencies: (0..pairs).map(|_| GroupLatencies::default()).collect(),
            slowest: arguments.slowest.map(|limit| SlowestSpans::new(pairs, limit)),
        }
    }

    /// Counts all entries of `traces`.
    pub fn read(&mut self, traces: &mut Traces) -> Result<CountedSpans, CliError> {
        let mut counting = Counting { statistics: self, range: EventRange::default(), error: None };
        let failed = traces.for_each(&mut counting).err().unwrap_or_default();
        match counting {
            Counting { error: Some(error), .. } => Err(error.into()),
            Counting { range, .. } => Ok(CountedSpans { range, failed }),
        }
    }

    pub fn tracker(&self) -> &SpanTracker {
        &self.tracker
    }

    pub fn bind(&mut self, declared: &[&Schemas]) -> Result<(), CliError> {
        self.tracker.bind(declared).map_err(CliError::from)
    }

    /// Fails if `--by` selects an argument that no event has.
    pub fn check_by(&self, traces: &Traces) -> Result<(), CliError> {
        match &self.by {
            Some((By { by: GroupBy::Argument(name), .. }, _)) => check_known("--by", name, traces),
            _ => Ok(()),
        }
    }

    /// Returns the groups of a pair in the order of `--order`, and the number of groups that are
    /// not shown.
    fn groups(&self, pair: usize, arguments: &Arguments) -> (Vec<(&Label, &Sketch)>, u64) {
        let Some((_, grouping)) = &self.by else { return (Vec::new(), 0) };
        let label = |(&group, latencies)| Some((grouping.labels().get(group)?, latencies));
        let mut groups: Vec<(&Label, &Sketch)> =
            self.latencies[pair].by_group.iter().filter_map(label).collect();
        groups.sort_by(|(a, _), (b, _)| in_order(a, b));
        if arguments.order != Some(Order::Name) {
            groups.sort_by_cached_key(|(_, latencies)| Reverse(latencies.count()));
        }
        let all = groups.len();
        match arguments.top.unwrap_or(if arguments.json { 0 } else { DEFAULT_TOP }) {
            0 => {}
            top => groups.truncate(top),
        }
        let hidden = (all - groups.len()) as u64;
        (groups, hidden)
    }

    /// Appends a table of the latencies of each group.
    pub fn render_groups(
        &self,
        pair: usize,
        arguments: &Arguments,
        traces: &Traces,
        terminal: &Terminal,
        out: &mut String,
    ) {
        let Some((by, _)) = &self.by else { return };
        let (mut groups, hidden) = self.groups(pair, arguments);
        let GroupLatencies { other, without, .. } = &self.latencies[pair];
        if other.count() > 0 {
            groups.push((&Label::Other, other));
        }
        if !groups.is_empty() {
            let by = by.to_string().to_uppercase();
            let mut table = Table::new(by);
            table.column(
                "MATCHED",
                0,
                groups.iter().map(|(_, latencies)| quantity::count(latencies.count())),
            );
            let headings =
                [("MIN", 2), ("P50", 0), ("P90", 1), ("P99", 0), ("P99.9", 3), ("MAX", 0), ("MEAN", 4)];
            push_durations(&mut table, headings, &groups.iter().map(|(_, latencies)| *latencies), terminal);
            table.names(groups.iter().map(|(label, _)| label_text(label, traces)));
            terminal.table(&table, out);
        }
        if hidden > 0 {
            let rows = counted(hidden, "row", "rows");
            out.push_str(&format!("{rows} not shown: --top 0 shows all.\n"));
        }
        if *without > 0 {
            let spans = counted(*without, "span has", "spans have");
            let what = match &by.by {
                GroupBy::Tid | GroupBy::Thread => {
                    "no thread: only traces from ringtrace's runtime contain threads".to_owned()
                }
                GroupBy::Host => "no machine: their traces do not contain its name".to_owned(),
                GroupBy::Argument(name) => match by.side {
                    None => format!("no argument `{name}`, neither in the begin event nor in the end event"),
                    Some(Side::Begin) => format!("no argument `{name}` in the begin event"),
                    Some(Side::End) => format!("no argument `{name}` in the end event"),
                },
                by => format!("no {by}"),
            };
            out.push_str(&terminal.fold(&format!("{spans} {what}.")));
        }
        if !groups.is_empty() || *without > 0 {
            out.push('\n');
        }
    }

    /// Appends the slowest spans of a pair, with their records.
    pub fn render_slowest(
        &self,
        pair: usize,
        origin_ns: u64,
        traces: &Traces,
        terminal: &Terminal,
        out: &mut String,
    ) {
        let Some(slowest) = &self.slowest else { return };
        let units = Units::new(terminal.unicode);
        for (number, slow) in slowest.of(pair).iter().enumerate() {
            let Some(begin) = slow.records.first() else { continue };
            let latency = units.duration(slow.latency_ns);
            let at = seconds_from(origin_ns, begin.timestamp_ns);
            let title = terminal.paint("1", &format!("Slowest {}: {latency}", number + 1));
            out.push_str(&format!("{title}, from {at}\n"));
            render_records(slow, traces, units, out);
            out.push('\n');
        }
    }

    /// Returns the groups and the slowest spans of a pair, for JSON.
    pub fn document(&self, pair: usize, arguments: &Arguments, traces: &Traces) -> SpansDocument {
        let row = |(label, latencies): (&Label, &Sketch)| GroupDocument {
            label: Named::new(label),
            thread_name: thread_name(label, traces).map(str::to_owned),
            trace: trace_name(label, traces).map(str::to_owned),
            latencies: Distribution::of(latencies),
        };
        let (groups, _) = self.groups(pair, arguments);
        let GroupLatencies { other, without, .. } = &self.latencies[pair];
        let by = self.by.as_ref().map(|(by, grouping)| ByDocument {
            by: by.to_string(),
            max_groups: grouping.max_groups(),
            matched_without: *without,
            other: (other.count() > 0).then(|| row((&Label::Other, other))),
            groups: groups.into_iter().map(row).collect(),
        });
        let slowest = self.slowest.as_ref();
        SpansDocument {
            by,
            slowest: slowest.map(|slowest| slowest.of(pair).iter().map(SlowDocument::new).collect()),
        }
    }
}

/// Counts the entries of traces.
struct Counting<'s> {
    statistics: &'s mut SpanStatistics,
    range: EventRange,
    error: Option<PairError>,
}

impl Counting<'_> {
    /// Counts `record`, the next one of `records`, without creating its entry. Returns false if it must be passed to
    /// [`Counting::entry`] instead.
    #[inline(always)]
    fn count_fast<'w>(
        &mut self,
        records: &OrdinaryRecords<'w>,
        record: &Record<'w>,
        schema_index: u32,
    ) -> bool {
        let SpanStatistics { tracker, by, latencies, slowest } = &mut *self.statistics;
        let is_counted = if tracker.concerns(schema_index) {
            tracker.follow_ordinary(records, record, schema_index, |ended| {
                let span = ended.span;
                let is_wanted =
                    slowest.as_ref().is_some_and(|it| it.wants(span, ended.begin_ns, ended.end_ns));
                if by.is_some() || is_wanted {
                    ended.visit_records(|begin, end| {
                        count_event(by, latencies, slowest, &SpanEvent::End { span, begin }, end);
                    });
                }
            })
        } else {
            schema_index != Schema::DROPPED && records.schemas().get(schema_index).fits(record.payload)
        };
        if is_counted {
            self.range.add(record.timestamp_ns);
        }
        is_counted
    }
}

impl Visitor for Counting<'_> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.range.count(entry);
        let SpanStatistics { tracker, by, latencies, slowest } = &mut *self.statistics;
        let followed = tracker.follow(entry, |event, _| -> Result<(), Infallible> {
            count_event(by, latencies, slowest, event, entry);
            Ok(())
        });
        self.error = followed.err();
        if self.error.is_none() { Flow::Continue } else { Flow::Stop }
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        records
            .skip_while_next(|records, record, schema_index| self.count_fast(records, record, schema_index));
        Flow::Continue
    }
}

/// Counts a span event of `entry`.
fn count_event(
    by: &mut Option<(By, Grouping)>,
    latencies: &mut [GroupLatencies],
    slowest: &mut Option<SlowestSpans>,
    event: &SpanEvent<'_>,
    entry: &Entry<'_>,
) {
    if let Some(slowest) = slowest {
        slowest.follow(event, entry);
    }
    let (Some((by, grouping)), SpanEvent::End { span, begin }) = (by, event) else { return };
    let Some(latency_ns) = entry.timestamp_ns.checked_sub(begin.timestamp_ns) else { return };
    let latencies = &mut latencies[span.pair];
    match group_of(by, grouping, begin, entry) {
        GroupIndex::At(group) => latencies.by_group.entry(group).or_default().add(latency_ns),
        GroupIndex::Other => latencies.other.add(latency_ns),
        GroupIndex::Without => latencies.without += 1,
    }
}

/// Returns the group of a span. An argument is taken from the end event, or from the begin event if
/// the end event does not have it. Other properties are taken from the begin event.
fn group_of(by: &By, grouping: &mut Grouping, begin: &Entry<'_>, end: &Entry<'_>) -> GroupIndex {
    match (&by.by, by.side) {
        (GroupBy::Argument(_), None) => match grouping.group_of(end) {
            GroupIndex::Without => grouping.group_of(begin),
            found => found,
        },
        (_, Some(Side::End)) => grouping.group_of(end),
        (_, Some(Side::Begin) | None) => grouping.group_of(begin),
    }
}

fn render_records(slow: &SlowSpan, traces: &Traces, units: Units, out: &mut String) {
    let begin_ns = slow.records.first().map_or(0, |begin| begin.timestamp_ns);
    let first = slow.records.first().map(|begin| (begin.trace, begin.pid, begin.tid));
    let is_one_thread =
        slow.records.iter().all(|record| Some((record.trace, record.pid, record.tid)) == first);
    let after: Vec<String> = slow
        .records
        .iter()
        .map(|record| match record.timestamp_ns.checked_sub(begin_ns) {
            Some(ns) => format!("+{}", units.duration(ns)),
            None => format!("-{}", units.duration(begin_ns - record.timestamp_ns)),
        })
        .collect();
    let width = after.iter().map(|after| after.chars().count()).max().unwrap_or(0);
    for (index, (record, after)) in slow.records.iter().zip(&after).enumerate() {
        if index + 1 == slow.records.len() && slow.steps_omitted > 0 {
            let more = counted(slow.steps_omitted, "more step", "more steps");
            out.push_str(&format!("  {:>width$}  ({more})\n", ""));
        }
        out.push_str(&format!("  {after:>width$}  {}", record.event));
        // The first line names the thread; others only if there are several.
        if index == 0 || !is_one_thread {
            out.push_str(&thread_text(record, traces));
        }
        for (name, value) in &record.arguments {
            out.push_str(&format!(" {name}={value}"));
        }
        out.push('\n');
    }
}

fn thread_text(record: &ShownRecord, traces: &Traces) -> String {
    match record.tid {
        None => format!(" pid={}", record.pid),
        Some(tid) => match traces.thread_name(record.trace, tid) {
            Some(name) => {
                format!(" pid={} tid={tid} ({})", record.pid, ringtrace_events::message::visible::text(name))
            }
            None => format!(" pid={} tid={tid}", record.pid),
        },
    }
}

/// Additional members of a pair. `docs/stat.md` describes the fields.
#[derive(Serialize)]
pub struct SpansDocument {
    #[serde(flatten)]
    by: Option<ByDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slowest: Option<Vec<SlowDocument>>,
}

#[derive(Serialize)]
struct ByDocument {
    by: String,
    max_groups: usize,
    matched_without: u64,
    other: Option<GroupDocument>,
    groups: Vec<GroupDocument>,
}

#[derive(Serialize)]
struct GroupDocument {
    #[serde(flatten)]
    label: Option<Named>,
    #[serde(rename = "thread", skip_serializing_if = "Option::is_none")]
    thread_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<String>,
    latencies: Distribution,
}

#[derive(Serialize)]
struct SlowDocument {
    latency_ns: u64,
    steps_omitted: u64,
    records: Vec<RecordDocument>,
}

#[derive(Serialize)]
struct RecordDocument {
    event: String,
    timestamp_ns: u64,
    pid: u32,
    tid: Option<u32>,
    args: serde_json::Map<String, serde_json::Value>,
}

impl SlowDocument {
    fn new(slow: &SlowSpan) -> SlowDocument {
        let record = |record: &ShownRecord| RecordDocument {
            event: record.event.clone(),
            timestamp_ns: record.timestamp_ns,
            pid: record.pid,
            tid: record.tid,
            args: record.arguments.iter().map(|(name, value)| (name.clone(), json_key(value))).collect(),
        };
        SlowDocument {
            latency_ns: slow.latency_ns,
            steps_omitted: slow.steps_omitted,
            records: slow.records.iter().map(record).collect(),
        }
    }
}
