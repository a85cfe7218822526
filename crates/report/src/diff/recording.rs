//! A recording's data for a comparison. Its size does not depend on the recording's length.

use ringtrace_tracefile::statistics::Sketch;
use ringtrace_tracefile::{Dropped, Pause};

use super::nesting::OwnTime;
use super::steps::Steps;
use super::timeline::{BLOCKS, Timeline};

/// Counts and measurements of one recording.
#[derive(Debug)]
pub struct Recording {
    pub(super) timeline: Timeline,
    pub(super) times_ns: Option<(u64, u64)>,
    pub(super) events: Vec<EventCounts>,
    pub(super) steps: Steps,
    pub(super) pairs: Vec<Spans>,
    pub(super) dropped: Dropped,
    /// The blocks in which events were dropped.
    pub(super) lossy: Vec<bool>,
    pub(super) pauses: Vec<Pause>,
    /// Times that the timeline does not contain.
    pub(super) cuts: Vec<Pause>,
}

#[derive(Debug)]
pub(super) struct EventCounts {
    pub(super) name: String,
    pub(super) blocks: Vec<u64>,
}

/// The latencies of a pair's spans, by the block in which they ended.
#[derive(Debug)]
pub(super) struct Spans {
    pub(super) name: String,
    /// The index of the pair in the recording, which [`OwnTime::inner_ns`] uses.
    pub(super) index: usize,
    pub(super) edges: Vec<String>,
    pub(super) blocks: Vec<Sketch>,
    /// Number of spans that are left out. Either events were dropped during the span, so that its
    /// end may belong to another span, or its end is earlier than its start.
    pub(super) doubtful: u64,
    pub(super) own: OwnTime,
}

impl Recording {
    /// Returns the number of events.
    pub fn events(&self) -> u64 {
        self.events.iter().map(EventCounts::count).sum()
    }

    /// Returns the time from the first to the last record, in nanoseconds, without the times that
    /// [`RecordingBuilder::add_cuts`](super::RecordingBuilder::add_cuts) removes.
    pub fn span_ns(&self) -> u64 {
        self.times_ns.map_or(0, |(first, last)| last - first)
    }

    /// Returns the time of the first record on the traces' clock, in nanoseconds.
    pub fn first_ns(&self) -> Option<u64> {
        self.times_ns.map(|(first, _)| first)
    }

    /// Returns the total losses.
    pub fn dropped(&self) -> Dropped {
        self.dropped
    }

    /// Returns the times when recording was off, of which only the durations are meaningful.
    pub fn pauses(&self) -> Vec<Pause> {
        [&self.pauses[..], &self.cuts].concat()
    }

    /// Returns the duration of each block in seconds, or 0 for blocks with losses.
    pub(super) fn whole_seconds(&self) -> Vec<f64> {
        let whole = |(seconds, &lossy): (f64, &bool)| if lossy { 0.0 } else { seconds };
        self.seconds().into_iter().zip(&self.lossy).map(whole).collect()
    }

    /// Returns the time in each block during which recording was on, in seconds.
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

    /// Returns the number of blocks that begin within the first `span_ns` nanoseconds.
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
