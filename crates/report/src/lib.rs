//! Reports on traces for people: a page about one trace, and a comparison of two recordings.
//!
//! A [`Collector`] visits all records once, in memory that does not grow with the trace.
//! [`render_page`] renders the collected data as a self-contained page: it needs no network and no
//! other file, and is readable without scripts. [`diff`] compares two recordings.

#![forbid(unsafe_code)]

mod collect;
pub mod diff;
mod html;
mod page;
pub mod wording;

pub use collect::{Collector, ShownRecord, SlowSpan, SlowestSpans};
pub use page::{PageInfo, Unfinished, render_page};
