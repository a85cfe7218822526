//! Latencies of pairs: a table of all pairs, then each pair's charts and slowest spans.

use std::cmp::Reverse;

use ringtrace_tracefile::pair::PairStatistics;

use super::chart::{PERCENTILES, heat_map, histogram};
use super::context::Context;
use crate::collect::ShownRecord;
use crate::collect::ThreadId;
use crate::collect::{PairSpans, SlowSpan};
use crate::html::{short_text, text};
use ringtrace_display::quantity;

/// Maximum total size of charts and slowest spans. When it is reached, further pairs have only a
/// row in the table.
const MAX_BYTES: usize = 700 << 10;
const MAX_CHARACTERS: usize = 300;

struct PairRow<'p> {
    index: usize,
    name: &'p str,
    counted: &'p PairStatistics,
    open: u64,
    spans: &'p PairSpans,
    slowest: &'p [SlowSpan],
}

/// Renders the section. Returns an empty string if there are no pairs, or if none of their events
/// occurred.
pub(super) fn render(page: &Context<'_>) -> String {
    let collector = page.collector;
    let pairs = collector.tracker().pairs().iter().zip(&collector.spans).enumerate();
    let mut pairs: Vec<PairRow<'_>> = pairs
        .map(|(index, (pair, spans))| PairRow {
            index,
            name: &pair.description().name,
            counted: pair.statistics(),
            open: pair.open_count() as u64,
            spans,
            slowest: collector.slowest.of(index),
        })
        .filter(|pair| pair.counted.begins > 0 || pair.counted.ends > 0)
        .collect();
    if pairs.is_empty() {
        return String::new();
    }
    pairs.sort_by_key(|pair| (Reverse(pair.counted.matched), pair.index));
    let mut out = table(&pairs, page);
    let mut omitted = 0;
    for (index, pair) in pairs.iter().enumerate() {
        if out.len() > MAX_BYTES {
            omitted += 1;
            continue;
        }
        out.push_str(&article(pair, index == 0, page));
    }
    if omitted > 0 {
        out.push_str(&format!(
            "<p class=hint>To limit the size of the page, the charts of {} are left out. <code>--pair</code> selects pairs.</p>\n",
            quantity::counted(omitted, "pair", "pairs")
        ));
    }
    out
}

fn table(pairs: &[PairRow<'_>], page: &Context<'_>) -> String {
    let mut out = String::from(
        "<div class=scroll><table id=pair-table class=sortable>\n<thead><tr><th scope=col>Pair\
         <th scope=col class=n aria-sort=descending>Spans<th scope=col class=n>Min",
    );
    for (_, name) in PERCENTILES {
        out.push_str(&format!("<th scope=col class=n>{name}"));
    }
    out.push_str("<th scope=col class=n>Max<th scope=col class=n>Mean\n<tbody>\n");
    for PairRow { index, name, counted, .. } in pairs {
        let latencies = &counted.latencies;
        let cell = |ns: Option<u64>| match ns {
            Some(ns) => format!("<td data-v={ns}>{}", page.duration(ns)),
            None => "<td>\u{2013}".to_owned(),
        };
        out.push_str(&format!(
            "<tr><th scope=row><a href=\"#pair-{index}\">{}</a><td>{}",
            short_text(name, 120),
            quantity::count(counted.matched)
        ));
        out.push_str(&cell(latencies.min()));
        for (hundredths, _) in PERCENTILES {
            out.push_str(&cell(latencies.percentile(hundredths)));
        }
        out.push_str(&cell(latencies.max()));
        out.push_str(&cell(latencies.mean()));
        out.push('\n');
    }
    out.push_str("</table></div>\n");
    out
}

fn article(pair: &PairRow<'_>, is_first: bool, page: &Context<'_>) -> String {
    let PairRow { index, name, counted, spans, slowest, .. } = pair;
    let mut out = format!("<article id=pair-{index}>\n<h3>{}</h3>\n", short_text(name, 120));
    out.push_str(&format!("<p class=hint>{}</p>\n", text(&outcomes(pair, page))));
    if !counted.latencies.is_empty() {
        out.push_str("<div class=charts>\n");
        out.push_str(&histogram(&counted.latencies, page.units));
        out.push_str(&heat_map(&spans.heat, &page.collector.heat_grid, page.span, page.units));
        out.push_str("</div>\n");
    }
    if !slowest.is_empty() {
        out.push_str("<h4>Slowest spans</h4>\n<div class=slowest>\n");
        for (rank, slow) in slowest.iter().enumerate() {
            push_slow(slow, is_first && rank == 0, page, &mut out);
        }
        out.push_str("</div>\n");
    }
    out.push_str("</article>\n");
    out
}

fn outcomes(pair: &PairRow<'_>, page: &Context<'_>) -> String {
    let PairRow { counted, open, .. } = pair;
    let mut parts = vec![quantity::counted(counted.matched, "span", "spans")];
    for (count, what) in [
        (*open, "never ended"),
        (counted.restarted, "began again before they ended"),
        (counted.begins_not_followed, "not followed, because too many were open"),
        (counted.begins_without_key, "begin events without a key"),
        (counted.ends_alone, "end events without a begin event"),
        (counted.ends_without_key, "end events without a key"),
    ] {
        if count > 0 {
            parts.push(format!("{} {what}", quantity::count(count)));
        }
    }
    if counted.backward > 0 {
        parts.push(format!(
            "{} earlier than the begin event, by up to {}, and not included in the latencies",
            quantity::counted(counted.backward, "end event is", "end events are"),
            page.duration(counted.largest_backward_ns)
        ));
    }
    if counted.most_open > 1 {
        parts.push(format!("at most {} at a time", quantity::count(counted.most_open)));
    }
    parts.join("; ")
}

fn push_slow(slow: &SlowSpan, open: bool, page: &Context<'_>, out: &mut String) {
    let Some(begin) = slow.records.first() else { return };
    let open = if open { " open" } else { "" };
    let thread = page.thread_label(ThreadId { trace: begin.trace, pid: begin.pid, tid: begin.tid });
    let arguments: Vec<String> =
        begin.arguments.iter().map(|(name, value)| format!("{name}={value}")).collect();
    out.push_str(&format!(
        "<details{open}><summary><b>{}</b><span class=when>{}</span><span class=thread>{}</span><code>{}</code></summary>\n\
         <div class=scroll><table>\n<thead><tr><th scope=col class=n>After \u{b5}s<th scope=col>Event<th scope=col>Thread<th scope=col>Arguments\n<tbody>\n",
        page.duration(slow.latency_ns),
        page.moment(begin.timestamp_ns),
        text(&thread),
        short_text(&arguments.join(" "), 80),
    ));
    for (index, record) in slow.records.iter().enumerate() {
        if index + 1 == slow.records.len() && slow.steps_omitted > 0 {
            let more = quantity::counted(slow.steps_omitted, "more step", "more steps");
            out.push_str(&format!("<tr><td><td class=t colspan=3>\u{2026} {more}\n"));
        }
        push_record(record, begin.timestamp_ns, page, out);
    }
    out.push_str("</table></div></details>\n");
}

fn push_record(record: &ShownRecord, begin_ns: u64, page: &Context<'_>, out: &mut String) {
    let ns = record.timestamp_ns.abs_diff(begin_ns);
    let sign = if record.timestamp_ns < begin_ns { "\u{2212}" } else { "" };
    let after = format!("{sign}{}.{:03}", quantity::count(ns / 1000), ns % 1000);
    let thread = page.thread_label(ThreadId { trace: record.trace, pid: record.pid, tid: record.tid });
    out.push_str(&format!(
        "<tr><td>{after}<th scope=row>{}<td class=t>{}<td class=t>",
        short_text(&record.event, 120),
        text(&thread)
    ));
    for (name, value) in &record.arguments {
        out.push_str(&format!(
            "<span class=arg><i>{}</i>={}</span> ",
            short_text(name, 60),
            short_text(&value.to_string(), MAX_CHARACTERS)
        ));
    }
    out.push('\n');
}
