//! Whether spans take longer.
//!
//! A percentile is compared by how many spans are above it: the share of those above a limit in the first recording, beside the share of
//! those above the same limit, and the change that matters, in the second. Shares are the same for short and for long recordings.

use ringtrace_tracefile::statistics::Sketch;

use super::difference::{LevelDifference, PairDifference, Settings};
use super::machine::Machine;
use super::recording::Spans;
use super::statistics::{Portion, Ratio, above_by_chance};

/// A percentile that is compared.
struct Level {
    /// Which, in hundredths of a percent.
    hundredths: u32,
    /// Spans that each recording must have.
    fewest: u64,
    /// How many times the threshold a change must be to matter: what is rare varies more from run to run.
    tolerance: f64,
}

const LEVELS: [Level; 3] = [
    Level { hundredths: 5000, fewest: 30, tolerance: 1.0 },
    Level { hundredths: 9000, fewest: 300, tolerance: 2.0 },
    Level { hundredths: 9900, fewest: 3000, tolerance: 5.0 },
];

/// Compares a pair. Asks for every level.
pub(super) fn compare(
    spans: [&Spans; 2],
    views: &[[usize; 2]],
    machine: &Machine<'_>,
    settings: Settings,
    questions: &mut Vec<f64>,
) -> PairDifference {
    let [a, b] = spans;
    let latencies = [a.all(), b.all()];
    let count = latencies[0].count().min(latencies[1].count());
    let enough = LEVELS.iter().filter(|level| count >= level.fewest);
    let medians_ns = latencies.each_ref().map(|latencies| latencies.percentile(5000).unwrap_or(0));
    let levels = enough.filter_map(|level| {
        let hundredths = level.hundredths;
        let machine = machine.factor(hundredths, medians_ns, &a.edges);
        let threshold = settings.threshold * level.tolerance;
        let range = (machine.min(1.0) / (1.0 + threshold), machine.max(1.0) * (1.0 + threshold));
        let p = probability([&a.blocks, &b.blocks], level, range)?;
        let heads = views.iter().filter_map(|[head_a, head_b]| {
            probability([&a.blocks[..*head_a], &b.blocks[..*head_b]], level, range)
        });
        let p = heads.fold(p, f64::max);
        let latency_ns = [latencies[0].percentile(hundredths)?, latencies[1].percentile(hundredths)?];
        Some(LevelDifference { hundredths, latency_ns, machine, threshold, p })
    });
    let levels: Vec<LevelDifference> = levels.collect();
    questions.extend(levels.iter().map(|level| level.p));
    PairDifference { name: a.name.clone(), doubtful: [a.doubtful, b.doubtful], levels, latencies }
}

/// How probable the difference is where the second's latencies are the first's times a factor that is within `range`. `None` where there are
/// too few spans.
fn probability(blocks: [&[Sketch]; 2], level: &Level, range: (f64, f64)) -> Option<f64> {
    let all = blocks.map(|blocks| {
        let mut all = Sketch::default();
        blocks.iter().for_each(|block| all.merge(block));
        all
    });
    if all.iter().any(|all| all.count() < level.fewest) {
        return None;
    }
    let above = 1.0 - f64::from(level.hundredths) / 10_000.0;
    let [a, b] = [(blocks[0], &all[0]), (blocks[1], &all[1])];
    let slower = one_way([a, b], above, range.1)?;
    let faster = one_way([b, a], above, 1.0 / range.0)?;
    Some((2.0 * slower.min(faster)).min(1.0))
}

/// How probable it is that the second is not slower than `factor` times the first.
fn one_way(sides: [(&[Sketch], &Sketch); 2], above: f64, factor: f64) -> Option<f64> {
    let [(quick, all_quick), (slow, all_slow)] = sides;
    let limit_ns = limit(all_quick, all_slow, factor, above);
    let quick = share(quick, limit_ns)?;
    let slow = share(slow, limit_ns * factor)?;
    Some(above_by_chance(slow, quick))
}

/// The latency above which, on average of both recordings, a share of `above` of the spans is, when the second's are `factor` times shorter.
fn limit(quick: &Sketch, slow: &Sketch, factor: f64, above: f64) -> f64 {
    let share = |limit_ns: f64| {
        let share = |sketch: &Sketch, limit_ns| above_in(sketch, limit_ns) / sketch.count() as f64;
        (share(quick, limit_ns) + share(slow, limit_ns * factor)) / 2.0
    };
    let (mut low, mut high) = (0.0, 2.0_f64.powi(64));
    // In steps of octaves first: latencies go over many.
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

/// The share of spans above a limit.
fn share(blocks: &[Sketch], limit_ns: f64) -> Option<Ratio> {
    let blocks: Vec<Portion> = blocks
        .iter()
        .map(|block| Portion { part: above_in(block, limit_ns), whole: block.count() as f64 })
        .collect();
    let (part, whole) =
        blocks.iter().fold((0.0, 0.0), |sum, block| (sum.0 + block.part, sum.1 + block.whole));
    // As Agresti and Coull have it: shares of nothing and of all are not sure either.
    let share = (part + 2.0) / (whole + 4.0);
    Ratio::new(&blocks, share * (1.0 - share) / (whole + 4.0))
}

/// How many values are above a limit. Those of the bucket in which it is are taken to be spread evenly there.
fn above_in(sketch: &Sketch, limit_ns: f64) -> f64 {
    let above = sketch.buckets().map(|(values, count)| {
        let (first, end) = (*values.start() as f64, *values.end() as f64 + 1.0);
        count as f64 * ((end - limit_ns) / (end - first)).clamp(0.0, 1.0)
    });
    above.sum()
}
