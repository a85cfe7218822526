//! Assembly of a trace from rings: records are merged by time, and metadata is added to them.
//!
//! This is used at the end of a flight recorder, for a snapshot of a running one, and for the
//! recovery of a killed program. In all three cases, no writer thread drains the rings, and their
//! records become the rest of a v4 file. The writer thread of a running program has a faster
//! implementation, which continues from its previous position.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::iter::Peekable;

use crate::ring::{self, ORDER, RingRecord};
use crate::simpletrace::Version;
use crate::simpletrace::context;
use crate::simpletrace::encode::Encoder;
use crate::simpletrace::metadata::{Cause, FIRST_ID, Lost, Metadata};

/// The encoder of assembled traces.
pub const ENCODER: Encoder = Encoder { version: Version::V4, order: ORDER };

/// The contents of one ring.
#[derive(Debug, Clone, Default)]
pub struct Ring<'a> {
    /// Runs of records, oldest first.
    pub runs: Vec<Run<'a>>,
}

/// Consecutive complete records, padded as in a ring.
#[derive(Debug, Clone, Copy, Default)]
pub struct Run<'a> {
    /// The thread that recorded them.
    pub tid: u32,
    /// The bytes of the records.
    pub bytes: &'a [u8],
}

impl<'a> Ring<'a> {
    /// Returns the records, oldest first. A damaged run ends at the first invalid bytes.
    pub fn records(&self) -> Records<'_, 'a> {
        Records { run: Run::default(), rest: self.runs.iter() }
    }
}

/// A record in a ring, with its thread.
#[derive(Debug, Clone, Copy)]
pub struct ThreadRecord<'a> {
    /// The thread that recorded it.
    pub tid: u32,
    /// The record.
    pub record: RingRecord<'a>,
}

impl ThreadRecord<'_> {
    /// Returns the count of a dropped record, or `None` for an event.
    pub fn dropped(&self) -> Option<u64> {
        self.record.dropped()
    }
}

/// Iterator over the records of a ring.
#[derive(Debug, Clone)]
pub struct Records<'r, 'a> {
    run: Run<'a>,
    rest: std::slice::Iter<'r, Run<'a>>,
}

impl<'a> Iterator for Records<'_, 'a> {
    type Item = ThreadRecord<'a>;

    fn next(&mut self) -> Option<ThreadRecord<'a>> {
        loop {
            let Some(record) = ring::record_at(self.run.bytes) else {
                self.run = *self.rest.next()?;
                continue;
            };
            self.run.bytes = self.run.bytes.get(record.padded_bytes..)?;
            return Some(ThreadRecord { tid: self.run.tid, record });
        }
    }
}

/// The key of a ring's next record: its stamp, then the ring's index.
type Head = Reverse<(u64, usize)>;

/// The destination of an assembled trace.
pub trait Output {
    /// The error if the destination cannot accept more bytes.
    type Error;

    /// Returns the time of `stamp` in nanoseconds. Stamps mostly increase from call to call.
    fn time_ns(&mut self, stamp: u64) -> u64;

    /// Writes some or all of `bytes`, and removes the written ones from it. Called after every
    /// record.
    ///
    /// # Errors
    /// Returns an error if the bytes cannot be written.
    fn take(&mut self, bytes: &mut Vec<u8>) -> Result<(), Self::Error>;
}

/// The state of a trace that is being assembled. Its first part may already have been written.
pub struct Assembly<'n> {
    event_name: Box<dyn Fn(u32) -> Option<Vec<u8>> + 'n>,
    thread_names: HashMap<u32, Vec<u8>>,
    losses: HashMap<u32, Vec<(Cause, u64)>>,
    mapped: HashSet<u64>,
    named: HashSet<u32>,
    next_number: u32,
    pid: u32,
    recorded: HashMap<u32, u64>,
    last_ns: u64,
}

impl std::fmt::Debug for Assembly<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Assembly").field("recorded", &self.recorded).finish_non_exhaustive()
    }
}

impl<'n> Assembly<'n> {
    /// Creates the assembly of a trace for process `pid`. `event_name` returns the name for an
    /// event number. All metadata numbers in the part that is already written are below
    /// `next_number`.
    pub fn new(pid: u32, next_number: u32, event_name: impl Fn(u32) -> Option<Vec<u8>> + 'n) -> Self {
        Assembly {
            event_name: Box::new(event_name),
            thread_names: HashMap::new(),
            losses: HashMap::new(),
            mapped: HashSet::new(),
            named: HashSet::new(),
            next_number,
            pid,
            recorded: HashMap::new(),
            last_ns: 0,
        }
    }

    /// Notes that the part already written contains a mapping record for `id`.
    pub fn note_mapping(&mut self, id: u64) {
        match u32::try_from(id.wrapping_sub(FIRST_ID)) {
            Ok(context::NUMBER) => {}
            Ok(number) => self.next_number = self.next_number.max(number.saturating_add(1)),
            Err(_) => {
                self.mapped.insert(id);
            }
        }
    }

    /// Notes that the part already written contains the name of thread `tid`.
    pub fn note_thread(&mut self, tid: u32) {
        self.named.insert(tid);
    }

    /// Sets a thread's name, which is written before the thread's first record.
    pub fn name_thread(&mut self, tid: u32, name: &[u8]) {
        self.thread_names.insert(tid, name.to_vec());
    }

    /// Adds to a thread's losses, which are written directly before the thread's first record.
    pub fn add_loss(&mut self, tid: u32, cause: Cause, count: u64) {
        if count == 0 {
            return;
        }
        let losses = self.losses.entry(tid).or_default();
        match losses.iter_mut().find(|(known, _)| *known == cause) {
            Some((_, sum)) => *sum = sum.saturating_add(count),
            None => losses.push((cause, count)),
        }
    }

    /// Merges the records of `rings` by time into `out`, from which `output` removes them.
    ///
    /// # Errors
    /// Returns the first error of `output`, after which the merge stops.
    pub fn merge<O: Output>(
        &mut self,
        rings: &[Ring<'_>],
        output: &mut O,
        out: &mut Vec<u8>,
    ) -> Result<(), O::Error> {
        let mut records: Vec<_> = rings.iter().map(|ring| ring.records().peekable()).collect();
        let stamp = |found: &ThreadRecord<'_>| found.record.stamp;
        let first = |(at, records): (usize, &mut Peekable<Records<'_, '_>>)| {
            Some(Reverse((stamp(records.peek()?), at)))
        };
        let mut heads: BinaryHeap<Head> = records.iter_mut().enumerate().filter_map(first).collect();
        while let Some(Reverse((_, at))) = heads.pop() {
            // Append records of this ring as long as no other ring has an older record.
            let until = heads.peek().map_or(u64::MAX, |Reverse((stamp, _))| *stamp);
            let Some(ring) = records.get_mut(at) else { continue };
            while let Some(found) = ring.next_if(|found| stamp(found) <= until) {
                self.record(&found, output.time_ns(stamp(&found)), out);
                output.take(out)?;
            }
            if let Some(next) = ring.peek() {
                heads.push(Reverse((stamp(next), at)));
            }
        }
        Ok(())
    }

    /// Appends the losses and names of threads without records.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        let mut rest: Vec<u32> = self.losses.keys().copied().collect();
        rest.sort_unstable();
        for tid in rest {
            self.introduce(tid, self.last_ns, out);
        }
    }

    /// Appends a metadata record.
    pub fn push_metadata(&mut self, metadata: &Metadata, out: &mut Vec<u8>) {
        metadata.encode(self.next_number, ORDER, out);
        self.next_number = self.next_number.wrapping_add(1);
    }

    /// Returns the number of the next metadata record.
    pub fn next_number(&self) -> u32 {
        self.next_number
    }

    /// Returns the number of merged records for each thread.
    pub fn recorded(&self) -> &HashMap<u32, u64> {
        &self.recorded
    }

    fn record(&mut self, found: &ThreadRecord<'_>, timestamp_ns: u64, out: &mut Vec<u8>) {
        let event = found.record.event;
        self.last_ns = self.last_ns.max(timestamp_ns);
        self.introduce(found.tid, timestamp_ns, out);
        if let Some(count) = found.dropped() {
            self.push_metadata(&Metadata::Lost(Lost { tid: found.tid, cause: Cause::Dropped, count }), out);
        } else {
            let id = u64::from(found.tid) << 32 | u64::from(event);
            if self.mapped.insert(id) {
                let name = (self.event_name)(event);
                // A placeholder name keeps the record readable.
                let name = name.unwrap_or_else(|| format!("event_{event}").into_bytes());
                ENCODER.mapping(id, &name, out);
            }
            *self.recorded.entry(found.tid).or_default() += 1;
        }
        ring::append(&found.record, found.tid, self.pid, timestamp_ns, out);
    }

    /// Appends a thread's name and losses, before its first record.
    fn introduce(&mut self, tid: u32, timestamp_ns: u64, out: &mut Vec<u8>) {
        if !self.named.contains(&tid)
            && let Some(name) = self.thread_names.remove(&tid)
        {
            self.named.insert(tid);
            self.push_metadata(&Metadata::Thread(tid, String::from_utf8_lossy(&name).into_owned()), out);
        }
        if self.losses.is_empty() {
            return;
        }
        for (cause, count) in self.losses.remove(&tid).unwrap_or_default() {
            self.push_metadata(&Metadata::Lost(Lost { tid, cause, count }), out);
            ENCODER.dropped(count, timestamp_ns, self.pid, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(timestamp_ns: u64, payload: &[u8]) -> Vec<u8> {
        let words = ring::header(ring::number(1), timestamp_ns, payload.len());
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        bytes.extend(payload);
        bytes.resize(ring::padded_bytes(payload.len()), 0);
        bytes
    }

    /// An output that never removes bytes, with stamps in nanoseconds.
    struct Nowhere;

    impl Output for Nowhere {
        type Error = ();

        fn time_ns(&mut self, stamp: u64) -> u64 {
            stamp
        }

        fn take(&mut self, _bytes: &mut Vec<u8>) -> Result<(), ()> {
            Ok(())
        }
    }

    fn assemble(rings: &[Ring<'_>], prepare: impl FnOnce(&mut Assembly<'_>)) -> Vec<u8> {
        let mut assembly = Assembly::new(9, 0, |event| Some(format!("name{event}").into_bytes()));
        prepare(&mut assembly);
        let mut out = Vec::new();
        assembly.merge(rings, &mut Nowhere, &mut out).unwrap();
        assembly.finish(&mut out);
        out
    }

    #[test]
    fn records_are_merged_by_time_after_names_and_losses() {
        let (a1, a3) = (record(1, b"a"), record(3, b"abc"));
        let (b2, b4) = (record(2, b""), record(4, b"b"));
        let a = Ring { runs: vec![Run { tid: 7, bytes: &a1 }, Run { tid: 7, bytes: &a3 }] };
        let b = [b2.as_slice(), b4.as_slice()].concat();
        let b = Ring { runs: vec![Run { tid: 8, bytes: &b }] };
        let out = assemble(&[b, a], |assembly| {
            assembly.name_thread(7, b"seven");
            assembly.add_loss(7, Cause::Overwritten, 5);
            assembly.add_loss(6, Cause::Dropped, 2);
            assembly.note_mapping(8 << 32 | 1);
        });
        let mut expected = Vec::new();
        Metadata::Thread(7, "seven".to_owned()).encode(0, ORDER, &mut expected);
        Metadata::Lost(Lost { tid: 7, cause: Cause::Overwritten, count: 5 }).encode(1, ORDER, &mut expected);
        ENCODER.dropped(5, 1, 9, &mut expected);
        ENCODER.mapping(7 << 32 | 1, b"name1", &mut expected);
        let mut append = |record: &[u8], tid, timestamp_ns| {
            ring::append(&ring::record_at(record).unwrap(), tid, 9, timestamp_ns, &mut expected);
        };
        append(&a1, 7, 1);
        append(&b2, 8, 2);
        append(&a3, 7, 3);
        append(&b4, 8, 4);
        Metadata::Lost(Lost { tid: 6, cause: Cause::Dropped, count: 2 }).encode(2, ORDER, &mut expected);
        ENCODER.dropped(2, 4, 9, &mut expected);
        assert_eq!(out, expected);
    }

    #[test]
    fn a_dropped_record_in_a_ring_belongs_to_its_thread() {
        let words = ring::dropped(3, 5);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let out = assemble(&[Ring { runs: vec![Run { tid: 7, bytes: &bytes }] }], |_| {});
        let mut expected = Vec::new();
        Metadata::Lost(Lost { tid: 7, cause: Cause::Dropped, count: 3 }).encode(0, ORDER, &mut expected);
        ENCODER.dropped(3, 5, 9, &mut expected);
        assert_eq!(out, expected);
    }

    #[test]
    fn metadata_numbers_continue_after_those_in_use() {
        let out = assemble(&[], |assembly| {
            assembly.note_mapping(FIRST_ID + 11);
            assembly.add_loss(1, Cause::Dropped, 1);
        });
        let mut expected = Vec::new();
        Metadata::Lost(Lost { tid: 1, cause: Cause::Dropped, count: 1 }).encode(12, ORDER, &mut expected);
        ENCODER.dropped(1, 0, 9, &mut expected);
        assert_eq!(out, expected);
    }
}
