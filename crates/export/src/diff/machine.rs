//! Whether the machine was faster or slower, told from the [steps](super::steps) that both recordings have.

use std::collections::BTreeMap;

use ringtrace_tracefile::statistics::Sketch;

use super::recording::Recording;
use super::statistics::middle;

/// Steps of one kind that are needed in each recording, for a median; the further out, the more.
const FEWEST: f64 = 40.0;

/// Kinds of steps of which the middle is taken.
const FEWEST_KINDS: usize = 5;

/// Steps that are this many times shorter than a span say little of what it does.
const SHORTER: f64 = 100.0;

/// The kinds of steps of two recordings.
#[derive(Debug)]
pub(super) struct Machine<'r> {
    kinds: Vec<([&'r str; 2], [&'r Sketch; 2])>,
}

impl<'r> Machine<'r> {
    pub(super) fn new(a: &'r Recording, b: &'r Recording) -> Machine<'r> {
        let kinds = |recording: &'r Recording| {
            let name = |event: usize| recording.events.get(event).map_or("", |event| &event.name);
            recording.steps.iter().map(move |(from, to, sketch)| ([name(from), name(to)], sketch))
        };
        let of_b: BTreeMap<[&str; 2], &Sketch> = kinds(b).collect();
        let both = kinds(a).filter_map(|(kind, a)| Some((kind, [a, *of_b.get(&kind)?])));
        Machine { kinds: both.collect() }
    }

    /// How many times as long the same steps took in the second recording, at a percentile: the middle of all kinds of steps that are not
    /// longer than `latency_ns` and neither begin nor end at one of `edges`. 1 where there are too few.
    pub(super) fn factor(&self, hundredths: u32, latency_ns: [u64; 2], edges: &[String]) -> f64 {
        let longest_ns = latency_ns[0].min(latency_ns[1]) as f64;
        let fewest = FEWEST * 5000.0 / f64::from(10_000 - hundredths);
        let step = |(events, sketches): &([&str; 2], [&Sketch; 2])| {
            let fewer = sketches[0].count().min(sketches[1].count()) as f64;
            let [a, b] = sketches.map(|sketch| sketch.percentile(5000).unwrap_or(0) as f64);
            let is_alike = a.max(b) <= longest_ns && a.min(b) >= longest_ns / SHORTER;
            if fewer < fewest || !is_alike || edges.iter().any(|edge| events.contains(&edge.as_str())) {
                return None;
            }
            let [a, b] = sketches.map(|sketch| sketch.percentile(hundredths).unwrap_or(0).max(1) as f64);
            Some((b / a, fewer.sqrt()))
        };
        let steps: Vec<(f64, f64)> = self.kinds.iter().filter_map(step).collect();
        if steps.len() < FEWEST_KINDS { 1.0 } else { middle(steps).unwrap_or(1.0) }
    }
}
