//! Times since the first record, for formats that store them as doubles.

use ringtrace_tracefile::Entry;
use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::text::clock::Clock;

/// The origin of an export's times. A double has 53 significant bits, so times since the origin are
/// exact to the nanosecond for 104 days, or for 99 days if they are stored as fractional
/// milliseconds.
#[derive(Debug, Clone, Copy, Default)]
pub struct TimeBase {
    first_ns: Option<u64>,
    last_ns: i128,
}

impl TimeBase {
    pub fn time_ns(&mut self, entry: &Entry<'_>) -> i128 {
        // Dropped records in v0 traces have no time. They get the previous record's time.
        if entry.is_dropped() && entry.timestamp_ns == 0 {
            return self.last_ns;
        }
        let first_ns = *self.first_ns.get_or_insert(entry.timestamp_ns);
        self.last_ns = i128::from(entry.timestamp_ns) - i128::from(first_ns);
        self.last_ns
    }

    pub fn relative_ns(&self, timestamp_ns: u64) -> i128 {
        i128::from(timestamp_ns) - i128::from(self.first_ns())
    }

    /// Returns the first record's time on the traces' clock, or 0 if there is no record.
    pub fn first_ns(&self) -> u64 {
        self.first_ns.unwrap_or(0)
    }

    /// Formats the origin as a date, if the wall clock is known.
    pub fn moment(&self, anchor: Option<Anchor>) -> String {
        let first_ns = self.first_ns();
        anchor.map_or_else(|| format!("{first_ns} ns"), |anchor| Clock::date(anchor, first_ns, 9))
    }

    pub fn last_ns(&self) -> i128 {
        self.last_ns
    }
}

/// Formats nanoseconds as milliseconds in decimal digits, without rounding.
pub fn milliseconds(ns: i128) -> String {
    let sign = if ns < 0 { "-" } else { "" };
    let (whole, rest) = (ns.unsigned_abs() / 1_000_000, ns.unsigned_abs() % 1_000_000);
    if rest == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest:06}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_keep_nanoseconds_for_99_days() {
        for (ns, expected) in [(0, "0"), (1, "0.000001"), (-1_500_000, "-1.500000"), (2_000_000, "2")] {
            assert_eq!(milliseconds(ns), expected);
        }
        let days_ns = 99 * 86_400 * 1_000_000_000_i128;
        for ns in [1, 999_999, 1_000_001, 123_456_789_012_345, days_ns, days_ns + 1, days_ns + 7] {
            let read: f64 = milliseconds(ns).parse().unwrap();
            assert_eq!((read * 1e6).round() as i128, ns);
        }
    }
}
