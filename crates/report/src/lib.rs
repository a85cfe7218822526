//! Reports on traces for people: a page about one trace, and a comparison of two.
//!
//! A [`Collector`] sees all records once, in memory that does not grow with the trace. [`render_page`] makes one page of what it has
//! collected, which needs nothing else: no network, no other file, and no script to be read. [`diff`] compares two recordings.

#![forbid(unsafe_code)]

mod collect;
pub mod diff;
mod html;
mod page;
pub mod wording;

pub use collect::Collector;
pub use page::{PageInfo, render_page};
