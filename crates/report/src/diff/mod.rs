//! The comparison of two recordings.
//!
//! [`Recording::read`] reads traces, and [`RecordingBuilder`] accepts rows from elsewhere, in memory
//! that does not grow with the recording: counts and durations (`recording`) in blocks of time that
//! widen (`timeline`). [`Difference::between`] compares event rates (`rates`) and latencies of pairs
//! (`latencies`). The statistical test (`statistics`) takes the variation within each recording into
//! account, and corrects for the number of comparisons.

mod builder;
mod collect;
mod compare;
mod consequences;
mod difference;
mod latencies;
mod machine;
mod nesting;
mod page;
mod rates;
mod recording;
mod runs;
mod statistics;
mod steps;
mod timeline;

pub use builder::{EventId, PairNames, RecordingBuilder};
pub use difference::{
    Change, Difference, EventDifference, Finding, LevelDifference, Measure, PairDifference, Settings, Subject,
};
pub use page::render_page;
pub use recording::Recording;
