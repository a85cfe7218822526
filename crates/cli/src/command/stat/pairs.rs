//! Latencies between pairs of events, and unmatched events.

use crate::output::json_pretty;
use ringtrace_tracefile::pair::{
    DEFAULT_MAX_OPEN, Description, EventKeys, MAX_KEY_BYTES, Pair, PairDescription, PairStatistics, Pairing,
    Unmatched,
};
use ringtrace_tracefile::statistics::{GroupBy, Sketch};
use ringtrace_tracefile::{Entry, Error as TraceError, EventRange, Needs, Schemas, Traces, count_spans};
use serde::Serialize;
use serde_json::Value;

use super::groups::json_key;
use super::spans::{SpanStatistics, SpansDocument};
use super::{
    Arguments, Distribution, Order, Paused, declares_any, error_percent, needs_origins, print_and_conclude,
    push_durations, push_losses,
};
use crate::exit::{CliError, Exit};
use crate::histogram;
use crate::pair_arguments::{declared, first_declared, known, note_unjoined};
use crate::progress::Progress;
use crate::quantity::{self, Units, counted, seconds_from};
use crate::reading::ReadOutcome;
use crate::terminal::Terminal;
use crate::values::thread_count;
use ringtrace_display::Table;

/// The maximum number of open begin events to show, oldest first.
const SHOWN_OPEN: usize = 5;

pub fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    // Times are relative to the smallest timestamp in the traces, even if a filter excludes that
    // event.
    let needs = Needs { origin: !arguments.read.wanted.is_everything(), anchor: false };
    let open = arguments.read.open(&arguments.read.options_for_names()?, terminal)?;
    let progress = Progress::watch(&open.readers, false, terminal);
    let mut traces = arguments.read.gather_with(open, needs, needs_origins(arguments))?;
    traces.decode_ahead(thread_count(arguments.threads) > 1);
    let declared = arguments.pairs.declared(&traces);
    let declared: Vec<&Schemas> = declared.iter().collect();
    let description = arguments.pairs.description(&declared)?.unwrap_or_default();
    if description.pairs.is_empty() {
        return Err(CliError::usage(
            "the description contains no pairs, and `stat` does not measure counters",
        )
        .help("`ringtrace report` and `ringtrace export` show counters"));
    }
    if let Some(order @ (Order::Rate | Order::Gap)) = arguments.order {
        let name = if order == Order::Rate { "rate" } else { "gap" };
        return Err(CliError::usage(format!(
            "--order {name}: rows of latencies have only a count and a name"
        ))
        .help("use `--order count` or `--order name`"));
    }
    if arguments.by.is_none() && (arguments.order.is_some() || arguments.top.is_some()) {
        let option = if arguments.order.is_some() { "--order" } else { "--top" };
        return Err(CliError::usage(format!("{option} needs --by if there are pairs"))
            .help("it applies to the rows of latencies by the value of an argument"));
    }
    let max_open = arguments.max_open.unwrap_or(DEFAULT_MAX_OPEN / description.pairs.len());
    if arguments.by.is_some() || arguments.slowest.is_some() {
        let mut spans = SpanStatistics::new(description, max_open, arguments, &traces);
        spans.bind(&declared)?;
        let check = |spans: &SpanStatistics, traces: &Traces| {
            spans.tracker().check_known(&known(traces)).map_err(CliError::from)?;
            spans.check_by(traces)
        };
        if declares_any(&traces) {
            check(&spans, &traces)?;
        }
        let counted = spans.read(&mut traces)?;
        drop(progress);
        if counted.failed.is_empty() && traces.missing().is_none() {
            check(&spans, &traces)?;
        }
        let pairs = spans.tracker().pairs();
        let found = Found { pairs, spans: Some(&spans), range: counted.range, max_open };
        return print_found(&found, counted.failed, &traces, arguments, terminal);
    }
    let mut pairing: Pairing<()> = Pairing::new(description.pairs, max_open);
    pairing.bind(&declared).map_err(CliError::from)?;
    if declares_any(&traces) {
        pairing.check_known(&known(&traces)).map_err(CliError::from)?;
    }
    let counted = count_spans(&mut traces, &mut pairing, thread_count(arguments.threads))?;
    drop(progress);
    if counted.failed.is_empty() && traces.missing().is_none() {
        pairing.check_known(&known(&traces)).map_err(CliError::from)?;
    }
    let found = Found { pairs: pairing.pairs(), spans: None, range: counted.range, max_open };
    print_found(&found, counted.failed, &traces, arguments, terminal)
}

/// The pairs with their statistics.
struct Found<'f, T> {
    pairs: &'f [Pair<T>],
    /// Statistics by `--by`, and slowest spans, if either is requested.
    spans: Option<&'f SpanStatistics>,
    range: EventRange,
    max_open: usize,
}

fn print_found<T>(
    found: &Found<'_, T>,
    failed: Vec<TraceError>,
    traces: &Traces,
    arguments: &Arguments,
    terminal: &Terminal,
) -> Result<Exit, CliError> {
    let range = found.range;
    let origin_ns = traces.times().origin_ns.unwrap_or(range.smallest_ns);
    let text = if arguments.json {
        json_pretty(&Document::new(found, arguments, traces))?
    } else if failed.is_empty() || range.events > 0 {
        render(found, origin_ns, failed.is_empty(), traces, arguments, terminal)
    } else {
        String::new()
    };
    let outcome = ReadOutcome { failed, dropped: found.range.dropped, is_partial: false };
    let exit = print_and_conclude(&text, traces, outcome, arguments, terminal)?;
    note_unjoined(found.pairs, traces, terminal);
    Ok(exit)
}

/// The spans recognized by the names of a trace's events. They are shown after the event counts.
#[derive(Debug)]
pub struct SpansByName {
    pairing: Option<Pairing<()>>,
    /// Whether the trace can declare events of spans that are not in `pairing`.
    may_lack: bool,
}

impl SpansByName {
    /// Finds the events of spans in `traces`, unless the user requests other rows or no pairs. If no
    /// event of a span is declared before the first event, then [`SpansByName::are_all`] tells after reading
    /// the traces whether there are any. With `reads_ahead`, the traces are read to their ends for this.
    pub fn new(arguments: &Arguments, traces: &Traces, reads_ahead: bool) -> Result<SpansByName, CliError> {
        if arguments.by.as_ref().is_some_and(|by| by.by != GroupBy::Event)
            || !arguments.pairs.pairs.is_empty()
        {
            return Ok(SpansByName { pairing: None, may_lack: false });
        }
        let by_names = |declared: &[Schemas]| Description::by_names(&declared.iter().collect::<Vec<_>>());
        if !reads_ahead && by_names(&first_declared(traces)).is_empty() {
            return Ok(SpansByName { pairing: None, may_lack: true });
        }
        let declared = declared(traces);
        let description = by_names(&declared);
        if description.is_empty() {
            return Ok(SpansByName { pairing: None, may_lack: false });
        }
        let max_open = DEFAULT_MAX_OPEN / description.pairs.len();
        let mut pairing = Pairing::new(description.pairs, max_open);
        pairing.bind(&declared.iter().collect::<Vec<_>>()).map_err(CliError::from)?;
        Ok(SpansByName { pairing: Some(pairing), may_lack: false })
    }

    /// Returns whether these are all spans of `traces`, or as many as can be found. `is_whole` is set if the traces
    /// have been read to their ends.
    pub fn are_all(&self, traces: &Traces, is_whole: bool) -> bool {
        !self.may_lack || is_whole && Description::by_names(&known(traces)).is_empty()
    }

    /// Returns whether there are any.
    pub fn are_found(&self) -> bool {
        self.pairing.is_some()
    }

    /// Returns whether the event with this schema belongs to a span.
    #[inline]
    pub fn concern(&self, schema_index: u32) -> bool {
        self.pairing.as_ref().is_some_and(|pairing| pairing.concerns(schema_index))
    }

    /// Counts an entry.
    #[inline]
    pub fn count(&mut self, entry: &Entry<'_>) -> Result<(), CliError> {
        match &mut self.pairing {
            Some(pairing) if pairing.concerns(entry.schema_index) => {
                pairing.count(entry, &mut ()).map_err(CliError::from)
            }
            _ => Ok(()),
        }
    }

    /// Returns a table of the spans; empty if there are none.
    pub fn render(&self, terminal: &Terminal) -> String {
        let shown = self.shown();
        let mut out = String::new();
        if !shown.is_empty() {
            out.push('\n');
            let names = shown.iter().map(|pair| pair.description().name.clone());
            render_table(&shown, "SPAN", names.collect(), terminal, &mut out);
        }
        let open: u64 = shown.iter().map(|pair| pair.open_count() as u64).sum();
        if open > 0 {
            let open = counted(open, "span is", "spans are");
            out.push_str(&terminal.fold(&format!("\n{open} still open at the end.")));
        }
        out
    }

    /// Returns the spans for JSON, in the same form as other pairs.
    pub fn documents(&self) -> Vec<PairDocument> {
        self.shown().into_iter().map(PairDocument::new).collect()
    }

    fn shown(&self) -> Vec<&Pair<()>> {
        self.pairing.iter().flat_map(|pairing| shown(pairing.pairs())).map(|(_, pair)| pair).collect()
    }
}

fn render<T>(
    found: &Found<'_, T>,
    origin_ns: u64,
    is_whole: bool,
    traces: &Traces,
    arguments: &Arguments,
    terminal: &Terminal,
) -> String {
    let mut out = String::new();
    let (units, range) = (Units::new(terminal.unicode), found.range);
    let events = counted(range.events, "event", "events");
    let duration = units.duration(range.largest_ns.saturating_sub(range.smallest_ns));
    out.push_str(&format!("{events} in {duration}.\n"));
    push_losses(range.dropped, is_whole, traces, terminal, &mut out);
    let shown = shown(found.pairs);
    let several = found.pairs.len() > 1;
    if several && !shown.is_empty() {
        out.push('\n');
        let names = shown.iter().map(|(_, pair)| pair.description().name.clone());
        let pairs: Vec<&Pair<T>> = shown.iter().map(|(_, pair)| *pair).collect();
        render_table(&pairs, "PAIR", names.collect(), terminal, &mut out);
    }
    let hidden = (found.pairs.len() - shown.len()) as u64;
    if hidden > 0 {
        let pairs = counted(hidden, "declared pair has", "declared pairs have");
        out.push_str(&format!("\n{pairs} no events in this trace.\n"));
    }
    for (index, pair) in shown {
        out.push_str(&format!("\n{}\n\n", terminal.paint("1;4", &pair.description().name)));
        if !several {
            render_table(&[pair], "", vec![String::new()], terminal, &mut out);
            out.push('\n');
        }
        if let Some(spans) = found.spans {
            spans.render_groups(index, arguments, traces, terminal, &mut out);
        }
        if !pair.statistics().latencies.is_empty() {
            histogram::render(&pair.statistics().latencies, "LATENCY", terminal, &mut out);
            out.push('\n');
        }
        if let Some(spans) = found.spans {
            spans.render_slowest(index, origin_ns, traces, terminal, &mut out);
        }
        for sentence in account(pair, found.max_open, units) {
            out.push_str(&terminal.fold(&sentence));
        }
        render_unmatched(pair, range, origin_ns, units, &mut out);
    }
    out.push_str(&format!("\nPercentiles are within {}.\n", error_percent()));
    out
}

/// Returns the pairs to show: all pairs that the user requested, and those built-in pairs that have
/// events.
fn shown<T>(pairs: &[Pair<T>]) -> Vec<(usize, &Pair<T>)> {
    let is_shown = |(_, pair): &(usize, &Pair<T>)| {
        let counts = pair.statistics();
        !pair.description().is_built_in || counts.begins + counts.ends > 0
    };
    pairs.iter().enumerate().filter(is_shown).collect()
}

/// Appends the first few events without a counterpart.
fn render_unmatched<T>(pair: &Pair<T>, range: EventRange, origin_ns: u64, units: Units, out: &mut String) {
    let name_keys = |one: &Unmatched| -> String {
        let named = pair.description().begins.iter().flat_map(|begin| &begin.keys).zip(&one.keys);
        named.map(|(source, key)| format!("{source}={key}")).collect::<Vec<_>>().join(" ")
    };
    let at = |one: &Unmatched| seconds_from(origin_ns, one.timestamp_ns);
    let open = pair.oldest_open(SHOWN_OPEN);
    if !open.is_empty() {
        out.push_str("Open longest:\n");
    }
    for one in &open {
        let age = units.duration(range.largest_ns.saturating_sub(one.timestamp_ns));
        out.push_str(&format!("  {} since {}, for {age}\n", name_keys(one), at(one)));
    }
    if !pair.ends_alone().is_empty() {
        out.push_str("First without a begin:\n");
    }
    for one in pair.ends_alone() {
        out.push_str(&format!("  {} at {}\n", name_keys(one), at(one)));
    }
}

/// Renders a row for each of `pairs`, with its name in the last column.
fn render_table<T>(
    pairs: &[&Pair<T>],
    head: &'static str,
    names: Vec<String>,
    terminal: &Terminal,
    out: &mut String,
) {
    let mut table = Table::new(head);
    table.column("MATCHED", 0, pairs.iter().map(|pair| quantity::count(pair.statistics().matched)));
    let headings = [("MIN", 2), ("P50", 0), ("P90", 1), ("P99", 0), ("P99.9", 3), ("MAX", 0), ("MEAN", 4)];
    push_durations(&mut table, headings, &pairs.iter().map(|pair| &pair.statistics().latencies), terminal);
    table.names(names.into_iter());
    terminal.table(&table, out);
}

/// Returns sentences that account for each begin event and each end event of `pair`.
fn account<T>(pair: &Pair<T>, max_open: usize, units: Units) -> Vec<String> {
    let counts = pair.statistics();
    let number = quantity::count;
    let begins = [
        (counts.matched, "matched"),
        (pair.open_count() as u64, "still open at the end"),
        (counts.restarted, "restarted while open"),
        (counts.begins_not_followed, "not followed"),
        (counts.begins_without_key, "without a key"),
    ];
    let ends = [
        (counts.matched, "matched"),
        (counts.ends_elsewhere, "of other pairs"),
        (counts.ends_alone, "without a begin"),
        (counts.ends_without_key, "without a key"),
    ];
    let sum_up = |all: u64, event: &str, parts: &[(u64, &str)]| {
        let parts: Vec<String> = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{} {what}", number(*count)))
            .collect();
        let parts = if parts.is_empty() { "none".to_owned() } else { parts.join(", ") };
        format!("{} {event}: {parts}.", number(all))
    };
    let steps = [
        (counts.steps_within, "within"),
        (counts.steps_alone, "without a begin"),
        (counts.steps_without_key, "without a key"),
    ];
    let description = pair.description();
    let mut sentences = vec![
        sum_up(counts.begins, &label(&description.begins, "begins"), &begins),
        sum_up(counts.ends, &label(&description.ends, "ends"), &ends),
    ];
    if !description.steps.is_empty() {
        sentences.push(sum_up(counts.steps, &label(&description.steps, "steps"), &steps));
    }
    if let Some(swapped) = swapped(description) {
        sentences.push(swapped);
    }
    if counts.most_open > 1 {
        sentences.push(format!("At most {} were open at a time.", number(counts.most_open)));
    }
    if counts.begins_not_followed > 0 {
        sentences.push(format!(
            "Begin events are not followed while {} spans are open (--max-open), or while the keys use {} MiB; the \
             end events of these spans are counted as \"without a begin\".",
            number(max_open as u64),
            MAX_KEY_BYTES >> 20
        ));
    }
    if counts.backward > 0 {
        sentences.push(format!(
            "{} earlier than the begin event, by up to {}, and not included in the latencies.",
            counted(counts.backward, "end is", "ends are"),
            units.duration(counts.largest_backward_ns)
        ));
    }
    sentences
}

/// Words with which the names of end events typically end.
const END_WORDS: [&str; 10] =
    ["end", "done", "complete", "completed", "finish", "exit", "leave", "reply", "release", "unlock"];

/// Returns a sentence if the names suggest that the pair's begin event and end event are swapped.
fn swapped(pair: &PairDescription) -> Option<String> {
    let ([begin], [end]) = (pair.begins.as_slice(), pair.ends.as_slice()) else { return None };
    let is_end = |name: &str| name.rsplit('_').next().is_some_and(|word| END_WORDS.contains(&word));
    let (begin, end) = (&begin.event, &end.event);
    (is_end(begin) && !is_end(end)).then(|| {
        format!("The name {begin} suggests an end event: if the two are swapped, specify {end} first.")
    })
}

/// Returns the name of the event if there is only one, otherwise `together`.
fn label(events: &[EventKeys], together: &str) -> String {
    match events {
        [event] => event.event.clone(),
        _ => together.to_owned(),
    }
}

/// Joins the names of alternative events: `read or write`.
fn either(events: &[EventKeys]) -> String {
    events.iter().map(|event| event.event.as_str()).collect::<Vec<_>>().join(" or ")
}

/// The JSON output. `docs/stat.md` describes the fields.
#[derive(Serialize)]
struct Document {
    dropped_events: u64,
    overwritten_events: u64,
    refused_events: u64,
    dropped_records: u64,
    #[serde(flatten)]
    paused: Paused,
    percentile_relative_error: f64,
    max_open: usize,
    pairs: Vec<PairDocument>,
}

#[derive(Serialize)]
pub struct PairDocument {
    #[serde(flatten)]
    described: Option<Described>,
    begin: String,
    end: String,
    keys: Vec<KeyDocument>,
    begins: u64,
    ends: u64,
    matched: u64,
    restarted: u64,
    open: usize,
    most_open: u64,
    ends_alone: u64,
    begins_not_followed: u64,
    begins_without_key: u64,
    ends_without_key: u64,
    backward: u64,
    largest_backward_ns: u64,
    latencies: Distribution,
    histogram: Vec<Bucket>,
    oldest_open: Vec<UnmatchedDocument>,
    first_ends_alone: Vec<UnmatchedDocument>,
    #[serde(flatten)]
    spans: Option<SpansDocument>,
}

/// Additional members for a pair from a description file.
#[derive(Serialize)]
struct Described {
    name: String,
    events: Vec<EventDocument>,
    ends_elsewhere: u64,
    steps: u64,
    steps_within: u64,
    steps_alone: u64,
    steps_without_key: u64,
}

#[derive(Serialize)]
struct EventDocument {
    event: String,
    is: &'static str,
    keys: Vec<String>,
}

#[derive(Serialize)]
struct KeyDocument {
    begin: String,
    end: String,
}

#[derive(Serialize)]
struct Bucket {
    from_ns: u64,
    to_ns: u64,
    count: u64,
}

#[derive(Serialize)]
struct UnmatchedDocument {
    keys: Vec<Value>,
    timestamp_ns: u64,
}

impl Document {
    fn new<T>(found: &Found<'_, T>, arguments: &Arguments, traces: &Traces) -> Document {
        let dropped = found.range.dropped;
        let document = |(index, pair): (usize, &Pair<T>)| PairDocument {
            spans: found.spans.map(|spans| spans.document(index, arguments, traces)),
            ..PairDocument::new(pair)
        };
        Document {
            dropped_events: dropped.events,
            overwritten_events: dropped.causes.overwritten,
            refused_events: dropped.causes.refused,
            dropped_records: dropped.records,
            paused: Paused::of(traces),
            percentile_relative_error: Sketch::RELATIVE_ERROR,
            max_open: found.max_open,
            pairs: shown(found.pairs).into_iter().map(document).collect(),
        }
    }
}

impl Described {
    fn new(pair: &PairDescription, counted: &PairStatistics) -> Described {
        let events = [("begin", &pair.begins), ("end", &pair.ends), ("step", &pair.steps)];
        let document = |is, event: &EventKeys| EventDocument {
            event: event.event.clone(),
            is,
            keys: event.keys.iter().map(ToString::to_string).collect(),
        };
        let PairStatistics { ends_elsewhere, steps, steps_within, steps_alone, steps_without_key, .. } =
            *counted;
        Described {
            name: pair.name.clone(),
            events: events
                .into_iter()
                .flat_map(|(is, events)| events.iter().map(move |event| document(is, event)))
                .collect(),
            ends_elsewhere,
            steps,
            steps_within,
            steps_alone,
            steps_without_key,
        }
    }
}

impl PairDocument {
    fn new<T>(pair: &Pair<T>) -> PairDocument {
        let (description, counted) = (pair.description(), pair.statistics());
        let keys_of = |events: &[EventKeys]| events.first().map_or_else(Vec::new, |event| event.keys.clone());
        let keys = keys_of(&description.begins).into_iter().zip(keys_of(&description.ends));
        let keys = keys.map(|(begin, end)| KeyDocument { begin: begin.to_string(), end: end.to_string() });
        let buckets = counted.latencies.buckets();
        let unmatched = |one: &Unmatched| UnmatchedDocument {
            keys: one.keys.iter().map(json_key).collect(),
            timestamp_ns: one.timestamp_ns,
        };
        PairDocument {
            described: (!description.named_by_events).then(|| Described::new(description, counted)),
            begin: either(&description.begins),
            end: either(&description.ends),
            keys: keys.collect(),
            begins: counted.begins,
            ends: counted.ends,
            matched: counted.matched,
            restarted: counted.restarted,
            open: pair.open_count(),
            most_open: counted.most_open,
            ends_alone: counted.ends_alone,
            begins_not_followed: counted.begins_not_followed,
            begins_without_key: counted.begins_without_key,
            ends_without_key: counted.ends_without_key,
            backward: counted.backward,
            largest_backward_ns: counted.largest_backward_ns,
            latencies: Distribution::of(&counted.latencies),
            histogram: buckets
                .map(|(values, count)| Bucket { from_ns: *values.start(), to_ns: *values.end(), count })
                .collect(),
            oldest_open: pair.oldest_open(SHOWN_OPEN).iter().map(unmatched).collect(),
            first_ends_alone: pair.ends_alone().iter().map(unmatched).collect(),
            spans: None,
        }
    }
}
