//! The writer thread's reader of a slot, which copies the records of its ring.

#![expect(unsafe_code, reason = "a ring's records are read as a slice")]

use std::sync::atomic::Ordering;

use ringtrace_wire::arena::{FullPolicy, slot};
use ringtrace_wire::ring::{self, ORDER};
use ringtrace_wire::simpletrace::metadata::{Cause, Lost, Metadata, Total};

use super::output::KnownEvents;
use super::preamble::{ENCODER, Preamble};
use super::rewrite::Written;
use super::tally::Tally;
use crate::clock;
use crate::event::counts;
use crate::event::id_set::IdSet;
use crate::ring::arena::Arena;
use crate::ring::flight::Pages;
use crate::ring::producer::CLOSED;
use crate::ring::slot::{FREE, Slot};
use crate::ring::without_slot::Dropped;
use crate::ring::{consumer, ownership, quiesce};

#[derive(Debug)]
pub(super) struct Reader {
    pub(super) arena: &'static Arena,
    pub(super) index: usize,
    pub(super) slot: Slot,
    pub(super) owner: u32,
    pub(super) tid: u32,
    pub(super) pid: u32,
    /// The position up to which records are in the file or in `out`.
    pub(super) position: u64,
    /// The position up to which the ring has been released to the thread.
    pub(super) consumed: u64,
    /// After the session's end, the end of the published records. Later ones are not read.
    end: Option<u64>,
    /// The address of the record for which the thread had room when it was cut off, if any.
    unwritten_at: Option<u64>,
    /// The slot's counts when the current thread took it, or the part of them that earlier files
    /// report.
    pub(super) dropped_before: u64,
    pub(super) refused_before: u64,
    pub(super) issued_before: u64,
    /// The number of dropped records since the slot was created, as reported in the files.
    pub(super) reported: u64,
    /// The number of the current thread's records in the current file.
    pub(super) recorded: u64,
    /// The slot's entry in the last commit.
    pub(super) committed: [u64; 3],
    /// The number of refused records that the end of the current file reports.
    refused_at_end: u64,
    /// Whether the current file contains the thread's name.
    pub(super) is_named: bool,
    /// The part of these counts that is already in the file.
    pub(super) written: Written,
    /// The number of records that another program removed by truncating the file.
    pub(super) cut_away: u64,
    pub(super) last_ns: u64,
    /// Records before this time count as late. `late` is their number in the last run.
    pub(super) late_before_ns: u64,
    pub(super) late: u64,
    /// The events whose ids are already mapped for this thread in the file.
    pub(super) mapped: IdSet,
    /// The definitions of this thread's events in the current block of a compact trace.
    pub(super) known: KnownEvents,
}

pub(super) fn write_lost(tid: u32, cause: Cause, count: u64, preamble: &mut Preamble, out: &mut Vec<u8>) {
    if count > 0 {
        Metadata::Lost(Lost { tid, cause, count }).encode(preamble.next_number(), ORDER, out);
        ENCODER.dropped(count, clock::monotonic_ns(), std::process::id(), out);
    }
}

/// Writes the name, the losses and the total of a thread that never had a slot.
pub(super) fn write_without_slot(dropped: &Dropped, preamble: &mut Preamble, out: &mut Vec<u8>) {
    let &Dropped { tid, count, ref name } = dropped;
    let name = String::from_utf8_lossy(slot::name_of(name)).into_owned();
    Metadata::Thread(tid, name).encode(preamble.next_number(), ORDER, out);
    write_lost(tid, Cause::Dropped, count, preamble, out);
    let total = Total { tid, issued: count, recorded: 0, dropped: count, overwritten: 0, refused: 0 };
    Metadata::Total(total).encode(preamble.next_number(), ORDER, out);
}

impl Reader {
    pub(super) fn new(arena: &'static Arena, index: usize) -> Reader {
        Reader {
            arena,
            index,
            slot: arena.slot(index),
            owner: 0,
            tid: 0,
            pid: arena.header.pid,
            position: 0,
            consumed: 0,
            end: None,
            unwritten_at: None,
            dropped_before: 0,
            refused_before: 0,
            issued_before: 0,
            reported: 0,
            recorded: 0,
            committed: [0; 3],
            refused_at_end: 0,
            is_named: false,
            written: Written::default(),
            cut_away: 0,
            last_ns: 0,
            late_before_ns: 0,
            late: 0,
            mapped: IdSet::default(),
            known: KnownEvents::default(),
        }
    }

    /// If the slot has a new owner, resets the state and writes the thread's name.
    pub(super) fn start_owner(&mut self, preamble: &mut Preamble, out: &mut Vec<u8>) {
        let owner = self.slot.owner_number().load(Ordering::Relaxed);
        if owner == self.owner {
            return;
        }
        self.owner = owner;
        self.tid = self.slot.tid().load(Ordering::Relaxed);
        self.recorded = 0;
        self.last_ns = 0;
        self.mapped.clear();
        self.known.clear();
        self.write_thread_name(preamble, out);
    }

    pub(super) fn write_thread_name(&mut self, preamble: &mut Preamble, out: &mut Vec<u8>) {
        let name = String::from_utf8_lossy(&self.slot.name()).into_owned();
        Metadata::Thread(self.tid, name).encode(preamble.next_number(), ORDER, out);
        self.is_named = true;
    }

    /// Writes the mapping of an event's id before its first use.
    #[inline]
    pub(super) fn map(&mut self, event: u32, out: &mut Vec<u8>) {
        if self.mapped.insert(event) {
            std::hint::cold_path();
            self.write_name(event, out);
        }
    }

    /// Returns the event of each record in the ring that is not yet in the file.
    pub(super) fn unwritten(&self) -> impl Iterator<Item = u32> {
        let length = self.readable_from(self.consumed);
        // SAFETY: these bytes are readable, and only this thread releases them.
        let mut rest = unsafe { self.slot.bytes(self.consumed, length) };
        let records = std::iter::from_fn(move || {
            let record = ring::record_at(rest)?;
            rest = &rest[record.padded_bytes..];
            Some(record)
        });
        records.filter(|record| record.dropped().is_none()).map(|record| record.event)
    }

    /// Returns the number of readable bytes after the reader's position.
    pub(super) fn readable_bytes(&self) -> usize {
        self.readable_from(self.position)
    }

    fn readable_from(&self, position: u64) -> usize {
        match self.end {
            Some(end) => consumer::bytes_until(&self.slot, end, position),
            None => consumer::readable_bytes(&self.slot, position),
        }
    }

    /// Stops reading and counting now, because the session has ended. With `cuts_off`, the thread
    /// may be inside a probe. A record that it may still write is counted as dropped, except for a
    /// flight recorder, which counts it after it has read the pages.
    pub(super) fn close_ring(&mut self, cuts_off: bool) {
        let producer = self.arena.producer(self.index);
        let has_owner = ownership::state(&self.slot) != FREE;
        let unwritten_at = if cuts_off { quiesce::cut_off(producer) } else { None };
        self.unwritten_at = unwritten_at.filter(|_| has_owner);
        quiesce::close(producer);
        // Load this after the check for a thread inside a probe. If its record is published now, it
        // is read.
        let end = self.slot.published().load(Ordering::Acquire);
        self.end = Some(end);
        let is_written = |at| (end.wrapping_sub(at) & u64::from(self.slot.ring_bytes() - 1)) != 0;
        if self.arena.header.full != FullPolicy::Overwrite {
            self.unwritten_at = self.unwritten_at.filter(|&at| !is_written(at));
            self.count_unwritten();
        }
    }

    /// For a flight recorder: if the thread was cut off, counts its record as dropped, unless
    /// `pages` contain the record.
    pub(super) fn close_flight(&mut self, pages: &Pages) {
        let base = self.slot.ring().addr() as u64;
        self.unwritten_at = self.unwritten_at.filter(|&at| !pages.contain(&self.slot, at - base));
        self.count_unwritten();
    }

    fn count_unwritten(&self) {
        if self.unwritten_at.is_some() {
            quiesce::count_unwritten(self.arena.producer(self.index), &self.slot);
            counts::count_dropped_unnamed();
        }
    }

    /// For an arena that is kept for recovery: if this slot's thread was cut off but has published
    /// its record since, stops counting the record as dropped.
    pub(super) fn recount(&self) {
        let published = self.slot.published().load(Ordering::Acquire);
        if self.unwritten_at.is_some() && self.end.is_some_and(|end| published != end) {
            self.slot.dropped().fetch_sub(1, Ordering::Relaxed);
        }
    }

    pub(super) fn release(&mut self) {
        if self.consumed == self.position {
            return;
        }
        self.consumed = self.position;
        consumer::release(&self.slot, self.position);
    }

    /// Returns the counts of the current thread. For a flight recorder, `issued` is the number of
    /// records ever written to the slot.
    pub(super) fn done(&self, issued: u64) -> Tally {
        let losses = self.losses();
        Tally {
            name: self.slot.name(),
            published: issued.saturating_sub(self.issued_before),
            dropped: losses.dropped,
            refused: losses.refused,
        }
    }

    /// Returns [`Reader::done`], and resets the counts for the next thread.
    pub(super) fn tally(&mut self, issued: u64) -> Tally {
        let done = self.done(issued);
        self.issued_before = issued.max(self.issued_before);
        self.dropped_before += done.dropped + done.refused;
        self.refused_before += done.refused;
        done
    }

    fn losses(&self) -> Losses {
        // Acquire, and load this first: a record is counted as dropped before it is counted as
        // refused, so `dropped_ever` then includes every refused record.
        let refused_ever = self.slot.refused().load(Ordering::Acquire);
        let dropped_ever = self.arena.producer(self.index).dropped.load(Ordering::Relaxed) & !CLOSED;
        let refused = refused_ever - self.refused_before;
        let dropped = (dropped_ever - self.dropped_before).saturating_sub(refused);
        Losses { dropped, refused, dropped_ever, refused_ever }
    }

    /// Writes the losses and totals of a thread that has left.
    pub(super) fn close(&mut self, preamble: &mut Preamble, out: &mut Vec<u8>) {
        let losses = self.losses();
        let unreported = losses.dropped_ever.saturating_sub(self.reported).saturating_sub(losses.refused);
        let dropped = losses.dropped + std::mem::take(&mut self.cut_away);
        self.write_end([losses.refused, unreported, dropped], preamble, out);
        self.reported = losses.dropped_ever;
        (self.dropped_before, self.refused_before) = (losses.dropped_ever, losses.refused_ever);
        self.recorded = 0;
        self.written = Written { recorded: 0, reported: self.reported };
        self.is_named = false;
    }

    /// Writes the losses and totals of a thread at the end of the file. The thread may continue in
    /// the next file. Drops that are not reported in its ring yet belong to the next file.
    pub(super) fn end_file(&mut self, preamble: &mut Preamble, out: &mut Vec<u8>) {
        // The counts of an owner that was not noticed yet belong to the next file.
        if self.slot.owner_number().load(Ordering::Relaxed) == self.owner {
            let refused = self.losses().refused;
            let dropped = self.reported.saturating_sub(self.dropped_before) + self.cut_away;
            self.write_end([refused, 0, dropped], preamble, out);
            self.refused_at_end = refused;
        }
    }

    /// Starts the next file. `is_ended` is set if the current file contains the data that
    /// [`Reader::end_file`] wrote last.
    pub(super) fn start_file(&mut self, is_ended: bool) {
        let refused = std::mem::take(&mut self.refused_at_end);
        let refused = if is_ended { refused } else { 0 };
        self.reported += refused;
        self.refused_before += refused;
        self.dropped_before = self.reported;
        (self.recorded, self.cut_away) = (0, 0);
        self.written = Written { recorded: 0, reported: self.reported };
        self.mapped.clear();
        self.known.clear();
        self.is_named = false;
    }

    /// Starts the next file, which contains the records that could not be written to the current one.
    /// It already contains the names of the thread and its events.
    pub(super) fn carry_over(&mut self) {
        self.recorded = self.recorded.saturating_sub(self.written.recorded);
        self.dropped_before = self.dropped_before.max(self.written.reported);
        self.cut_away = 0;
        self.written = Written { recorded: 0, reported: self.written.reported };
        self.known.clear();
        // Names are restated only for threads with records.
        self.is_named &= !self.mapped.is_empty();
    }

    /// Writes the name of a thread, if the file does not contain it, and the thread's losses and
    /// totals. Writes nothing if the file contains nothing about the thread.
    fn write_end(&mut self, losses: [u64; 3], preamble: &mut Preamble, out: &mut Vec<u8>) {
        let [refused, unreported, dropped] = losses;
        let issued = self.recorded + dropped + refused;
        if !self.is_named {
            if issued == 0 {
                return;
            }
            self.write_thread_name(preamble, out);
        }
        write_lost(self.tid, Cause::Refused, refused, preamble, out);
        write_lost(self.tid, Cause::Dropped, unreported, preamble, out);
        let (tid, recorded) = (self.tid, self.recorded);
        let total = Total { tid, issued, recorded, dropped, overwritten: 0, refused };
        Metadata::Total(total).encode(preamble.next_number(), ORDER, out);
    }
}

struct Losses {
    /// The number of records that the current thread dropped, without refused ones.
    dropped: u64,
    refused: u64,
    /// The number of records that all threads of the slot dropped, including refused ones.
    dropped_ever: u64,
    refused_ever: u64,
}
