//! The page, from its parts.

use std::collections::HashMap;

use ringtrace_tracefile::metadata::{Anchor, Metadata};
use ringtrace_tracefile::text::TextBuffer;
use ringtrace_tracefile::text::clock::{Clock, TIME_BYTES};
use ringtrace_tracefile::{Pause, Reader, Times, Traces, pauses};

use super::collector::Collector;
use super::grid::Span;
use super::html;
use super::threads::Who;
use super::{events, latency, missing, recorded, timeline};
use crate::quantity::Units;

/// What the tables and the timeline do when a script may run.
const SCRIPT: &str = concat!(
    include_str!("script/numbers.js"),
    include_str!("script/tables.js"),
    include_str!("script/timeline.js")
);

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

/// What all parts of a page need.
pub(super) struct Page<'a> {
    pub(super) collector: &'a Collector,
    pub(super) about: &'a About<'a>,
    pub(super) pauses: Vec<Pause>,
    pub(super) span: Span,
    pub(super) units: Units,
    names: HashMap<u32, String>,
}

/// A part: its title in the list of contents, its mark, and its text. Parts without text are left out.
type Part = (fn(&Page<'_>) -> &'static str, &'static str, fn(&Page<'_>) -> String);

const PARTS: &[Part] = &[
    (|_| "Timeline", "timeline", timeline::render),
    (|_| "Latency", "latency", latency::render),
    (|_| "Events", "events", events::render),
    (|page| page.doers().1, "threads", events::render_threads),
    (|_| "Missing", "missing", missing::render),
    (|_| "Recording", "recording", recorded::render),
];

/// One page about all that `collector` saw.
pub fn render(collector: &Collector, about: &About<'_>) -> String {
    let page = Page::new(collector, about);
    let parts = PARTS.iter().map(|(title, id, render)| (title(&page), *id, render(&page)));
    let parts: Vec<_> = parts.filter(|(.., text)| !text.is_empty()).collect();
    let mut body = recorded::head(&page);
    body.push_str("<nav aria-label=Contents>\n");
    for (title, id, _) in &parts {
        body.push_str(&format!("<a href=\"#{id}\">{title}</a>\n"));
    }
    body.push_str("</nav>\n<main>\n");
    for (title, id, text) in &parts {
        body.push_str(&format!(
            "<section id={id} aria-labelledby={id}-title>\n<h2 id={id}-title>{title}</h2>\n{text}</section>\n"
        ));
    }
    body.push_str("</main>\n");
    body.push_str(&format!(
        "<footer>Made by ringtrace {}. Percentiles are within 0.8%. Times count from the first record.</footer>\n",
        env!("CARGO_PKG_VERSION")
    ));
    html::page(&recorded::title(&page), &body, &timeline::data(&page), SCRIPT)
}

impl<'a> Page<'a> {
    fn new(collector: &'a Collector, about: &'a About<'a>) -> Page<'a> {
        let readers = about.traces.readers();
        let mut names = HashMap::new();
        for (who, _) in collector.threads().iter() {
            if let Some(tid) = who.tid
                && let Some(name) = readers.iter().find_map(|reader| reader.threads().name(tid))
            {
                names.insert(tid, name.to_owned());
            }
        }
        let span = collector.span();
        let span = if span.is_some() { span } else { Span { smallest_ns: 0, largest_ns: 0 } };
        let pauses = readers.iter().flat_map(|reader| pauses(reader.metadata())).collect();
        Page { collector, about, pauses, span, units: Units::new(true), names }
    }

    /// How many buckets of time are in use.
    pub(super) fn used_buckets(&self) -> usize {
        self.collector.grid().place(self.span.largest_ns).map_or(0, |last| last + 1)
    }

    /// Those of `buckets` that are in use.
    pub(super) fn buckets<'b, T>(&self, buckets: &'b [T]) -> &'b [T] {
        &buckets[..self.used_buckets().min(buckets.len())]
    }

    /// A length of time.
    pub(super) fn duration(&self, ns: u64) -> String {
        self.units.duration(ns)
    }

    /// A moment, in seconds from the first record.
    pub(super) fn moment(&self, time_ns: u64) -> String {
        let ns = time_ns.abs_diff(self.span.smallest_ns);
        let sign = if time_ns < self.span.smallest_ns { "\u{2212}" } else { "" };
        format!("{sign}{}.{:06} s", ns / 1_000_000_000, ns % 1_000_000_000 / 1000)
    }

    /// The date of a moment, where it is known.
    pub(super) fn date(&self, time_ns: u64) -> Option<String> {
        let mut clock = Clock::new(Times { origin_ns: None, anchor: Some(self.about.anchor?) });
        let mut text = TextBuffer::default();
        let mut room = text.reserve(TIME_BYTES);
        clock.push_date(time_ns, 6, &mut room);
        room.keep();
        let date = String::from_utf8_lossy(text.as_bytes()).into_owned();
        let (day, time) = date.split_once('T')?;
        Some(format!("{day} {} UTC", time.split_once('.')?.0))
    }

    /// The name of a thread, where the trace tells it.
    pub(super) fn thread_name(&self, tid: u32) -> Option<&str> {
        self.names.get(&tid).map(String::as_str)
    }

    /// What those are called that did something, one and several: where threads are not known, processes.
    pub(super) fn doers(&self) -> (&'static str, &'static str) {
        let has_tids = self.collector.threads().iter().any(|(who, _)| who.tid.is_some());
        if has_tids { ("Thread", "Threads") } else { ("Process", "Processes") }
    }

    /// Who did something: `worker 4712`, `thread 4712`, `process 4711`.
    pub(super) fn who(&self, who: Who) -> String {
        match (who.tid, who.pid) {
            (Some(tid), _) => match self.thread_name(tid) {
                Some(name) => format!("{name} {tid}"),
                None => format!("thread {tid}"),
            },
            // In versions that record no process all are of process 0, which is then not shown: there is only that.
            (None, pid) => format!("process {pid}"),
        }
    }

    /// What the traces say under `key`, the first of them.
    pub(super) fn said(&self, key: &str) -> Option<&'a [u8]> {
        let pieces = self.about.traces.readers().into_iter().flat_map(Reader::metadata);
        pieces.into_iter().find_map(|piece| match piece {
            Metadata::Other(known, value) if known == key => Some(value.as_slice()),
            _ => None,
        })
    }
}
