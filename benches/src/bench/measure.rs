//! Measures a case.

use std::hint::black_box;
use std::time::Instant;

use ringtrace_events::SourceFile;
use ringtrace_events::parse::{Dialect, parse};

use crate::cases::{Case, MAX_MEMORY_MIB, Measurement};
use crate::child::Run;
use crate::cost::{self, Cost};
use crate::files::{Files, Size};
use crate::memory::Peak;

/// Options that are the same for all cases.
pub struct Setting {
    pub files: Files,
    /// The number of runs for each pair.
    pub rounds: usize,
}

/// The result of a case.
pub enum Outcome {
    Ratio(Ratio),
    Time {
        /// Durations of all runs.
        ms: Spread,
        at_most_ms: f64,
    },
    Pace {
        /// Size of the input.
        size: Size,
        /// Durations of all runs.
        ms: Spread,
        at_least_mrec_s: f64,
    },
    Memory {
        peak: Peak,
    },
    Cost(Cost),
    /// The case cannot be measured on this machine, for the reason given.
    Skipped(String),
    /// The measurement failed with this error.
    Failed(String),
}

/// A comparison of two runs.
pub struct Ratio {
    /// The size of the input for our run.
    pub size: Size,
    pub ours_ms: Spread,
    pub against: String,
    pub against_ms: Spread,
    /// The ratio of each round.
    pub ratios: Spread,
    pub at_least: Option<f64>,
}

/// Median and quartiles of several measurements.
#[derive(Debug, Clone, Copy)]
pub struct Spread {
    pub median: f64,
    pub lower: f64,
    pub upper: f64,
}

impl Spread {
    /// Computes the spread of `values`, which must not be empty.
    pub fn of(mut values: Vec<f64>) -> Spread {
        values.sort_by(f64::total_cmp);
        let at = |quarter: usize| values[(values.len() - 1) * quarter / 4];
        Spread { median: at(2), lower: at(1), upper: at(3) }
    }
}

impl Setting {
    /// Returns a line for the report.
    pub fn describe(&self) -> String {
        format!("{} rounds; {}", self.rounds, self.files.describe())
    }
}

impl Case {
    pub fn measure(&self, setting: &Setting) -> Outcome {
        let outcome = match &self.measurement {
            Measurement::Ratio { .. } if self.name.starts_with("threads") && cores() < 2 => {
                return Outcome::Skipped("only one core".to_owned());
            }
            Measurement::Ratio { ours, against, at_least } => compare(ours, against, *at_least, setting),
            Measurement::Time { run, at_most_ms } => time(run, *at_most_ms, setting),
            Measurement::Pace { run, at_least_mrec_s } => pace(run, *at_least_mrec_s, setting),
            Measurement::Declarations { at_most_ms } => declarations(*at_most_ms, setting),
            Measurement::Memory { run } => memory(run, setting),
            Measurement::Cost { case, against, bound } => cost::measure(case, against, *bound, setting),
        };
        outcome.unwrap_or_else(Outcome::Failed)
    }
}

impl Outcome {
    /// Returns whether the requirement is met, or `None` without a requirement or a result.
    pub fn is_met(&self) -> Option<bool> {
        match self {
            Outcome::Ratio(ratio) => ratio.at_least.map(|least| ratio.ratios.median >= least),
            Outcome::Time { ms, at_most_ms } => Some(ms.median <= *at_most_ms),
            Outcome::Pace { size, ms, at_least_mrec_s } => {
                Some(size.records as f64 / ms.median / 1e3 >= *at_least_mrec_s)
            }
            Outcome::Memory { peak } => {
                let mib = peak.own_mib();
                Some(mib <= MAX_MEMORY_MIB)
            }
            Outcome::Cost(cost) => cost.is_met(),
            Outcome::Skipped(_) => None,
            Outcome::Failed(_) => Some(false),
        }
    }
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Runs both alternately, so that a disturbance affects both. Which one goes first also alternates.
fn compare(ours: &Run, against: &Run, at_least: Option<f64>, setting: &Setting) -> Result<Outcome, String> {
    let files = &setting.files;
    let ms_of = |run: &Run| run.run(files, false).map(|finished| finished.elapsed.as_secs_f64() * 1e3);
    // Fill the page cache.
    ms_of(ours)?;
    ms_of(against)?;
    let (size, against_size) = (ours.size(files), against.size(files));
    let (mut ours_ms, mut against_ms, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..setting.rounds {
        let (our, their) = if round % 2 == 0 {
            let our = ms_of(ours)?;
            (our, ms_of(against)?)
        } else {
            let their = ms_of(against)?;
            (ms_of(ours)?, their)
        };
        ratios.push((size.bytes as f64 / our) / (against_size.bytes as f64 / their));
        ours_ms.push(our);
        against_ms.push(their);
    }
    Ok(Outcome::Ratio(Ratio {
        size,
        ours_ms: Spread::of(ours_ms),
        against: against.title(),
        against_ms: Spread::of(against_ms),
        ratios: Spread::of(ratios),
        at_least,
    }))
}

/// The number of runs in a round if a run takes only a few milliseconds.
const SHORT_RUNS_A_ROUND: usize = 10;

fn time(run: &Run, at_most_ms: f64, setting: &Setting) -> Result<Outcome, String> {
    run.run(&setting.files, false)?;
    let ms = (0..setting.rounds * SHORT_RUNS_A_ROUND)
        .map(|_| run.run(&setting.files, false).map(|finished| finished.elapsed.as_secs_f64() * 1e3))
        .collect::<Result<_, _>>()?;
    Ok(Outcome::Time { ms: Spread::of(ms), at_most_ms })
}

fn pace(run: &Run, at_least_mrec_s: f64, setting: &Setting) -> Result<Outcome, String> {
    run.run(&setting.files, false)?;
    let ms = (0..setting.rounds)
        .map(|_| run.run(&setting.files, false).map(|finished| finished.elapsed.as_secs_f64() * 1e3))
        .collect::<Result<_, _>>()?;
    Ok(Outcome::Pace { size: run.size(&setting.files), ms: Spread::of(ms), at_least_mrec_s })
}

fn declarations(at_most_ms: f64, setting: &Setting) -> Result<Outcome, String> {
    let path = setting.files.path("declarations");
    let ms = (0..setting.rounds * SHORT_RUNS_A_ROUND)
        .map(|_| {
            let start = Instant::now();
            let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let parsed = parse(vec![SourceFile::from_bytes("declarations", &bytes)], Dialect::Read);
            let elapsed = start.elapsed();
            black_box(parsed);
            Ok(elapsed.as_secs_f64() * 1e3)
        })
        .collect::<Result<_, String>>()?;
    Ok(Outcome::Time { ms: Spread::of(ms), at_most_ms })
}

fn memory(run: &Run, setting: &Setting) -> Result<Outcome, String> {
    let finished = run.run(&setting.files, true)?;
    match finished.peak {
        Some(peak) if peak.samples > 0 => Ok(Outcome::Memory { peak }),
        _ => Err("/proc does not show the memory of the process".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_the_median_and_the_quarters() {
        let Spread { median, lower, upper } = Spread::of(vec![5.0, 1.0, 4.0, 2.0, 3.0]);
        assert_eq!((lower, median, upper), (2.0, 3.0, 4.0));
        let Spread { median, lower, upper } = Spread::of(vec![7.0]);
        assert_eq!((lower, median, upper), (7.0, 7.0, 7.0));
    }
}
