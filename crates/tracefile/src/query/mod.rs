//! Queries on entries: filters, expressions, pairs of events, and statistics.

pub mod expression;
pub mod filter;
pub mod pair;
pub mod statistics;

pub use filter::{Filter, FilterOptions};
