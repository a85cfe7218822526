//! The time of a line, formatted as text.
//!
//! The C library's functions for this take locks and allocate, which is forbidden in a signal
//! handler.

use std::fmt::{self, Write};

use rustix::time::{ClockId, clock_gettime};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Seconds since 1970 (UTC).
    pub(crate) seconds: i64,
    pub(crate) microseconds: u32,
}

const SECONDS_PER_DAY: i64 = 86_400;
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

impl Moment {
    pub(crate) fn now() -> Moment {
        let now = clock_gettime(ClockId::Realtime);
        Moment { seconds: now.tv_sec, microseconds: (now.tv_nsec / 1000) as u32 }
    }

    /// Appends `2026-11-20T12:54:11.722755Z`.
    pub(crate) fn push_iso(self, out: &mut impl Write) -> fmt::Result {
        let Date { year, month, day, hour, minute, second } = Date::of(self.seconds);
        write!(
            out,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:06}Z",
            self.microseconds
        )
    }

    /// Appends `20261120T125411Z`, which is suitable for file names.
    pub(crate) fn push_compact(self, out: &mut impl Write) -> fmt::Result {
        let Date { year, month, day, hour, minute, second } = Date::of(self.seconds);
        write!(out, "{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z")
    }

    /// Appends `1795697651.722755`.
    pub(crate) fn push_seconds(self, out: &mut impl Write) -> fmt::Result {
        write!(out, "{}.{:06}", self.seconds, self.microseconds)
    }

    /// Appends the time in RFC 3164's format, such as `Nov 20 12:54:11`. The time zone is
    /// `offset_s` seconds ahead of UTC.
    pub(crate) fn push_rfc3164(self, offset_s: i32, out: &mut impl Write) -> fmt::Result {
        let Date { month, day, hour, minute, second, .. } = Date::of(self.seconds + i64::from(offset_s));
        write!(out, "{} {day:>2} {hour:02}:{minute:02}:{second:02}", MONTHS[month as usize - 1])
    }
}

struct Date {
    year: i64,
    month: u32,
    day: u32,
    hour: i64,
    minute: i64,
    second: i64,
}

impl Date {
    fn of(seconds: i64) -> Date {
        let (days, in_day) = (seconds.div_euclid(SECONDS_PER_DAY), seconds.rem_euclid(SECONDS_PER_DAY));
        // Years start in March here, so a leap day is the last day of its year. Days are counted
        // from 1 March of the year 0, in periods of 400 years, which all have the same number of
        // days.
        let days = days + 719_468;
        let (period, in_period) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_period = (in_period - in_period / 1460 + in_period / 36_524 - in_period / 146_096) / 365;
        let day_of_year = in_period - (365 * year_of_period + year_of_period / 4 - year_of_period / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let month = (month_from_march + 2) % 12 + 1;
        Date {
            year: period * 400 + year_of_period + i64::from(month <= 2),
            month: month as u32,
            day: (day_of_year - (153 * month_from_march + 2) / 5 + 1) as u32,
            hour: in_day / 3600,
            minute: in_day / 60 % 60,
            second: in_day % 60,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Moment;

    fn all_three(seconds: i64, microseconds: u32, offset_s: i32) -> [String; 3] {
        let moment = Moment { seconds, microseconds };
        let mut out = [const { String::new() }; 3];
        moment.push_iso(&mut out[0]).unwrap();
        moment.push_seconds(&mut out[1]).unwrap();
        moment.push_rfc3164(offset_s, &mut out[2]).unwrap();
        out
    }

    #[test]
    fn formats_of_log_and_syslog() {
        for (seconds, microseconds, offset_s, expected) in [
            (0, 0, 0, ["1970-01-01T00:00:00.000000Z", "0.000000", "Jan  1 00:00:00"]),
            (
                1_795_179_251,
                722_755,
                3600,
                ["2026-11-20T12:54:11.722755Z", "1795179251.722755", "Nov 20 13:54:11"],
            ),
            (951_782_399, 999_999, 1, ["2000-02-28T23:59:59.999999Z", "951782399.999999", "Feb 29 00:00:00"]),
            (
                4_107_542_399,
                1,
                -7200,
                ["2100-02-28T23:59:59.000001Z", "4107542399.000001", "Feb 28 21:59:59"],
            ),
        ] {
            assert_eq!(all_three(seconds, microseconds, offset_s), expected, "{seconds}");
        }
    }

    /// Compares dates with another calendar implementation, over more than 400 years.
    #[test]
    fn dates_agree_with_another_calendar() {
        for day in (0..200_000).step_by(7) {
            let seconds = day * 86_400 + day % 86_400;
            let theirs = jiff::Timestamp::from_second(seconds).unwrap();
            let [iso, _, rfc3164] = all_three(seconds, 5, 0);
            assert_eq!(iso, theirs.strftime("%Y-%m-%dT%H:%M:%S.000005Z").to_string());
            assert_eq!(rfc3164, theirs.strftime("%b %e %H:%M:%S").to_string());
        }
    }
}
