//! The writer thread: from rings to the file.
//!
//! It takes the clock, then looks at all rings, and merges what is older than that by time. It never waits for a ring
//! that is empty: a record that is published later than its neighbours of other threads is written late.

#![expect(unsafe_code, reason = "a ring's records are read as a slice")]

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use ringtrace_wire::arena::FullPolicy;
use ringtrace_wire::ring::ORDER;
use ringtrace_wire::simpletrace::metadata::{self, Cause, Metadata};

use crate::clock::{self, Times};
use crate::event::{counts, registry};
use crate::os::wait;
use crate::ring::arena::Arena;
use crate::ring::producer::Producer;
use crate::ring::recording::Recording;
use crate::ring::slot::{FREE, LEFT, USED};
use crate::ring::snapshot_requests::SnapshotRequest;
use crate::ring::{consumer, flight, ownership, quiesce};

mod event_counts;
mod merge;
mod pauses;
pub(crate) mod preamble;
mod reader;
mod rewrite;
pub(crate) mod sink;
mod snapshot;
mod tally;

use event_counts::EventCounts;
use merge::{Head, Heads};
use preamble::Preamble;
use reader::{Reader, write_lost};
use rewrite::Written;
use sink::Sink;
use tally::Tallies;

/// It looks at the rings at least this often.
const IDLE: Duration = Duration::from_millis(100);

/// It writes when it has this much.
const BATCH_BYTES: usize = 256 << 10;

/// How long the end of a session waits for threads that are inside probes.
const QUIESCE_TIMEOUT: Duration = Duration::from_millis(100);

/// How long it does without another arena when there was no memory for it.
const ARENA_RETRY: Duration = Duration::from_secs(1);

/// The writer thread's state.
#[derive(Debug)]
pub(crate) struct Writer {
    recording: &'static Recording,
    sink: Sink,
    preamble: Preamble,
    readers: Vec<Reader>,
    out: Vec<u8>,
    sequence: u64,
    flushes: u64,
    times: Times,
    heads: Heads,
    event_counts: EventCounts,
    /// The latest time that was written.
    newest_ns: u64,
    /// How many records were written behind later ones of other threads.
    late: u64,
    /// What a flight recorder's threads have done that have left.
    tallies: Tallies,
    /// When recording went off and on, of a flight recorder, as pieces of metadata.
    changes: Vec<u8>,
    /// How many bytes of that are in the file; the others are in what is to be written next.
    changes_written: usize,
    /// Groups there ever were when declarations were last written.
    groups_declared: usize,
    /// There was no memory for another arena; asked again from then on.
    no_arena_before: Option<Instant>,
}

/// Says that the writer thread is gone when it is dropped: however it ends, nobody waits for it.
struct Gone(&'static Recording);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.writer_gone();
        self.0.snapshots().end();
    }
}

impl Writer {
    /// For `session`, writing to `sink`.
    pub(crate) fn new(recording: &'static Recording, sink: Sink, preamble: Preamble) -> Writer {
        let out = preamble.bytes().to_vec();
        let mut writer = Writer {
            recording,
            sink,
            preamble,
            readers: Vec::new(),
            out,
            sequence: 0,
            flushes: 0,
            times: Times::new(),
            heads: Heads::default(),
            event_counts: EventCounts::default(),
            newest_ns: 0,
            late: 0,
            tallies: Tallies::default(),
            changes: Vec::new(),
            changes_written: 0,
            groups_declared: 0,
            no_arena_before: None,
        };
        // Before the first record can be.
        writer.keep_clock_table();
        writer
    }

    /// Runs until the session ends.
    pub(crate) fn run(mut self) {
        let _gone = Gone(self.recording);
        let _never = wait::never_block();
        self.write();
        loop {
            let heard = self.recording.doorbell().listen();
            let stopping = self.recording.is_stopping();
            let flushes = self.recording.flushes().requested();
            // Before what is in the rings goes to the file, and also when the file takes nothing.
            self.take_snapshots();
            if !self.catch_up() && !stopping {
                // Not at the doorbell, at which every thread that drops would ring.
                std::thread::sleep(IDLE);
                continue;
            }
            if stopping {
                self.quiesce();
            }
            let moved = self.pass(stopping || flushes != self.flushes);
            if self.out.is_empty() {
                self.flushes = flushes;
                self.recording.flushes().done(flushes);
            }
            self.recycle(stopping);
            if stopping {
                break;
            }
            self.provide_slots();
            self.recording.announce_slots();
            if moved < BATCH_BYTES {
                self.recording.doorbell().sleep(heard, IDLE);
            }
        }
        self.finish();
        let is_whole = self.out.is_empty();
        if !is_whole {
            self.report_unwritten();
        }
        let is_kept = !is_whole && !self.sink.is_abandoned();
        // What a flight recorder's rings hold stands in pages, which this walk does not know; of it no event has a count.
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

    /// Writes what could not be written before. `false`: it still cannot be, so nothing else can.
    fn catch_up(&mut self) -> bool {
        self.write();
        self.out.is_empty()
    }

    /// At the end: what is in the rings and not in the file.
    fn report_unwritten(&self) {
        let records = match self.recording.full {
            FullPolicy::Overwrite => "what was recorded".to_owned(),
            _ => format!(
                "{} records that happened last",
                self.readers.iter().flat_map(Reader::unwritten).count()
            ),
        };
        let rings: Vec<_> = self.recording.arenas().map(|arena| arena.path().display().to_string()).collect();
        let rings = rings.join(" ");
        self.sink.report_text(&if self.sink.is_abandoned() {
            format!("its reader went away; {records} did not get into it")
        } else {
            format!("ends early; {records} did not get into it: `ringtrace recover {rings}` has that")
        });
    }

    /// Writes the snapshots that were asked for.
    fn take_snapshots(&mut self) {
        let (requests, signalled) =
            (self.recording.snapshots().take(), self.recording.snapshots().take_signal());
        if requests.is_empty() && !signalled {
            return;
        }
        self.add_readers();
        if self.recording.full == FullPolicy::Overwrite {
            self.write_pauses();
        }
        for SnapshotRequest { file, answer } in requests {
            let written = self.write_snapshot(&file);
            // Who asked may have gone.
            let _ = answer.send(written);
        }
        if signalled {
            // Nobody waits who could be told that it failed; the file says by being short or missing.
            if let Ok((file, _)) = snapshot::create_numbered(self.recording) {
                let _ = self.write_snapshot(&file);
            }
        }
    }

    /// Waits until no thread is inside a probe that had room when the session ended. Not for long: a thread may be stopped.
    fn quiesce(&mut self) {
        let arenas = self.recording.arenas();
        let producers: Vec<&Producer> = arenas.flat_map(Arena::all_producers).collect();
        let give_up = Instant::now() + QUIESCE_TIMEOUT;
        while !quiesce::revoke_room(producers.iter().copied()) && Instant::now() < give_up {
            self.pass(true);
            std::thread::sleep(Duration::from_micros(100));
        }
    }

    /// Makes sure that threads which come find slots.
    fn provide_slots(&mut self) {
        if !self.recording.is_short_of_slots() {
            return;
        }
        for reader in &self.readers {
            // A thread whose end nobody told: it traced in its very last destructor, or was made without the C library.
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
                // Nothing of it is in the file: with the others' number, so that this counts.
                arena.commit(self.sequence, self.sink.bytes(), std::iter::empty());
            }
            self.no_arena_before = added.err().map(|_| Instant::now() + ARENA_RETRY);
        }
    }

    /// Readers for slots that are new.
    fn add_readers(&mut self) {
        let mut at = 0;
        for arena in self.recording.arenas() {
            for index in 0..arena.header.slots as usize {
                if at == self.readers.len() {
                    self.readers.push(Reader::new(arena, index));
                }
                at += 1;
            }
        }
    }

    /// Writes what stands in the rings, up to now, or all of it. Says how many bytes that was.
    fn pass(&mut self, all: bool) -> usize {
        // In this order: what happens when recording is on again, of which nothing is known here yet, is later than now.
        let now = if all { u64::MAX } else { clock::stamp() };
        self.write_pauses().map_or(0, |moved| moved + self.write_until(now))
    }

    /// Writes what stands in the rings up to the stamp `now`. Says how many bytes that was.
    fn write_until(&mut self, mut now: u64) -> usize {
        self.add_readers();
        if self.recording.full == FullPolicy::Overwrite {
            self.times.renew();
            self.keep_clock_table();
            return 0;
        }
        let mut total = 0;
        let (preamble, out, times) = (&mut self.preamble, &mut self.out, &self.times);
        let head = |(at, reader): (usize, &mut Reader)| {
            if ownership::state(&reader.slot) == FREE {
                return None;
            }
            reader.start_owner(preamble, out);
            let length = consumer::readable_bytes(&reader.slot, reader.position);
            // SAFETY: they stand there, and are given back in `write`, when they were copied.
            let bytes = unsafe { reader.slot.bytes(reader.position, length) };
            let head = Head::new(at, bytes)?;
            if times.is_stale(head.stamp, now) {
                now = u64::MAX; // or it would wait until the counter is there again
            }
            Some(head)
        };
        self.heads.fill(self.readers.iter_mut().enumerate().filter_map(head));
        self.heads.keep_until(now);
        // After the rings were looked at: whatever stands there is of events that are known by now.
        self.declare_new();
        // After the rings were looked at: every stamp that stands there has a time.
        self.times.renew();
        self.keep_clock_table();
        while let Some((head, until)) = self.heads.first() {
            let reader = &mut self.readers[head.reader];
            let until = until.min(now);
            reader.late_before_ns = self.newest_ns;
            let (times, preamble, event_counts) =
                (&mut self.times, &mut self.preamble, &mut self.event_counts);
            let more = reader.copy_run(head, until, times, preamble, event_counts, &mut self.out);
            self.newest_ns = self.newest_ns.max(reader.last_ns);
            self.late += std::mem::take(&mut reader.late);
            if more && head.stamp <= now {
                self.heads.first_changed();
            } else {
                self.heads.remove_first();
            }
            if self.out.len() >= BATCH_BYTES {
                total += self.out.len();
                self.write();
                if !self.out.is_empty() {
                    break;
                }
            }
        }
        total += self.out.len();
        self.write();
        total
    }

    /// Declares the events of libraries that were loaded since.
    fn declare_new(&mut self) {
        let groups = registry::groups_ever();
        if groups != self.groups_declared {
            self.groups_declared = groups;
            let declarations = self.preamble.declare();
            self.out.extend_from_slice(declarations);
            if let Some(first) = self.recording.arenas().next() {
                first.append_metadata(declarations);
            }
        }
    }

    /// Writes into the arena how stamps become times, for who finds them there when the process is gone.
    fn keep_clock_table(&mut self) {
        let Some(first) = self.recording.arenas().next() else { return };
        self.times.pieces(|number, piece| first.set_clock_piece(number, piece));
    }

    /// Writes what was gathered, commits it, and gives the rings back. What cannot be written stays gathered, and in
    /// the rings: these fill up, so what is lost then is dropped where it happens, and counted as ever.
    fn write(&mut self) {
        if self.out.is_empty() {
            return;
        }
        let recording = self.recording;
        let begun = if self.sink.is_shortened() { self.rewrite() } else { Ok(()) };
        if self.sink.is_removed() {
            recording.note_removal();
        }
        let written = begun.and_then(|()| self.sink.append(&self.out, || recording.is_stopping()));
        if let Err(error) = written {
            recording.set_failure(Some(&error));
            self.sink.report(&error);
            return;
        }
        recording.set_failure(None);
        self.out.clear();
        self.changes_written = self.changes.len();
        self.sequence += 1;
        let mut readers = self.readers.iter();
        for arena in self.recording.arenas() {
            let positions = readers.by_ref().take(arena.header.slots as usize);
            let positions = positions.map(|reader| [reader.position, reader.reported, reader.refused_before]);
            arena.commit(self.sequence, self.sink.bytes(), positions);
        }
        self.event_counts.commit();
        recording.set_written_bytes(self.sink.bytes());
        for reader in &mut self.readers {
            reader.written = Written { recorded: reader.recorded, reported: reader.reported };
            reader.release();
        }
    }

    /// Frees the slots of threads that have left, or of all.
    fn recycle(&mut self, all: bool) {
        if !all && !self.out.is_empty() {
            // The file takes nothing now: what the rings hold is still their threads'.
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
                // What it holds stays, until another thread overwrites it.
                let issued = flight::issued(&reader.slot);
                let done = reader.tally(issued);
                self.tallies.add(reader.slot.tid().load(Ordering::Relaxed), done);
                ownership::set_free(&reader.slot);
                reader.arena.free().release(reader.index);
                continue;
            }
            if !all && consumer::readable_bytes(&reader.slot, reader.position) != 0 {
                continue;
            }
            // One who came behind the last look, recorded nothing and left.
            reader.start_owner(&mut self.preamble, &mut self.out);
            reader.close(&mut self.preamble, &mut self.out);
            if state == LEFT {
                ownership::set_free(&reader.slot);
                reader.arena.free().release(reader.index);
            }
        }
        self.write();
    }

    fn finish(&mut self) {
        if self.recording.full == FullPolicy::Overwrite {
            self.finish_flight();
        }
        let unattached = self.recording.unattached().load(Ordering::Relaxed);
        write_lost(0, Cause::Dropped, unattached, &mut self.preamble, &mut self.out);
        if self.times.jumps() > 0 {
            let jumps = self.times.jumps().to_string().into_bytes();
            let jumps = Metadata::Other(metadata::CLOCK_JUMPS.to_owned(), jumps);
            jumps.encode(self.preamble.next_number(), ORDER, &mut self.out);
        }
        if self.late > 0 {
            let late = Metadata::Other(metadata::LATE.to_owned(), self.late.to_string().into_bytes());
            late.encode(self.preamble.next_number(), ORDER, &mut self.out);
        }
        self.write();
    }
}
