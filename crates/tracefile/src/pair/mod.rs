//! Two events that belong together: something begins and ends, and a value in both records tells which end belongs
//! to which begin.
//!
//! A [`PairSpec`] says it in names. A [`Pairing`] finds these names among the schemas of traces, is fed with
//! entries, calls back for every [`Span`] and counts what never matched. The policy is that of a table:
//!
//! * Records are matched in the order in which they are fed; times only measure.
//! * A begin whose key is open already takes the place of the older one, which counts as restarted.
//! * An end takes the begin of its key out of the table. Without one, it counts as an end alone.
//! * An event may be end and begin at once: it ends first, so that `tick:tick:cpu` measures from tick to tick.
//! * No more than a given number of begins are open at a time; beyond that they are counted, but not followed.

mod binding;
mod description;
mod meaning;
mod meanings;
mod open;
mod pairing;
mod spec;

pub use description::{CounterDescription, Description, EventKeys, PairDescription};
pub use meaning::{BeginRecord, Meaning, SpanId};
pub use meanings::{Meanings, Track, TrackOf};
pub use open::MAX_KEY_BYTES;
pub use pairing::{KEPT_ENDS, Pair, PairStatistics, Pairing, Span, Unmatched};
pub use spec::{KeySource, KeySpec, PairError, PairSpec};

#[cfg(test)]
mod tests;
