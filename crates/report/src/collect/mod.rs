//! A report's data, collected in one pass, in memory that does not grow with the trace.

mod collector;
mod counters;
mod heat_map;
mod losses;
mod record;
mod slowest;
mod spans;
mod threads;
mod time_grid;

pub use collector::Collector;
pub(crate) use heat_map::HeatMap;
pub use record::ShownRecord;
pub use slowest::{SlowSpan, SlowestSpans};
pub(crate) use spans::{DrawnSpan, MAX_DRAWN, PairSpans};
pub(crate) use threads::ThreadId;
pub(crate) use time_grid::{Counts, TimeGrid, TimeRange};
