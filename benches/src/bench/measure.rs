//! Measuring a case.

use std::hint::black_box;
use std::time::Instant;

use ringtrace_events::SourceFile;
use ringtrace_events::parse::{Dialect, parse};

use crate::cases::{Case, Kind, MOST_MEMORY_MIB};
use crate::child::Run;
use crate::cost::{self, Cost};
use crate::files::{Files, Size};
use crate::memory::Peak;

/// What is the same for all cases.
pub struct Setting {
    pub files: Files,
    /// How often each pair is run.
    pub rounds: usize,
}

/// What a case came to.
pub enum Outcome {
    Ratio(Ratio),
    Time {
        /// Of all runs, in ms.
        ms: Spread,
        at_most_ms: f64,
    },
    Pace {
        /// What it reads.
        size: Size,
        /// Of all runs, in ms.
        ms: Spread,
        at_least_mrec_s: f64,
    },
    Memory {
        peak: Peak,
    },
    Cost(Cost),
    /// There is a reason not to measure it here.
    Skipped(String),
    /// It cannot be measured.
    Failed(String),
}

/// Two runs, compared.
pub struct Ratio {
    /// What ours read.
    pub size: Size,
    pub ours_ms: Spread,
    pub against: String,
    pub against_ms: Spread,
    /// Of each round.
    pub ratios: Spread,
    pub at_least: Option<f64>,
}

/// Many measurements of one thing.
#[derive(Debug, Clone, Copy)]
pub struct Spread {
    pub median: f64,
    /// A quarter of them is below.
    pub lower: f64,
    /// A quarter of them is above.
    pub upper: f64,
}

impl Spread {
    /// Of `values`, one at least.
    pub fn of(mut values: Vec<f64>) -> Spread {
        values.sort_by(f64::total_cmp);
        let at = |quarter: usize| values[(values.len() - 1) * quarter / 4];
        Spread { median: at(2), lower: at(1), upper: at(3) }
    }
}

impl Setting {
    /// One line for the report.
    pub fn describe(&self) -> String {
        format!("{} rounds; {}", self.rounds, self.files.describe())
    }
}

impl Case {
    /// Measures it.
    pub fn measure(&self, setting: &Setting) -> Outcome {
        let outcome = match &self.kind {
            Kind::Ratio { .. } if self.name.starts_with("threads") && cores() < 2 => {
                return Outcome::Skipped("there is one core only".to_owned());
            }
            Kind::Ratio { ours, against, at_least } => compare(ours, against, *at_least, setting),
            Kind::Time { run, at_most_ms } => time(run, *at_most_ms, setting),
            Kind::Pace { run, at_least_mrec_s } => pace(run, *at_least_mrec_s, setting),
            Kind::Declarations { at_most_ms } => declarations(*at_most_ms, setting),
            Kind::Memory { run } => memory(run, setting),
            Kind::Cost { case, against, bound } => cost::measure(case, against, *bound, setting),
        };
        outcome.unwrap_or_else(Outcome::Failed)
    }
}

impl Outcome {
    /// Whether it is as it must be; `None` where nothing is required or known.
    pub fn is_met(&self) -> Option<bool> {
        match self {
            Outcome::Ratio(ratio) => ratio.at_least.map(|least| ratio.ratios.median >= least),
            Outcome::Time { ms, at_most_ms } => Some(ms.median <= *at_most_ms),
            Outcome::Pace { size, ms, at_least_mrec_s } => {
                Some(size.records as f64 / ms.median / 1e3 >= *at_least_mrec_s)
            }
            Outcome::Memory { peak } => {
                let mib = peak.own_mib();
                Some(mib <= MOST_MEMORY_MIB)
            }
            Outcome::Cost(cost) => cost.is_met(),
            Outcome::Skipped(_) => None,
            Outcome::Failed(_) => Some(false),
        }
    }
}

/// How many threads can run at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Runs both in turn, so that what disturbs the machine disturbs both; which is first changes from round to round.
fn compare(ours: &Run, against: &Run, at_least: Option<f64>, setting: &Setting) -> Result<Outcome, String> {
    let files = &setting.files;
    let ms_of = |run: &Run| run.run(files, false).map(|finished| finished.elapsed.as_secs_f64() * 1e3);
    // Once for the page cache.
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

/// Short runs are run more often.
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
        Some(peak) if peak.looks > 0 => Ok(Outcome::Memory { peak }),
        _ => Err("/proc tells nothing of the process's memory".to_owned()),
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
