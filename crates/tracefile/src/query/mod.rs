//! Questions about entries: which match, which belong together, and their numbers.

pub mod expression;
pub mod filter;
pub mod pair;
pub mod statistics;

pub use filter::{Filter, FilterOptions};
