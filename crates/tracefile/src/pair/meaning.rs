//! What a record is in a [`Description`](super::Description): the begin of a span, its end, a step, a counter's value.

use ringtrace_events::CType;

use crate::entry::Value;

/// A span: one begin and, maybe, its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanId {
    /// Index of the pair in the description.
    pub pair: usize,
    /// Counts all spans from 1: no two of a run have the same.
    pub number: u64,
    /// Index among the [tracks](super::Meanings::tracks).
    pub track: u32,
    /// The smallest number, from 0, that no other open span of the track has: spans of one lane never overlap.
    pub lane: u32,
}

/// One thing that a record means. A record can mean several: the end of one span, and the begin of another.
#[derive(Debug, Clone, Copy)]
pub enum Meaning<'m> {
    /// A span begins here.
    Begin(SpanId),
    /// It ends here.
    End {
        /// Which.
        span: SpanId,
        /// The record that began it.
        begin: BeginRecord<'m>,
    },
    /// Something happens within it.
    Step(SpanId),
    /// A counter has this value from here on.
    Counter {
        /// Index in the description.
        counter: usize,
        /// Index among the tracks.
        track: u32,
        /// Its value, by the argument's type.
        value: i128,
    },
}

/// What is kept of the record that began a span.
#[derive(Debug, Clone, Copy)]
pub struct BeginRecord<'m> {
    /// Its event's name.
    pub event: &'m str,
    /// Its time.
    pub timestamp_ns: u64,
    /// Its process.
    pub pid: u32,
    /// Its thread, where the trace tells it.
    pub tid: Option<u32>,
    /// Its values, with the names and types of the arguments.
    pub values: &'m [(&'m str, CType, Value<'m>)],
}
