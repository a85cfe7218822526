//! The writer thread: from rings to the file.
//!
//! It takes the clock, then looks at all rings, and merges what is older than that by time. It never waits for a ring
//! that is empty: a record that is published later than its neighbours of other threads is written late.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use ringtrace_wire::arena::FullPolicy;
use ringtrace_wire::ring::ORDER;
use ringtrace_wire::simpletrace::metadata::{self, Cause, Metadata};

use crate::arena::{Arena, FREE, LEFT, USED};
use crate::clock::Times;
use crate::flight;
use crate::merge::{Head, Heads};
use crate::opening::Opening;
use crate::producer::Producer;
use crate::session::Session;
use crate::sink::Sink;
use crate::snapshot::{self, Request};
use crate::tally::Tallies;
use crate::{clock, consumer, counts, registry, settle, tenancy, wait};

mod anew;
mod counted;
mod pauses;
mod reader;
mod rings;

use anew::Written;
use counted::Counted;
use reader::{Reader, tell_lost};

/// It looks at the rings at least this often.
const IDLE: Duration = Duration::from_millis(100);

/// It writes when it has this much.
const BATCH_BYTES: usize = 256 << 10;

/// How long the end of a session waits for threads that are inside probes.
const PATIENCE: Duration = Duration::from_millis(100);

/// How long it does without another arena when there was no memory for it.
const AGAIN: Duration = Duration::from_secs(1);

/// The writer thread's state.
#[derive(Debug)]
pub(crate) struct Writer {
    session: &'static Session,
    sink: Sink,
    opening: Opening,
    readers: Vec<Reader>,
    out: Vec<u8>,
    sequence: u64,
    flushes: u64,
    times: Times,
    heads: Heads,
    counted: Counted,
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
struct Gone(&'static Session);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.writer_gone();
        self.0.snapshots().end();
    }
}

impl Writer {
    /// For `session`, writing to `sink`.
    pub(crate) fn new(session: &'static Session, sink: Sink, opening: Opening) -> Writer {
        let out = opening.bytes().to_vec();
        let mut writer = Writer {
            session,
            sink,
            opening,
            readers: Vec::new(),
            out,
            sequence: 0,
            flushes: 0,
            times: Times::new(),
            heads: Heads::default(),
            counted: Counted::default(),
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
        let _gone = Gone(self.session);
        let _never = wait::never_block();
        self.write();
        loop {
            let heard = self.session.doorbell().listen();
            let stopping = self.session.is_stopping();
            let flushes = self.session.flushes().asked();
            // Before what is in the rings goes to the file, and also when the file takes nothing.
            self.take_snapshots();
            if !self.catch_up() && !stopping {
                // Not at the doorbell, at which every thread that drops would ring.
                std::thread::sleep(IDLE);
                continue;
            }
            if stopping {
                self.settle();
            }
            let moved = self.pass(stopping || flushes != self.flushes);
            if self.out.is_empty() {
                self.flushes = flushes;
                self.session.flushes().done(flushes);
            }
            self.recycle(stopping);
            if stopping {
                break;
            }
            self.provide_slots();
            self.session.announce_slots();
            if moved < BATCH_BYTES {
                self.session.doorbell().sleep(heard, IDLE);
            }
        }
        self.finish();
        let is_whole = self.out.is_empty();
        if !is_whole {
            self.tell_unwritten();
        }
        let is_kept = !is_whole && !self.sink.is_abandoned();
        // What a flight recorder's rings hold stands in pages, which this walk does not know; of it no event has a count.
        if !is_whole && !is_kept && self.session.full != FullPolicy::Overwrite {
            self.readers.iter().flat_map(Reader::unwritten).for_each(counts::count_dropped);
        }
        for arena in self.session.arenas() {
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
    fn tell_unwritten(&self) {
        let records = match self.session.full {
            FullPolicy::Overwrite => "what was recorded".to_owned(),
            _ => format!(
                "{} records that happened last",
                self.readers.iter().flat_map(Reader::unwritten).count()
            ),
        };
        let rings: Vec<_> = self.session.arenas().map(|arena| arena.path().display().to_string()).collect();
        let rings = rings.join(" ");
        self.sink.tell(&if self.sink.is_abandoned() {
            format!("its reader went away; {records} did not get into it")
        } else {
            format!("ends early; {records} did not get into it: `ringtrace recover {rings}` has that")
        });
    }

    /// Writes the snapshots that were asked for.
    fn take_snapshots(&mut self) {
        let (requests, signalled) = (self.session.snapshots().take(), self.session.snapshots().take_signal());
        if requests.is_empty() && !signalled {
            return;
        }
        self.look_for_slots();
        if self.session.full == FullPolicy::Overwrite {
            self.tell_changes();
        }
        for Request { file, answer } in requests {
            let written = self.write_snapshot(&file);
            // Who asked may have gone.
            let _ = answer.send(written);
        }
        if signalled {
            // Nobody waits who could be told that it failed; the file says by being short or missing.
            if let Ok((file, _)) = snapshot::create_numbered(self.session) {
                let _ = self.write_snapshot(&file);
            }
        }
    }

    /// Waits until no thread is inside a probe that had room when the session ended. Not for long: a thread may be stopped.
    fn settle(&mut self) {
        let arenas = self.session.arenas();
        let producers: Vec<&Producer> = arenas.flat_map(Arena::all_producers).collect();
        let give_up = Instant::now() + PATIENCE;
        while !settle::take_room_away(producers.iter().copied()) && Instant::now() < give_up {
            self.pass(true);
            std::thread::sleep(Duration::from_micros(100));
        }
    }

    /// Makes sure that threads which come find slots.
    fn provide_slots(&mut self) {
        if !self.session.is_short_of_slots() {
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
            let added = self.session.add_arena();
            if let Ok(arena) = added {
                // Nothing of it is in the file: with the others' number, so that this counts.
                arena.commit(self.sequence, self.sink.bytes(), std::iter::empty());
            }
            self.no_arena_before = added.err().map(|_| Instant::now() + AGAIN);
        }
    }

    /// Readers for slots that are new.
    fn look_for_slots(&mut self) {
        let mut at = 0;
        for arena in self.session.arenas() {
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
        self.tell_changes().map_or(0, |moved| moved + self.write_until(now))
    }

    /// Writes what stands in the rings up to the stamp `now`. Says how many bytes that was.
    fn write_until(&mut self, mut now: u64) -> usize {
        self.look_for_slots();
        if self.session.full == FullPolicy::Overwrite {
            self.times.renew();
            self.keep_clock_table();
            return 0;
        }
        let mut total = 0;
        let (opening, out, times) = (&mut self.opening, &mut self.out, &self.times);
        let head = |(at, reader): (usize, &mut Reader)| {
            if tenancy::state(&reader.slot) == FREE {
                return None;
            }
            reader.meet_tenant(opening, out);
            let length = consumer::standing_bytes(&reader.slot, reader.position);
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
            let (times, opening, counted) = (&mut self.times, &mut self.opening, &mut self.counted);
            let more = reader.copy_run(head, until, times, opening, counted, &mut self.out);
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
            let declarations = self.opening.declare();
            self.out.extend_from_slice(declarations);
            if let Some(first) = self.session.arenas().next() {
                first.append_metadata(declarations);
            }
        }
    }

    /// Writes into the arena how stamps become times, for who finds them there when the process is gone.
    fn keep_clock_table(&mut self) {
        let Some(first) = self.session.arenas().next() else { return };
        self.times.pieces(|number, piece| first.set_clock_piece(number, piece));
    }

    /// Writes what was gathered, commits it, and gives the rings back. What cannot be written stays gathered, and in
    /// the rings: these fill up, so what is lost then is dropped where it happens, and counted as ever.
    fn write(&mut self) {
        if self.out.is_empty() {
            return;
        }
        let session = self.session;
        let begun = if self.sink.is_shortened() { self.begin_anew() } else { Ok(()) };
        if self.sink.is_removed() {
            session.note_removal();
        }
        let written = begun.and_then(|()| self.sink.append(&self.out, || session.is_stopping()));
        if let Err(error) = written {
            session.set_failure(Some(&error));
            self.sink.report(&error);
            return;
        }
        session.set_failure(None);
        self.out.clear();
        self.changes_written = self.changes.len();
        self.sequence += 1;
        let mut readers = self.readers.iter();
        for arena in self.session.arenas() {
            let positions = readers.by_ref().take(arena.header.slots as usize);
            let positions = positions.map(|reader| [reader.position, reader.told, reader.refused_before]);
            arena.commit(self.sequence, self.sink.bytes(), positions);
        }
        self.counted.commit();
        session.set_written_bytes(self.sink.bytes());
        for reader in &mut self.readers {
            reader.written = Written { recorded: reader.recorded, told: reader.told };
            reader.give_room();
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
            let state = tenancy::state(&reader.slot);
            if state == FREE || (state != LEFT && !all) {
                continue;
            }
            if self.session.full == FullPolicy::Overwrite {
                if all {
                    continue;
                }
                // What it holds stays, until another thread overwrites it.
                let issued = flight::issued(&reader.slot);
                let done = reader.tally(issued);
                self.tallies.add(reader.slot.tid().load(Ordering::Relaxed), done);
                tenancy::set_free(&reader.slot);
                reader.arena.free().give_back(reader.index);
                continue;
            }
            if !all && consumer::standing_bytes(&reader.slot, reader.position) != 0 {
                continue;
            }
            // One who came behind the last look, recorded nothing and left.
            reader.meet_tenant(&mut self.opening, &mut self.out);
            reader.close(&mut self.opening, &mut self.out);
            if state == LEFT {
                tenancy::set_free(&reader.slot);
                reader.arena.free().give_back(reader.index);
            }
        }
        self.write();
    }

    fn finish(&mut self) {
        if self.session.full == FullPolicy::Overwrite {
            self.finish_flight();
        }
        let unattached = self.session.unattached().load(Ordering::Relaxed);
        tell_lost(0, Cause::Dropped, unattached, &mut self.opening, &mut self.out);
        if self.times.jumps() > 0 {
            let jumps = self.times.jumps().to_string().into_bytes();
            let jumps = Metadata::Other(metadata::CLOCK_JUMPS.to_owned(), jumps);
            jumps.encode(self.opening.next_number(), ORDER, &mut self.out);
        }
        if self.late > 0 {
            let late = Metadata::Other(metadata::LATE.to_owned(), self.late.to_string().into_bytes());
            late.encode(self.opening.next_number(), ORDER, &mut self.out);
        }
        self.write();
    }
}
