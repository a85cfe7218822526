//! What a comparison keeps of a recording: as much for an hour as for a second.

use ringtrace_tracefile::pair::{Follower, Open, PairError, Pairing};
use ringtrace_tracefile::statistics::Sketch;
use ringtrace_tracefile::{Complaint, Dropped, Entry, Flow, OrdinaryRecords, Pause, Traces, Visitor, pauses};

use super::timeline::{BLOCKS, Timeline, fold};

/// What was counted and measured in one recording.
#[derive(Debug)]
pub struct Recording {
    pub(super) timeline: Timeline,
    /// Smallest and largest time.
    pub(super) times_ns: Option<(u64, u64)>,
    pub(super) records: u64,
    pub(super) events: Vec<EventCounts>,
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
#[derive(Debug, Default)]
pub(super) struct Spans {
    pub(super) blocks: Vec<Sketch>,
    /// Spans in which events were dropped: their end may be another's.
    pub(super) doubtful: u64,
}

/// Takes in one recording.
#[derive(Debug)]
pub(super) struct Collector<'p> {
    timeline: Timeline,
    times_ns: Option<(u64, u64)>,
    /// By index of the schema; empty where none was met.
    counts: Vec<Vec<u64>>,
    names: Vec<String>,
    /// By index of the schema: bytes of the payload of a record that needs no second look.
    plain_bytes: Vec<Option<usize>>,
    pairing: &'p mut Pairing<u64>,
    pairs: Vec<Spans>,
    dropped: Dropped,
    lossy: Vec<bool>,
    quick: bool,
    failed: Option<PairError>,
}

impl Recording {
    /// Reads `traces`, and matches with `pairing`, which is bound to them. What could not be read does not end it: it is among the complaints
    /// that are returned.
    ///
    /// # Errors
    /// When an event does not fit its pair.
    pub fn read(
        traces: &mut Traces,
        pairing: &mut Pairing<u64>,
    ) -> Result<(Recording, Vec<Complaint>), PairError> {
        let pairs =
            pairing.pairs().iter().map(|_| Spans { blocks: vec![Sketch::default(); BLOCKS], doubtful: 0 });
        let mut collector = Collector {
            timeline: Timeline::default(),
            times_ns: None,
            counts: Vec::new(),
            names: Vec::new(),
            plain_bytes: Vec::new(),
            pairs: pairs.collect(),
            quick: pairing.pairs().is_empty(),
            pairing,
            dropped: Dropped::default(),
            lossy: vec![false; BLOCKS],
            failed: None,
        };
        let complaints = traces.for_each(&mut collector).err().unwrap_or_default();
        let Collector { timeline, times_ns, counts, names, pairs, dropped, lossy, failed, .. } = collector;
        if let Some(failed) = failed {
            return Err(failed);
        }
        let events: Vec<EventCounts> = counts
            .into_iter()
            .zip(names)
            .filter(|(blocks, _)| !blocks.is_empty())
            .map(|(blocks, name)| EventCounts { name, blocks })
            .collect();
        let records = events.iter().map(EventCounts::count).sum();
        let pauses = traces.readers().iter().flat_map(|reader| pauses(reader.metadata())).collect();
        Ok((Recording { timeline, times_ns, records, events, pairs, dropped, lossy, pauses }, complaints))
    }

    /// How many events it has.
    pub fn events(&self) -> u64 {
        self.records
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
        let Some((first_ns, last_ns)) = self.times_ns else { return vec![0.0; BLOCKS] };
        let seconds = |(block, &lossy): (usize, &bool)| {
            let (from_ns, to_ns) = self.timeline.times_ns(block);
            let (from_ns, to_ns) = (from_ns.max(first_ns), to_ns.min(last_ns.saturating_add(1)));
            let off_ns: u64 = self.pauses.iter().map(|pause| overlap_ns(pause, from_ns, to_ns)).sum();
            if lossy { 0.0 } else { to_ns.saturating_sub(from_ns).saturating_sub(off_ns) as f64 / 1e9 }
        };
        self.lossy.iter().enumerate().map(seconds).collect()
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

impl Spans {
    /// All spans together.
    pub(super) fn all(&self) -> Sketch {
        let mut all = Sketch::default();
        self.blocks.iter().for_each(|block| all.merge(block));
        all
    }
}

impl Collector<'_> {
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
        for counts in &mut self.counts {
            fold(counts, doublings, |sum, count| *sum += count);
        }
        for spans in &mut self.pairs {
            fold(&mut spans.blocks, doublings, |sum, block| {
                if sum.count() == 0 {
                    *sum = block;
                } else if block.count() > 0 {
                    sum.merge(&block);
                }
            });
        }
        fold(&mut self.lossy, doublings, |sum, lossy| *sum |= lossy);
        self.timeline.block(ns).unwrap_or(0)
    }

    /// Counts an event whose schema was met before.
    #[inline]
    fn count(&mut self, schema_index: u32, ns: u64) -> bool {
        let index = schema_index as usize;
        if self.counts.get(index).is_none_or(Vec::is_empty) {
            return false;
        }
        let block = self.block(ns);
        if let Some(count) = self.counts[index].get_mut(block) {
            *count += 1;
        }
        self.times_ns = Some(self.times_ns.map_or((ns, ns), |(first, last)| (first.min(ns), last.max(ns))));
        true
    }

    #[cold]
    fn meet(&mut self, entry: &Entry<'_>) {
        let index = entry.schema_index as usize;
        if self.counts.len() <= index {
            self.counts.resize(index + 1, Vec::new());
            self.names.resize(index + 1, String::new());
            self.plain_bytes.resize(index + 1, None);
        }
        self.counts[index] = vec![0; BLOCKS];
        self.names[index] = entry.schema.name.to_string();
        self.plain_bytes[index] = entry.schema.integer_bytes;
    }

    fn lose(&mut self, ns: u64) {
        // The first versions wrote no time into these records.
        if ns == 0 {
            return;
        }
        let block = self.block(ns);
        // They were lost before the time at which that could be said.
        for lossy in &mut self.lossy[block.saturating_sub(1)..=block] {
            *lossy = true;
        }
    }
}

/// The spans that one record ended: pair, how many losses there were before the begin, and latency.
struct Ended {
    /// How many losses there are by now.
    losses: u64,
    spans: [Option<(usize, u64, Option<u64>)>; 4],
    next: usize,
}

impl Follower for Ended {
    type Kept = u64;

    fn begin(&mut self, _: usize, _: &Entry<'_>, _: Option<Open<u64>>) -> u64 {
        self.losses
    }

    fn end(&mut self, pair: usize, begun: Open<u64>, entry: &Entry<'_>) {
        if let Some(place) = self.spans.get_mut(self.next) {
            *place = Some((pair, begun.kept, entry.timestamp_ns.checked_sub(begun.begin_ns)));
            self.next += 1;
        }
    }
}

impl Visitor for Collector<'_> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        if self.dropped.count(entry) {
            self.lose(entry.timestamp_ns);
            return Flow::Continue;
        }
        if !self.count(entry.schema_index, entry.timestamp_ns) {
            self.meet(entry);
            self.count(entry.schema_index, entry.timestamp_ns);
        }
        if self.quick {
            return Flow::Continue;
        }
        let losses = self.dropped.records;
        let mut ended = Ended { losses, spans: [None; 4], next: 0 };
        let met = self.pairing.count(entry, &mut ended);
        if let Err(misfit) = met {
            self.failed = Some(misfit);
            return Flow::Stop;
        }
        for (pair, losses_before, latency_ns) in ended.spans.into_iter().flatten() {
            let block = self.block(entry.timestamp_ns);
            let spans = &mut self.pairs[pair];
            match latency_ns {
                Some(latency_ns) if losses_before == losses => spans.blocks[block].add(latency_ns),
                _ => spans.doubtful += 1,
            }
        }
        Flow::Continue
    }

    #[inline(always)]
    fn quick(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        if self.quick {
            records.skip_while(|record, schema_index| {
                let plain_bytes = self.plain_bytes.get(schema_index as usize).copied().flatten();
                plain_bytes == Some(record.payload.len()) && self.count(schema_index, record.timestamp_ns)
            });
        }
        Flow::Continue
    }
}
