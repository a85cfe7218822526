//! Whether events come more or less often.
//!
//! Where a program does all it can, it does less of everything when any part of it gets slower. So a rate is compared with what the others
//! do as well as with what it was: only one that lies outside of both is a finding of its own.

use std::collections::BTreeMap;

use super::difference::{EventDifference, Settings, are_comparable};
use super::recording::{EventCounts, Recording};
use super::statistics::{Portion, Series, above_by_chance, middle};
use super::timeline::BLOCKS;

/// With fewer than this in both recordings together nothing can be said.
const FEWEST: u64 = 12;

/// With fewer events than this in either recording, the overall pace is not reported.
const FEWEST_FOR_PACE: f64 = 30.0;

/// An overall pace that differs by this factor is the most important result.
const FAR: f64 = 2.0;

pub(super) struct Rates {
    /// How many times as often events happened in the second recording: the middle over all events.
    pub(super) pace: f64,
    /// The pace that is factored out of each event's rate.
    pub(super) tested_pace: f64,
    /// The pace if it is far from 1, and there are enough events to know it.
    pub(super) overall_pace: Option<f64>,
    pub(super) events: Vec<EventDifference>,
    /// The share of the compared time in which events were dropped, of each recording.
    pub(super) lossy: [f64; 2],
}

/// Compares all events: the pace, and each event. Asks for every event whose `p` is set, in order.
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
        // What is met only where events were dropped is not missing elsewhere for sure.
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

/// An event in one recording: how often in each block, out of how many seconds in which nothing was lost.
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
        // What happens by chance comes as often as its variance is large; one more, for what has not happened yet.
        Series::new(self.blocks.clone(), |all| (all.part + 1.0) / (all.whole * all.whole))
    }

    /// In how many blocks it happened at all: what comes in a burst came once.
    fn bursts(&self) -> i32 {
        self.blocks.iter().filter(|block| block.part > 0.0).count() as i32
    }
}

/// How many times as often events happened in the second recording: the middle of all, those that come often counting for more, but not for
/// all.
fn pace(events: impl Iterator<Item = [EventRate; 2]>) -> f64 {
    let ratio = |[a, b]: [EventRate; 2]| Some((b.per_s()? / a.per_s()?, a.count.min(b.count).sqrt()));
    middle(events.filter_map(ratio).filter(|(ratio, _)| ratio.is_finite()).collect()).unwrap_or(1.0)
}

/// How probable the difference is where the event went along with the others, or stayed.
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
