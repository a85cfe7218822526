//! Builds a recording from its events, spans, losses and pauses, whatever they are read from.

use ringtrace_tracefile::statistics::Sketch;
use ringtrace_tracefile::{Dropped, Pause};

use super::nesting::Nesting;
use super::recording::{EventCounts, Recording, Spans};
use super::steps::{EventNumber, Steps};
use super::timeline::{BLOCKS, Timeline, fold};

/// Builds a [`Recording`]. Rows are added in the order of their times. All times are nanoseconds on
/// one clock.
///
/// Threads have any numbers that distinguish them. *Sources* are the traces of which the recording
/// consists, numbered from 0: losses in one of them do not make the spans of others doubtful.
#[derive(Debug)]
pub struct RecordingBuilder {
    timeline: Timeline,
    times_ns: Option<(u64, u64)>,
    events: Vec<EventCounts>,
    steps: Steps,
    pairs: Vec<PairNames>,
    /// Latencies of spans, by pair, then by block.
    spans: Vec<Vec<Sketch>>,
    doubtful: Vec<u64>,
    nesting: Nesting,
    dropped: Dropped,
    lossy: Vec<bool>,
    /// Time of the latest loss of each source. Spans that began before it are doubtful.
    lost_ns: Vec<Option<u64>>,
    pauses: Vec<Pause>,
    cuts: Vec<Pause>,
}

/// The name of a pair, and the names of the events that begin and end its spans.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PairNames {
    /// The name of the pair.
    pub name: String,
    /// The events that begin or end spans.
    pub edges: Vec<String>,
}

/// An event of a [`RecordingBuilder`].
#[derive(Debug, Clone, Copy)]
pub struct EventId {
    index: u32,
    number: EventNumber,
}

impl RecordingBuilder {
    /// Creates a builder of a recording with spans of these pairs.
    pub fn new(pairs: Vec<PairNames>) -> RecordingBuilder {
        let count = pairs.len();
        RecordingBuilder {
            timeline: Timeline::default(),
            times_ns: None,
            events: Vec::new(),
            steps: Steps::default(),
            pairs,
            spans: vec![vec![Sketch::default(); BLOCKS]; count],
            doubtful: vec![0; count],
            nesting: Nesting::new(count),
            dropped: Dropped::default(),
            lossy: vec![false; BLOCKS],
            lost_ns: Vec::new(),
            pauses: Vec::new(),
            cuts: Vec::new(),
        }
    }

    /// Adds an event, before its first record. Steps are measured between the first 64 events.
    pub fn add_event(&mut self, name: &str) -> EventId {
        let index = self.events.len();
        self.events.push(EventCounts { name: name.to_owned(), blocks: vec![0; BLOCKS] });
        EventId { index: index as u32, number: EventNumber::new(index) }
    }

    /// Adds a record of an event.
    #[inline(always)]
    pub fn event(&mut self, event: EventId, thread: u32, ns: u64) {
        let block = self.block(ns);
        self.events[event.index as usize].blocks[block] += 1;
        self.steps.count(thread, event.number, ns, block);
        self.times_ns = Some(self.times_ns.map_or((ns, ns), |(first, last)| (first.min(ns), last.max(ns))));
    }

    /// Adds a record which reports that events of `thread` in `source` were lost. `ns` is 0 if its time
    /// is unknown.
    pub fn lost(&mut self, source: u32, thread: u32, ns: u64) {
        self.steps.forget();
        // Dropped records in v0 traces have no time.
        let ns = if ns > 0 { Some(ns) } else { self.times_ns.map(|(_, last_ns)| last_ns) };
        let Some(ns) = ns else { return };
        let source = source as usize;
        if self.lost_ns.len() <= source {
            self.lost_ns.resize(source + 1, None);
        }
        self.lost_ns[source] = self.lost_ns[source].max(Some(ns));
        let block = self.block(ns);
        // Events may have been lost at any time since the thread's last record.
        let last_ns = self.steps.last_ns(thread).or(self.times_ns.map(|(_, last_ns)| last_ns)).unwrap_or(ns);
        let from = self.block(last_ns.min(ns)).min(block.saturating_sub(1));
        for lossy in &mut self.lossy[from..=block] {
            *lossy = true;
        }
    }

    /// Adds counts of lost events, which [`lost`](RecordingBuilder::lost) does not count.
    pub fn add_dropped(&mut self, dropped: Dropped) {
        self.dropped.add(dropped);
    }

    /// Adds a span that ended. `pair` is the index of its pair, and `thread` is the thread in which it
    /// ended.
    pub fn span(&mut self, source: u32, pair: usize, thread: u32, (begin_ns, end_ns): (u64, u64)) {
        let lost_ns = self.lost_ns.get(source as usize).copied().flatten();
        let is_doubtful = end_ns < begin_ns || lost_ns.is_some_and(|lost_ns| begin_ns <= lost_ns);
        if is_doubtful {
            self.doubtful[pair] += 1;
            return;
        }
        let block = self.block(end_ns);
        self.spans[pair][block].add(end_ns - begin_ns);
        self.nesting.end(thread, pair, begin_ns, end_ns);
    }

    /// Adds an event that begins or ends spans of a pair.
    pub fn add_edge(&mut self, pair: usize, event: &str) {
        let edges = &mut self.pairs[pair].edges;
        if edges.iter().all(|edge| edge != event) {
            edges.push(event.to_owned());
        }
    }

    /// Adds times in which recording was off.
    pub fn add_pauses(&mut self, pauses: impl IntoIterator<Item = Pause>) {
        self.pauses.extend(pauses);
    }

    /// Adds times in which nothing was recorded, and which are not between the times of rows: these are
    /// nanoseconds of recorded time.
    pub fn add_cuts(&mut self, cuts: impl IntoIterator<Item = Pause>) {
        self.cuts.extend(cuts);
    }

    /// Returns the recording.
    pub fn finish(self) -> Recording {
        let RecordingBuilder { timeline, times_ns, events, steps, dropped, lossy, .. } = self;
        let (pauses, cuts) = (self.pauses, self.cuts);
        let kept = self.spans.into_iter().zip(self.doubtful).zip(self.nesting.pairs);
        let pairs = self.pairs.into_iter().zip(kept).enumerate();
        let pairs = pairs.map(|(index, (PairNames { name, edges }, ((blocks, doubtful), own)))| Spans {
            name,
            index,
            edges,
            blocks,
            doubtful,
            own,
        });
        let pairs = pairs.collect();
        Recording { timeline, times_ns, events, steps, pairs, dropped, lossy, pauses, cuts }
    }

    #[inline]
    fn block(&mut self, ns: u64) -> usize {
        match self.timeline.block(ns) {
            Ok(block) => block,
            Err(doublings) => self.widen(doublings, ns),
        }
    }

    #[cold]
    fn widen(&mut self, doublings: u32, ns: u64) -> usize {
        self.timeline.widen(doublings);
        for event in &mut self.events {
            fold(&mut event.blocks, doublings, |sum, count| *sum += count);
        }
        for blocks in &mut self.spans {
            fold(blocks, doublings, |sum, block| {
                if sum.is_empty() {
                    *sum = block;
                } else if !block.is_empty() {
                    sum.merge(&block);
                }
            });
        }
        self.steps.widen(doublings);
        fold(&mut self.lossy, doublings, |sum, lossy| *sum |= lossy);
        self.timeline.block(ns).unwrap_or(0)
    }
}
