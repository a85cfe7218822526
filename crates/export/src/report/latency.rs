//! Latencies of each pair: a table of all, then pictures and the slowest spans of each.

use std::cmp::Reverse;

use ringtrace_tracefile::pair::PairDescription;

use super::chart::{PERCENTILES, heat_map, histogram};
use super::html::{short_text, text};
use super::page::Page;
use super::record::ShownRecord;
use super::spans::{SlowSpan, Spans};
use super::threads::Who;
use crate::quantity::{self, counted};

/// Bytes that pictures and records of spans take: of further pairs there is the row in the table only.
const MAX_BYTES: usize = 700 << 10;

/// Characters of a value that are shown.
const MAX_CHARACTERS: usize = 300;

/// All of it. Nothing where nothing is described, or nothing of what is described happened.
pub(super) fn render(page: &Page<'_>) -> String {
    let collector = page.collector;
    let pairs = collector.meanings().description().pairs.iter();
    let mut pairs: Vec<(usize, &PairDescription, &Spans)> = pairs
        .zip(collector.spans())
        .enumerate()
        .map(|(index, (pair, spans))| (index, pair, spans))
        .filter(|(_, _, spans)| spans.begun > 0)
        .collect();
    if pairs.is_empty() {
        return String::new();
    }
    pairs.sort_by_key(|(index, _, spans)| (Reverse(spans.matched), *index));
    let mut out = table(&pairs, page);
    let mut left_out = 0;
    for (place, (index, pair, spans)) in pairs.iter().enumerate() {
        if out.len() > MAX_BYTES {
            left_out += 1;
            continue;
        }
        out.push_str(&article(*index, pair, spans, place == 0, page));
    }
    if left_out > 0 {
        out.push_str(&format!(
            "<p class=hint>Pictures of {} are left out: the page would be too large. <code>--pair</code> selects.</p>\n",
            counted(left_out, "more pair", "more pairs")
        ));
    }
    out
}

fn table(pairs: &[(usize, &PairDescription, &Spans)], page: &Page<'_>) -> String {
    let mut out = String::from(
        "<div class=scroll><table id=pair-table class=sortable data-rows=0>\n<thead><tr><th scope=col>Pair\
         <th scope=col class=n aria-sort=descending>Spans<th scope=col class=n>Min",
    );
    for (_, name) in PERCENTILES {
        out.push_str(&format!("<th scope=col class=n>{name}"));
    }
    out.push_str("<th scope=col class=n>Max<th scope=col class=n>Mean\n<tbody>\n");
    for (index, pair, spans) in pairs {
        let latencies = &spans.latencies;
        let cell = |ns: Option<u64>| match ns {
            Some(ns) => format!("<td data-v={ns}>{}", page.duration(ns)),
            None => "<td>\u{2013}".to_owned(),
        };
        out.push_str(&format!(
            "<tr><th scope=row><a href=\"#pair-{index}\">{}</a><td>{}",
            short_text(&pair.name, 120),
            quantity::count(spans.matched)
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

fn article(index: usize, pair: &PairDescription, spans: &Spans, is_first: bool, page: &Page<'_>) -> String {
    let mut out = format!("<article id=pair-{index}>\n<h3>{}</h3>\n", short_text(&pair.name, 120));
    out.push_str(&format!("<p class=hint>{}</p>\n", account(index, spans, page)));
    let collector = page.collector;
    out.push_str("<div class=charts>\n");
    out.push_str(&histogram(&spans.latencies, page.units));
    out.push_str(&heat_map(&spans.heat, collector.heat_grid(), page.span, page.units));
    out.push_str("</div>\n");
    if !spans.slowest().is_empty() {
        out.push_str("<h4>Slowest spans</h4>\n<div class=slowest>\n");
        for (place, slow) in spans.slowest().iter().enumerate() {
            push_slow(slow, is_first && place == 0, page, &mut out);
        }
        out.push_str("</div>\n");
    }
    out.push_str("</article>\n");
    out
}

/// What became of all that began.
fn account(index: usize, spans: &Spans, page: &Page<'_>) -> String {
    let mut parts = vec![counted(spans.matched, "span", "spans")];
    let open = page.collector.meanings().open_counts().get(index).copied().unwrap_or(0);
    if open > 0 {
        parts.push(format!("{} never ended", quantity::count(open)));
    }
    if spans.backward > 0 {
        parts.push(format!(
            "{} earlier than the begin, by up to {}, and not among the latencies",
            counted(spans.backward, "end is", "ends are"),
            page.duration(spans.largest_backward_ns)
        ));
    }
    text(&parts.join(", "))
}

fn push_slow(slow: &SlowSpan, open: bool, page: &Page<'_>, out: &mut String) {
    let Some(begin) = slow.records.first() else { return };
    let open = if open { " open" } else { "" };
    let who = page.who(Who { pid: begin.pid, tid: begin.tid });
    let arguments: Vec<String> =
        begin.arguments.iter().map(|(name, value)| format!("{name}={value}")).collect();
    out.push_str(&format!(
        "<details{open}><summary><b>{}</b><span class=when>{}</span><span class=who>{}</span><code>{}</code></summary>\n\
         <div class=scroll><table>\n<thead><tr><th scope=col class=n>After<th scope=col>Event<th scope=col>Thread<th scope=col>Arguments\n<tbody>\n",
        page.duration(slow.latency_ns),
        page.moment(begin.timestamp_ns),
        text(&who),
        short_text(&arguments.join(" "), 80),
    ));
    for (place, record) in slow.records.iter().enumerate() {
        if place + 1 == slow.records.len() && slow.steps_left_out > 0 {
            let more = counted(slow.steps_left_out, "more step", "more steps");
            out.push_str(&format!("<tr><td><td class=t colspan=3>\u{2026} {more}\n"));
        }
        push_record(record, begin.timestamp_ns, page, out);
    }
    out.push_str("</table></div></details>\n");
}

fn push_record(record: &ShownRecord, begin_ns: u64, page: &Page<'_>, out: &mut String) {
    let after = match record.timestamp_ns.checked_sub(begin_ns) {
        Some(ns) => page.duration(ns),
        None => format!("\u{2212}{}", page.duration(begin_ns - record.timestamp_ns)),
    };
    let who = page.who(Who { pid: record.pid, tid: record.tid });
    out.push_str(&format!(
        "<tr><td>{after}<th scope=row>{}<td class=t>{}<td class=t>",
        short_text(&record.event, 120),
        text(&who)
    ));
    for (name, value) in &record.arguments {
        out.push_str(&format!(
            "<span class=arg><i>{}</i>={}</span> ",
            short_text(name, 60),
            short_text(value, MAX_CHARACTERS)
        ));
    }
    out.push('\n');
}
