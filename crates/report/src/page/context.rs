//! Data for all sections of the page.

use ringtrace_display::quantity::Units;
use ringtrace_tracefile::metadata::{Anchor, Metadata};
use ringtrace_tracefile::text::clock::Clock;
use ringtrace_tracefile::{Pause, Reader, Traces};

use crate::collect::{Collector, ThreadId, TimeRange};

/// Information for the page that is not part of the collected data.
#[derive(Debug)]
pub struct PageInfo<'a> {
    /// The traces that were read.
    pub traces: &'a Traces,
    /// The relation between the traces' clock and the wall clock.
    pub anchor: Option<Anchor>,
    /// The filters, one line each. Empty if the report covers everything.
    pub filters: Vec<String>,
    /// Errors while reading, one line each.
    pub problems: Vec<String>,
    /// The traces that their programs have not finished.
    pub unfinished: Vec<Unfinished>,
}

/// A trace that its program has not finished.
#[derive(Debug, Clone)]
pub struct Unfinished {
    /// A sentence about the trace, without a full stop.
    pub text: String,
    /// Whether its last events are missing, or may be.
    pub has_lost: bool,
}

pub(super) struct Context<'a> {
    pub(super) collector: &'a Collector,
    pub(super) info: &'a PageInfo<'a>,
    pub(super) pauses: Vec<Pause>,
    /// The time range of all records, or from 0 to 0 if there are none.
    pub(super) span: TimeRange,
    pub(super) units: Units,
}

impl<'a> Context<'a> {
    pub(super) fn new(collector: &'a Collector, info: &'a PageInfo<'a>) -> Context<'a> {
        let span = collector.span;
        let span = if span.is_some() { span } else { TimeRange { smallest_ns: 0, largest_ns: 0 } };
        let pauses = info.traces.readers().into_iter().flat_map(Reader::pauses).collect();
        Context { collector, info, pauses, span, units: Units::new(true) }
    }

    /// Returns whether there are records with a time. Otherwise, the page must not show the limits of
    /// the [`span`](Context::span), because 0 would appear as the time when the machine was booted.
    pub(super) fn has_times(&self) -> bool {
        self.collector.span.is_some()
    }

    pub(super) fn used_buckets(&self) -> usize {
        self.collector.grid.index(self.span.largest_ns).map_or(0, |last| last + 1)
    }

    pub(super) fn buckets<'b, T>(&self, buckets: &'b [T]) -> &'b [T] {
        &buckets[..self.used_buckets().min(buckets.len())]
    }

    pub(super) fn duration(&self, ns: u64) -> String {
        self.units.duration(ns)
    }

    /// Formats a moment as seconds from the first record, or as a dash if there are no records.
    pub(super) fn moment(&self, time_ns: u64) -> String {
        if !self.has_times() {
            return "\u{2013}".to_owned();
        }
        let ns = time_ns.abs_diff(self.span.smallest_ns);
        let sign = if time_ns < self.span.smallest_ns { "\u{2212}" } else { "" };
        format!("{sign}{}.{:06} s", ns / 1_000_000_000, ns % 1_000_000_000 / 1000)
    }

    /// Formats a time of a record as a date. Returns `None` if the wall-clock time is unknown, or if
    /// there are no records.
    pub(super) fn date(&self, time_ns: u64) -> Option<String> {
        if !self.has_times() {
            return None;
        }
        let date = Clock::date(self.info.anchor?, time_ns, 6);
        let (day, time) = date.split_once('T')?;
        Some(format!("{day} {} UTC", time.split_once('.')?.0))
    }

    /// Returns the singular and plural headings for threads, or for processes if threads are not
    /// known.
    pub(super) fn thread_headings(&self) -> (&'static str, &'static str) {
        let has_tids = self.collector.threads.iter().any(|(thread, _)| thread.tid.is_some());
        if has_tids { ("Thread", "Threads") } else { ("Process", "Processes") }
    }

    /// Returns the label of a thread or process: `worker 4712`, `thread 4712`, `process 4711`. If there
    /// are several traces, it ends with the name of the trace.
    pub(super) fn thread_label(&self, thread: ThreadId) -> String {
        let traces = self.info.traces;
        let label = match (thread.tid, thread.pid) {
            (Some(tid), _) => match traces.thread_name(thread.trace, tid) {
                Some(name) => format!("{name} {tid}"),
                None => format!("thread {tid}"),
            },
            // The process id is 0 if the format version has no process ids.
            (None, pid) => format!("process {pid}"),
        };
        let origins = &traces.aligned().origins;
        match origins.get(thread.trace as usize).filter(|_| origins.len() > 1) {
            Some(origin) => format!("{label} ({})", origin.name),
            None => label,
        }
    }

    /// Returns the value of `key` in the first trace that has it.
    pub(super) fn metadata(&self, key: &str) -> Option<&'a [u8]> {
        let pieces = self.info.traces.readers().into_iter().flat_map(Reader::metadata);
        pieces.into_iter().find_map(|piece| match piece {
            Metadata::Other(known, value) if known == key => Some(value.as_slice()),
            _ => None,
        })
    }
}
