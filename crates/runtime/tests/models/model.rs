//! The models. `docs/proof.md` lists what each one shows.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::ptr;
use std::sync::atomic::AtomicPtr;
use std::time::Duration;

use loom::sync::Arc;
use loom::thread;
use ringtrace_wire::arena::FullPolicy;
use ringtrace_wire::ring;

use crate::os::sync::Processors::{self, InOrder, StoreBuffers};
use crate::os::sync::{self, AtomicU32, AtomicU64, Ordering};
use crate::ring::attach::Seat;
use crate::ring::flight::{AfterRead, Pages};
use crate::ring::producer::{self, CLOSED, Producer};
use crate::ring::recording::Recording;
use crate::ring::slot::{LEFT, RING_PAGES, Slot};
use crate::ring::{attach, consumer, overflow, ownership, quiesce};
use crate::without_slot::{
    attached_at_the_end, attached_at_the_end_while_stopped, dropped_at_the_end, entries_of_the_next_session,
    entries_pass_on, wait_for_slot, without_slot,
};

/// A model's name, its function, and the number of preemptions to try.
pub(crate) type Model = (&'static str, fn(), usize);

pub(crate) const MODELS: &[Model] = &[
    ("discard", discard, 3),
    ("block", block, 2),
    ("block_with_timeout", block_with_timeout, 3),
    ("stalled", stalled, 2),
    ("writer_gone", writer_gone, 3),
    ("flushes", flushes, 2),
    ("next_owner", next_owner, 3),
    ("flight_recorder", flight_recorder, 2),
    ("hand_over", hand_over, 2),
    ("hand_over_with_store_buffers", hand_over_with_store_buffers, 2),
    ("hand_over_while_blocked", hand_over_while_blocked, 2),
    ("session_end", session_end, 2),
    ("session_end_with_store_buffers", session_end_with_store_buffers, 2),
    ("wait_for_slot", wait_for_slot, 2),
    ("without_slot", without_slot, 3),
    ("entries_pass_on", entries_pass_on, 3),
    ("entries_of_the_next_session", entries_of_the_next_session, 3),
    ("dropped_at_the_end", dropped_at_the_end, 3),
    ("attached_at_the_end", attached_at_the_end, 3),
    ("attached_at_the_end_while_stopped", attached_at_the_end_while_stopped, 3),
];

/// Tries every order of execution of a model.
pub(crate) fn explore(model: fn(), interruptions: usize) {
    let wanted = std::env::var("RINGTRACE_MODELS").ok().and_then(|text| text.parse().ok());
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(wanted.unwrap_or(interruptions));
    builder.max_branches = 20_000;
    builder.check(model);
}

macro_rules! tests {
    ($($name:ident)*) => {
        mod tried {
            $(#[test]
            fn $name() {
                let named = |model: &&super::Model| model.0 == stringify!($name);
                let (_, model, interruptions) = super::MODELS.iter().find(named).unwrap();
                super::explore(*model, *interruptions);
            })*
        }
    };
}

tests!(discard block block_with_timeout stalled writer_gone flushes next_owner flight_recorder
    hand_over hand_over_with_store_buffers hand_over_while_blocked
    session_end session_end_with_store_buffers
    wait_for_slot without_slot entries_pass_on entries_of_the_next_session dropped_at_the_end
    attached_at_the_end
    attached_at_the_end_while_stopped);

const RECORD_BYTES: usize = ring::padded_bytes(8);
/// The size of a ring with space for two records and one word that always stays free.
pub(crate) const SMALL: usize = 64;

/// The state that the threads of a model share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stage {
    pub(crate) session: &'static Recording,
    pub(crate) slots: [Slot; 2],
    pub(crate) producers: [&'static Producer; 2],
}

impl Stage {
    pub(crate) fn new(full: FullPolicy, timeout: Option<Duration>, ring_bytes: usize) -> Stage {
        let pages = if full == FullPolicy::Overwrite { RING_PAGES } else { 0 };
        let producer = || {
            let producer = Producer {
                next: AtomicU64::new(0),
                limit: AtomicU64::new(0),
                page: AtomicPtr::new(ptr::null_mut()),
                kind: AtomicU32::new(0),
                ring_bytes: AtomicU32::new(0),
                is_unnamed: AtomicU32::new(0),
                ring: AtomicPtr::new(ptr::null_mut()),
                session: AtomicU64::new(0),
                pending: AtomicU64::new(0),
                page_number: AtomicU64::new(0),
                dropped: AtomicU64::new(0),
                allocated: AtomicU64::new(0),
            };
            &*Box::leak(Box::new(producer))
        };
        Stage {
            session: Box::leak(Box::new(Recording::new(full, timeout, 1))),
            slots: [Slot::new(ring_bytes, pages), Slot::new(ring_bytes, pages)],
            producers: [producer(), producer()],
        }
    }

    /// Attaches the current thread to slot `at`.
    pub(crate) fn enter(&self, at: usize, tid: u32) {
        assert!(attach::enter(self.seat(at), tid, || 0));
    }

    pub(crate) fn seat(&self, at: usize) -> Seat {
        Seat { session: self.session, slot: self.slots[at], producer: self.producers[at] }
    }

    /// Frees the stage, after all threads were joined.
    pub(crate) fn end(self) {
        // SAFETY: the pointers are from boxes, and all threads were joined.
        unsafe {
            self.slots.into_iter().for_each(|slot| slot.free());
            for producer in self.producers {
                drop(Box::from_raw(ptr::from_ref(producer).cast_mut()));
            }
            let entries = self.session.without_slot.entries();
            drop(Box::from_raw(ptr::from_ref(self.session).cast_mut()));
            drop(Box::from_raw(ptr::from_ref(entries).cast_mut()));
        }
    }
}

/// Records `number`, as `emit.rs` does. Returns `false` if the record was dropped.
pub(crate) fn record(number: u64) -> bool {
    let Some(reserved) = overflow::reserve_slowly(RECORD_BYTES) else { return false };
    // SAFETY: the thread is attached, and has reserved this space.
    unsafe {
        let slot = producer::current().slot();
        let place = reserved.record().addr() - slot.ring().addr();
        let [first, stamp] = ring::header(ring::number(7), 1, 8);
        slot.put(place as u64, [first, stamp, number]);
    }
    reserved.publisher(RECORD_BYTES)();
    true
}

/// A ring's consumer, which reads in the same way as `writer/copy.rs`.
#[derive(Debug)]
pub(crate) struct Drain {
    pub(crate) slot: Slot,
    position: u64,
    /// The expected number of the next record.
    pub(crate) next: u64,
    pub(crate) reported: u64,
}

impl Drain {
    pub(crate) fn of(slot: Slot) -> Drain {
        Drain { slot, position: 0, next: 0, reported: 0 }
    }

    /// Reads all readable records. Their numbers must be consecutive from 0, except for reported
    /// losses.
    pub(crate) fn pass(&mut self) {
        self.read(consumer::readable_bytes(&self.slot, self.position));
    }

    pub(crate) fn read(&mut self, length: usize) {
        // SAFETY: these bytes are readable.
        let mut bytes = unsafe { self.slot.bytes(self.position, length) };
        while let Some(standing) = ring::record_at(bytes) {
            match standing.dropped() {
                Some(count) => {
                    self.next += count;
                    self.reported += count;
                }
                None => {
                    assert_eq!(standing.event, 7);
                    assert_eq!(standing.payload, self.next.to_ne_bytes());
                    self.next += 1;
                }
            }
            bytes = &bytes[standing.padded_bytes..];
            self.position += standing.padded_bytes as u64;
        }
        assert!(bytes.is_empty(), "the rest is not a complete record");
        if length > 0 {
            consumer::release(&self.slot, self.position);
        }
    }

    /// Checks that all `issued` records are accounted for. The last dropped records are reported
    /// only by the drop count.
    pub(crate) fn conclude(&mut self, issued: u64) {
        self.pass();
        let unreported = self.slot.dropped().load(Ordering::Relaxed) - self.reported;
        assert_eq!(self.next + unreported, issued);
    }
}

/// A thread goes around its ring while the writer thread drains it. Each loss is reported where it
/// occurred.
fn discard() {
    let stage = Stage::new(FullPolicy::Discard, None, SMALL);
    let thread = thread::spawn(move || {
        stage.enter(0, 1);
        (0..5).for_each(|number| _ = record(number));
    });
    let mut drain = Drain::of(stage.slots[0]);
    drain.pass();
    drain.pass();
    thread.join().unwrap();
    drain.conclude(5);
    stage.end();
}

/// No record is dropped, and no thread waits forever.
fn block() {
    let stage = Stage::new(FullPolicy::Block, None, SMALL);
    let thread = thread::spawn(move || {
        stage.enter(0, 1);
        (0..4).for_each(|number| assert!(record(number)));
        ownership::detach(&stage.slots[0]);
        stage.session.want_writer();
    });
    let mut drain = Drain::of(stage.slots[0]);
    run(&stage, &mut drain);
    thread.join().unwrap();
    drain.conclude(4);
    assert_eq!(stage.slots[0].dropped().load(Ordering::Relaxed), 0);
    stage.end();
}

/// Runs the writer thread until the thread of the slot has left.
fn run(stage: &Stage, drain: &mut Drain) {
    loop {
        let heard = stage.session.doorbell.listen();
        let left = ownership::state(&drain.slot) == LEFT;
        drain.pass();
        if left {
            break;
        }
        // An endless nap shows that a waiting thread wakes the writer thread even from a nap.
        stage.session.doorbell.nap(heard, Duration::MAX);
    }
}

/// A thread whose wait times out drops the record, and the loss is reported where it occurred.
fn block_with_timeout() {
    let stage = Stage::new(FullPolicy::Block, Some(Duration::ZERO), SMALL);
    let thread = thread::spawn(move || {
        stage.enter(0, 1);
        (0..4).filter(|&number| !record(number)).count() as u64
    });
    let mut drain = Drain::of(stage.slots[0]);
    drain.pass();
    drain.pass();
    let dropped = thread.join().unwrap();
    assert_eq!(stage.slots[0].dropped().load(Ordering::Relaxed), dropped);
    drain.conclude(4);
    stage.end();
}

/// A thread that stops forever between reserving and publishing blocks no other thread, and its
/// record is not visible.
fn stalled() {
    let stage = Stage::new(FullPolicy::Block, None, SMALL);
    let stuck = thread::spawn(move || {
        stage.enter(1, 2);
        let _never_published = overflow::reserve_slowly(RECORD_BYTES).unwrap();
    });
    let thread = thread::spawn(move || {
        stage.enter(0, 1);
        (0..3).for_each(|number| assert!(record(number)));
        ownership::detach(&stage.slots[0]);
        stage.session.want_writer();
    });
    let (mut drain, mut other) = (Drain::of(stage.slots[0]), Drain::of(stage.slots[1]));
    other.pass();
    run(&stage, &mut drain);
    thread.join().unwrap();
    stuck.join().unwrap();
    drain.conclude(3);
    other.conclude(0);
    stage.end();
}

/// The writer thread ends while a thread is waiting for it or is about to wait.
fn writer_gone() {
    let stage = Stage::new(FullPolicy::Block, None, SMALL);
    let thread = thread::spawn(move || {
        stage.enter(0, 1);
        (0..3).filter(|&number| !record(number)).count()
    });
    stage.session.writer_gone(&stage.slots[..1]);
    assert_eq!(thread.join().unwrap(), 1);
    Drain::of(stage.slots[0]).conclude(3);
    stage.end();
}

/// Two threads flush at the same time. Each thread's earlier records are drained before it
/// continues.
fn flushes() {
    let stage = Stage::new(FullPolicy::Discard, None, SMALL);
    let taken = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
    let threads = [0, 1].map(|at| {
        let taken = Arc::clone(&taken);
        thread::spawn(move || {
            stage.enter(at, at as u32);
            assert!(record(0));
            let session = stage.session;
            let mine = session.flushes.request();
            assert!(session.flushes.wait(mine, || true, || session.want_writer()));
            // The load is relaxed, because returning from the wait must be enough to see the value.
            assert_eq!(taken[at].load(Ordering::Relaxed), 1);
        })
    });
    let mut drains = stage.slots.map(Drain::of);
    let mut done = 0;
    while done < 2 {
        let heard = stage.session.doorbell.listen();
        let requested = stage.session.flushes.requested();
        for (drain, taken) in drains.iter_mut().zip(taken.iter()) {
            drain.pass();
            taken.store(drain.next, Ordering::Relaxed);
        }
        stage.session.flushes.done(requested);
        done = requested;
        if done < 2 {
            stage.session.doorbell.sleep(heard, Duration::MAX);
        }
    }
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    stage.end();
}

/// A thread detaches, and another one attaches to its slot. Records belong to the thread that the
/// slot names, and the ring continues.
fn next_owner() {
    let stage = Stage::new(FullPolicy::Discard, None, SMALL);
    let life = move |tid: u32| {
        if stage.session.free.take().is_none() {
            return;
        }
        stage.enter(0, tid);
        assert!(record(0));
        assert!(record(1));
        producer::clear_current();
        ownership::detach(&stage.slots[0]);
    };
    let [first, second] = [1, 2].map(|tid| thread::spawn(move || life(tid)));
    let mut drain = Drain::of(stage.slots[0]);
    let mut owner = 0;
    let mut look = |drain: &mut Drain| {
        let slot = stage.slots[0];
        let state = ownership::state(&slot);
        if state == crate::ring::slot::FREE {
            return;
        }
        let now = slot.owner_number().load(Ordering::Relaxed);
        if now != owner {
            owner = now;
            drain.next = 0;
            assert_ne!(slot.tid().load(Ordering::Relaxed), 0);
        }
        drain.pass();
        if state == LEFT && consumer::readable_bytes(&slot, drain.position) == 0 {
            assert_eq!(drain.next, 2);
            ownership::set_free(&slot);
            stage.session.free.release(0);
        }
    };
    look(&mut drain);
    look(&mut drain);
    first.join().unwrap();
    second.join().unwrap();
    look(&mut drain);
    stage.end();
}

/// A reader claims pages of a flight recorder's ring one after another, while the ring's thread
/// moves on.
fn flight_recorder() {
    const AROUND: u64 = RING_PAGES as u64;
    let stage = Stage::new(FullPolicy::Overwrite, None, 32 * RING_PAGES);
    stage.enter(0, 1);
    // Each page has space for one record. All pages contain a record when the reader starts.
    (0..AROUND).for_each(|number| assert!(record(number)));
    let slot = stage.slots[0];
    let reader = thread::spawn(move || {
        let found = numbers(&Pages::of(&slot, AfterRead::Release));
        assert!(found.is_sorted_by(|one, next| one + 1 == *next), "{found:?}");
    });
    (AROUND..AROUND + 2).for_each(|number| assert!(record(number)));
    reader.join().unwrap();
    let pages = Pages::of(&slot, AfterRead::Keep);
    let found = numbers(&pages);
    assert!(found.is_sorted_by(|one, next| one + 1 == *next), "{found:?}");
    assert_eq!(found.last(), Some(&(AROUND + 1)));
    assert_eq!(pages.issued(), AROUND + 2);
    stage.end();
}

/// The size of a ring with space for one record.
const TINY: usize = SMALL / 2;
/// The size of a ring whose first quarter has space for both records of a thread.
const ROOMY: usize = 4 * SMALL;

/// The trace continues in another session while a thread records. Each record is in one of the two
/// sessions or is counted as dropped in one of them. The numbers continue from the first session to
/// the second.
fn hand_over() {
    end_session(FullPolicy::Discard, true, TINY, InOrder);
}

fn hand_over_with_store_buffers() {
    end_session(FullPolicy::Discard, true, ROOMY, StoreBuffers);
}

/// Like [`hand_over`], but with a thread that may wait for space.
fn hand_over_while_blocked() {
    end_session(FullPolicy::Block, true, TINY, InOrder);
}

/// Tracing ends while a thread records. Events that the trace does not account for were issued
/// after the end.
fn session_end() {
    end_session(FullPolicy::Discard, false, ROOMY, InOrder);
}

fn session_end_with_store_buffers() {
    end_session(FullPolicy::Discard, false, TINY, StoreBuffers);
}

/// Ends a session as the writer thread does. If the thread is inside a probe, it is cut off at
/// once.
fn end_session(full: FullPolicy, is_followed: bool, ring_bytes: usize, processors: Processors) {
    const RECORDS: u64 = 2;
    sync::set_processors(processors);
    let (old, new) = (Stage::new(full, None, ring_bytes), Stage::new(full, None, SMALL));
    let thread = thread::spawn(move || {
        attach::set_next(is_followed.then(|| new.seat(0)));
        if !attach::enter(old.seat(0), 1, || 0) && !attach::change_session() {
            return 0;
        }
        // Whether a record is accounted for, as in `emit.rs`.
        let is_accounted = |number| {
            record(number) || producer::current().take_cut_off() || producer::current().take_unnamed()
        };
        (0..RECORDS).filter(|&number| is_accounted(number)).count() as u64
    });
    let (slot, producer) = (old.slots[0], old.producers[0]);
    let mut drain = Drain::of(slot);
    old.session.stop(is_followed);
    let mut unwritten_at = None;
    if !quiesce::revoke_room([producer].into_iter()) {
        quiesce::revoke_from_stopped([producer].into_iter());
        unwritten_at = quiesce::cut_off(producer);
    }
    quiesce::close(producer);
    let end = slot.published().load(Ordering::Acquire);
    drain.read(consumer::bytes_until(&slot, end, drain.position));
    let is_unwritten = |at: &u64| end.wrapping_sub(*at) & (ring_bytes as u64 - 1) == 0;
    if unwritten_at.filter(is_unwritten).is_some() {
        quiesce::count_unwritten(producer, &slot);
    }
    let dropped = producer.dropped.load(Ordering::Relaxed) & !CLOSED;
    let accounted = drain.next + dropped - drain.reported;
    if full == FullPolicy::Block {
        old.session.writer_gone(&old.slots[..1]);
    }
    // The arena is no longer in use, so a thread that looks for space finds an empty ring.
    slot.consumed().store(0, Ordering::Relaxed);
    let issued = thread.join().unwrap();
    if is_followed {
        assert_eq!(issued, RECORDS);
    }
    let mut rest = Drain { next: accounted, ..Drain::of(new.slots[0]) };
    rest.conclude(issued);
    old.end();
    new.end();
}

fn numbers(pages: &Pages) -> Vec<u64> {
    let ring = pages.ring();
    let number = |payload: &[u8]| u64::from_ne_bytes(payload.try_into().unwrap());
    ring.records()
        .map(|found| (found.record.event, number(found.record.payload)))
        .map(|(event, number)| {
            assert_eq!(event, 7);
            number
        })
        .collect()
}
