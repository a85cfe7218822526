//! Span events: the start, end or step of a span, or a counter's value.

use std::ops::Deref;

use crate::entry::Entry;

/// The id of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanId {
    /// Index of the pair in the description.
    pub pair: usize,
    /// The number of the span, counted from 1 in the order in which spans begin. It is unique
    /// within a run.
    pub number: u64,
    /// Index among the [tracks](super::SpanTracker::tracks).
    pub track: u32,
    /// The smallest number, from 0, that no other open span of the track uses. Between the begin
    /// record and the end record of a span, no other span of its lane begins or ends.
    pub lane: u32,
    /// The number of the span that surrounds this one; 0 if there is none, or if it is not open.
    /// Only spans that are [drawn as a tree](super::DrawnOn::Tree) have a parent.
    pub parent: u64,
}

/// An event of a span or counter, caused by a record. A record can cause several, such as the end
/// of one span and the start of another. They are in display order: ends precede starts.
#[derive(Debug, Clone, Copy)]
pub enum SpanEvent<'m> {
    /// A span begins.
    Begin(SpanId),
    /// A span ends.
    End {
        /// The span.
        span: SpanId,
        /// The record that began the span. It contains its values only if [begin records are
        /// kept](super::SpanTracker::keep_begins) and there is enough memory. It can have a later
        /// time than the record that ends the span.
        begin: Entry<'m>,
    },
    /// A span will never end, because a new span with the same key starts at this record.
    Restarted {
        /// The span.
        span: SpanId,
        /// The record that began the span, as in [`SpanEvent::End`].
        begin: Entry<'m>,
    },
    /// A step within a span.
    Step(SpanId),
    /// A counter has a new value.
    Counter {
        /// The index of the counter in the description.
        counter: usize,
        /// The index of the counter's track.
        track: u32,
        /// The value, converted according to the argument's type.
        value: i128,
    },
}

/// The span events of a record: a slice of [`SpanEvent`], empty for most records.
#[derive(Debug, Clone, Default)]
pub enum SpanEvents<'m> {
    /// No event.
    #[default]
    Nothing,
    /// A single event, the most common case if there are any.
    One([SpanEvent<'m>; 1]),
    /// Several events.
    Several(Vec<SpanEvent<'m>>),
}

impl<'m> Deref for SpanEvents<'m> {
    type Target = [SpanEvent<'m>];

    #[inline]
    fn deref(&self) -> &[SpanEvent<'m>] {
        match self {
            SpanEvents::Nothing => &[],
            SpanEvents::One(one) => one,
            SpanEvents::Several(several) => several,
        }
    }
}
