//! The result of a comparison.

use ringtrace_display::quantity;
use ringtrace_tracefile::statistics::Sketch;

/// Subject more than this share of the time with losses, the rest tells nothing: it is the quiet time, for what is lost is lost when much happens.
const MOST_LOSSY: f64 = 0.5;

/// What makes a difference a finding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How probable it may be, at most, that a comparison of two equal recordings finds anything at all.
    pub level: f64,
    /// Changes that are smaller do not matter, however sure they are: 0.1 is a tenth.
    pub threshold: f64,
    /// Compare all of both recordings, whatever their lengths, and not only the time since their begin that both have.
    pub whole: bool,
    /// Report rates and latencies as they are: factor out neither the overall pace nor the machine's speed.
    pub absolute: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { level: 0.01, threshold: 0.05, whole: false, absolute: false }
    }
}

/// What two recordings have not in common.
#[derive(Debug)]
pub struct Difference {
    /// What made a finding.
    pub settings: Settings,
    /// How many comparisons were asked at once.
    pub comparisons: usize,
    /// How many times as often events happened in the second recording: the middle over all events. 1 where rates are not compared.
    pub pace: f64,
    /// The pace if it differs by a factor of 2 or more: then that is the most important result.
    pub overall_pace: Option<f64>,
    /// The share of the compared time in which events were dropped, of each recording.
    pub lossy: [f64; 2],
    /// How many times as long steps from one record of a thread to its next one took: the middle of all that are short. It tells of the machine,
    /// or of the build.
    pub machine: f64,
    /// The time since its begin, in nanoseconds, that is compared of each recording.
    pub span_ns: u64,
    /// Subject every event of either, by name.
    pub events: Vec<EventDifference>,
    /// Subject every pair, in the order of the description.
    pub pairs: Vec<PairDifference>,
    /// What changed, the surest first.
    pub findings: Vec<Finding>,
    /// What changed because of one of these: with what it is of.
    pub consequences: Vec<(Finding, Subject)>,
}

/// An event in both recordings.
#[derive(Debug)]
pub struct EventDifference {
    /// Its name.
    pub name: String,
    /// How often it was met.
    pub counts: [u64; 2],
    /// Whether it was met in the time that is compared, be it where events were dropped.
    pub met: [bool; 2],
    /// How often a second, where nothing was dropped; `None` where that is nowhere.
    pub per_s: [Option<f64>; 2],
    /// How probable what was found is in equal recordings, corrected for the number of comparisons. `None`: it could not be asked.
    pub p: Option<f64>,
}

/// A pair in both recordings.
#[derive(Debug)]
pub struct PairDifference {
    /// What it is called.
    pub name: String,
    /// How long its spans were.
    pub latencies: [Sketch; 2],
    /// Spans that were left out: events were dropped while they lasted, or they end before they begin.
    pub doubtful: [u64; 2],
    /// The median and what is beyond, where there are enough spans.
    pub levels: Vec<LevelDifference>,
}

/// What of latencies is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The mean, with the longest twentieth cut to what the others have.
    Mean,
    /// A percentile, in hundredths: 5000 is the median, 9900 the latency that 99 % do not exceed.
    Percentile(u32),
}

/// The mean or a percentile of a pair's latencies.
#[derive(Debug)]
pub struct LevelDifference {
    /// Which.
    pub what: Measure,
    /// In both recordings.
    pub latency_ns: [u64; 2],
    /// How many times as long steps of the program took that have nothing to do with the pair: a busier machine, another build.
    pub machine: f64,
    /// Less of a change does not matter.
    pub threshold: f64,
    /// How probable what was found is in equal recordings, corrected for the number of comparisons.
    pub p: f64,
}

/// One thing that changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What of.
    pub subject: Subject,
    /// How.
    pub change: Change,
    /// How probable that is in equal recordings, corrected for the number of comparisons.
    pub p: f64,
    /// By which factor. `None` where there is nothing to divide by.
    pub factor: Option<f64>,
}

/// What a finding is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The event with this index.
    Event(usize),
    /// The pair with this index.
    Pair(usize),
}

/// What happened to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// An event that the first recording does not have.
    Appeared,
    /// An event that the second recording does not have.
    Vanished,
    /// An event comes more often.
    MoreOften,
    /// An event comes less often.
    LessOften,
    /// Spans take longer.
    Slower,
    /// Spans take less long.
    Faster,
}

impl Difference {
    /// The results in one or two sentences, without full stops.
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
            0 => format!("Nothing {more}changed"),
            found => quantity::counted(found, &format!("{other}change"), &format!("{other}changes")),
        };
        overall.into_iter().chain([rest]).collect()
    }

    /// Whether there is any result to act on: a change, or an overall pace that is far from 1.
    pub fn is_changed(&self) -> bool {
        self.overall_pace.is_some() || !self.findings.is_empty()
    }

    /// Whether rates of events were compared: not where most of the time has losses.
    pub fn compares_rates(&self) -> bool {
        are_comparable(self.lossy)
    }
}

/// Whether enough of the time is without losses, which are in such shares of it.
pub(super) fn are_comparable(lossy: [f64; 2]) -> bool {
    lossy.iter().all(|&lossy| lossy <= MOST_LOSSY)
}

impl EventDifference {
    /// What happened to it, and by which factor where that has a number. `None` where nothing can be said: it is in one recording only where
    /// events were dropped, or in none.
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
        // What is told is the percentile that is surest; of equal ones the one that moved most.
        let surest = self.levels.iter().filter(|level| level.is_moved()).min_by(|a, b| {
            a.p.total_cmp(&b.p).then(b.factor().ln().abs().total_cmp(&a.factor().ln().abs()))
        })?;
        Some((surest.change(), surest.p, Some(surest.factor())))
    }
}

impl LevelDifference {
    /// How many times as long it is in the second recording.
    pub fn factor(&self) -> f64 {
        // A latency of 0 is less than the clock can tell.
        self.latency_ns[1].max(1) as f64 / self.latency_ns[0].max(1) as f64
    }

    pub(super) fn change(&self) -> Change {
        if self.factor() > 1.0 { Change::Slower } else { Change::Faster }
    }

    /// Whether it changed by so much that it matters, beyond what the machine did.
    pub fn is_moved(&self) -> bool {
        let more = self.machine.max(1.0) * (1.0 + self.threshold);
        let less = self.machine.min(1.0) / (1.0 + self.threshold);
        !(less..=more).contains(&self.factor())
    }
}
