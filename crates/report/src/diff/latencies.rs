//! The comparison of span latencies.
//!
//! Percentiles are compared by the fraction of spans that exceed a limit. In the second recording,
//! the limit is multiplied by the smallest change that matters. The fractions do not depend on the
//! length of a recording.

use ringtrace_tracefile::statistics::Sketch;

use super::difference::{LevelDifference, Measure, PairDifference, Settings};
use super::machine::{Machine, SpeedOverTime};
use super::recording::Spans;
use super::statistics::{Portion, Series, above_by_chance};

struct Level {
    what: Measure,
    /// Minimum number of spans in each recording.
    fewest: u64,
    /// The threshold is multiplied by this factor, because rare latencies vary more from run to
    /// run.
    tolerance: f64,
}

const LEVELS: [Level; 4] = [
    Level { what: Measure::Mean, fewest: 30, tolerance: 1.0 },
    Level { what: Measure::Percentile(5000), fewest: 30, tolerance: 1.0 },
    Level { what: Measure::Percentile(9000), fewest: 300, tolerance: 2.0 },
    Level { what: Measure::Percentile(9900), fewest: 3000, tolerance: 10.0 },
];

/// The percentile at which latencies are capped for the mean, so that a few very long ones do not
/// dominate it.
const CUT: u32 = 9500;

/// Compares the first blocks of a pair. Appends the probability of each measure to `comparisons`.
pub(super) fn compare(
    spans: [&Spans; 2],
    block_counts: [usize; 2],
    machine: &Machine<'_>,
    settings: Settings,
    comparisons: &mut Vec<f64>,
) -> PairDifference {
    let [a, b] = spans;
    let blocks = [&a.blocks[..block_counts[0]], &b.blocks[..block_counts[1]]];
    let latencies = blocks.map(|blocks| {
        let mut all = Sketch::default();
        blocks.iter().for_each(|block| all.merge(block));
        all
    });
    let count = latencies[0].count().min(latencies[1].count());
    let medians_ns = latencies.each_ref().map(|latencies| latencies.percentile(5000).unwrap_or(0));
    let speed = machine.speed(medians_ns, &a.edges).map(|speed| {
        let mean = multiple(blocks, &speed);
        (speed, mean)
    });
    let enough = LEVELS.iter().filter(|level| count >= level.fewest);
    let levels = enough.filter_map(|level| {
        let machine = match &speed {
            // The mean depends on the machine's speed in every block with spans. A percentile of
            // the spans is compared with the same percentile of the steps.
            Some((_, mean)) if level.what == Measure::Mean => *mean,
            _ => machine.factor(level.what, medians_ns, &a.edges),
        };
        let threshold = settings.threshold * level.tolerance;
        let range = (machine.min(1.0) / (1.0 + threshold), machine.max(1.0) * (1.0 + threshold));
        let mut p = both_ways(blocks, &latencies, level.what, range)?;
        if level.what == Measure::Mean
            && let Some((speed, mean)) = &speed
            && let Some(by_speed) = with_speed(blocks, &latencies, speed, *mean, range)
        {
            // Both tests examine the same hypothesis: take the smaller probability, and correct for
            // two tests.
            p = (2.0 * p.min(by_speed)).min(1.0);
        }
        let latency_ns = [level.what.of(&latencies[0])?, level.what.of(&latencies[1])?];
        Some(LevelDifference { what: level.what, latency_ns, machine, threshold, p })
    });
    let levels: Vec<LevelDifference> = levels.collect();
    comparisons.extend(levels.iter().map(|level| level.p));
    PairDifference { name: a.name.clone(), doubtful: [a.doubtful, b.doubtful], levels, latencies }
}

/// Returns the probability of the observed difference if the latencies of the second recording are
/// those of the first, multiplied by a factor within `range`.
fn both_ways(blocks: [&[Sketch]; 2], all: &[Sketch; 2], what: Measure, range: (f64, f64)) -> Option<f64> {
    two_sided(range, |fast, slow, factor| {
        let limit_ns = limit(&all[fast], &all[slow], factor, what.share_above());
        let series = |side: usize, limit_ns| match what {
            Measure::Mean => mean(blocks[side], None, limit_ns),
            Measure::Percentile(_) => share(blocks[side], limit_ns),
        };
        let factor_of_series = if what == Measure::Mean { factor } else { 1.0 };
        above_by_chance(&series(slow, limit_ns * factor)?, &series(fast, limit_ns)?, factor_of_series)
    })
}

/// Returns twice the smaller of two probabilities: that the second recording is slower by chance,
/// and that the first is slower by chance. The arguments of `one_way` are the faster side, the
/// slower side and the factor between them.
fn two_sided(range: (f64, f64), one_way: impl Fn(usize, usize, f64) -> Option<f64>) -> Option<f64> {
    let slower = one_way(0, 1, range.1)?;
    let faster = one_way(1, 0, 1.0 / range.0)?;
    Some((2.0 * slower.min(faster)).min(1.0))
}

/// Returns the ratio of the mean step durations (second recording to first), weighted by the number
/// of spans in each block.
fn multiple(blocks: [&[Sketch]; 2], speed: &SpeedOverTime) -> f64 {
    let mean = |side: usize| {
        let spans = || blocks[side].iter().map(|block| block.count() as f64);
        let steps = spans().zip(&speed.blocks[side]).map(|(count, multiple)| count * multiple);
        steps.sum::<f64>() / spans().sum::<f64>().max(1.0)
    };
    mean(1) / mean(0)
}

/// Compares means like [`both_ways`], but relative to the machine's speed in each block. `machine`
/// is the ratio of step durations, second recording to first.
fn with_speed(
    blocks: [&[Sketch]; 2],
    all: &[Sketch; 2],
    speed: &SpeedOverTime,
    machine: f64,
    range: (f64, f64),
) -> Option<f64> {
    two_sided(range, |fast, slow, factor| {
        let machine = if slow == 1 { machine } else { 1.0 / machine };
        let limit_ns = limit(&all[fast], &all[slow], factor, Measure::Mean.share_above());
        let mean = |side: usize, limit_ns| mean(blocks[side], Some(&speed.blocks[side]), limit_ns);
        above_by_chance(&mean(slow, limit_ns * factor)?, &mean(fast, limit_ns)?, factor / machine)
    })
}

/// Returns the mean of latencies, each capped at `limit_ns`. With `speed`, latencies are expressed
/// as multiples of the step durations at the time.
fn mean(blocks: &[Sketch], speed: Option<&[f64]>, limit_ns: f64) -> Option<Series> {
    let portion = |(index, block): (usize, &Sketch)| Portion {
        part: cut_sum(block, limit_ns),
        whole: block.count() as f64 * speed.map_or(1.0, |speed| speed[index]),
    };
    Series::new(blocks.iter().enumerate().map(portion).collect(), |_| 0.0)
}

impl Measure {
    /// Returns the fraction of spans that exceed this measure.
    fn share_above(self) -> f64 {
        let hundredths = match self {
            Measure::Mean => CUT,
            Measure::Percentile(hundredths) => hundredths,
        };
        1.0 - f64::from(hundredths) / 10_000.0
    }

    /// Returns the measure's value for `latencies`, in nanoseconds.
    pub(super) fn of(self, latencies: &Sketch) -> Option<u64> {
        match self {
            Measure::Percentile(hundredths) => latencies.percentile(hundredths),
            Measure::Mean => {
                let limit_ns = latencies.percentile(CUT)? as f64;
                Some((cut_sum(latencies, limit_ns) / latencies.count() as f64) as u64)
            }
        }
    }
}

/// Returns the sum of all values, each capped at `limit_ns`.
fn cut_sum(sketch: &Sketch, limit_ns: f64) -> f64 {
    let sum = sketch.buckets().map(|(values, count)| {
        let middle = (*values.start() as f64 + *values.end() as f64) / 2.0;
        count as f64 * middle.min(limit_ns)
    });
    sum.sum()
}

/// Returns the latency that a fraction `above` of the spans exceeds, averaged over both sides. The
/// slower side's latencies are divided by `factor` first.
fn limit(fast: &Sketch, slow: &Sketch, factor: f64, above: f64) -> f64 {
    let share = |limit_ns: f64| {
        let share = |sketch: &Sketch, limit_ns| above_in(sketch, limit_ns) / sketch.count() as f64;
        (share(fast, limit_ns) + share(slow, limit_ns * factor)) / 2.0
    };
    let (mut low, mut high) = (0.0, 2.0_f64.powi(64));
    // Search by octaves first, because latencies extend over many octaves.
    while high - low > 1e-3 * low.max(1.0) {
        let middle = if low == 0.0 && high > 2.0 { high.sqrt() } else { (low + high) / 2.0 };
        if share(middle) > above {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Returns the fraction of spans above a limit.
fn share(blocks: &[Sketch], limit_ns: f64) -> Option<Series> {
    let portion = |block: &Sketch| Portion { part: above_in(block, limit_ns), whole: block.count() as f64 };
    Series::new(blocks.iter().map(portion).collect(), |all| {
        // Use the Agresti-Coull estimate, because observed fractions of 0 and 1 are uncertain, too.
        let share = (all.part + 2.0) / (all.whole + 4.0);
        share * (1.0 - share) / (all.whole + 4.0)
    })
}

/// Returns the number of values above a limit. Values in the limit's own bucket are assumed to be
/// spread evenly.
fn above_in(sketch: &Sketch, limit_ns: f64) -> f64 {
    let above = sketch.buckets().map(|(values, count)| {
        let (first, end) = (*values.start() as f64, *values.end() as f64 + 1.0);
        count as f64 * ((end - limit_ns) / (end - first)).clamp(0.0, 1.0)
    });
    above.sum()
}
