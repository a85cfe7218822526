//! Points in time as users write them: seconds after the first event, or dates.

use std::path::PathBuf;

use jiff::Timestamp;

use crate::metadata::Anchor;
use crate::traces::Times;

/// A point in time, relative to a trace or absolute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Nanoseconds after the earliest event.
    Relative(i128),
    /// Nanoseconds since 1970.
    Absolute(i128),
}

const NS_PER_S: i128 = 1_000_000_000;

/// Time units in nanoseconds: the units of `--where`, and `µs`.
const UNITS: &[(&str, i128)] = &[
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("ms", 1_000_000),
    ("s", NS_PER_S),
    ("", NS_PER_S),
    ("min", 60 * NS_PER_S),
    ("h", 3600 * NS_PER_S),
];

impl Moment {
    /// Parses `1.5`, `20ms`, `3us` or a date.
    ///
    /// # Errors
    /// `text` is neither.
    pub fn parse(text: &str) -> Result<Moment, String> {
        if let Some(ns) = parse_span(text) {
            return Ok(Moment::Relative(ns));
        }
        let timestamp = parse_date(text).ok_or_else(|| {
            "expected seconds after the earliest event (1.5, 20ms, 3us) or a date (2026-11-20T12:00:00Z)"
                .to_owned()
        })?;
        Ok(Moment::Absolute(timestamp.as_nanosecond()))
    }

    /// Returns whether this is a date.
    pub fn is_absolute(&self) -> bool {
        matches!(self, Moment::Absolute(_))
    }

    /// Converts the time to the trace's clock. Returns `None` if a date cannot be converted.
    pub fn timestamp_ns(self, times: Times) -> Option<i128> {
        Some(match self {
            // A trace without records has no origin, but then the result does not matter.
            Moment::Relative(ns) => i128::from(times.origin_ns.unwrap_or(0)) + ns,
            Moment::Absolute(realtime_ns) => realtime_ns - times.anchor?.realtime_ns(0),
        })
    }
}

/// Parses `1.5` or `20ms` as nanoseconds.
pub fn parse_span(text: &str) -> Option<i128> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let scale = UNITS.iter().find(|(name, _)| *name == unit)?.1;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() || whole.len() > 18 || fraction.contains('.') {
        return None;
    }
    let digits = |text: &str| if text.is_empty() { Some(0) } else { text.parse::<i128>().ok() };
    let fraction = &fraction[..fraction.len().min(18)];
    let parts = 10_i128.pow(fraction.len() as u32);
    let ns = digits(whole)? * scale + digits(fraction)? * scale / parts;
    Some(if negative { -ns } else { ns })
}

fn parse_date(text: &str) -> Option<Timestamp> {
    // A date without a time zone is in UTC, like all printed times.
    text.parse().ok().or_else(|| format!("{text}Z").parse().ok()).or_else(|| {
        let date: jiff::civil::Date = text.parse().ok()?;
        format!("{date}T00:00:00Z").parse().ok()
    })
}

/// A value of `--epoch`: the wall-clock time at which the clock of a trace was zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Epoch {
    /// The trace, as on the command line. `None` for all traces without a value of their own.
    pub trace: Option<PathBuf>,
    /// The relation of the clock to the wall clock.
    pub anchor: Anchor,
}

impl Epoch {
    /// Parses `DATE` or `FILE=DATE`.
    ///
    /// # Errors
    /// `text` contains no date.
    pub fn parse(text: &str) -> Result<Epoch, String> {
        let (trace, date) = match text.rsplit_once('=') {
            Some((trace, date)) => (Some(PathBuf::from(trace)), date),
            None => (None, text),
        };
        let realtime_ns = match (parse_span(date), parse_date(date)) {
            (Some(ns), _) => ns,
            (None, Some(timestamp)) => timestamp.as_nanosecond(),
            (None, None) => {
                return Err("expected a date (2026-11-20T12:00:00Z) or seconds since 1970, after `FILE=` if it is for \
                            one trace"
                    .to_owned());
            }
        };
        Ok(Epoch { trace, anchor: Anchor { monotonic_ns: 0, realtime_ns } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_and_dates() {
        for (text, expected) in [
            ("1.5", Some(Moment::Relative(1_500_000_000))),
            ("20ms", Some(Moment::Relative(20_000_000))),
            ("0.25us", Some(Moment::Relative(250))),
            ("2min", Some(Moment::Relative(120_000_000_000))),
            ("-3s", Some(Moment::Relative(-3_000_000_000))),
            (".5", Some(Moment::Relative(500_000_000))),
            ("1970-01-01T00:00:01Z", Some(Moment::Absolute(1_000_000_000))),
            ("1970-01-02", Some(Moment::Absolute(86_400_000_000_000))),
            ("", None),
            (".", None),
            ("1.2.3", None),
            ("5 apples", None),
        ] {
            assert_eq!(Moment::parse(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn an_epoch_can_name_a_trace() {
        let of = |text: &str| {
            let Epoch { trace, anchor } = Epoch::parse(text).ok()?;
            Some((trace.map(|trace| trace.display().to_string()), anchor.realtime_ns / NS_PER_S))
        };
        assert_eq!(of("1970-01-02"), Some((None, 86_400)));
        assert_eq!(of("a=b.trace=1970-01-02"), Some((Some("a=b.trace".to_owned()), 86_400)));
        assert_eq!(of("-=12"), Some((Some("-".to_owned()), 12)));
        assert_eq!(of("a=b.trace"), None);
    }

    #[test]
    fn a_date_needs_an_anchor() {
        let date = Moment::parse("1970-01-01T00:00:10Z").unwrap();
        assert_eq!(date.timestamp_ns(Times::default()), None);
        let anchor = Epoch::parse("1970-01-01T00:00:04Z").unwrap().anchor;
        let times = Times { anchor: Some(anchor), ..Times::default() };
        assert_eq!(date.timestamp_ns(times), Some(6_000_000_000));
    }
}
