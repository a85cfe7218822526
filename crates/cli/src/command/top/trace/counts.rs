//! What was read of a trace so far, between the thread that reads and the one that asks.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use ringtrace_events::Text;
use ringtrace_tracefile::{Dropped, Entry, Flow, OrdinaryRecords, Visitor};

use super::super::history::{LastMinute, TimeBuckets, WholeTrace};
use super::tail::WriterState;
use crate::sync::lock;

/// What the thread that reads and the one that samples share.
#[derive(Debug, Default)]
pub struct Shared {
    counts: Mutex<Counts>,
    progress: Mutex<ReadProgress>,
}

/// How far reading is.
#[derive(Debug, Default)]
pub struct ReadProgress {
    /// Where the reader counts the bytes that it has read.
    pub bytes: Arc<AtomicU64>,
    /// Whether the header was read, and records follow.
    pub has_begun: bool,
    /// Whether the reader was stopped at the end of the file.
    pub is_at_end: bool,
    /// Who writes the trace, if there is nothing left to read.
    pub end: Option<WriterState>,
    /// Why reading has ended.
    pub trouble: Option<String>,
    /// Grows when another trace is counted.
    pub generation: u64,
}

impl Shared {
    pub fn counts(&self) -> MutexGuard<'_, Counts> {
        lock(&self.counts)
    }

    pub fn progress(&self) -> MutexGuard<'_, ReadProgress> {
        lock(&self.progress)
    }

    pub fn read_bytes(&self) -> u64 {
        self.progress().bytes.load(Ordering::Relaxed)
    }

    pub fn set_end(&self, end: Option<WriterState>) {
        self.progress().end = end;
    }

    /// Starts again with another trace.
    pub fn reset(&self) {
        let mut counts = self.counts();
        *counts = Counts::default();
        let mut progress = self.progress();
        *progress = ReadProgress { generation: progress.generation + 1, ..ReadProgress::default() };
    }
}

/// What was counted.
#[derive(Debug, Default)]
pub struct Counts {
    /// By event, in the order in which they were met.
    pub events: Vec<EventCounts>,
    by_name: HashMap<Text, usize>,
    /// By schema index.
    places: Vec<Option<usize>>,
    pieces: Option<TimeBuckets>,
    smallest_ns: u64,
    largest_ns: u64,
    recorded: u64,
    pub dropped: Dropped,
    pub pid: Option<u32>,
    pub program: Option<String>,
    /// What it does when a ring is full, where the trace says it.
    pub policy: Option<String>,
}

/// One event.
#[derive(Debug)]
pub struct EventCounts {
    pub name: Text,
    pub recorded: u64,
    pub minute: LastMinute,
    pub whole: WholeTrace,
    pub changed: bool,
}

impl Counts {
    /// Records of all events.
    pub fn recorded(&self) -> u64 {
        self.recorded
    }

    /// The smallest and the largest time.
    pub fn span(&self) -> Option<(u64, u64)> {
        (self.recorded > 0).then_some((self.smallest_ns, self.largest_ns))
    }

    /// That there is an event `name`, though it may never happen.
    pub fn declare(&mut self, name: &Text) -> usize {
        if let Some(&index) = self.by_name.get(name.as_str()) {
            return index;
        }
        let index = self.events.len();
        self.events.push(EventCounts {
            name: name.clone(),
            recorded: 0,
            minute: LastMinute::default(),
            whole: WholeTrace::default(),
            changed: true,
        });
        self.by_name.insert(name.clone(), index);
        index
    }

    /// The event of a schema that was met before.
    #[inline]
    fn known(&self, schema_index: u32) -> Option<usize> {
        self.places.get(schema_index as usize).copied().flatten()
    }

    fn learn(&mut self, entry: &Entry<'_>) -> usize {
        let index = self.declare(&entry.schema.name);
        let place = entry.schema_index as usize;
        if self.places.len() <= place {
            self.places.resize(place + 1, None);
        }
        self.places[place] = Some(index);
        index
    }

    #[inline]
    fn add(&mut self, index: usize, time_ns: u64) {
        let first = self.recorded == 0;
        self.smallest_ns = if first { time_ns } else { self.smallest_ns.min(time_ns) };
        self.largest_ns = self.largest_ns.max(time_ns);
        self.recorded += 1;
        let piece = self.piece(time_ns);
        let event = &mut self.events[index];
        event.recorded += 1;
        event.changed = true;
        event.minute.count(time_ns);
        event.whole.count(piece);
    }

    #[inline]
    fn piece(&mut self, time_ns: u64) -> usize {
        loop {
            let pieces = self.pieces.get_or_insert_with(|| TimeBuckets::new(time_ns));
            if let Some(piece) = pieces.at(time_ns) {
                return piece;
            }
            pieces.double();
            for event in &mut self.events {
                event.whole.halve();
                event.changed = true;
            }
        }
    }
}

/// Counts what is read.
#[derive(Debug)]
pub struct Counter<'s> {
    shared: &'s Shared,
    begun: bool,
}

impl Counter<'_> {
    /// Counts in `shared`. It stops once, after the first record.
    pub fn new(shared: &Shared) -> Counter<'_> {
        Counter { shared, begun: false }
    }
}

impl Visitor for Counter<'_> {
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        if self.begun {
            let mut counts = self.shared.counts();
            records.skip_while(|record, schema_index| match counts.known(schema_index) {
                Some(index) => {
                    counts.add(index, record.timestamp_ns);
                    true
                }
                None => false,
            });
        }
        Flow::Continue
    }

    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        let mut counts = self.shared.counts();
        if !counts.dropped.count(entry) {
            let index = counts.known(entry.schema_index).unwrap_or_else(|| counts.learn(entry));
            counts.add(index, entry.timestamp_ns);
        }
        counts.pid = counts.pid.or(Some(entry.pid).filter(|&pid| pid != 0));
        if std::mem::replace(&mut self.begun, true) { Flow::Continue } else { Flow::Stop }
    }
}
