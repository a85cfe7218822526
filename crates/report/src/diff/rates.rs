//! The comparison of event rates.
//!
//! When any part of a program at full load gets slower, the program does less of everything. A rate
//! is therefore compared both with its old value and with the overall pace. A change is a finding
//! of its own only if the rate differs significantly from both.

use std::collections::BTreeMap;

use super::difference::{EventDifference, Settings, are_comparable};
use super::recording::{EventCounts, Recording};
use super::statistics::{Portion, Series, above_by_chance, middle};
use super::timeline::BLOCKS;

/// Minimum number of events in both recordings together, for a test.
const FEWEST: u64 = 12;

/// Minimum number of events in each recording, for reporting the overall pace.
const FEWEST_FOR_PACE: f64 = 30.0;

/// An overall pace that differs from 1 by this factor is the most important result.
const FAR: f64 = 2.0;

pub(super) struct Rates {
    /// Ratio of event rates, second recording to first: the median of all events.
    pub(super) pace: f64,
    /// The pace that is factored out of each event's rate.
    pub(super) tested_pace: f64,
    /// The pace, if it is far from 1 and there are enough events to estimate it.
    pub(super) overall_pace: Option<f64>,
    pub(super) events: Vec<EventDifference>,
    /// Fraction of the compared time in which events were dropped, for each recording.
    pub(super) lossy: [f64; 2],
}

/// Compares the pace and every event. Appends the `p` of each tested event to `comparisons`, in the
/// order of the events.
pub(super) fn compare(
    a: &Recording,
    b: &Recording,
    block_counts: [usize; 2],
    settings: Settings,
    comparisons: &mut Vec<f64>,
) -> Rates {
    let recordings = [a, b];
    let seconds = recordings.map(Recording::whole_seconds);
    let lossy = [0, 1].map(|side| {
        let whole_s: f64 = seconds[side][..block_counts[side]].iter().sum();
        let all_s: f64 = recordings[side].seconds()[..block_counts[side]].iter().sum();
        if all_s > 0.0 { (1.0 - whole_s / all_s).clamp(0.0, 1.0) } else { 0.0 }
    });
    let comparable = are_comparable(lossy);
    let none = EventCounts { name: String::new(), blocks: vec![0; BLOCKS] };
    let mut names: BTreeMap<&str, [&EventCounts; 2]> = BTreeMap::new();
    for (side, recording) in recordings.into_iter().enumerate() {
        for event in &recording.events {
            names.entry(&event.name).or_insert([&none; 2])[side] = event;
        }
    }
    let sides = |counts: [&EventCounts; 2]| {
        [0, 1].map(|side| EventRate::new(&counts[side].blocks[..block_counts[side]], &seconds[side]))
    };
    let pace = if comparable { pace(names.values().map(|&counts| sides(counts))) } else { 1.0 };
    let tested_pace = if settings.absolute { 1.0 } else { pace };
    let compared_events = names.values().map(|&counts| sides(counts).map(|side| side.count));
    let compared_events =
        compared_events.fold([0.0, 0.0], |sum, counts| [sum[0] + counts[0], sum[1] + counts[1]]);
    let is_known = compared_events.iter().all(|&count| count >= FEWEST_FOR_PACE);
    let is_far = !(1.0 / FAR..FAR).contains(&pace);
    let overall_pace = (comparable && is_known && is_far).then_some(pace);
    let compare = |(name, counts): (&&str, &[&EventCounts; 2])| {
        let met = [0, 1].map(|side| counts[side].blocks[..block_counts[side]].iter().any(|&count| count > 0));
        let sides = sides(*counts);
        // If an event occurred only in time with losses, its rate in the remaining time is
        // meaningless.
        let is_hidden = [0, 1].iter().any(|&side| met[side] && sides[side].count == 0.0);
        let is_tested = comparable && !is_hidden;
        let p = if is_tested { probability(&sides, tested_pace, settings) } else { None };
        comparisons.extend(p);
        EventDifference {
            name: (*name).to_owned(),
            counts: counts.map(EventCounts::count),
            met,
            per_s: sides.each_ref().map(EventRate::per_s),
            p,
        }
    };
    let events = names.iter().map(compare).collect();
    Rates { pace, tested_pace, overall_pace, events, lossy }
}

/// An event in one recording: its count in each block, and the block's seconds without losses.
struct EventRate {
    blocks: Vec<Portion>,
    count: f64,
    seconds: f64,
}

impl EventRate {
    fn new(counts: &[u64], seconds: &[f64]) -> EventRate {
        let portion = |(&count, &seconds): (&u64, &f64)| Portion {
            part: if seconds > 0.0 { count as f64 } else { 0.0 },
            whole: seconds,
        };
        let blocks: Vec<Portion> = counts.iter().zip(seconds).map(portion).collect();
        EventRate {
            count: blocks.iter().map(|block| block.part).sum(),
            seconds: blocks.iter().map(|block| block.whole).sum(),
            blocks,
        }
    }

    fn per_s(&self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.count / self.seconds)
    }

    fn series(&self) -> Option<Series> {
        // The variance of a random count equals the count. Add one, because the variance is not 0
        // for events that have not occurred yet.
        Series::new(self.blocks.clone(), |all| (all.part + 1.0) / (all.whole * all.whole))
    }

    /// Returns the number of blocks in which the event occurred. A burst of events counts once.
    fn bursts(&self) -> i32 {
        self.blocks.iter().filter(|block| block.part > 0.0).count() as i32
    }
}

/// Returns the ratio of event rates, second recording to first: the median of all events, weighted
/// by the square roots of their counts.
fn pace(events: impl Iterator<Item = [EventRate; 2]>) -> f64 {
    let ratio = |[a, b]: [EventRate; 2]| Some((b.per_s()? / a.per_s()?, a.count.min(b.count).sqrt()));
    middle(events.filter_map(ratio).filter(|(ratio, _)| ratio.is_finite()).collect()).unwrap_or(1.0)
}

/// Returns the probability of the observed difference if the event's rate followed the overall pace
/// or did not change.
fn probability(sides: &[EventRate; 2], pace: f64, settings: Settings) -> Option<f64> {
    let [a, b] = sides;
    if a.count + b.count < FEWEST as f64 || a.seconds <= 0.0 || b.seconds <= 0.0 {
        return None;
    }
    let (share_a, share_b) = (a.seconds / (a.seconds + b.seconds), b.seconds / (a.seconds + b.seconds));
    if a.count == 0.0 {
        return Some((2.0 * share_b.powi(b.bursts())).min(1.0));
    }
    if b.count == 0.0 {
        return Some((2.0 * share_a.powi(a.bursts())).min(1.0));
    }
    let (series_a, series_b) = (a.series()?, b.series()?);
    let most = pace.max(1.0) * (1.0 + settings.threshold);
    let least = pace.min(1.0) / (1.0 + settings.threshold);
    let more = above_by_chance(&series_b, &series_a, most)?;
    let less = above_by_chance(&series_a, &series_b, 1.0 / least)?;
    Some((2.0 * more.min(less)).min(1.0))
}
