//! The times in which selected traces were recording.

use std::io;
use std::path::Path;

use ringtrace_tracefile::Pause;

use super::super::merge::{Input, trace_of};
use super::source::{integers, placed, trace_indices};
use super::{Group, Trace, numbered};

const DAY_NS: u64 = 86_400_000_000_000;

/// Collects pauses of traces.
pub(super) struct Recorded<'t> {
    traces: &'t [Trace],
    day_ns: Option<(u64, u64)>,
    /// The pauses of each trace.
    pauses: Vec<Vec<Pause>>,
}

impl<'t> Recorded<'t> {
    pub(super) fn new(traces: &'t [Trace], day_ns: Option<(u64, u64)>) -> Recorded<'t> {
        Recorded { traces, day_ns, pauses: traces.iter().map(|_| Vec::new()).collect() }
    }

    /// Adds the pauses in a file of the table `pauses`.
    pub(super) fn add_file(&mut self, path: &Path) -> io::Result<()> {
        let input = Input::open(path.to_owned())?;
        let numbers = numbered(self.traces.iter().map(|trace| &trace.id));
        let of_file = match input.is_merged() {
            true => None,
            false => match input.parts().first().and_then(|part| numbers.get(trace_of(part))) {
                Some(number) => Some(*number),
                None => return Ok(()),
            },
        };
        for index in 0..input.metadata().num_row_groups() {
            let group = Group::open(&input, index)?;
            let traces = match of_file {
                Some(number) => vec![Some(number); group.rows()],
                None => trace_indices(&group, &numbers)?,
            };
            let [begins, ends] = integers(&group, ["begin_ns", "end_ns"])?;
            for (trace, (begin, end)) in traces.into_iter().zip(begins.into_iter().zip(ends)) {
                let Some(trace) = trace else { continue };
                let shift_ns = self.traces[trace as usize].shift_ns;
                let ns = |ns: Option<i64>| ns.map(|ns| placed(shift_ns, ns));
                self.pauses[trace as usize].push(Pause { from_ns: ns(begin), to_ns: ns(end), trace: 0 });
            }
        }
        Ok(())
    }

    /// Returns the times in which no trace was recording, except `cuts`. They are on the clock of the
    /// traces, and then in recorded time.
    pub(super) fn pauses(self, cuts: &Cuts) -> Vec<Pause> {
        let Recorded { traces, day_ns, mut pauses } = self;
        if let ([_], [own]) = (traces, pauses.as_mut_slice()) {
            let mut own = std::mem::take(own);
            if let Some(day_ns) = day_ns {
                own = own.iter().filter_map(|pause| within(pause, day_ns)).collect();
            }
            return own;
        }
        let mut on = Vec::new();
        for (trace, pauses) in traces.iter().zip(&mut pauses) {
            let Some((mut from_ns, last_ns)) = trace.range_ns else { continue };
            pauses.sort_by_key(|pause| pause.from_ns);
            for pause in pauses.iter() {
                on.push((from_ns, pause.from_ns.unwrap_or(from_ns).min(last_ns)));
                from_ns = from_ns.max(pause.to_ns.unwrap_or(u64::MAX));
            }
            on.push((from_ns, last_ns));
        }
        let mut on = clipped(on, day_ns);
        on.extend(cuts.ranges.iter().map(|cut| (cut.from_ns, cut.to_ns)));
        let place = |(from_ns, to_ns)| {
            let (from_ns, to_ns) = (cuts.place(from_ns), cuts.place(to_ns));
            Pause { from_ns: Some(from_ns), to_ns: Some(to_ns), trace: 0 }
        };
        gaps(on).into_iter().map(place).collect()
    }
}

/// The times between traces. Recorded time is the time without them.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    ranges: Vec<Cut>,
}

#[derive(Debug)]
struct Cut {
    from_ns: u64,
    to_ns: u64,
    /// The length of all earlier cuts.
    before_ns: u64,
}

impl Cuts {
    pub(super) fn new(traces: &[Trace], day_ns: Option<(u64, u64)>) -> Cuts {
        let ranges = traces.iter().filter_map(|trace| trace.range_ns).collect();
        let mut before_ns = 0;
        let cut = |(from_ns, to_ns)| {
            let cut = Cut { from_ns, to_ns, before_ns };
            before_ns += to_ns - from_ns;
            cut
        };
        Cuts { ranges: gaps(clipped(ranges, day_ns)).into_iter().map(cut).collect() }
    }

    /// Converts a time on the clock of the traces to recorded time.
    #[inline]
    pub(super) fn place(&self, ns: u64) -> u64 {
        if self.ranges.is_empty() {
            return ns;
        }
        let after = self.ranges.partition_point(|cut| cut.from_ns <= ns);
        match after.checked_sub(1).and_then(|index| self.ranges.get(index)) {
            None => ns,
            Some(cut) => ns.max(cut.to_ns) - (cut.to_ns - cut.from_ns) - cut.before_ns,
        }
    }

    /// Returns the cuts, on the clock of the traces.
    pub(super) fn pauses(&self) -> impl Iterator<Item = Pause> {
        let pause = |cut: &Cut| Pause { from_ns: Some(cut.from_ns), to_ns: Some(cut.to_ns), trace: 0 };
        self.ranges.iter().map(pause)
    }
}

/// Returns the parts of ranges in a day.
fn clipped(mut ranges: Vec<(u64, u64)>, day_ns: Option<(u64, u64)>) -> Vec<(u64, u64)> {
    if let Some((start_ns, end_ns)) = day_ns {
        for (from_ns, to_ns) in &mut ranges {
            (*from_ns, *to_ns) = ((*from_ns).max(start_ns), (*to_ns).min(end_ns));
        }
    }
    ranges.retain(|(from_ns, to_ns)| from_ns <= to_ns);
    ranges
}

/// Returns the part of a pause in a range of time, if there is one.
fn within(pause: &Pause, (start_ns, end_ns): (u64, u64)) -> Option<Pause> {
    let is_outside =
        pause.from_ns.is_some_and(|ns| ns >= end_ns) || pause.to_ns.is_some_and(|ns| ns <= start_ns);
    (!is_outside).then_some(Pause {
        from_ns: pause.from_ns.map(|ns| ns.max(start_ns)),
        to_ns: pause.to_ns.map(|ns| ns.min(end_ns)),
        ..*pause
    })
}

/// Returns the times between ranges.
fn gaps(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    let mut gaps = Vec::new();
    let mut end_ns: Option<u64> = None;
    for (from_ns, to_ns) in ranges {
        gaps.extend(end_ns.filter(|end_ns| *end_ns < from_ns).map(|end_ns| (end_ns, from_ns)));
        end_ns = end_ns.max(Some(to_ns));
    }
    gaps
}

/// Returns the day of a date such as `2026-11-23`, in nanoseconds since 1970: its begin, and its end,
/// which is not included.
pub(super) fn day_ns(date: &str) -> Option<(u64, u64)> {
    let mut numbers = date.splitn(3, '-').map(|number| number.parse::<i64>().ok());
    let (year, month, day) = (numbers.next()??, numbers.next()??, numbers.next()??);
    // The algorithm counts from 0000-03-01, so that leap days are the last days of years.
    let year = year - i64::from(month <= 2);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year;
    let start_ns = u64::try_from(days - 719_468).ok()?.checked_mul(DAY_NS)?;
    Some((start_ns, start_ns.checked_add(DAY_NS)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_gregorian() {
        for (date, day) in [
            ("1970-01-01", 0),
            ("2000-02-29", 11_016),
            ("2000-03-01", 11_017),
            ("2026-11-23", 20_780),
            ("2100-03-01", 47_541),
        ] {
            assert_eq!(day_ns(date), Some((day * DAY_NS, (day + 1) * DAY_NS)), "{date}");
        }
        assert_eq!([day_ns("unknown"), day_ns("1969-12-31"), day_ns("2026-11")], [None; 3]);
    }

    #[test]
    fn only_times_without_any_trace_are_pauses() {
        let trace = |first, last| Trace { id: String::new(), shift_ns: 0, range_ns: Some((first, last)) };
        let pause = |from_ns, to_ns| Pause { from_ns, to_ns, trace: 0 };
        let traces = [trace(10, 50), trace(40, 60), trace(90, 99)];
        let mut recorded = Recorded::new(&traces, None);
        recorded.pauses[0] = vec![pause(Some(20), Some(30)), pause(Some(45), None)];
        recorded.pauses[2] = vec![pause(None, Some(92))];
        // 30 ns between traces are cut.
        let cuts = Cuts::new(&traces, None);
        assert_eq!(cuts.pauses().collect::<Vec<_>>(), [pause(Some(60), Some(90))]);
        assert_eq!([5, 59, 60, 61, 89, 90, 91].map(|ns| cuts.place(ns)), [5, 59, 60, 60, 60, 60, 61]);
        let expected = [pause(Some(20), Some(30)), pause(Some(60), Some(62))];
        assert_eq!(recorded.pauses(&cuts), expected);
        let day = Some((55, 59));
        assert_eq!(Cuts::new(&traces, day).pauses().count(), 0);
        assert_eq!(Recorded::new(&traces, day).pauses(&Cuts::default()), []);
        let several = Cuts::new(&[trace(1, 2), trace(5, 6), trace(10, 11)], None);
        assert_eq!([2, 5, 6, 10, 11].map(|ns| several.place(ns)), [2, 2, 3, 3, 4]);
        // The pauses of a single trace remain as they are.
        let mut single = Recorded::new(&traces[..1], None);
        single.pauses[0] = vec![pause(Some(45), None)];
        assert_eq!(single.pauses(&Cuts::default()), [pause(Some(45), None)]);
    }
}
