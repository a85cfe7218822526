//! Two events that belong together: something begins and ends, and a value in both records tells which end belongs
//! to which begin.
//!
//! A [`PairSpec`] says it in names. A [`Pairing`] finds these names among the schemas of traces, is fed with
//! entries, calls a [`SpanSink`] for every begin, step and end of a span, and counts what never matched. The policy is that of a table:
//!
//! * Records are matched in the order in which they are fed; times only measure.
//! * A begin whose key is open already takes the place of the older one, which counts as restarted.
//! * An end takes the begin of its key out of the table. Without one, it counts as an end alone.
//! * An event may be end and begin at once: it ends first, so that `tick:tick:cpu` measures from tick to tick.
//! * No more than a given number of begins are open at a time; beyond that they are counted, but not followed.

mod binding;
mod built_in;
mod codes;
mod counters;
mod description;
mod open;
mod open_spans;
mod pairing;
mod parse;
mod span_event;
mod spec;
mod tracker;
mod tracks;

pub use built_in::{BUILT_IN, BuiltInDescription};
pub use codes::PAIR_CODES;
pub use description::{
    CounterDescription, CounterValue, Description, EventKeys, PairDescription, SourceLocation,
};
pub use open::{MAX_KEY_BYTES, Open};
pub use open_spans::{MAX_BEGIN_BYTES, OpenSpan};
pub use pairing::{DEFAULT_MAX_OPEN, KEPT_ENDS, Pair, PairStatistics, Pairing, SpanSink, Unmatched};
pub use parse::{MAX_STATEMENTS, parse};
pub use span_event::{SpanEvent, SpanEvents, SpanId};
pub use spec::{KeySource, KeySpec, PairError, PairSpec};
pub use tracker::SpanTracker;
pub use tracks::{MAX_TRACKS, Track, TrackOwner};

#[cfg(test)]
mod parse_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tracker_tests;
