//! Whether spans take longer.
//!
//! A percentile is compared by how many spans are above it: the share of those above a limit in the first recording, beside the share of
//! those above the same limit, and the change that matters, in the second. Shares are the same for short and for long recordings.

use ringtrace_tracefile::statistics::Sketch;

use super::difference::{LevelDifference, PairDifference, Settings};
use super::recording::Spans;
use super::statistics::{Portion, Ratio, above_by_chance};

/// The percentiles that are compared, in hundredths of a percent, and how many spans each recording must have.
const LEVELS: [(u32, u64); 3] = [(5000, 30), (9000, 300), (9900, 3000)];

/// Compares a pair. Asks for every level.
pub(super) fn compare(
    name: &str,
    a: &Spans,
    b: &Spans,
    settings: Settings,
    questions: &mut Vec<f64>,
) -> PairDifference {
    let latencies = [a.all(), b.all()];
    let count = latencies[0].count().min(latencies[1].count());
    let enough = LEVELS.iter().filter(|(_, least)| count >= *least);
    let levels = enough.filter_map(|&(hundredths, _)| {
        let p = probability([a, b], &latencies, hundredths, settings.threshold)?;
        let latency_ns = [latencies[0].percentile(hundredths)?, latencies[1].percentile(hundredths)?];
        Some(LevelDifference { hundredths, latency_ns, p })
    });
    let levels: Vec<LevelDifference> = levels.collect();
    questions.extend(levels.iter().map(|level| level.p));
    PairDifference { name: name.to_owned(), doubtful: [a.doubtful, b.doubtful], levels, latencies }
}

/// How probable the difference is where neither is slower than the other by more than `threshold`.
fn probability(spans: [&Spans; 2], latencies: &[Sketch; 2], hundredths: u32, threshold: f64) -> Option<f64> {
    let [a, b] = latencies;
    let above = 1.0 - f64::from(hundredths) / 10_000.0;
    let slower = one_way([(spans[0], a), (spans[1], b)], above, threshold)?;
    let faster = one_way([(spans[1], b), (spans[0], a)], above, threshold)?;
    Some((2.0 * slower.min(faster)).min(1.0))
}

/// How probable it is that the second is not slower than the first by more than `threshold`.
fn one_way(sides: [(&Spans, &Sketch); 2], above: f64, threshold: f64) -> Option<f64> {
    let [(quick, all_quick), (slow, all_slow)] = sides;
    let factor = 1.0 + threshold;
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
        if share(middle) > above { low = middle } else { high = middle }
    }
    high
}

/// The share of spans above a limit.
fn share(spans: &Spans, limit_ns: f64) -> Option<Ratio> {
    let blocks: Vec<Portion> = spans
        .blocks
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
