//! Rows for spans, steps and counters. Their columns have the same names in Parquet, CSV and JSON
//! lines (`docs/tables.md`).

use std::io;

use ringtrace_tracefile::Entry;
use ringtrace_tracefile::pair::{Description, SpanEvent, SpanId, SpanTracker, Track};

#[derive(Debug, Clone, Copy)]
pub(crate) enum Row<'r> {
    /// A span whose outcome is known.
    Span(SpanRow<'r>),
    Step {
        id: SpanId,
        pair: &'r str,
    },
    Counter {
        counter: &'r str,
        track: u32,
        track_name: &'r str,
        value: i128,
    },
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct SpanRow<'r> {
    pub(crate) id: SpanId,
    pub(crate) pair: &'r str,
    pub(crate) track: &'r str,
    pub(crate) outcome: SpanOutcome,
    pub(crate) begin: &'r Entry<'r>,
    pub(crate) end: Option<&'r Entry<'r>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpanOutcome {
    Ended,
    /// Another span with the same key began before this one ended.
    Restarted,
    Open,
}

impl SpanOutcome {
    pub(crate) fn word(self) -> &'static str {
        match self {
            SpanOutcome::Ended => "ended",
            SpanOutcome::Restarted => "restarted",
            SpanOutcome::Open => "open",
        }
    }
}

impl<'r> SpanRow<'r> {
    fn new(
        (description, tracks): (&'r Description, &'r [Track]),
        id: SpanId,
        outcome: SpanOutcome,
        begin: &'r Entry<'r>,
        end: Option<&'r Entry<'r>>,
    ) -> SpanRow<'r> {
        let (pair, track) = (pair_name(description, id), track_name(tracks, id.track));
        SpanRow { id, pair, track, outcome, begin, end }
    }

    /// Returns the time from start to end, as measured by `stat --pair`. `None` if the end is
    /// missing, or is earlier than the start.
    pub(crate) fn latency_ns(&self) -> Option<u64> {
        self.end.and_then(|end| end.timestamp_ns.checked_sub(self.begin.timestamp_ns))
    }
}

/// Returns the rows of `entry`. The record that begins a span has no row, because the outcome is
/// not known yet.
pub(crate) fn rows<'r>(
    description: &'r Description,
    entry: &'r Entry<'r>,
    spans: &'r [SpanEvent<'r>],
    tracks: &'r [Track],
) -> impl Iterator<Item = Row<'r>> {
    let names = (description, tracks);
    spans.iter().filter_map(move |span_event| {
        Some(match span_event {
            SpanEvent::Begin(_) => return None,
            SpanEvent::End { span, begin } => {
                Row::Span(SpanRow::new(names, *span, SpanOutcome::Ended, begin, Some(entry)))
            }
            SpanEvent::Restarted { span, begin } => {
                Row::Span(SpanRow::new(names, *span, SpanOutcome::Restarted, begin, None))
            }
            SpanEvent::Step(span) => Row::Step { id: *span, pair: pair_name(description, *span) },
            &SpanEvent::Counter { counter, track, value } => Row::Counter {
                counter: counter_name(description, counter),
                track,
                track_name: track_name(tracks, track),
                value,
            },
        })
    })
}

/// Calls `write` for each span that never ended, until `write` fails.
pub(crate) fn each_open(
    tracker: &SpanTracker,
    mut write: impl FnMut(&SpanRow<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let names = (tracker.description(), tracker.tracks());
    tracker
        .open()
        .try_for_each(|(id, begin)| write(&SpanRow::new(names, id, SpanOutcome::Open, &begin, None)))
}

/// Returns whether the record is exported on its own, because it is not part of a span. Counter
/// records are exported too, because a counter shows only one of the record's values.
pub(crate) fn stands_alone(spans: &[SpanEvent<'_>]) -> bool {
    spans.iter().all(|span_event| matches!(span_event, SpanEvent::Counter { .. }))
}

pub(crate) fn pair_name(description: &Description, span: SpanId) -> &str {
    description.pairs.get(span.pair).map_or("", |pair| &pair.name)
}

pub(crate) fn counter_name(description: &Description, counter: usize) -> &str {
    description.counters.get(counter).map_or("", |counter| &counter.name)
}

pub(crate) fn track_name(tracks: &[Track], track: u32) -> &str {
    tracks.get(track as usize).map_or("", |track| &track.name)
}
