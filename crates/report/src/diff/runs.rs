//! Joins the recordings of several runs of a program into one.
//!
//! In the joined recording, the runs of a side follow one another. The first run of A is compared,
//! batch by batch, with the first run of B, the second with the second, and so on. Differences
//! between runs of the same side therefore appear as slow fluctuations, which the statistical test
//! takes into account.

use ringtrace_tracefile::statistics::Sketch;
use ringtrace_tracefile::{Dropped, Pause};

use super::nesting::OwnTime;
use super::recording::{EventCounts, Recording, Spans};
use super::steps::Steps;
use super::timeline::{BLOCKS, Timeline, fold};

impl Recording {
    /// Joins the runs of both sides. Each run is truncated to the length of the shortest one. Both
    /// sides must have the same number of runs, at least one and at most 64.
    pub fn join(sides: [Vec<Recording>; 2]) -> [Recording; 2] {
        let count = sides[0].len().max(sides[1].len()).max(1);
        let runs = || sides.iter().flatten();
        let common_ns = runs().map(Recording::span_ns).min().unwrap_or(0);
        let mut shift = runs().map(|run| run.timeline.shift()).max().unwrap_or(0);
        while (common_ns >> shift) as usize > BLOCKS / count {
            shift += 1;
        }
        let blocks = ((common_ns >> shift) as usize).max(1);
        sides.map(|runs| joined(runs, shift, blocks))
    }

    fn widen_to(&mut self, shift: u32) {
        let doublings = shift.saturating_sub(self.timeline.shift());
        self.timeline.widen(doublings);
        for event in &mut self.events {
            fold(&mut event.blocks, doublings, |sum, count| *sum += count);
        }
        for pair in &mut self.pairs {
            fold(&mut pair.blocks, doublings, |sum, block| sum.merge(&block));
        }
        self.steps.widen(doublings);
        fold(&mut self.lossy, doublings, |sum, lossy| *sum |= lossy);
    }
}

/// Joins `runs`: the first `blocks` blocks of each, widened to `shift`.
fn joined(runs: Vec<Recording>, shift: u32, blocks: usize) -> Recording {
    let slot_ns = (blocks as u64) << shift;
    let whole_ns = slot_ns.saturating_mul(runs.len() as u64);
    let mut all = Recording {
        timeline: Timeline::starting_at(0, shift),
        times_ns: Some((0, whole_ns.saturating_sub(1))),
        events: Vec::new(),
        steps: Steps::default(),
        pairs: Vec::new(),
        dropped: Dropped::default(),
        lossy: vec![false; BLOCKS],
        pauses: Vec::new(),
        cuts: Vec::new(),
    };
    for (number, mut run) in runs.into_iter().enumerate() {
        run.widen_to(shift);
        let start = number * blocks;
        let place = start..start + blocks;
        let mut numbers = Vec::new();
        for event in &run.events {
            let known = all.events.iter().position(|known| known.name == event.name);
            let index = known.unwrap_or_else(|| {
                all.events.push(EventCounts { name: event.name.clone(), blocks: vec![0; BLOCKS] });
                all.events.len() - 1
            });
            all.events[index].blocks[place.clone()].copy_from_slice(&event.blocks[..blocks]);
            numbers.push(index);
        }
        all.steps.append(&run.steps, &numbers, place.clone());
        all.lossy[place.clone()].copy_from_slice(&run.lossy[..blocks]);
        add_pairs(&mut all.pairs, run.pairs, start, blocks);
        let first_ns = run.times_ns.map_or(0, |(first, _)| first);
        let offset_ns = number as u64 * slot_ns;
        let moved = |ns: u64| offset_ns + ns.saturating_sub(first_ns).min(slot_ns);
        all.pauses.extend(run.pauses.iter().filter_map(|pause| {
            let from_ns = moved(pause.from_ns.unwrap_or(0));
            let to_ns = moved(pause.to_ns.unwrap_or(u64::MAX));
            (from_ns < to_ns).then_some(Pause { from_ns: Some(from_ns), to_ns: Some(to_ns), ..*pause })
        }));
        all.cuts.extend(run.cuts);
        all.dropped.add(run.dropped);
    }
    all
}

/// Adds the pairs of a run to `all`, starting at block `start`.
fn add_pairs(all: &mut Vec<Spans>, pairs: Vec<Spans>, start: usize, blocks: usize) {
    let names: Vec<String> = pairs.iter().map(|pair| pair.name.clone()).collect();
    for pair in &pairs {
        if all.iter().all(|known| known.name != pair.name) {
            all.push(Spans {
                name: pair.name.clone(),
                index: all.len(),
                edges: pair.edges.clone(),
                blocks: vec![Sketch::default(); BLOCKS],
                doubtful: 0,
                own: OwnTime { latencies: Sketch::default(), inner_ns: Vec::new() },
            });
        }
    }
    let positions: Vec<Option<usize>> =
        names.iter().map(|name| all.iter().position(|known| known.name == *name)).collect();
    let count = all.len();
    all.iter_mut().for_each(|known| known.own.inner_ns.resize(count, 0.0));
    for (pair, position) in pairs.into_iter().zip(&positions) {
        let Some(known) = position.and_then(|position| all.get_mut(position)) else { continue };
        for (index, block) in pair.blocks.into_iter().take(blocks).enumerate() {
            known.blocks[start + index] = block;
        }
        known.doubtful += pair.doubtful;
        known.own.latencies.merge(&pair.own.latencies);
        for (inner_ns, position) in pair.own.inner_ns.into_iter().zip(&positions) {
            if let Some(position) = *position {
                known.own.inner_ns[position] += inner_ns;
            }
        }
    }
}
