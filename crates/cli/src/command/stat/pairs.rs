//! From one event to another: latencies, and what never matched.

use ringtrace_tracefile::Flow;
use ringtrace_tracefile::pair::{MAX_KEY_BYTES, Pair, PairError, Pairing, Unmatched};
use ringtrace_tracefile::statistics::Sketch;
use serde::Serialize;
use serde_json::Value;

use super::groups::json_key;
use super::{Arguments, Distribution, Traces, error_percent, finish, json, tell_lost};
use crate::exit::{Exit, Failure};
use crate::histogram;
use crate::quantity::{self, Units, counted, seconds_from};
use crate::table::Table;
use crate::terminal::Terminal;

/// Begins that can be open at a time, over all pairs: what fills the hash tables of 2^20 slots, 27 MiB while growing.
const DEFAULT_MAX_OPEN: usize = (1 << 20) / 8 * 7;

/// Begins that are shown of those still open at the end.
const SHOWN_OPEN: usize = 5;

/// What was read, beside the pairs.
#[derive(Debug, Clone, Copy)]
struct Span {
    events: u64,
    smallest_ns: u64,
    largest_ns: u64,
}

pub fn run(arguments: &Arguments, mut traces: Traces, terminal: &Terminal) -> Result<Exit, Failure> {
    let max_open = arguments.max_open.unwrap_or(DEFAULT_MAX_OPEN / arguments.pair.len());
    let mut pairing: Pairing<()> = Pairing::new(arguments.pair.clone(), max_open);
    pairing.bind(&traces.schemas()).map_err(usage)?;
    if traces.declares_any() {
        pairing.check_known(&traces.schemas()).map_err(usage)?;
    }
    let mut span = Span { events: 0, smallest_ns: u64::MAX, largest_ns: 0 };
    let mut misfit = Ok(());
    let read = traces.read(|entry| {
        if !entry.is_dropped() {
            span.events += 1;
            span.smallest_ns = span.smallest_ns.min(entry.timestamp_ns);
            span.largest_ns = span.largest_ns.max(entry.timestamp_ns);
        }
        misfit = pairing.count(entry, |_| (), |_| ());
        if misfit.is_ok() { Flow::Continue } else { Flow::Stop }
    });
    misfit.map_err(usage)?;
    if read.is_ok() {
        pairing.check_known(&traces.schemas()).map_err(usage)?;
    }
    let text = if arguments.json {
        json(&Document::new(&pairing, max_open))?
    } else {
        render(&pairing, span, max_open, terminal)
    };
    finish(&text, read, pairing.lost(), arguments)
}

fn usage(error: PairError) -> Failure {
    Failure::usage(error.message).help(error.help)
}

fn render(pairing: &Pairing<()>, span: Span, max_open: usize, terminal: &Terminal) -> String {
    let mut out = String::new();
    let units = Units::new(terminal.unicode);
    let events = counted(span.events, "event", "events");
    let duration = units.duration(span.largest_ns.saturating_sub(span.smallest_ns));
    out.push_str(&format!("{events} in {duration}.\n"));
    tell_lost(pairing.lost(), terminal, &mut out);
    out.push('\n');
    render_table(pairing, terminal, &mut out);
    for pair in pairing.pairs() {
        out.push('\n');
        if pairing.pairs().len() > 1 {
            out.push_str(&terminal.paint("1;4", &pair.spec().to_string()));
            out.push_str("\n\n");
        }
        if pair.statistics().latencies.count() > 0 {
            histogram::render(&pair.statistics().latencies, "LATENCY", terminal, &mut out);
            out.push('\n');
        }
        account(pair, max_open, units, &mut out);
        let name_keys = |one: &Unmatched| -> String {
            let named = pair.spec().keys.iter().zip(&one.keys);
            named.map(|(spec, key)| format!("{}={key}", spec.begin)).collect::<Vec<_>>().join(" ")
        };
        let at = |one: &Unmatched| seconds_from(span.smallest_ns, one.timestamp_ns);
        let open = pair.oldest_open(SHOWN_OPEN);
        if !open.is_empty() {
            out.push_str("Open longest:\n");
        }
        for one in &open {
            let age = units.duration(span.largest_ns.saturating_sub(one.timestamp_ns));
            out.push_str(&format!("  {} since {}, for {age}\n", name_keys(one), at(one)));
        }
        if !pair.ends_alone().is_empty() {
            out.push_str("First without a begin:\n");
        }
        for one in pair.ends_alone() {
            out.push_str(&format!("  {} at {}\n", name_keys(one), at(one)));
        }
    }
    out.push_str(&format!("\nPercentiles are within {}.\n", error_percent()));
    out
}

fn render_table(pairing: &Pairing<()>, terminal: &Terminal, out: &mut String) {
    let units = Units::new(terminal.unicode);
    let pairs = pairing.pairs();
    let latency = |value: &dyn Fn(&Sketch) -> Option<u64>| -> Vec<String> {
        let value = |pair: &Pair<()>| value(&pair.statistics().latencies);
        pairs.iter().map(|pair| value(pair).map_or("-".to_owned(), |ns| units.duration(ns))).collect()
    };
    let mut table = Table::new("PAIR");
    table.column("MATCHED", 0, pairs.iter().map(|pair| quantity::count(pair.statistics().matched)));
    table.column("MIN", 2, latency(&Sketch::min).into_iter());
    table.column("P50", 0, latency(&|latencies| latencies.percentile(5000)).into_iter());
    table.column("P90", 1, latency(&|latencies| latencies.percentile(9000)).into_iter());
    table.column("P99", 0, latency(&|latencies| latencies.percentile(9900)).into_iter());
    table.column("P99.9", 3, latency(&|latencies| latencies.percentile(9990)).into_iter());
    table.column("MAX", 0, latency(&Sketch::max).into_iter());
    table.column("MEAN", 4, latency(&Sketch::mean).into_iter());
    table.column("OPEN", 5, pairs.iter().map(|pair| quantity::count(pair.open_count() as u64)));
    table.names(pairs.iter().map(|pair| pair.spec().to_string()));
    table.render(terminal, out);
}

/// Where every begin and every end of `pair` went.
fn account(pair: &Pair<()>, max_open: usize, units: Units, out: &mut String) {
    let counted_pair = pair.statistics();
    let number = quantity::count;
    let mut begins = Vec::new();
    let mut ends = Vec::new();
    let add = |to: &mut Vec<String>, count: u64, what: &str| {
        if count > 0 {
            to.push(format!("{} {what}", number(count)));
        }
    };
    add(&mut begins, counted_pair.matched, "matched");
    add(&mut begins, pair.open_count() as u64, "still open at the end");
    add(&mut begins, counted_pair.restarted, "begun again while open");
    add(&mut begins, counted_pair.begins_not_followed, "not followed");
    add(&mut begins, counted_pair.begins_without_key, "without a key");
    add(&mut ends, counted_pair.matched, "matched");
    add(&mut ends, counted_pair.ends_alone, "without a begin");
    add(&mut ends, counted_pair.ends_without_key, "without a key");
    for (event, count, parts) in
        [(&pair.spec().begin, counted_pair.begins, begins), (&pair.spec().end, counted_pair.ends, ends)]
    {
        let parts = if count == 0 { "none".to_owned() } else { parts.join(", ") };
        out.push_str(&format!("{} {event}: {parts}.\n", number(count)));
    }
    if counted_pair.most_open > 1 {
        out.push_str(&format!("At most {} were open at a time.\n", number(counted_pair.most_open)));
    }
    if counted_pair.begins_not_followed > 0 {
        out.push_str(&format!(
            "Not followed: {} were open already (--max-open), or their keys took {} MiB; as many of the ends without \
             a begin can be theirs.\n",
            number(max_open as u64),
            MAX_KEY_BYTES >> 20
        ));
    }
    if counted_pair.backward > 0 {
        out.push_str(&format!(
            "{} earlier than the begin, by up to {}: not among the latencies.\n",
            counted(counted_pair.backward, "end is", "ends are"),
            units.duration(counted_pair.largest_backward_ns)
        ));
    }
}

/// All that was counted, for programs. `docs/stat.md` describes the fields.
#[derive(Serialize)]
struct Document {
    dropped_events: u64,
    dropped_records: u64,
    percentile_relative_error: f64,
    max_open: usize,
    pairs: Vec<PairDocument>,
}

#[derive(Serialize)]
struct PairDocument {
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
    fn new(pairing: &Pairing<()>, max_open: usize) -> Document {
        Document {
            dropped_events: pairing.lost().events,
            dropped_records: pairing.lost().records,
            percentile_relative_error: Sketch::RELATIVE_ERROR,
            max_open,
            pairs: pairing.pairs().iter().map(PairDocument::new).collect(),
        }
    }
}

impl PairDocument {
    fn new(pair: &Pair<()>) -> PairDocument {
        let (spec, counted) = (pair.spec(), pair.statistics());
        let keys = spec
            .keys
            .iter()
            .map(|key| KeyDocument { begin: key.begin.to_string(), end: key.end.to_string() });
        let buckets = counted.latencies.buckets();
        let unmatched = |one: &Unmatched| UnmatchedDocument {
            keys: one.keys.iter().map(json_key).collect(),
            timestamp_ns: one.timestamp_ns,
        };
        PairDocument {
            begin: spec.begin.clone(),
            end: spec.end.clone(),
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
        }
    }
}
