//! The result of a comparison.

use ringtrace_display::quantity;
use ringtrace_tracefile::statistics::Sketch;

/// If events were lost during more than this fraction of the time, rates are not compared. Losses
/// occur when the event rate is high, so only quiet periods would be left to compare.
const MOST_LOSSY: f64 = 0.5;

/// Settings of a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Highest accepted probability that a comparison of two equivalent recordings finds any
    /// change.
    pub level: f64,
    /// Smaller changes are not reported, however significant they are. 0.1 means 10 %.
    pub threshold: f64,
    /// Compare both recordings entirely. Otherwise only the initial period that both cover is
    /// compared.
    pub whole: bool,
    /// Compare rates and latencies as they are. Otherwise the overall pace and the machine's speed
    /// are factored out.
    pub absolute: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { level: 0.01, threshold: 0.05, whole: false, absolute: false }
    }
}

/// The result of a comparison of two recordings.
#[derive(Debug)]
pub struct Difference {
    /// The settings of the comparison.
    pub settings: Settings,
    /// The number of comparisons for which probabilities are corrected.
    pub comparisons: usize,
    /// Ratio of event rates, second recording to first: the median of all events. 1 if rates are
    /// not compared.
    pub pace: f64,
    /// The pace, if it differs from 1 by a factor of 2 or more. It is then the most important
    /// result.
    pub overall_pace: Option<f64>,
    /// Fraction of the compared time in which events were dropped, for each recording.
    pub lossy: [f64; 2],
    /// Ratio of the durations of steps, second recording to first: the median of all types of short
    /// steps. A step is the time from one record of a thread to the thread's next record. The ratio
    /// depends on the machine and the build.
    pub machine: f64,
    /// Length of the compared period in nanoseconds. It begins at the start of each recording.
    pub span_ns: u64,
    /// All events of both recordings, by name.
    pub events: Vec<EventDifference>,
    /// All pairs, in the order of the description.
    pub pairs: Vec<PairDifference>,
    /// The changes, the most significant first.
    pub findings: Vec<Finding>,
    /// Changes that follow from others, each with the subject of its cause.
    pub consequences: Vec<(Finding, Subject)>,
}

/// The comparison of an event.
#[derive(Debug)]
pub struct EventDifference {
    /// The event's name.
    pub name: String,
    /// How often the event occurred in each recording.
    pub counts: [u64; 2],
    /// Whether the event occurred in the compared time of each recording. This includes the time
    /// with losses.
    pub met: [bool; 2],
    /// Events per second in the time without losses. `None` if there is no such time.
    pub per_s: [Option<f64>; 2],
    /// Probability of a difference of at least this size between equal recordings, corrected for
    /// the number of comparisons. `None` if the event was not tested.
    pub p: Option<f64>,
}

/// The comparison of a pair.
#[derive(Debug)]
pub struct PairDifference {
    /// The pair's name.
    pub name: String,
    /// Latencies of the spans.
    pub latencies: [Sketch; 2],
    /// Number of spans that were left out: events were dropped during the span, or its end is
    /// earlier than its start.
    pub doubtful: [u64; 2],
    /// The measures for which there are enough spans.
    pub levels: Vec<LevelDifference>,
}

/// A measure of latencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The mean, with each of the longest 5 % counted as the 95th percentile.
    Mean,
    /// A percentile, in hundredths of a percent: 5000 is the median, and 9900 is the latency that
    /// 99 % of the spans do not exceed.
    Percentile(u32),
}

/// The comparison of one measure of a pair's latencies.
#[derive(Debug)]
pub struct LevelDifference {
    /// The measure.
    pub what: Measure,
    /// The measure's value in each recording, in nanoseconds.
    pub latency_ns: [u64; 2],
    /// Ratio of the durations of unrelated steps, second recording to first. It differs from 1 if
    /// the machine was more or less busy, or the builds differ.
    pub machine: f64,
    /// Smallest relative change that is reported.
    pub threshold: f64,
    /// Probability of a difference of at least this size between equal recordings, corrected for
    /// the number of comparisons.
    pub p: f64,
}

/// A change.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The event or pair that changed.
    pub subject: Subject,
    /// The kind of change.
    pub change: Change,
    /// Probability of a difference of at least this size between equal recordings, corrected for
    /// the number of comparisons.
    pub p: f64,
    /// The factor of the change. `None` if the first value is 0.
    pub factor: Option<f64>,
}

/// The subject of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The event with this index.
    Event(usize),
    /// The pair with this index.
    Pair(usize),
}

/// A kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The event is not in the first recording.
    Appeared,
    /// The event is not in the second recording.
    Vanished,
    /// The event occurs more often.
    MoreOften,
    /// The event occurs less often.
    LessOften,
    /// Spans take longer.
    Slower,
    /// Spans take less time.
    Faster,
}

impl Difference {
    /// Returns the result in one or two sentences, without full stops.
    pub fn headlines(&self) -> Vec<String> {
        let overall = self.overall_pace.map(|pace| {
            if pace < 1.0 {
                format!("Overall, B has {} times fewer events per second than A", quantity::rate(1.0 / pace))
            } else {
                format!("Overall, B has {} times as many events per second as A", quantity::rate(pace))
            }
        });
        let (other, more) = if overall.is_some() { ("other ", "else ") } else { ("", "") };
        let rest = match self.findings.len() as u64 {
            0 if self.comparisons == 0 => format!("Nothing {more}could be compared"),
            // Without latencies, slower spans go unnoticed, so do not claim that nothing changed.
            0 if self.pairs.iter().all(|pair| pair.levels.is_empty()) => {
                let rates =
                    if overall.is_some() { "No rate changed independently" } else { "No rate changed" };
                format!("{rates}; no latencies were compared")
            }
            0 => format!("Nothing {more}changed"),
            found => quantity::counted(found, &format!("{other}change"), &format!("{other}changes")),
        };
        overall.into_iter().chain([rest]).collect()
    }

    /// Returns whether there is any result to act on: a change, or an overall pace that is far from
    /// 1.
    pub fn is_changed(&self) -> bool {
        self.overall_pace.is_some() || !self.findings.is_empty()
    }

    /// Returns whether rates of events were compared, which requires enough time without losses.
    pub fn compares_rates(&self) -> bool {
        are_comparable(self.lossy)
    }
}

/// Returns whether a large enough part of the time is free of losses. `lossy` contains the fraction
/// of time with losses for each recording.
pub(super) fn are_comparable(lossy: [f64; 2]) -> bool {
    lossy.iter().all(|&lossy| lossy <= MOST_LOSSY)
}

impl EventDifference {
    /// Returns the change and its factor. `None` if the rates cannot be compared: the event
    /// occurred in neither recording, or it occurred in one of them only in periods with losses.
    pub fn change(&self) -> Option<(Change, Option<f64>)> {
        match (self.met, self.per_s) {
            ([false, true], _) => Some((Change::Appeared, None)),
            ([true, false], _) => Some((Change::Vanished, Some(0.0))),
            (_, [Some(a), Some(b)]) if a > 0.0 && b > 0.0 => {
                Some((if a < b { Change::MoreOften } else { Change::LessOften }, Some(b / a)))
            }
            _ => None,
        }
    }

    pub(super) fn finding(&self) -> Option<(Change, f64, Option<f64>)> {
        let (change, factor) = self.change()?;
        Some((change, self.p?, factor))
    }
}

impl PairDifference {
    pub(super) fn finding(&self) -> Option<(Change, f64, Option<f64>)> {
        // Report the most significant measure. If several are equally significant, report the
        // largest change.
        let surest = self.levels.iter().filter(|level| level.is_moved()).min_by(|a, b| {
            a.p.total_cmp(&b.p).then(b.factor().ln().abs().total_cmp(&a.factor().ln().abs()))
        })?;
        Some((surest.change(), surest.p, Some(surest.factor())))
    }
}

impl LevelDifference {
    /// Returns the ratio of the latencies, second recording to first.
    pub fn factor(&self) -> f64 {
        // A latency of 0 is below the resolution of the clock.
        self.latency_ns[1].max(1) as f64 / self.latency_ns[0].max(1) as f64
    }

    pub(super) fn change(&self) -> Change {
        if self.factor() > 1.0 { Change::Slower } else { Change::Faster }
    }

    /// Returns whether the measure changed by more than the machine's change and the threshold
    /// together explain.
    pub fn is_moved(&self) -> bool {
        let more = self.machine.max(1.0) * (1.0 + self.threshold);
        let less = self.machine.min(1.0) / (1.0 + self.threshold);
        !(less..=more).contains(&self.factor())
    }
}
