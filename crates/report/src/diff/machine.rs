//! The relative speed of the machine, from the types of [steps](super::steps) that both recordings
//! contain.

use std::collections::BTreeMap;

use super::difference::Measure;
use super::recording::Recording;
use super::statistics::middle;
use super::steps::{Logarithms, StepType};
use super::timeline::BLOCKS;

/// Minimum number of steps of a type in each recording, for a median. Higher percentiles need more
/// steps.
const FEWEST: f64 = 40.0;
const FEWEST_TYPES: usize = 5;

/// A step that is shorter than a span by more than this factor is not comparable to it.
const SHORTER: f64 = 100.0;

/// Only types of steps whose change is within this factor of the median change show the machine's
/// speed over time.
const ALIKE: f64 = 1.1;

/// Beyond this number, further steps of a type add no weight.
const MOST_STEPS: f64 = 1000.0;

/// Steps up to this duration are assumed to be work, and longer ones to be waiting.
const SHORT_NS: u64 = 20_000;

#[derive(Debug, Clone, Default)]
pub(super) struct Machine<'r> {
    step_types: Vec<([&'r str; 2], [&'r StepType; 2])>,
}

/// The mean duration of steps over the course of two recordings: one value per block, relative to
/// the average of both recordings.
#[derive(Debug)]
pub(super) struct SpeedOverTime {
    pub(super) blocks: [Vec<f64>; 2],
}

impl<'r> Machine<'r> {
    pub(super) fn new(a: &'r Recording, b: &'r Recording) -> Machine<'r> {
        let step_types = |recording: &'r Recording| {
            let name = |event: usize| recording.events.get(event).map_or("", |event| &event.name);
            recording.steps.step_types().iter().map(move |step_type| (step_type.events.map(name), step_type))
        };
        let of_b: BTreeMap<[&str; 2], &StepType> = step_types(b).collect();
        let both = step_types(a).filter_map(|(events, a)| Some((events, [a, *of_b.get(&events)?])));
        Machine { step_types: both.collect() }
    }

    /// Returns the types of steps that are comparable to spans of `latency_ns` that begin and end
    /// at the events `edges`. Comparable steps are not longer, not much shorter, and do not begin
    /// or end at `edges`. Each type has at least `fewest` steps in both recordings.
    fn like(&self, latency_ns: [u64; 2], edges: &[String], fewest: f64) -> Vec<[&'r StepType; 2]> {
        let longest_ns = latency_ns[0].min(latency_ns[1]) as f64;
        let is_like = |(events, step_types): &&([&str; 2], [&StepType; 2])| {
            let [a, b] = step_types.map(|step_type| step_type.all.percentile(5000).unwrap_or(0) as f64);
            step_types.iter().all(|step_type| step_type.all.count() as f64 >= fewest)
                && a.max(b) <= longest_ns
                && a.min(b) >= longest_ns / SHORTER
                && !edges.iter().any(|edge| events.contains(&edge.as_str()))
        };
        let like: Vec<_> =
            self.step_types.iter().filter(is_like).map(|(_, step_types)| *step_types).collect();
        if like.len() < FEWEST_TYPES { Vec::new() } else { like }
    }

    /// Returns how many times as long steps take in the second recording as in the first: the
    /// weighted median ratio of all step types comparable to the given spans. Returns 1 if there
    /// are too few such types.
    pub(super) fn factor(&self, what: Measure, latency_ns: [u64; 2], edges: &[String]) -> f64 {
        let hundredths = match what {
            Measure::Mean => 5000,
            Measure::Percentile(hundredths) => hundredths,
        };
        let fewest = FEWEST * 5000.0 / f64::from(10_000 - hundredths);
        // Limit the weight of the most frequent steps, because all of them may belong to the one
        // operation that has changed.
        let weight = |step_types: [&StepType; 2]| {
            (step_types[0].all.count().min(step_types[1].all.count()) as f64).min(MOST_STEPS).sqrt()
        };
        let like = self.like(latency_ns, edges, fewest).into_iter();
        match middle(like.map(|step_types| (ratio(step_types, hundredths), weight(step_types))).collect()) {
            Some(factor) => factor,
            // There may still be enough steps for a comparison of medians.
            None if hundredths > 5000 => self.factor(Measure::Mean, latency_ns, edges),
            None => 1.0,
        }
    }

    pub(super) fn overall(&self) -> f64 {
        self.factor(Measure::Mean, [SHORT_NS; 2], &[])
    }

    /// Returns the speed over time. `None` if there are too few types of steps.
    pub(super) fn speed(&self, latency_ns: [u64; 2], edges: &[String]) -> Option<SpeedOverTime> {
        let middle = self.factor(Measure::Mean, latency_ns, edges);
        let mut like = self.like(latency_ns, edges, FEWEST);
        // Steps that changed for another reason do not show the machine's speed.
        like.retain(|step_types| (1.0 / ALIKE..=ALIKE).contains(&(ratio(*step_types, 5000) / middle)));
        let mut blocks = [(); 2].map(|()| vec![Logarithms::default(); BLOCKS]);
        for step_types in &like {
            let mean = |step_type: &StepType| {
                let (sum, count) = step_type
                    .blocks
                    .iter()
                    .fold((0.0, 0.0), |(sum, count), block| (sum + block.sum, count + block.count));
                sum / count
            };
            let usual = (mean(step_types[0]) + mean(step_types[1])) / 2.0;
            for (side, step_type) in step_types.iter().enumerate() {
                for (sum, block) in blocks[side].iter_mut().zip(&step_type.blocks) {
                    sum.sum += block.sum - usual * block.count;
                    sum.count += block.count;
                }
            }
        }
        if like.len() < FEWEST_TYPES {
            return None;
        }
        Some(SpeedOverTime { blocks: blocks.map(|blocks| multiples(&blocks)) })
    }
}

fn ratio(step_types: [&StepType; 2], hundredths: u32) -> f64 {
    let [a, b] = step_types.map(|step_type| step_type.all.percentile(hundredths).unwrap_or(0).max(1) as f64);
    b / a
}

/// Converts means of logarithms to multiples. An empty block gets the value of the block before it.
fn multiples(blocks: &[Logarithms]) -> Vec<f64> {
    let mut last = 1.0;
    let multiple = |block: &Logarithms| {
        if block.count > 0.0 {
            last = (block.sum / block.count).exp2();
        }
        last
    };
    blocks.iter().map(multiple).collect()
}
