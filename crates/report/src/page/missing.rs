//! Gaps in the trace: lost events, and times when recording was off.

use super::context::Context;
use crate::collect::ThreadId;
use crate::html::text;
use ringtrace_display::quantity;

const MAX_PAUSES: usize = 200;

pub(super) fn render(page: &Context<'_>) -> String {
    let mut out = String::new();
    losses(page, &mut out);
    pauses(page, &mut out);
    out
}

fn losses(page: &Context<'_>, out: &mut String) {
    let losses = &page.collector.losses;
    let largest = losses.largest();
    if largest.is_empty() {
        return;
    }
    let all = losses.dropped.records;
    out.push_str("<h3>Lost events</h3>\n");
    if (largest.len() as u64) < all {
        out.push_str(&format!(
            "<p class=hint>The {} largest of {} losses are shown.</p>\n",
            quantity::count(largest.len() as u64),
            quantity::count(all)
        ));
    }
    out.push_str(
        "<div class=scroll><table id=loss-table class=\"sortable small\">\n<thead><tr><th scope=col aria-sort=ascending class=n>Time\
         <th scope=col class=n>Events<th scope=col>Cause<th scope=col>Thread\n<tbody>\n",
    );
    for loss in &largest {
        let cause = loss.cause.map_or("dropped", ringtrace_tracefile::metadata::Cause::word);
        let thread = |tid| ThreadId { trace: loss.trace, pid: 0, tid: Some(tid) };
        let thread = loss.tid.map_or("\u{2013}".to_owned(), |tid| page.thread_label(thread(tid)));
        out.push_str(&format!(
            "<tr><td>{}<td>{}<td class=t>{cause}<td class=t>{}\n",
            page.moment(loss.timestamp_ns),
            quantity::count(loss.events),
            text(&thread)
        ));
    }
    out.push_str("</table></div>\n");
}

fn pauses(page: &Context<'_>, out: &mut String) {
    if page.pauses.is_empty() {
        return;
    }
    out.push_str("<h3>Pauses</h3>\n");
    if page.pauses.len() > MAX_PAUSES {
        let all = quantity::count(page.pauses.len() as u64);
        out.push_str(&format!("<p class=hint>The first {MAX_PAUSES} of {all} pauses.</p>\n"));
    }
    out.push_str(
        "<div class=scroll><table class=small>\n<thead><tr><th scope=col class=n>From<th scope=col class=n>To<th scope=col class=n>Duration\n<tbody>\n",
    );
    for pause in page.pauses.iter().take(MAX_PAUSES) {
        let moment = |time_ns: Option<u64>, none: &str| time_ns.map_or(none.to_owned(), |ns| page.moment(ns));
        let duration = match (pause.from_ns, pause.to_ns) {
            (Some(_), Some(_)) => page.duration(pause.duration_ns()),
            _ => "\u{2013}".to_owned(),
        };
        out.push_str(&format!(
            "<tr><td>{}<td>{}<td>{duration}\n",
            moment(pause.from_ns, "unknown"),
            moment(pause.to_ns, "end of trace")
        ));
    }
    out.push_str("</table></div>\n");
}
