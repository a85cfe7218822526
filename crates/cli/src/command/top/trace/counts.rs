//! The events counted so far, shared by the reader thread and the sampler.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use ringtrace_events::Text;
use ringtrace_tracefile::{Dropped, Entry, Flow, OrdinaryRecords, Visitor};

use super::super::history::{LastMinute, TimeBuckets, WholeTrace};
use super::tail::WriterState;
use crate::sync::lock;

/// State shared by both threads.
#[derive(Debug, Default)]
pub struct Shared {
    counts: Mutex<Counts>,
    progress: Mutex<ReadProgress>,
    generation: AtomicU64,
}

/// How far the reader thread has read, and why it stopped.
#[derive(Debug, Default)]
pub struct ReadProgress {
    /// The byte counter that the reader itself updates.
    pub read_bytes: Arc<AtomicU64>,
    /// Whether the header has been read. The records follow it.
    pub begun: bool,
    /// Whether the last read stopped at the end of the file.
    pub at_end: bool,
    /// The state of the trace's writer; `None` while there is more to read.
    pub writer: Option<WriterState>,
    /// The error that stopped the reader.
    pub error: Option<String>,
}

impl Shared {
    /// Locks the counts. The reader thread waits until the guard is dropped.
    pub fn lock(&self) -> MutexGuard<'_, Counts> {
        lock(&self.counts)
    }

    pub fn progress(&self) -> MutexGuard<'_, ReadProgress> {
        lock(&self.progress)
    }

    pub fn read_bytes(&self) -> u64 {
        self.progress().read_bytes.load(Ordering::Relaxed)
    }

    /// Returns a number that increases whenever another trace replaces the one being counted.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Discards all counts.
    pub fn reset(&self) {
        let mut counts = self.lock();
        *counts = Counts::default();
        *self.progress() = ReadProgress::default();
        self.generation.fetch_add(1, Ordering::Relaxed);
    }
}

#[derive(Debug, Default)]
pub struct Counts {
    /// The events, in order of first occurrence.
    pub events: Vec<EventCounts>,
    by_name: HashMap<Text, usize>,
    /// Indices into `events`, by schema index.
    places: Vec<Option<usize>>,
    pieces: Option<TimeBuckets>,
    smallest_ns: u64,
    largest_ns: u64,
    recorded: u64,
    pub dropped: Dropped,
    pub pid: Option<u32>,
    pub program: Option<String>,
    /// The policy for a full ring, if the trace records it.
    pub policy: Option<String>,
}

#[derive(Debug)]
pub struct EventCounts {
    pub name: Text,
    pub recorded: u64,
    pub minute: LastMinute,
    pub whole: WholeTrace,
    pub changed: bool,
}

impl Counts {
    /// Returns the number of records of all events.
    pub fn recorded(&self) -> u64 {
        self.recorded
    }

    /// Returns the smallest and the largest timestamp.
    pub fn span(&self) -> Option<(u64, u64)> {
        (self.recorded > 0).then_some((self.smallest_ns, self.largest_ns))
    }

    /// Adds the event `name` and returns its index. The event need not have occurred.
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

    /// Returns the index of the event with this schema, if the schema was seen before.
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

/// Counts the records of a trace.
#[derive(Debug)]
pub struct Counter<'s> {
    shared: &'s Shared,
    begun: bool,
}

impl Counter<'_> {
    /// Creates a counter that adds to `shared`. It stops the reader once, after the first record,
    /// when the metadata is known.
    pub fn new(shared: &Shared) -> Counter<'_> {
        Counter { shared, begun: false }
    }
}

impl Visitor for Counter<'_> {
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        if self.begun {
            let mut counts = self.shared.lock();
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
        let mut counts = self.shared.lock();
        if !counts.dropped.count(entry) {
            let index = counts.known(entry.schema_index).unwrap_or_else(|| counts.learn(entry));
            counts.add(index, entry.timestamp_ns);
        }
        counts.pid = counts.pid.or(Some(entry.pid).filter(|&pid| pid != 0));
        if std::mem::replace(&mut self.begun, true) { Flow::Continue } else { Flow::Stop }
    }
}
