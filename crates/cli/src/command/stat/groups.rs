//! Counts and gaps by event, process, thread or value of an argument.

use std::cmp::{Ordering, Reverse};

use crate::output::json_pretty;
use ringtrace_events::CType;
use ringtrace_events::message::visible;
use ringtrace_tracefile::key::Key;
use ringtrace_tracefile::statistics::{Group, GroupBy, Label, Sketch, Statistics};
use ringtrace_tracefile::{Entry, Error, Flow, Needs, OrdinaryRecords, Traces, Visitor, count_traces};
use serde::Serialize;
use serde_json::Value;

use super::arguments::{MeasuredArguments, NumbersDocument};
use super::pairs::{PairDocument, SpansByName};
use super::{
    Arguments, By, Distribution, Order, Paused, declares_any, error_percent, needs_origins,
    print_and_conclude, push_durations, push_losses,
};
use crate::exit::{CliError, Exit, did_you_mean};
use crate::pair_arguments::known;
use crate::progress::Progress;
use crate::quantity::{self, Units, counted};
use crate::reading::{OpenTraces, ReadOutcome, arguments_unknown};
use crate::terminal::Terminal;
use crate::values::thread_count;
use ringtrace_display::Table;

/// The number of rows if `--top` is not given.
pub const DEFAULT_TOP: usize = 100;

pub fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    let by = match &arguments.by {
        None => GroupBy::Event,
        Some(By { side: None, by }) => by.clone(),
        Some(by) => {
            return Err(CliError::usage(format!(
                "--by {by}: the prefixes `begin.` and `end.` need --pair or --pairs"
            ))
            .help("to group events by the argument, leave out the prefix"));
        }
    };
    let measured = MeasuredArguments::new(arguments);
    let open = arguments.read.open(&arguments.read.options_for_names()?, terminal)?;
    let again = open.again();
    let mut counted = count(arguments, open, (&by, &measured), again.is_none(), terminal)?;
    if let Some(open) = again
        && !counted.spans.are_all(&counted.traces, counted.failed.is_empty())
    {
        // Most traces declare their spans before the first event, or have none. Only for others, count again.
        counted = count(arguments, open, (&by, &measured), true, terminal)?;
    }
    let Counted { traces, statistics, spans, failed } = counted;
    let mut rows: Vec<&Group> = statistics.groups().iter().collect();
    let order = arguments.order.unwrap_or(Order::Count);
    put_in_order(&mut rows, order);
    let all_rows = rows.len();
    let default = if arguments.json { 0 } else { DEFAULT_TOP };
    match arguments.top.unwrap_or(default) {
        0 => {}
        _ if !measured.names().is_empty() && !arguments.json => {}
        top => rows.truncate(top),
    }
    let text = if arguments.json {
        let document = Document::new(&statistics, &rows, &measured, &traces);
        json_pretty(&Document { pairs: spans.documents(), ..document })?
    } else if !measured.names().is_empty() && statistics.all().count() > 0 {
        let mut out = summary(&statistics, all_rows, Units::new(terminal.unicode));
        push_losses(statistics.dropped(), failed.is_empty(), &traces, terminal, &mut out);
        measured.render(&statistics, &rows, arguments, &traces, terminal, &mut out);
        out
    } else if failed.is_empty() || statistics.all().count() > 0 {
        let counts = render(&statistics, &rows, all_rows, order, failed.is_empty(), &traces, terminal);
        counts + &spans.render(terminal)
    } else {
        String::new()
    };
    let outcome = ReadOutcome { failed, dropped: statistics.dropped(), is_partial: false };
    print_and_conclude(&text, &traces, outcome, arguments, terminal)
}

/// The counts of traces, with the errors for those that could not be read to their ends.
struct Counted {
    traces: Traces,
    statistics: Statistics,
    spans: SpansByName,
    failed: Vec<Error>,
}

/// Counts the events of `open`, and their spans. `reads_ahead` is for [`SpansByName::new`].
fn count(
    arguments: &Arguments,
    open: OpenTraces,
    (by, measured): (&GroupBy, &MeasuredArguments),
    reads_ahead: bool,
    terminal: &Terminal,
) -> Result<Counted, CliError> {
    let progress = Progress::watch(&open.readers, false, terminal);
    let mut traces = arguments.read.gather_with(open, Needs::default(), needs_origins(arguments))?;
    traces.decode_ahead(thread_count(arguments.threads) > 1);
    let check = |traces: &Traces| {
        check_argument(by, traces)?;
        measured.check(traces)
    };
    if declares_any(&traces) {
        check(&traces)?;
    }
    let mut statistics = Statistics::new(by.clone(), arguments.max_groups)
        .with_origins(&traces.aligned().origins)
        .measuring(measured.names().to_vec());
    let mut spans = SpansByName::new(arguments, &traces, reads_ahead)?;
    let read = if spans.are_found() {
        let mut counting = Counting { statistics: &mut statistics, spans: &mut spans, fits: Ok(()) };
        let read = traces.for_each(&mut counting).map(|_| ());
        counting.fits?;
        read
    } else {
        count_traces(&mut traces, &mut statistics, thread_count(arguments.threads))
    };
    drop(progress);
    let failed = read.err().unwrap_or_default();
    if failed.is_empty() && traces.missing().is_none() {
        check(&traces)?;
    }
    Ok(Counted { traces, statistics, spans, failed })
}

/// Counts entries, and the spans that are recognized by the names of events.
struct Counting<'s> {
    statistics: &'s mut Statistics,
    spans: &'s mut SpansByName,
    fits: Result<(), CliError>,
}

impl Visitor for Counting<'_> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.statistics.count(entry);
        self.fits = self.spans.count(entry);
        if self.fits.is_ok() { Flow::Continue } else { Flow::Stop }
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        self.statistics.count_records(records, |schema_index| self.spans.concern(schema_index));
        Flow::Continue
    }
}

/// Fails if the traces are grouped by an argument that no event has.
pub fn check_argument(by: &GroupBy, traces: &Traces) -> Result<(), CliError> {
    let GroupBy::Argument(name) = by else { return Ok(()) };
    check_known("--by", name, traces)
}

/// Fails if no event has the argument `name`, which `option` selects.
pub fn check_known(option: &str, name: &str, traces: &Traces) -> Result<(), CliError> {
    let schemas = known(traces);
    let arguments =
        || schemas.iter().flat_map(|schemas| schemas.all()).flat_map(|(_, schema)| &schema.arguments);
    if arguments().any(|argument| *argument.name == *name) {
        return Ok(());
    }
    Err(CliError::usage(format!("{option} {name}: no event has an argument `{name}`"))
        .maybe_help(arguments_unknown(traces))
        .maybe_help(did_you_mean(name, arguments().map(|argument| argument.name.as_str()))))
}

/// Compares labels for `--order name`.
pub fn in_order(a: &Label, b: &Label) -> Ordering {
    match (a, b) {
        (
            Label::Value(Key::Integer { bits: a, ctype: of_a }),
            Label::Value(Key::Integer { bits: b, ctype: of_b }),
        ) => match (of_a, of_b) {
            (CType::Double, CType::Double) => f64::from_bits(*a).total_cmp(&f64::from_bits(*b)),
            _ => of_a.number(*a).cmp(&of_b.number(*b)),
        },
        (
            Label::Pid { trace: of_a, pid: a } | Label::Tid { trace: of_a, tid: a },
            Label::Pid { trace: of_b, pid: b } | Label::Tid { trace: of_b, tid: b },
        ) => (a, of_a).cmp(&(b, of_b)),
        (Label::Trace(a), Label::Trace(b)) => a.cmp(b),
        (a, b) => (a.to_string(), a.trace()).cmp(&(b.to_string(), b.trace())),
    }
}

fn put_in_order(rows: &mut [&Group], order: Order) {
    // Sort by name first: the later sorts are stable.
    rows.sort_by(|a, b| in_order(a.label(), b.label()));
    match order {
        Order::Name => {}
        Order::Count => rows.sort_by_key(|group| Reverse(group.count())),
        Order::Gap => rows.sort_by_key(|group| Reverse(group.gaps().max())),
        Order::Rate => rows.sort_by(|a, b| rate(b).unwrap_or(0.0).total_cmp(&rate(a).unwrap_or(0.0))),
    }
}

/// Returns the group's event rate between its first and its last event, per second. Returns `None`
/// if the group has only one event, or if all its events have the same timestamp.
fn rate(group: &Group) -> Option<f64> {
    let steps = group.count().checked_sub(1).filter(|&steps| steps > 0)?;
    (group.span_ns() > 0).then(|| steps as f64 * 1e9 / group.span_ns() as f64)
}

/// Returns the group's events per second over the time span of all events, as shown by `info`.
fn per_second(group: &Group, all: &Group) -> Option<f64> {
    (all.span_ns() > 0).then(|| group.count() as f64 * 1e9 / all.span_ns() as f64)
}

fn render(
    statistics: &Statistics,
    rows: &[&Group],
    all_rows: usize,
    order: Order,
    is_whole: bool,
    traces: &Traces,
    terminal: &Terminal,
) -> String {
    let mut out = summary(statistics, all_rows, Units::new(terminal.unicode));
    push_losses(statistics.dropped(), is_whole, traces, terminal, &mut out);
    if all_rows > 0 || statistics.other().count() > 0 {
        out.push('\n');
        render_table(statistics, rows, all_rows, order, traces, terminal, &mut out);
        out.push('\n');
    }
    for note in notes(statistics, rows.len(), all_rows, order, terminal) {
        out.push_str(&terminal.fold(&note));
    }
    out
}

fn summary(statistics: &Statistics, rows: usize, units: Units) -> String {
    let all = statistics.all();
    let events = counted(all.count(), "event", "events");
    let at_least = if statistics.other().count() > 0 { "more than " } else { "" };
    let rows = rows as u64;
    let what = match statistics.by() {
        GroupBy::Event => format!("of {at_least}{}", counted(rows, "kind", "kinds")),
        GroupBy::Pid => format!("of {at_least}{}", counted(rows, "process", "processes")),
        GroupBy::Tid => format!("of {at_least}{}", counted(rows, "thread", "threads")),
        GroupBy::Thread => {
            format!("from threads with {at_least}{}", counted(rows, "name", "different names"))
        }
        GroupBy::Host => format!("of {at_least}{}", counted(rows, "machine", "machines")),
        GroupBy::Trace => format!("of {at_least}{}", counted(rows, "trace", "traces")),
        GroupBy::Argument(name) => {
            format!("with {at_least}{} of `{name}`", counted(rows, "value", "values"))
        }
    };
    match per_second(all, all) {
        _ if all.count() == 0 => "No events.\n".to_owned(),
        Some(rate) => {
            let span = units.duration(all.span_ns());
            format!("{events} {what} in {span}, {} per second.\n", quantity::per_second(rate))
        }
        None => format!("{events} {what}.\n"),
    }
}

/// Returns the heading of the rows' labels.
pub fn heading(by: &GroupBy) -> &'static str {
    match by {
        GroupBy::Event => "EVENT",
        GroupBy::Pid => "PID",
        GroupBy::Tid | GroupBy::Thread => "THREAD",
        GroupBy::Host => "HOST",
        GroupBy::Trace => "TRACE",
        GroupBy::Argument(_) => "VALUE",
    }
}

/// Returns the text of a row's label, with the name of its thread. If there are several traces, the
/// labels of processes and threads contain the trace.
pub fn label_text(label: &Label, traces: &Traces) -> String {
    let text = match (label, thread_name(label, traces)) {
        (Label::Tid { tid, .. }, Some(name)) => format!("{tid} {}", visible::text(name)),
        (Label::Thread { name, .. } | Label::Host(name), _) => visible::text(name),
        (label, _) => label.to_string(),
    };
    match trace_name(label, traces) {
        Some(trace) if matches!(label, Label::Trace(_)) => visible::text(trace),
        Some(trace) => format!("{text} ({})", visible::text(trace)),
        None => text,
    }
}

/// Returns the name of a row's trace, unless there is only one and the row is not for it.
pub fn trace_name<'t>(label: &Label, traces: &'t Traces) -> Option<&'t str> {
    let origins = &traces.aligned().origins;
    let trace = label.trace().filter(|_| origins.len() > 1 || matches!(label, Label::Trace(_)))?;
    origins.get(trace as usize).map(|origin| &*origin.name)
}

fn render_table(
    statistics: &Statistics,
    rows: &[&Group],
    all_rows: usize,
    order: Order,
    traces: &Traces,
    terminal: &Terminal,
    out: &mut String,
) {
    let mut rows = rows.to_vec();
    if statistics.other().count() > 0 {
        rows.push(statistics.other());
    }
    if all_rows > 1 {
        rows.push(statistics.all());
    }
    let all = statistics.all().count() as f64;
    let mut table = Table::new(heading(statistics.by()));
    table.column("COUNT", 0, rows.iter().map(|group| quantity::count(group.count())));
    table.column("%", 3, rows.iter().map(|group| format!("{:.1}", group.count() as f64 * 100.0 / all)));
    table.column(
        "PER S",
        1,
        rows.iter()
            .map(|group| per_second(group, statistics.all()).map_or("-".to_owned(), quantity::per_second)),
    );
    if order == Order::Rate {
        let rates = rows.iter().map(|group| rate(group).map_or("-".to_owned(), quantity::per_second));
        table.column("RATE", 0, rates);
    }
    let headings =
        [("GAP MIN", 4), ("GAP P50", 0), ("P90", 2), ("P99", 0), ("P99.9", 6), ("MAX", 0), ("MEAN", 5)];
    push_durations(&mut table, headings, &rows.iter().map(|group| group.gaps()), terminal);
    if statistics.all().steps_back() > 0 {
        table.column("BACK", 0, rows.iter().map(|group| quantity::count(group.steps_back())));
    }
    table.names(rows.iter().map(|group| label_text(group.label(), traces)));
    terminal.table(&table, out);
}

/// Returns the name of the thread in the row's label.
pub fn thread_name<'t>(label: &Label, traces: &'t Traces) -> Option<&'t str> {
    let Label::Tid { trace, tid } = label else { return None };
    traces.thread_name(*trace, *tid)
}

/// Returns sentences that explain the table.
fn notes(
    statistics: &Statistics,
    shown: usize,
    all_rows: usize,
    order: Order,
    terminal: &Terminal,
) -> Vec<String> {
    let mut notes = Vec::new();
    if shown < all_rows {
        let hidden = counted((all_rows - shown) as u64, "row", "rows");
        notes.push(format!("{hidden} not shown: --top 0 shows all."));
    }
    if statistics.other().count() > 0 {
        let kept = quantity::count(statistics.max_groups() as u64);
        notes.push(format!(
            "(other): events that belong to none of the first {kept} rows; --max-groups keeps more rows."
        ));
    }
    if statistics.without() > 0 {
        let events = counted(statistics.without(), "event has", "events have");
        notes.push(match statistics.by() {
            GroupBy::Argument(name) => format!("{events} no argument `{name}`."),
            GroupBy::Host => format!("{events} no machine: their traces do not contain its name."),
            _ => format!("{events} no thread: only traces from ringtrace's runtime contain threads."),
        });
    }
    let all = statistics.all();
    if all.steps_back() > 0 {
        notes.push(format!(
            "BACK: {} earlier than the previous event, by up to {}; these have no gaps.",
            counted(all.steps_back(), "event is", "events are"),
            Units::new(terminal.unicode).duration(all.largest_step_back_ns())
        ));
    }
    if all_rows > 0 && order == Order::Rate {
        notes.push("RATE: events per second from the first to the last event of a row.".to_owned());
    }
    if all_rows > 0 {
        notes.push(format!(
            "GAP: time from one event of a row to the next; percentiles are within {}.",
            error_percent()
        ));
    }
    notes
}

/// The JSON output. `docs/stat.md` describes the fields.
#[derive(Serialize)]
struct Document {
    by: String,
    dropped_events: u64,
    overwritten_events: u64,
    refused_events: u64,
    dropped_records: u64,
    #[serde(flatten)]
    paused: Paused,
    percentile_relative_error: f64,
    max_groups: usize,
    group_count: usize,
    events_without: u64,
    all: Row,
    other: Option<Row>,
    groups: Vec<Row>,
    /// The spans recognized by the names of their events.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<PairDocument>,
}

#[derive(Serialize)]
struct Row {
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    label: Option<Named>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "thread")]
    thread_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<String>,
    count: u64,
    rate_per_s: Option<f64>,
    first_ns: Option<u64>,
    last_ns: Option<u64>,
    gaps: Distribution,
    steps_back: u64,
    largest_step_back_ns: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    arguments: Vec<NumbersDocument>,
}

/// A row's label. The JSON member is named after the kind of label.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Named {
    Event(String),
    Pid(u32),
    Tid(u32),
    Thread(String),
    Host(String),
    Value(Value),
}

impl Named {
    pub fn new(label: &Label) -> Option<Named> {
        match label {
            Label::Event(name) => Some(Named::Event(name.to_string())),
            Label::Pid { pid, .. } => Some(Named::Pid(*pid)),
            Label::Tid { tid, .. } => Some(Named::Tid(*tid)),
            Label::Thread { name, .. } => Some(Named::Thread(name.to_string())),
            Label::Host(name) => Some(Named::Host(name.to_string())),
            Label::Value(key) => Some(Named::Value(json_key(key))),
            Label::Trace(_) | Label::All | Label::Other => None,
        }
    }
}

impl Document {
    fn new(
        statistics: &Statistics,
        rows: &[&Group],
        measured: &MeasuredArguments,
        traces: &Traces,
    ) -> Document {
        let other = statistics.other();
        Document {
            by: statistics.by().to_string(),
            dropped_events: statistics.dropped().events,
            overwritten_events: statistics.dropped().causes.overwritten,
            refused_events: statistics.dropped().causes.refused,
            dropped_records: statistics.dropped().records,
            paused: Paused::of(traces),
            percentile_relative_error: Sketch::RELATIVE_ERROR,
            max_groups: statistics.max_groups(),
            group_count: statistics.groups().len(),
            events_without: statistics.without(),
            all: Row::new(statistics.all(), measured),
            other: (other.count() > 0).then(|| Row::new(other, measured)),
            groups: rows
                .iter()
                .map(|group| {
                    let name = thread_name(group.label(), traces).map(str::to_owned);
                    let trace = trace_name(group.label(), traces).map(str::to_owned);
                    Row { thread_name: name, trace, ..Row::new(group, measured) }
                })
                .collect(),
            pairs: Vec::new(),
        }
    }
}

impl Row {
    fn new(group: &Group, measured: &MeasuredArguments) -> Row {
        let times = group.times_ns();
        Row {
            label: Named::new(group.label()),
            thread_name: None,
            trace: None,
            count: group.count(),
            rate_per_s: rate(group),
            first_ns: times.map(|(first, _)| first),
            last_ns: times.map(|(_, last)| last),
            gaps: Distribution::of(group.gaps()),
            steps_back: group.steps_back(),
            largest_step_back_ns: group.largest_step_back_ns(),
            arguments: measured.documents(group),
        }
    }
}

/// Converts a key to JSON: integers and finite floating-point values become numbers, pointers and
/// strings become strings.
pub fn json_key(key: &Key) -> Value {
    match key {
        Key::Integer { bits, ctype: ctype @ (CType::Integer { .. } | CType::Bool) } => {
            let number = ctype.number(*bits);
            i64::try_from(number).map(Value::from).unwrap_or_else(|_| Value::from(*bits))
        }
        Key::Integer { bits, ctype: CType::Double } if f64::from_bits(*bits).is_finite() => {
            Value::from(f64::from_bits(*bits))
        }
        _ => Value::from(key.to_string()),
    }
}
