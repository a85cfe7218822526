//! The writer thread, which copies records from the rings to the file.
//!
//! It reads the clock, then looks at all rings, and merges the records before that time. It never
//! waits for an empty ring to fill. So if a thread publishes a record after later records of other
//! threads were written, the record is out of order in the file, and is counted as late.

#![expect(unsafe_code, reason = "a ring's records are read as a slice")]

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use ringtrace_wire::arena::{FullPolicy, slot};
use ringtrace_wire::ring::ORDER;
use ringtrace_wire::simpletrace::metadata::{self, Cause, Metadata};

use crate::clock::{self, Times};
use crate::event::{counts, registry};
use crate::options::FileFormat;
use crate::os::wait;
use crate::ring::arena::{Arena, CommittedFile};
use crate::ring::producer::Producer;
use crate::ring::recording::Recording;
use crate::ring::slot::{FREE, LEFT, USED};
use crate::ring::{flight, ownership, quiesce};

pub(crate) mod change;
mod copy;
mod event_counts;
mod folder;
mod merge;
mod output;
mod pace;
mod pauses;
pub(crate) mod preamble;
mod prefetch;
mod reader;
mod report;
mod rewrite;
pub(crate) mod sink;
mod snapshot;
mod tally;

use change::SinkRequests;
use copy::Copier;
use event_counts::EventCounts;
use merge::{Head, Heads};
use output::{CompactDestination, Output};
use pace::Pace;
use preamble::Preamble;
use reader::{Reader, write_lost, write_without_slot};
use rewrite::Written;
use sink::Sink;
use tally::{Tallies, Tally};

/// The longest time between two passes over the rings.
const IDLE: Duration = Duration::from_millis(100);

/// The amount of gathered data that is written in one call.
const BATCH_BYTES: usize = 256 << 10;

/// How long to wait, at session end, for threads that are inside probes. The time for writing to
/// the file does not count.
const QUIESCE_TIMEOUT: Duration = Duration::from_millis(100);

/// The most that a single wait counts towards [`QUIESCE_TIMEOUT`]. If the wait took longer, the
/// whole process may have been stopped, including the threads.
const QUIESCE_STEP: Duration = Duration::from_millis(1);

/// The delay before the next attempt to add an arena, if there was not enough memory.
const ARENA_RETRY: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) struct Writer {
    recording: &'static Recording,
    /// Requests to continue in another file.
    requests: Arc<SinkRequests>,
    /// Set while such a request is being handled.
    is_changing: bool,
    sink: Sink,
    /// The number of the current file, from 0.
    file_number: u64,
    /// The number of commits that refer to this file.
    commits_of_file: u64,
    /// The earliest time to try to continue in another file again, after a failure.
    no_rotation_before: Option<Instant>,
    /// The number of failed attempts since the last success.
    failed_rotations: u64,
    format: FileFormat,
    preamble: Preamble,
    readers: Vec<Reader>,
    out: Output,
    sequence: u64,
    flushes: u64,
    times: Times,
    pace: Pace,
    heads: Heads,
    event_counts: EventCounts,
    newest_ns: u64,
    /// The number of records in the current file written after later records of other threads.
    late: u64,
    /// The number of jumps of the clock before the current file.
    jumps_before: u64,
    /// Totals of exited flight-recorder threads.
    tallies: Tallies,
    /// A flight recorder's pauses, encoded as metadata.
    changes: Vec<u8>,
    /// The length of the part of `changes` that is in the file; the rest is in `out`.
    changes_written: usize,
    /// The result of [`registry::groups_ever`] when declarations were last written.
    groups_declared: usize,
    /// The earliest time to try to add an arena, after there was not enough memory for one.
    no_arena_before: Option<Instant>,
    /// How many of the records dropped by threads without a slot have been reported, in `out` or in
    /// a flight recorder's tallies.
    without_slot: u64,
    /// Whether a lack of memory for rings was reported.
    reported_memory: bool,
    /// Whether threads with rings in private memory were reported.
    reported_private: bool,
    /// Whether a lack of slots was reported.
    reported_slots: bool,
    /// Whether a lack of room for declarations was reported.
    reported_declarations: bool,
}

/// Marks the writer thread as gone when dropped, so that no thread keeps waiting for it, no matter
/// how it ended.
struct Gone(&'static Recording, Arc<SinkRequests>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.writer_gone();
        self.0.snapshots().inbox.end();
        self.1.end();
    }
}

impl Writer {
    pub(crate) fn new(
        recording: &'static Recording,
        requests: Arc<SinkRequests>,
        sink: Sink,
        preamble: Preamble,
        format: FileFormat,
    ) -> Writer {
        let out = Output::new(format, &preamble);
        let mut writer = Writer {
            recording,
            requests,
            is_changing: false,
            sink,
            file_number: 0,
            commits_of_file: 0,
            no_rotation_before: None,
            failed_rotations: 0,
            format,
            preamble,
            readers: Vec::new(),
            out,
            sequence: 0,
            flushes: 0,
            times: Times::new(),
            pace: Pace::default(),
            heads: Heads::default(),
            event_counts: EventCounts::default(),
            newest_ns: 0,
            late: 0,
            jumps_before: 0,
            tallies: Tallies::default(),
            changes: Vec::new(),
            changes_written: 0,
            groups_declared: 0,
            no_arena_before: None,
            without_slot: 0,
            reported_memory: false,
            reported_private: false,
            reported_slots: false,
            reported_declarations: false,
        };
        // This must be done before the first record can be written.
        writer.keep_clock_table();
        writer
    }

    pub(crate) fn run(mut self) {
        let _gone = Gone(self.recording, Arc::clone(&self.requests));
        let _never = wait::never_block();
        self.sink.retain();
        self.write();
        self.sink.remove_old_files();
        let is_drained = loop {
            let heard = self.recording.doorbell().listen();
            let stopping = self.recording.is_stopping();
            let flushes = self.recording.flushes().requested();
            // Take snapshots before the rings are drained, and even while writing to the file
            // fails.
            self.take_snapshots();
            self.change_sinks();
            if !self.catch_up() && !stopping {
                // Do not wait for the doorbell, which every thread that drops a record would ring.
                std::thread::sleep(IDLE);
                continue;
            }
            if stopping {
                self.quiesce();
            }
            self.pace.start_pass(Instant::now());
            let moved = self.pass(stopping || flushes != self.flushes);
            let is_drained = self.out.is_empty();
            if is_drained {
                self.flushes = flushes;
                self.recording.flushes().done(flushes);
            }
            self.report_memory();
            self.report_private();
            self.report_declarations();
            if stopping {
                break is_drained;
            }
            self.recycle(false);
            self.rotate_if_due();
            self.provide_slots();
            self.recording.announce_slots();
            if let Some(first) = self.recording.arenas().next() {
                first.set_events_on(registry::enabled_events());
            }
            if moved < BATCH_BYTES {
                match self.pace.nap(Instant::now()) {
                    Some(nap) => self.recording.doorbell().nap(heard, nap),
                    None => self.recording.doorbell().sleep(heard, IDLE),
                }
            }
        };
        // If this is false, writing has failed permanently, and the rings contain the records that
        // are missing from the file.
        let is_whole = is_drained && self.finish();
        if !is_whole {
            self.report_unwritten();
        }
        let is_kept = !is_whole && !self.sink.is_abandoned();
        if is_kept {
            self.readers.iter().for_each(Reader::recount);
        }
        // Skip flight recorders: their rings have pages, which this loop does not handle, and their
        // records are not counted by event.
        if !is_whole && !is_kept && self.recording.full != FullPolicy::Overwrite {
            self.readers.iter().flat_map(Reader::unwritten).for_each(counts::count_dropped);
        }
        for arena in self.recording.arenas() {
            if !is_kept {
                arena.remove();
            } else {
                arena.leave();
            }
            arena.disconnect();
        }
    }

    /// Writes gathered data that could not be written before. Returns `false` if writing fails
    /// again.
    fn catch_up(&mut self) -> bool {
        self.write();
        self.out.is_empty()
    }

    /// Waits until no thread is inside a probe that had room when the session ended. The wait has a
    /// time limit, because threads may be stopped. After the limit, they are cut off. When this
    /// returns, the contents of the rings and the counts of dropped records are final.
    fn quiesce(&mut self) {
        let arenas = self.recording.arenas();
        let producers: Vec<&Producer> = arenas.flat_map(Arena::all_producers).collect();
        let producers = producers.iter().copied();
        let (mut waited, mut cuts_off) = (Duration::ZERO, false);
        while !quiesce::revoke_room(producers.clone()) {
            if waited >= QUIESCE_TIMEOUT {
                quiesce::revoke_from_stopped(producers);
                cuts_off = true;
                break;
            }
            // A thread may be waiting for room.
            if self.out.is_empty() {
                self.pass(true);
            }
            let begun = Instant::now();
            std::thread::sleep(Duration::from_micros(100));
            waited += begun.elapsed().min(QUIESCE_STEP);
        }
        self.add_readers();
        self.readers.iter_mut().for_each(|reader| reader.close_ring(cuts_off));
    }

    fn provide_slots(&mut self) {
        if !self.recording.is_short_of_slots() {
            return;
        }
        for reader in &self.readers {
            // Detect threads whose exit was not reported. Such a thread has traced in its very last
            // destructor, or was created without the C library.
            let state = reader.slot.state();
            if state.load(Ordering::Acquire) == USED
                && !wait::thread_exists(reader.slot.tid().load(Ordering::Relaxed))
            {
                state.store(LEFT, Ordering::Release);
            }
        }
        if self.no_arena_before.is_none_or(|before| Instant::now() >= before) {
            let added = self.recording.add_arena();
            if let Ok(arena) = added {
                // Commit that the file contains no records of this arena. The commit is valid only
                // with the current sequence number.
                arena.commit(self.sequence, &self.committed_file(), std::iter::empty());
            }
            if let Err(error) = &added
                && self.recording.free_slots() == 0
                && !self.reported_slots
            {
                self.reported_slots = true;
                self.sink.report_text(&format!(
                    "{error}; threads without a buffer drop and count events or, with `policy=block`, wait"
                ));
            }
            self.no_arena_before = added.err().map(|_| Instant::now() + ARENA_RETRY);
        }
    }

    /// Adds readers for slots that were taken, because each slot is a page of memory. The readers are in
    /// the order of the slots, so in all arenas except the last, every slot has a reader.
    fn add_readers(&mut self) {
        let mut slots_before = 0;
        let mut arenas = self.recording.arenas().peekable();
        while let Some(arena) = arenas.next() {
            let slots = arena.header.slots as usize;
            let end = if arenas.peek().is_none() { arena.free().taken_end() } else { slots };
            let first = self.readers.len().saturating_sub(slots_before);
            self.readers.extend((first..end).map(|index| Reader::new(arena, index)));
            slots_before += slots;
        }
    }

    /// Writes the readable records, up to now or, if `all` is set, all of them. Returns the number
    /// of written bytes.
    fn pass(&mut self, all: bool) -> usize {
        // Read the clock before the pauses, so that a pause added meanwhile is later than `now`.
        let now = if all { u64::MAX } else { clock::stamp() };
        self.write_pauses().map_or(0, |moved| moved + self.write_until(now))
    }

    /// Writes the readable records up to the stamp `now`. Returns the number of written bytes.
    fn write_until(&mut self, mut now: u64) -> usize {
        self.add_readers();
        if self.recording.full == FullPolicy::Overwrite {
            self.declare_modules();
            self.times.renew();
            self.keep_clock_table();
            return 0;
        }
        let mut total = 0;
        let (preamble, out) = (&mut self.preamble, &mut self.out.v4);
        let (times, pace) = (&self.times, &mut self.pace);
        let head = |(at, reader): (usize, &mut Reader)| {
            if ownership::state(&reader.slot) == FREE {
                return None;
            }
            reader.start_owner(preamble, out);
            let length = reader.readable_bytes();
            pace.note(length, reader.slot.ring_bytes());
            // SAFETY: these bytes are readable, and `write` releases them only after they are
            // copied.
            let bytes = unsafe { reader.slot.bytes(reader.position, length) };
            let head = Head::new(at, bytes)?;
            if times.is_stale(head.stamp, now) {
                now = u64::MAX; // otherwise, it would wait until the counter reaches its stamp again
            }
            Some(head)
        };
        self.heads.fill(self.readers.iter_mut().enumerate().filter_map(head));
        self.heads.keep_until(now);
        // Do this after looking at the rings, so that all events in them are declared.
        self.declare_new();
        self.declare_modules();
        // Do this after looking at the rings, so that all stamps in them have a time.
        self.times.renew();
        self.keep_clock_table();
        while let Some((head, until)) = self.heads.first() {
            let reader = &mut self.readers[head.reader];
            let until = until.min(now);
            reader.late_before_ns = self.newest_ns;
            if !reader.is_named {
                reader.write_thread_name(&mut self.preamble, &mut self.out.v4);
            }
            let (times, preamble, event_counts) =
                (&mut self.times, &mut self.preamble, &mut self.event_counts);
            let Output { v4: out, compact, .. } = &mut self.out;
            let more = match compact {
                None => Copier { reader, times, preamble, event_counts, out }.copy(head, until),
                Some(compact) => {
                    let out = &mut CompactDestination::new(out, compact);
                    Copier { reader, times, preamble, event_counts, out }.copy(head, until)
                }
            };
            self.newest_ns = self.newest_ns.max(reader.last_ns);
            self.late += std::mem::take(&mut reader.late);
            if more && head.stamp <= now {
                self.heads.first_changed();
            } else {
                self.heads.remove_first();
            }
            if self.out.bytes() >= BATCH_BYTES {
                total += self.out.bytes();
                self.write();
                if !self.out.is_empty() {
                    // Do not try again here: if that succeeded, the rest of the rings would seem to
                    // be in the file, too.
                    return total;
                }
                self.rotate_if_due();
            }
        }
        total += self.out.bytes();
        self.write();
        total
    }

    fn declare_new(&mut self) {
        let groups = registry::groups_ever();
        if groups != self.groups_declared {
            self.groups_declared = groups;
            self.out.v4.extend_from_slice(self.preamble.declare());
        }
    }

    /// Stores the clock table, which converts stamps to times, in the arena, for recovery.
    fn keep_clock_table(&mut self) {
        let Some(first) = self.recording.arenas().next() else { return };
        self.times.pieces(|number, piece| first.set_clock_piece(number, piece));
    }

    /// Writes the gathered data, commits it, and releases the rings. If writing fails, the data
    /// stays in `out` and in the rings. When the rings are full, the threads drop and count later
    /// events themselves, and the trace reports them where they occurred.
    fn write(&mut self) {
        if self.out.is_empty() {
            return;
        }
        let recording = self.recording;
        let mended = self.mend_sink();
        if self.sink.left_its_folder() && (self.is_changing || self.replace_removed()) {
            return; // the data is in the next file, or will be
        }
        if let Err(error) = mended.and_then(|()| self.append()) {
            recording.set_failure(Some(&error));
            self.sink.report(&error);
            return;
        }
        recording.set_failure(None);
        self.changes_written = self.changes.len();
        self.commit();
    }

    /// Appends the gathered data to the file.
    fn append(&mut self) -> io::Result<()> {
        let (recording, requests, is_changing) = (self.recording, &self.requests, self.is_changing);
        let is_ending = || recording.is_stopping() || is_changing || requests.is_requested();
        self.out.write(&mut self.sink, &self.preamble, is_ending)
    }

    /// Commits the data in the file, and releases the rings.
    fn commit(&mut self) {
        for reader in &mut self.readers {
            reader.committed = [reader.position, reader.reported, reader.refused_before];
        }
        self.store_commit();
        let recording = self.recording;
        if recording.full != FullPolicy::Overwrite {
            recording.unattached().fetch_sub(std::mem::take(&mut self.without_slot), Ordering::Relaxed);
        }
        self.event_counts.commit();
        recording.set_written_bytes(self.sink.bytes(), self.sink.bytes() + self.out.saved_bytes());
        for reader in &mut self.readers {
            reader.written = Written { recorded: reader.recorded, reported: reader.reported };
            reader.release();
        }
    }

    /// Stores a commit in the arenas.
    fn store_commit(&mut self) {
        self.sequence += 1;
        self.commits_of_file += 1;
        let file = self.committed_file();
        let mut readers = self.readers.iter();
        for arena in self.recording.arenas() {
            let readers = readers.by_ref().take(arena.header.slots as usize);
            arena.commit(self.sequence, &file, readers.map(|reader| reader.committed));
        }
    }

    fn committed_file(&self) -> CommittedFile {
        let (number, anchor_ns) = (self.file_number, self.preamble.anchor_ns());
        CommittedFile { number, anchor_ns, bytes: self.sink.bytes() }
    }

    /// Frees the slots of exited threads or, if `all` is set, of all threads.
    fn recycle(&mut self, all: bool) {
        if !all && !self.out.is_empty() {
            // While writing to the file fails, the rings' contents still belong to their threads.
            return;
        }
        for at in 0..self.readers.len() {
            let reader = &mut self.readers[at];
            let state = ownership::state(&reader.slot);
            if state == FREE || (state != LEFT && !all) {
                continue;
            }
            if self.recording.full == FullPolicy::Overwrite {
                if all {
                    continue;
                }
                // The records remain in the ring until another thread overwrites them.
                let issued = flight::issued(&reader.slot);
                let done = reader.tally(issued);
                self.tallies.add(reader.slot.tid().load(Ordering::Relaxed), done);
                ownership::set_free(&reader.slot);
                reader.arena.free().release(reader.index);
                continue;
            }
            if !all && reader.readable_bytes() != 0 {
                continue;
            }
            // A thread may have attached after the last pass, and left without recording anything.
            reader.start_owner(&mut self.preamble, &mut self.out.v4);
            reader.close(&mut self.preamble, &mut self.out.v4);
            if state == LEFT {
                ownership::set_free(&reader.slot);
                reader.arena.free().release(reader.index);
            }
        }
        self.collect_without_slot(all);
        self.write();
    }

    /// Collects the drop counts of threads that never had a slot: of those that have exited or, if
    /// `all` is set, of all of them.
    fn collect_without_slot(&mut self, all: bool) {
        if all && self.recording.close_without_slot() {
            return;
        }
        let is_short = self.recording.is_short_of_slots();
        let is_gone = |tid| is_short && !wait::thread_exists(tid);
        let (preamble, out, tallies) = (&mut self.preamble, &mut self.out.v4, &mut self.tallies);
        self.recording.without_slot().collect(all, is_gone, |dropped| {
            self.without_slot += dropped.count;
            if self.recording.full == FullPolicy::Overwrite {
                let name = slot::name_of(&dropped.name).to_vec();
                tallies.add(dropped.tid, Tally { name, dropped: dropped.count, ..Tally::default() });
            } else {
                write_without_slot(&dropped, preamble, out);
            }
        });
    }

    /// Writes the threads' totals and all other data at the trace's end. Returns `false` if writing
    /// fails.
    fn finish(&mut self) -> bool {
        self.recycle(true);
        if self.recording.full == FullPolicy::Overwrite && !self.finish_flight() {
            return false;
        }
        let unlisted = self.recording.without_slot().unlisted();
        write_lost(0, Cause::Dropped, unlisted, &mut self.preamble, &mut self.out.v4);
        self.push_end();
        self.write();
        self.out.is_empty()
    }

    /// Adds the facts at the end of a file.
    fn push_end(&mut self) {
        let jumps = self.times.jumps() - self.jumps_before;
        if jumps > 0 {
            let jumps = jumps.to_string().into_bytes();
            let jumps = Metadata::Other(metadata::CLOCK_JUMPS.to_owned(), jumps);
            jumps.encode(self.preamble.next_number(), ORDER, &mut self.out.v4);
        }
        if self.late > 0 {
            let late = Metadata::Other(metadata::LATE.to_owned(), self.late.to_string().into_bytes());
            late.encode(self.preamble.next_number(), ORDER, &mut self.out.v4);
        }
        // This shows that the trace is complete, even if it contains no totals because nothing was
        // recorded.
        let ended = Metadata::Other(metadata::ENDED.to_owned(), Vec::new());
        ended.encode(self.preamble.next_number(), ORDER, &mut self.out.v4);
    }
}
