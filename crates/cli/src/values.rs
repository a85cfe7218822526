//! Option values: durations and numbers.

use std::num::NonZero;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

pub use ringtrace_tracefile::moment::{Epoch, Moment, parse_span};

/// Returns the number of threads that read a trace: `requested`, or one for each core.
pub fn thread_count(requested: Option<u16>) -> usize {
    match requested {
        Some(threads) => threads.into(),
        None => std::thread::available_parallelism().map_or(1, NonZero::get),
    }
}

/// Parses a duration, such as `10`, `0.5` or `200ms`, within `range`.
pub fn parse_duration(text: &str, range: &RangeInclusive<Duration>) -> Result<Duration, String> {
    let ns = parse_span(text).and_then(|ns| u64::try_from(ns).ok());
    ns.map(Duration::from_nanos).filter(|duration| range.contains(duration)).ok_or_else(|| {
        let (least, most) = (range.start().as_secs_f64(), range.end().as_secs_f64());
        format!("expected seconds from {least} to {most}, or a time such as 200ms or 2min")
    })
}

pub fn parse_number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "expected a number".to_owned())
}

pub fn parse_in<T: FromStr + PartialOrd + std::fmt::Display>(
    text: &str,
    range: &RangeInclusive<T>,
) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("expected a number from {} to {}", range.start(), range.end()))
}
