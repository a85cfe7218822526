//! The page.

use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::{Pause, Traces, pauses};

use super::collector::Collector;
use super::html;
use super::svg;
use crate::quantity::{self, Units};
use crate::tell::told_of_dropped;

/// What a page tells beside what was collected.
#[derive(Debug)]
pub struct About<'a> {
    /// The traces, that were read.
    pub traces: &'a Traces,
    /// How their clock goes with the wall clock.
    pub anchor: Option<Anchor>,
    /// What was asked for, where that is not everything: a line for each filter.
    pub filters: Vec<String>,
    /// What went wrong while reading, a line each.
    pub problems: Vec<String>,
}

/// One page about all that `collector` saw.
pub fn render(collector: &mut Collector, about: &About<'_>) -> String {
    let mut body = String::from("<main>\n<h1>Trace report</h1>\n");
    let units = Units::new(true);
    let span = collector.span();
    body.push_str(&format!(
        "<p>{} events in {}.</p>\n",
        quantity::count(collector.event_count()),
        units.duration(span.duration_ns())
    ));
    let dropped = collector.losses().dropped;
    if dropped.records > 0 {
        body.push_str(&format!("<p class=lost>{}</p>\n", html::text(&told_of_dropped(dropped))));
    }
    let pauses: Vec<Pause> =
        about.traces.readers().iter().flat_map(|reader| pauses(reader.metadata())).collect();
    let _ = pauses;
    body.push_str("<table><thead><tr><th>Event<th>Count<th>Over time</thead>\n<tbody>\n");
    for (name, count) in collector.events() {
        body.push_str(&format!(
            "<tr><td>{}<td>{}<td>{}\n",
            html::text(name),
            quantity::count(count.count),
            svg::sparkline(&svg::fold(&count.buckets, 64), 128, 20)
        ));
    }
    body.push_str("</table>\n</main>\n");
    html::page("Trace report", &body, "{}", "")
}
