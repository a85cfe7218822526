//! Numbers for people: three significant digits and a unit.

/// Unit names for durations. `µ` requires a terminal that can show non-ASCII characters.
#[derive(Debug, Clone, Copy)]
pub struct Units {
    micro: &'static str,
}

impl Units {
    /// Creates units: `µs` if `unicode` is set, else `us`.
    pub fn new(unicode: bool) -> Units {
        Units { micro: if unicode { "\u{b5}s" } else { "us" } }
    }

    /// Formats a duration with three significant digits: `0 ns`, `1.23 µs`, `45.6 ms`, `789 s`,
    /// `12,345 s`.
    pub fn duration(self, ns: u64) -> String {
        if ns < 1000 {
            return format!("{ns} ns");
        }
        let (mut value, mut unit) = (ns as f64 / 1e3, self.micro);
        for larger in ["ms", "s"] {
            if value >= 999.5 {
                (value, unit) = (value / 1e3, larger);
            }
        }
        format!("{} {unit}", three_digits(value))
    }

    /// Formats a duration that is a round number: `5 µs`, `1.2 ms`.
    pub fn round_duration(self, ns: u64) -> String {
        for (size, unit) in [(1_000_000_000, "s"), (1_000_000, "ms"), (1000, self.micro)] {
            if ns >= size {
                return format!("{} {unit}", ns as f64 / size as f64);
            }
        }
        format!("{ns} ns")
    }
}

/// Formats a number per second: `0.12`, `34.5 k`, `6.78 M`.
pub fn per_second(per_s: f64) -> String {
    if per_s > 0.0 && per_s < 0.01 {
        return "<0.01".to_owned();
    }
    let (mut value, mut prefix) = (per_s, "");
    for larger in [" k", " M", " G"] {
        if value >= 999.5 {
            (value, prefix) = (value / 1e3, larger);
        }
    }
    format!("{}{prefix}", three_digits(value))
}

/// Formats a number per second like [`per_second`], but without decimals if it is 0. Use it for
/// numbers that are updated in place.
pub fn rate(per_s: f64) -> String {
    if per_s == 0.0 { "0".to_owned() } else { per_second(per_s) }
}

/// Formats a count with separators: `1,234,567`.
pub fn count(number: u64) -> String {
    integer(i128::from(number))
}

/// Formats an integer with separators: `-1,234,567`.
pub fn integer(number: i128) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut grouped = if number < 0 { "-".to_owned() } else { String::new() };
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Formats an integer; multiples of powers of 1,024 get a prefix: `512`, `4 Ki`, `-1 Mi`, `5,000`.
pub fn round_number(number: i128) -> String {
    let prefixes = [(60, "Ei"), (50, "Pi"), (40, "Ti"), (30, "Gi"), (20, "Mi"), (10, "Ki")];
    for (shift, prefix) in prefixes {
        if number != 0 && number % (1 << shift) == 0 {
            return format!("{} {prefix}", integer(number >> shift));
        }
    }
    integer(number)
}

/// Formats a mean of integers: three significant digits, or all digits before the point.
pub fn mean(value: f64) -> String {
    let sign = if value < 0.0 { "-" } else { "" };
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size < 0.01 => format!("{sign}<0.01"),
        size if size < 999.5 => format!("{sign}{}", three_digits(size)),
        _ => integer(value.round() as i128),
    }
}

/// Formats a floating-point value with `digits` significant digits, or all digits before the point:
/// `0.1`, `-1,234.57`, `1.5e-7`. Zeros at the end are omitted.
pub fn double(value: f64, digits: usize) -> String {
    let size = value.abs();
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { value.to_string() };
    }
    let rounded = format!("{value:.*e}", digits.saturating_sub(1));
    let (mantissa, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let without_zeros = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if !(1e-4..1e15).contains(&size) {
        return format!("{}e{exponent}", without_zeros(mantissa));
    }
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let decimals = usize::try_from(digits as i32 - 1 - exponent).unwrap_or(0);
    let text = without_zeros(&format!("{size:.decimals$}"));
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let sign = if value < 0.0 { "-" } else { "" };
    format!("{sign}{}{fraction}", integer(whole.parse().unwrap_or(0)))
}

/// Formats a count for a column of fixed width: `9,999`, `45.6 k`, `7.89 M`.
pub fn short_count(number: u64) -> String {
    if number < 10_000 { count(number) } else { per_second(number as f64) }
}

/// Formats a size: `512 B`, `1.50 KiB`, `45.6 MiB`, `7.89 GiB`.
pub fn bytes(number: u64) -> String {
    if number < 1000 {
        return format!("{number} B");
    }
    let (mut value, mut unit) = (number as f64 / 1024.0, "KiB");
    for larger in ["MiB", "GiB", "TiB"] {
        if value >= 999.5 {
            (value, unit) = (value / 1024.0, larger);
        }
    }
    format!("{} {unit}", three_digits(value))
}

/// Formats a count and its noun: `1 event`, `2,000 events`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{} {many}", count(number)) }
}

/// Formats the seconds from `origin_ns` to `timestamp_ns`, to the microsecond, as `--since` and
/// `--until` accept them.
pub fn seconds_from(origin_ns: u64, timestamp_ns: u64) -> String {
    let us = timestamp_ns.saturating_sub(origin_ns) / 1000;
    format!("{}.{:06} s", us / 1_000_000, us % 1_000_000)
}

fn three_digits(value: f64) -> String {
    match value {
        _ if value < 9.995 => format!("{value:.2}"),
        _ if value < 99.95 => format!("{value:.1}"),
        _ if value < 999.5 => format!("{value:.0}"),
        _ => count(value as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let units = Units::new(true);
        for (ns, expected) in [
            (0, "0 ns"),
            (999, "999 ns"),
            (1000, "1.00 µs"),
            (9_994, "9.99 µs"),
            (9_996, "10.0 µs"),
            (999_400, "999 µs"),
            (999_500, "1.00 ms"),
            (59_900_000_000, "59.9 s"),
            (999_499_000_000, "999 s"),
            (12_345_000_000_000, "12,345 s"),
            (u64::MAX, "18,446,744,073 s"),
        ] {
            assert_eq!(units.duration(ns), expected);
        }
        assert_eq!(Units::new(false).duration(1234), "1.23 us");
        assert_eq!(units.round_duration(1_200_000), "1.2 ms");
        assert_eq!(units.round_duration(50), "50 ns");
    }

    #[test]
    fn rates_and_counts() {
        assert_eq!(per_second(0.0), "0.00");
        assert_eq!((rate(0.0), rate(0.001)), ("0".to_owned(), "<0.01".to_owned()));
        assert_eq!(per_second(0.001), "<0.01");
        assert_eq!(per_second(999.6), "1.00 k");
        assert_eq!(per_second(2.5e12), "2,500 G");
        assert_eq!(
            ["1", "12", "123", "1,234", "123,456", "1,234,567"].map(str::to_owned),
            [1, 12, 123, 1234, 123_456, 1_234_567].map(count)
        );
        assert_eq!([9_999, 10_000, 7_890_000].map(short_count), ["9,999", "10.0 k", "7.89 M"]);
        assert_eq!(seconds_from(1_000_000_000, 3_000_001_999), "2.000001 s");
    }

    #[test]
    fn integers() {
        assert_eq!([-1_234_567, -12, 0, 1000].map(integer), ["-1,234,567", "-12", "0", "1,000"]);
        assert_eq!(
            [0, 512, 4096, -(1 << 20), 5000, 1 << 64, 5120].map(round_number),
            ["0", "512", "4 Ki", "-1 Mi", "5,000", "16 Ei", "5 Ki"]
        );
        let means = [0.0, 0.001, 1.5, -33.333, 1234.5, 1e20];
        assert_eq!(means.map(mean), ["0", "<0.01", "1.50", "-33.3", "1,235", "100,000,000,000,000,000,000"]);
    }

    #[test]
    fn doubles() {
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "0"),
            (0.1, "0.1"),
            (0.1 + 0.2, "0.3"),
            (1.0, "1"),
            (-1234.5678, "-1,234.57"),
            (1_234_567.8, "1,234,568"),
            (999_999.6, "1,000,000"),
            (0.000_123_456_789, "0.000123457"),
            (1.5e-7, "1.5e-7"),
            (-1e22, "-1e22"),
            (5e-324, "4.94066e-324"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(double(value, 6), expected);
        }
        assert_eq!(double(1.000_000_001, 10), "1.000000001");
    }

    #[test]
    fn sizes() {
        let expected = ["0 B", "999 B", "0.98 KiB", "1.00 MiB", "916 MiB", "16,777,216 TiB"];
        assert_eq!([0, 999, 1000, 1 << 20, 960_000_108, u64::MAX].map(bytes), expected);
    }
}
