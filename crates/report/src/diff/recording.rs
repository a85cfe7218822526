//! What a comparison keeps of a recording: as much for an hour as for a second.

use ringtrace_tracefile::statistics::Sketch;
use ringtrace_tracefile::{Dropped, Pause};

use super::nesting::OwnTime;
use super::steps::Steps;
use super::timeline::{BLOCKS, Timeline};

/// What was counted and measured in one recording.
#[derive(Debug)]
pub struct Recording {
    pub(super) timeline: Timeline,
    /// Smallest and largest time.
    pub(super) times_ns: Option<(u64, u64)>,
    pub(super) events: Vec<EventCounts>,
    pub(super) steps: Steps,
    pub(super) pairs: Vec<Spans>,
    pub(super) dropped: Dropped,
    /// In these blocks events were dropped.
    pub(super) lossy: Vec<bool>,
    pub(super) pauses: Vec<Pause>,
}

/// How often an event was met.
#[derive(Debug)]
pub(super) struct EventCounts {
    pub(super) name: String,
    pub(super) blocks: Vec<u64>,
}

/// How long the spans of a pair were, by the block in which they ended.
#[derive(Debug)]
pub(super) struct Spans {
    /// Which pair.
    pub(super) name: String,
    /// The events that begin and end its spans.
    pub(super) edges: Vec<String>,
    pub(super) blocks: Vec<Sketch>,
    /// Spans that are left out: events were dropped in them, so that their end may be another's, or they end before they begin.
    pub(super) doubtful: u64,
    /// What of them is not within another pair's.
    pub(super) own: OwnTime,
}

impl Recording {
    /// How many events it has.
    pub fn events(&self) -> u64 {
        self.events.iter().map(EventCounts::count).sum()
    }

    /// From its first to its last time, in nanoseconds.
    pub fn span_ns(&self) -> u64 {
        self.times_ns.map_or(0, |(first, last)| last - first)
    }

    /// What it says was dropped.
    pub fn dropped(&self) -> Dropped {
        self.dropped
    }

    /// When recording was off.
    pub fn pauses(&self) -> &[Pause] {
        &self.pauses
    }

    /// The seconds of each block in which everything that happened is in the trace.
    pub(super) fn whole_seconds(&self) -> Vec<f64> {
        let whole = |(seconds, &lossy): (f64, &bool)| if lossy { 0.0 } else { seconds };
        self.seconds().into_iter().zip(&self.lossy).map(whole).collect()
    }

    /// The seconds of each block in which recording was on.
    pub(super) fn seconds(&self) -> Vec<f64> {
        let Some((first_ns, last_ns)) = self.times_ns else { return vec![0.0; BLOCKS] };
        let seconds = |block| {
            let (from_ns, to_ns) = self.timeline.times_ns(block);
            let (from_ns, to_ns) = (from_ns.max(first_ns), to_ns.min(last_ns.saturating_add(1)));
            let off_ns: u64 = self.pauses.iter().map(|pause| overlap_ns(pause, from_ns, to_ns)).sum();
            to_ns.saturating_sub(from_ns).saturating_sub(off_ns) as f64 / 1e9
        };
        (0..BLOCKS).map(seconds).collect()
    }

    /// How many blocks begin in the first so many nanoseconds.
    pub(super) fn blocks_within(&self, span_ns: u64) -> usize {
        let first_ns = self.timeline.times_ns(0).0;
        (0..BLOCKS).filter(|&block| self.timeline.times_ns(block).0 - first_ns <= span_ns).count()
    }
}

fn overlap_ns(pause: &Pause, from_ns: u64, to_ns: u64) -> u64 {
    let (off_ns, on_ns) = (pause.from_ns.unwrap_or(0), pause.to_ns.unwrap_or(u64::MAX));
    on_ns.min(to_ns).saturating_sub(off_ns.max(from_ns))
}

impl EventCounts {
    pub(super) fn count(&self) -> u64 {
        self.blocks.iter().sum()
    }
}
