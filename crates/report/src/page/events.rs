//! Tables of events and of threads.

use std::cmp::Reverse;

use super::context::Context;
use super::svg::{fold, sparkline};
use crate::collect::Counts;
use crate::html::{shorten, text};
use ringtrace_display::quantity;
use ringtrace_tracefile::Causes;

/// Number of rows whose sparklines are in the page. The script draws the other sparklines.
const DRAWN_ROWS: usize = 100;
const MAX_CHARACTERS: usize = 120;
const MAX_ROW_BYTES: usize = 800 << 10;

/// Name of the row for events or threads that are not counted separately.
const OTHER: &str = "(other)";

const SPARK_COLUMNS: usize = 60;
const SPARK_WIDTH: u32 = 120;
const SPARK_HEIGHT: u32 = 18;

/// Returns the indices of the events in the order of their rows: by count, then by name.
pub(super) fn order(page: &Context<'_>) -> Vec<usize> {
    let events = &page.collector.events;
    let mut order: Vec<usize> = (0..events.len()).collect();
    order.sort_by(|&a, &b| {
        let key = |at: usize| (Reverse(events[at].1.count), events[at].0.as_str());
        key(a).cmp(&key(b))
    });
    order
}

pub(super) fn render(page: &Context<'_>) -> String {
    let (events, other) = (&page.collector.events, &page.collector.other);
    if events.is_empty() {
        return "<p class=empty>The trace contains no events, or none match the filters.</p>\n".to_owned();
    }
    let all = page.collector.event_count();
    let mut rows = String::new();
    let mut omitted = 0;
    for (row, at) in order(page).into_iter().enumerate() {
        if rows.len() > MAX_ROW_BYTES {
            omitted += 1;
            continue;
        }
        let (name, count) = &events[at];
        push_row(name, count, all, &[], row < DRAWN_ROWS, page, &mut rows);
    }
    if other.count > 0 {
        push_row(OTHER, other, all, &[], true, page, &mut rows);
    }
    let mut out = table("event-table", "Event", &[], &rows);
    if omitted > 0 {
        let omitted = quantity::counted(omitted, "more kind of event is", "more kinds of events are");
        out.push_str(&format!(
            "<p class=hint>{omitted} not shown: <code>ringtrace stat --top 0</code> lists all.</p>\n"
        ));
    }
    out
}

/// Renders the table of threads, or of processes if threads are not known. Returns an empty string
/// if there is only one of them and it lost no events.
pub(super) fn render_threads(page: &Context<'_>) -> String {
    let threads = &page.collector.threads;
    let mut all: Vec<_> = threads.iter().collect();
    let losses = &page.collector.losses;
    if all.len() < 2 && losses.by_thread.is_empty() {
        return String::new();
    }
    all.sort_by_key(|(thread, count)| (Reverse(count.count), *thread));
    type Field = fn(&Causes) -> u64;
    let fields: [(&str, Field); 3] = [
        ("Dropped", |causes| causes.dropped),
        ("Overwritten", |causes| causes.overwritten),
        ("Refused", |causes| causes.refused),
    ];
    let fields: Vec<(&str, Field)> = fields
        .into_iter()
        .filter(|(_, field)| losses.by_thread.values().any(|causes| field(causes) > 0))
        .collect();
    let heads: Vec<&str> = fields.iter().map(|(head, _)| *head).collect();
    let events = page.collector.event_count();
    let mut rows = String::new();
    for (row, (thread, count)) in all.iter().enumerate() {
        let lost = thread.tid.and_then(|tid| losses.by_thread.get(&(thread.trace, tid)));
        let lost = lost.copied().unwrap_or_default();
        let lost: Vec<u64> = fields.iter().map(|(_, field)| field(&lost)).collect();
        let name = page.thread_label(*thread);
        push_row(&name, count, events, &lost, row < DRAWN_ROWS, page, &mut rows);
    }
    if threads.other().count > 0 {
        let none = vec![0; fields.len()];
        push_row(OTHER, threads.other(), events, &none, true, page, &mut rows);
    }
    let mut out = table("thread-table", page.thread_headings().0, &heads, &rows);
    out.push_str(
        "<p class=hint>Events per second are from the first to the last event of the row. In <code>ringtrace info</code>, \
         they are over the whole trace.</p>\n",
    );
    out
}

fn table(id: &str, what: &str, more: &[&str], rows: &str) -> String {
    let more: String = more.iter().map(|head| format!("<th scope=col class=n>{}", text(head))).collect();
    format!(
        "<div class=scroll><table id={id} class=sortable>\n<thead><tr><th scope=col>{what}\
         <th scope=col class=n aria-sort=descending>Count<th scope=col class=n>%\
         <th scope=col class=n title=\"From the first to the last event of the row\">Per second\
         {more}<th scope=col class=n>First<th scope=col class=spark>Over time\n<tbody>\n{rows}</table></div>\n"
    )
}

fn push_row(
    name: &str,
    count: &Counts,
    all: u64,
    lost: &[u64],
    drawn: bool,
    page: &Context<'_>,
    out: &mut String,
) {
    let share = count.count as f64 * 100.0 / all.max(1) as f64;
    let rate = count.rate_per_s().map_or("\u{2013}".to_owned(), quantity::per_second);
    let first = page.moment(count.span.smallest_ns);
    // A name that is cut has its full text in a tooltip.
    let short = shorten(name, MAX_CHARACTERS);
    let title = if short == name { String::new() } else { format!(" title=\"{}\"", text(name)) };
    // The script must not use this row for an event.
    let class = if name == OTHER { " class=other" } else { "" };
    out.push_str(&format!(
        "<tr{class}><th scope=row{title}>{}<td>{}<td>{share:.1}<td>{rate}",
        text(&short),
        quantity::count(count.count)
    ));
    for lost in lost {
        out.push_str(&format!(
            "<td>{}",
            if *lost == 0 { "\u{2013}".to_owned() } else { quantity::count(*lost) }
        ));
    }
    out.push_str(&format!("<td>{first}<td>"));
    if drawn {
        let used = page.buckets(&count.buckets);
        out.push_str(&sparkline(&fold(used, SPARK_COLUMNS), SPARK_WIDTH, SPARK_HEIGHT));
    }
    out.push('\n');
}
