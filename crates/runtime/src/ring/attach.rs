//! The slow path of a probe: it takes a slot, wakes the writer thread, and handles a full ring.

#![expect(unsafe_code, reason = "a slot is found through its thread's pointers")]

use std::cell::Cell;

use super::arena::Arena;
use super::overflow::{self, count};
use super::producer::{self, ATTACHED, DETACHED, Producer};
use super::recording::{self, Recording};
use super::without_slot::Entry;
use super::{ownership, quiesce};
use crate::os::signal::{self, KeptErrno};
use crate::os::sync::{AtomicU64, Ordering, compiler_fence};
use crate::os::{exit, wait};

thread_local! {
    /// Set while the thread takes a slot, so that a signal handler does not take another one.
    static ATTACHING: Cell<bool> = const { Cell::new(false) };
    /// The number of records dropped by signal handlers while `ATTACHING` was set.
    static INTERRUPTING: AtomicU64 = const { AtomicU64::new(0) };
    /// This thread's entry in the table of threads without a slot, and the number of its session.
    /// Changes only while `ATTACHING` is set.
    static ENTRY: Cell<Option<(u64, &'static Entry)>> = const { Cell::new(None) };
}

/// Makes room for a record of `bytes` bytes. If there is none, counts the loss and returns `false`.
#[cold]
#[inline(never)]
pub(crate) fn make_room(producer: &'static Producer, bytes: usize) -> bool {
    let _errno = KeptErrno::new();
    match producer.kind.load(Ordering::Relaxed) {
        ATTACHED => {}
        DETACHED => return attach(),
        // A forked child's producer is zeroed. Try again as a thread without a slot.
        _ => {
            producer::clear_current();
            return true;
        }
    }
    let next = producer.next.load(Ordering::Relaxed);
    // SAFETY: the producer is attached.
    let slot = unsafe { producer.slot() };
    if producer::is_inside(next) {
        overflow::refuse(producer, slot);
        return false;
    }
    let Some(recording) = recording::current().filter(|s| s.id == producer.session.load(Ordering::Relaxed))
    else {
        return change_session();
    };
    overflow::make_room(recording, producer, slot, bytes)
}

/// Takes a slot of the current session, because the session of the thread's slot has ended.
pub(crate) fn change_session() -> bool {
    producer::clear_current();
    attach()
}

/// Takes a slot for this thread. A signal handler may be the first to call this, so this takes no
/// lock, does not allocate, and makes no system calls except those that query the thread.
fn attach() -> bool {
    let Some(recording) = recording::current().or_else(recording::of_child) else {
        return false;
    };
    let Some(attaching) = Attaching::start() else { return false };
    // A signal handler may have attached the thread before `ATTACHING` was set.
    let is_attached = is_attached_to(recording) || take_slot(recording);
    if !is_attached {
        count_without_slot(1);
    }
    drop(attaching);
    is_attached
}

/// Exists while this thread takes a slot or an entry. If a signal handler interrupts the thread
/// meanwhile, the handler's events are dropped, and are counted at the end.
struct Attaching;

impl Attaching {
    /// Returns `None`, and counts a dropped record, if the caller is a signal handler that has
    /// interrupted the thread while it was attaching.
    fn start() -> Option<Attaching> {
        if ATTACHING.replace(true) {
            INTERRUPTING.with(count);
            return None;
        }
        Some(Attaching)
    }
}

impl Drop for Attaching {
    fn drop(&mut self) {
        loop {
            let records = INTERRUPTING.with(|count| count.swap(0, Ordering::Relaxed));
            if records > 0 {
                count_interrupting(records);
            }
            ATTACHING.set(false);
            // A handler may have run between the swap and the reset of `ATTACHING`.
            if INTERRUPTING.with(|count| count.load(Ordering::Relaxed)) == 0 {
                break;
            }
            ATTACHING.set(true);
        }
    }
}

/// Counts records of signal handlers that interrupted this thread while it was attaching.
/// `ATTACHING` must be set.
fn count_interrupting(records: u64) {
    let producer = producer::current();
    if producer.kind.load(Ordering::Relaxed) == ATTACHED {
        // SAFETY: the producer is attached.
        let slot = unsafe { producer.slot() };
        if overflow::add_dropped(producer, slot, records) {
            slot.refused().fetch_add(records, Ordering::Release);
            return;
        }
    }
    count_without_slot(records);
}

fn is_attached_to(recording: &Recording) -> bool {
    let producer = producer::current();
    producer.kind.load(Ordering::Relaxed) == ATTACHED
        && producer.session.load(Ordering::Relaxed) == recording.id
}

/// Takes a slot of `recording` or, if that ends meanwhile, of the next recording.
fn take_slot(mut recording: &'static Recording) -> bool {
    loop {
        let taken = recording.take_slot();
        if let Some((arena, index)) = taken
            && enter_slot(recording, arena, index)
        {
            return true;
        }
        match recording::current() {
            Some(next) if next.id != recording.id => recording = next,
            _ => return false,
        }
    }
}

/// Attaches this thread to a slot that it has taken. Returns `false` if the session has ended.
fn enter_slot(recording: &'static Recording, arena: &'static Arena, index: usize) -> bool {
    // Do this only after the thread has got a slot, because a thread without one tries again,
    // possibly in the same signal handler. If the handler's blocked signals were noted as usual,
    // the retry would wait, although the handler may have interrupted a fork, which holds resources
    // that the writer thread needs.
    signal::note_usually_blocked();
    let slot = arena.slot(index);
    let producer = arena.producer(index);
    let tid = wait::thread_id();
    slot.set_name(wait::thread_name());
    if let Err(dropped) = ownership::attach(recording, &slot, producer, tid, || take_dropped(recording)) {
        count_without_slot(dropped);
        return false;
    }
    compiler_fence(Ordering::SeqCst);
    producer::set_current(producer);
    exit::call_at_thread_exit();
    true
}

/// Returns the number of records that this thread has dropped without a slot of `recording`, and
/// releases its entry.
fn take_dropped(recording: &Recording) -> u64 {
    let Some((_, entry)) = ENTRY.take().filter(|&(session, _)| session == recording.id) else { return 0 };
    let dropped = recording.without_slot().take(entry);
    recording.unattached().fetch_sub(dropped, Ordering::Relaxed);
    dropped
}

/// Counts dropped records of this thread, which has no slot. `ATTACHING` must be set.
fn count_without_slot(records: u64) {
    let mut ended = None;
    // If the session has ended, the records belong to the next one.
    while records > 0
        && let Some(recording) = recording::current().filter(|now| Some(now.id) != ended)
        && !count_in_entry(recording, records)
    {
        ended = Some(recording.id);
    }
}

/// Counts dropped records in this thread's entry, and claims one if necessary. Returns `false` if
/// the session has ended.
fn count_in_entry(recording: &'static Recording, records: u64) -> bool {
    if ENTRY.get().is_none_or(|(session, _)| session != recording.id) {
        let entry = recording.without_slot().claim(wait::thread_id(), wait::thread_name());
        ENTRY.set(entry.map(|entry| (recording.id, entry)));
        if entry.is_some() {
            exit::call_at_thread_exit();
        }
    }
    // Only recovery reads this count. Add to it first, because the writer thread subtracts the
    // entry's count.
    recording.unattached().fetch_add(records, Ordering::Relaxed);
    let is_counted = match ENTRY.get() {
        Some((_, entry)) => entry.count(records),
        None => recording.without_slot().count_unlisted(records),
    };
    if !is_counted {
        recording.unattached().fetch_sub(records, Ordering::Relaxed);
    }
    is_counted
}

/// Counts a dropped record of a library's probe.
pub(crate) fn drop_without_slot() {
    let producer = producer::current();
    if producer.kind.load(Ordering::Relaxed) == ATTACHED {
        // SAFETY: the producer is attached.
        let slot = unsafe { producer.slot() };
        if overflow::count_dropped(producer, slot) {
            return;
        }
    }
    if let Some(_attaching) = Attaching::start() {
        count_without_slot(1);
    }
}

/// Releases this thread's slot when the thread exits.
pub(crate) fn detach() {
    if let Some((_, entry)) = ENTRY.take() {
        entry.leave();
    }
    let producer = producer::current();
    if producer.kind.load(Ordering::Relaxed) != ATTACHED {
        return;
    }
    producer::clear_current();
    compiler_fence(Ordering::SeqCst);
    // The end of the session need not wait for a thread that has left.
    quiesce::take_away(producer);
    // SAFETY: the producer is attached.
    let slot = unsafe { producer.slot() };
    ownership::detach(&slot);
    if let Some(recording) = recording::current().filter(|s| s.id == producer.session.load(Ordering::Relaxed))
    {
        recording.slot_left();
    }
}

/// Returns whether this thread is inside a probe. If it is, the caller is a signal handler.
pub(crate) fn is_inside_probe() -> bool {
    ATTACHING.get() || producer::is_inside(producer::current().next.load(Ordering::Relaxed))
}

#[cold]
pub(crate) fn count_cut(strings: u64) {
    let producer = producer::current();
    if producer.kind.load(Ordering::Relaxed) == ATTACHED {
        // SAFETY: the producer is attached.
        unsafe { producer.slot() }.cut().fetch_add(strings, Ordering::Relaxed);
    }
}
