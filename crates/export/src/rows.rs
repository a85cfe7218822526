//! What records mean, as rows of tables: spans, steps and values of counters. Parquet, CSV and JSON lines tell the same of them, under the same
//! names; `docs/tables.md` has them.

use std::io;

use ringtrace_tracefile::Entry;
use ringtrace_tracefile::pair::{Description, SpanEvent, SpanTracker, SpanId, Track};

/// A row beside those of events.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Row<'r> {
    /// A span, when no more will be seen of it.
    Span(SpanRow<'r>),
    /// Something within a span.
    Step {
        /// The pair's name.
        pair: &'r str,
        /// The span's number.
        span: u64,
    },
    /// A counter has this value from here on.
    Counter {
        /// Its name.
        counter: &'r str,
        /// The name of its track.
        track: &'r str,
        /// By the type of its argument.
        value: i128,
    },
}

/// One span.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SpanRow<'r> {
    /// The pair's name.
    pub(crate) pair: &'r str,
    /// Its number.
    pub(crate) span: u64,
    /// The name of its track.
    pub(crate) track: &'r str,
    /// How it went on.
    pub(crate) outcome: Outcome,
    /// The record that began it.
    pub(crate) begin: &'r Entry<'r>,
    /// The record that ended it.
    pub(crate) end: Option<&'r Entry<'r>>,
}

/// How a span went on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Its end came.
    Ended,
    /// The same began again before an end.
    Restarted,
    /// The trace ended first.
    Open,
}

impl Outcome {
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Outcome::Ended => "ended",
            Outcome::Restarted => "restarted",
            Outcome::Open => "open",
        }
    }
}

impl SpanRow<'_> {
    /// From begin to end; none where the end is missing, or earlier than the begin. `stat --pair` counts the same.
    pub(crate) fn latency_ns(&self) -> Option<u64> {
        self.end.and_then(|end| end.timestamp_ns.checked_sub(self.begin.timestamp_ns))
    }
}

/// What `entry` means, in rows. A begin has none: its row comes when it is known how it went on.
pub(crate) fn rows<'r>(
    description: &'r Description,
    entry: &'r Entry<'r>,
    meanings: &'r [SpanEvent<'r>],
    tracks: &'r [Track],
) -> impl Iterator<Item = Row<'r>> {
    meanings.iter().filter_map(move |meaning| {
        let of =
            |id: SpanId, outcome, begin, end| Row::Span(span(description, tracks, id, outcome, begin, end));
        Some(match meaning {
            SpanEvent::Begin(_) => return None,
            SpanEvent::End { span, begin } => of(*span, Outcome::Ended, begin, Some(entry)),
            SpanEvent::Restarted { span, begin } => of(*span, Outcome::Restarted, begin, None),
            SpanEvent::Step(span) => Row::Step { pair: pair(description, *span), span: span.number },
            SpanEvent::Counter { counter, track, value } => Row::Counter {
                counter: description.counters.get(*counter).map_or("", |counter| &counter.name),
                track: name(tracks, *track),
                value: *value,
            },
        })
    })
}

/// Tells of the spans that never ended.
///
/// # Errors
/// That of the first call of `tell` that fails.
pub(crate) fn each_open(
    meanings: &SpanTracker,
    mut tell: impl FnMut(&SpanRow<'_>) -> io::Result<()>,
) -> io::Result<()> {
    meanings.open().try_for_each(|(id, begin)| {
        tell(&span(meanings.description(), meanings.tracks(), id, Outcome::Open, &begin, None))
    })
}

fn span<'r>(
    description: &'r Description,
    tracks: &'r [Track],
    id: SpanId,
    outcome: Outcome,
    begin: &'r Entry<'r>,
    end: Option<&'r Entry<'r>>,
) -> SpanRow<'r> {
    let (pair, track) = (pair(description, id), name(tracks, id.track));
    SpanRow { pair, span: id.number, track, outcome, begin, end }
}

fn pair(description: &Description, span: SpanId) -> &str {
    description.pairs.get(span.pair).map_or("", |pair| &pair.name)
}

fn name(tracks: &[Track], track: u32) -> &str {
    tracks.get(track as usize).map_or("", |track| &track.name)
}
