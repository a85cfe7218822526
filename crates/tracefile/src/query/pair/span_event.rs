//! What a record is in a [`Description`](super::Description): the begin of a span, its end, a step, a counter's value.

use std::ops::Deref;

use crate::entry::Entry;

/// A span: one begin and, maybe, its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanId {
    /// Index of the pair in the description.
    pub pair: usize,
    /// Counts all spans from 1, in the order of their begins: no two of a run have the same.
    pub number: u64,
    /// Index among the [tracks](super::SpanTracker::tracks).
    pub track: u32,
    /// The smallest number, from 0, that no other open span of the track has: spans of one lane never overlap in the order
    /// of records.
    pub lane: u32,
}

/// One thing that a record means. A record can mean several: the end of one span, and the begin of another. They are told
/// in the order in which they are to be shown: what ends goes before what begins.
#[derive(Debug, Clone, Copy)]
pub enum SpanEvent<'m> {
    /// A span begins here.
    Begin(SpanId),
    /// It ends here.
    End {
        /// Which.
        span: SpanId,
        /// The record that began it. It has its values only where [begins are kept](super::SpanTracker::keep_begins), and
        /// there is room for them. Its time can be later than the end's.
        begin: Entry<'m>,
    },
    /// Its end will not be seen: the same begins again here, which is another span.
    Restarted {
        /// Which.
        span: SpanId,
        /// The record that began it, as in [`SpanEvent::End`].
        begin: Entry<'m>,
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

/// All that one record means: a slice of [`SpanEvent`], empty for most records.
#[derive(Debug, Clone, Default)]
pub enum SpanEvents<'m> {
    /// Nothing.
    #[default]
    Nothing,
    /// What nearly all records mean that mean something.
    One([SpanEvent<'m>; 1]),
    /// Several things.
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
