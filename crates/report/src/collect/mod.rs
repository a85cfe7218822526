//! A page that tells what a trace holds, and what it is made of.
//!
//! A [`Collector`] sees all records once, in memory that does not grow with the trace; [`render`] makes one page of what it has
//! collected, which needs nothing else: no network, no other file, and no script to be read.

pub mod chart;
mod collector;
mod count;
mod counters;
mod events;
mod grid;
mod heat;
pub mod html;
mod latency;
mod lost;
mod missing;
pub mod packed;
mod page;
mod record;
mod recorded;
pub mod scale;
mod spans;
pub mod svg;
mod threads;
mod timeline;

pub use collector::{Collector, MAX_EVENTS};
pub use count::Count;
pub use counters::{Counters, Level, Values};
pub use grid::{Grid, Span, Widening};
pub use heat::Heat;
pub use lost::{Loss, Losses};
pub use page::{About, render};
pub use record::ShownRecord;
pub use spans::{DrawnSpan, SlowSpan, Spans};
pub use threads::{MAX_THREADS, Threads, Who};
