//! What changed between two recordings.
//!
//! [`Recording::read`] takes in each of them, in memory that does not grow with it: counts and durations (`recording`) in
//! blocks of time (`timeline`) that widen. [`Difference::between`] compares rates of events (`rates`) and
//! latencies of pairs (`latencies`), by a test (`statistics`) that trusts a recording only as far as its own ups and downs allow, and corrects
//! for the number of comparisons asked.

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
mod statistics;
mod steps;
mod timeline;

pub use difference::{
    Change, Difference, EventDifference, Finding, LevelDifference, Measure, PairDifference, Settings, Subject,
};
pub use page::render_page;
pub use recording::Recording;
