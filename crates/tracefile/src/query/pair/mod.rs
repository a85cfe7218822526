//! Pairs of events: a begin event and an end event, matched by a value that both contain. A *begin
//! record* is a record of a begin event, and an *end record* is a record of an end event.
//!
//! A [`PairSpec`] contains the names of a pair's events and arguments. A [`Pairing`] finds these
//! names in the schemas of traces, and processes entries. It calls a [`SpanSink`] for every begin,
//! end and step record of a span, and counts unmatched entries. It uses a table of open begin
//! records:
//!
//! * Records are matched in the order in which they are processed. Their times are used only to
//!   measure spans.
//! * A begin record whose key is already open replaces the older begin record, which is counted as
//!   restarted.
//! * An end record removes the begin record with its key from the table. If there is none, the end
//!   record is counted as unmatched.
//! * An event can be both a begin event and an end event. Its record first ends the old span, so
//!   `tick:tick:cpu` measures from tick to tick.
//! * The number of open begin records is limited. Further ones are counted, but not added to the
//!   table.

mod binding;
mod built_in;
mod by_name;
mod codes;
mod counters;
mod description;
mod open;
mod open_spans;
mod ordinary;
mod pair_statistics;
mod pairing;
mod parse;
mod parts;
mod plain;
mod records;
mod span_event;
mod spec;
mod tracker;
mod tracks;

pub use built_in::{BUILT_IN, BuiltInDescription};
pub use codes::PAIR_CODES;
pub use description::{
    CounterDescription, CounterValue, Description, DrawnOn, EventKeys, PairDescription, SourceLocation,
};
pub use open::{MAX_KEY_BYTES, Open};
pub use open_spans::{MAX_BEGIN_BYTES, OpenSpan};
pub use ordinary::EndedSpan;
pub use pair_statistics::PairStatistics;
pub use pairing::{DEFAULT_MAX_OPEN, KEPT_ENDS, Pair, Pairing, SpanSink, Unmatched};
pub use parse::{MAX_STATEMENTS, parse};
pub(crate) use parts::{PartMatcher, SpanPart};
pub(crate) use plain::{PlainEvent, PlainRecord, SchemaRole};
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
