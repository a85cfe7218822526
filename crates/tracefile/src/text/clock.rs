//! Times as text.

use jiff::Timestamp;

use super::number::{push_decimal, push_padded};
use super::{Reserved, TextBuffer};
use crate::metadata::Anchor;
use crate::traces::Times;

/// How the time of an entry is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeMode {
    /// Microseconds since the previous entry in the output.
    #[default]
    Delta,
    /// Seconds since the smallest time of the trace.
    Relative,
    /// Wall-clock time (UTC).
    Absolute,
}

/// Formats times. The date is computed once for each second of the trace.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    times: Times,
    second: Option<i128>,
    /// The start of the cached second, on the trace's clock.
    second_ns: Option<i128>,
    /// The date of the cached second, such as `2026-11-20T12:54:11`.
    date: String,
}

/// Enough space for the text of any time, in bytes.
pub const TIME_BYTES: usize = 128;

const NS_PER_SECOND: i128 = 1_000_000_000;

impl Clock {
    /// Creates a clock from the origin and anchor in `times`.
    pub fn new(times: Times) -> Clock {
        Clock { times, second: None, second_ns: None, date: String::new() }
    }

    /// Appends seconds since the smallest time, with nine decimals.
    pub fn push_relative(&self, timestamp_ns: u64, out: &mut Reserved<'_>) {
        let origin_ns = self.times.origin_ns.unwrap_or(0);
        let ns = timestamp_ns.abs_diff(origin_ns);
        if timestamp_ns < origin_ns {
            out.push_byte(b'-');
        }
        push_decimal(ns / 1_000_000_000, out);
        out.push_byte(b'.');
        push_padded(ns % 1_000_000_000, 9, out);
    }

    /// Appends seconds and microseconds of the wall clock, or of the trace's own clock if the wall
    /// clock is unknown.
    pub fn push_seconds(&self, timestamp_ns: impl Into<i128>, out: &mut Reserved<'_>) {
        let ns = self.realtime_ns(timestamp_ns.into()).max(0);
        push_decimal((ns / NS_PER_SECOND) as u64, out);
        out.push_byte(b'.');
        push_padded((ns % NS_PER_SECOND / 1000) as u64, 6, out);
    }

    /// Appends the wall-clock time with `digits` (6 or 9) decimals: `2026-11-20T12:54:11.722755Z`.
    /// Without an anchor, the time of the trace's own clock is used. Call [`Clock::has_date`]
    /// first.
    pub fn push_date(&mut self, timestamp_ns: impl Into<i128>, digits: usize, out: &mut Reserved<'_>) {
        let timestamp_ns = timestamp_ns.into();
        if let Some(fraction) = self.second_ns.map(|second_ns| timestamp_ns - second_ns)
            && (0..NS_PER_SECOND).contains(&fraction)
        {
            return self.push_date_of_second(fraction as u64, digits, out);
        }
        let ns = self.realtime_ns(timestamp_ns);
        let second = ns.div_euclid(NS_PER_SECOND);
        if self.second != Some(second) {
            self.second = Some(second);
            self.date = match Timestamp::from_nanosecond(second * NS_PER_SECOND) {
                Ok(timestamp) => timestamp.strftime("%Y-%m-%dT%H:%M:%S").to_string(),
                // The year is beyond 9999.
                Err(_) => format!("@{second}"),
            };
        }
        let fraction = ns.rem_euclid(NS_PER_SECOND) as u64;
        self.second_ns = Some(timestamp_ns - i128::from(fraction));
        self.push_date_of_second(fraction, digits, out);
    }

    /// Returns the wall-clock time as [`Clock::push_date`] appends it.
    pub fn date(anchor: Anchor, timestamp_ns: u64, digits: usize) -> String {
        let mut clock = Clock::new(Times { origin_ns: None, anchor: Some(anchor) });
        let mut text = TextBuffer::default();
        let mut room = text.reserve(TIME_BYTES);
        clock.push_date(timestamp_ns, digits, &mut room);
        room.keep();
        String::from_utf8_lossy(text.as_bytes()).into_owned()
    }

    fn push_date_of_second(&self, fraction: u64, digits: usize, out: &mut Reserved<'_>) {
        out.push(self.date.as_bytes());
        out.push_byte(b'.');
        push_padded(if digits == 6 { fraction / 1000 } else { fraction }, digits, out);
        out.push_byte(b'Z');
    }

    /// Returns true if the wall-clock time is known.
    pub fn has_date(&self) -> bool {
        self.times.anchor.is_some()
    }

    /// Returns the wall-clock time if it is known, and otherwise the time of the trace's own clock.
    fn realtime_ns(&self, timestamp_ns: i128) -> i128 {
        let anchor = self.times.anchor;
        anchor.map_or(timestamp_ns, |anchor| timestamp_ns + anchor.realtime_ns(0))
    }
}
