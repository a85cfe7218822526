//! What a probe does when it cannot simply write: getting a slot, waking the writer thread, a full ring.

#![expect(unsafe_code, reason = "a slot is found by its thread's pointers")]

use std::cell::Cell;
use std::sync::atomic::{Ordering, compiler_fence};

use super::overflow::{self, count};
use super::producer::{self, ATTACHED, DETACHED, Producer};
use super::{ownership, recording};
use crate::os::signal::{self, KeptErrno};
use crate::os::{exit, wait};

thread_local! {
    /// Set while the thread gets a slot, so that a signal handler does not get another one.
    static ATTACHING: Cell<bool> = const { Cell::new(false) };
}

/// Makes room for a record of `bytes` bytes. `false`: there is none, and the loss is counted.
#[cold]
#[inline(never)]
pub(crate) fn make_room(producer: &'static Producer, bytes: usize) -> bool {
    let _errno = KeptErrno::new();
    match producer.kind.load(Ordering::Relaxed) {
        ATTACHED => {}
        DETACHED => return attach(),
        // In the child of a fork the thread's memory is wiped: it tries again, as a thread without a slot.
        _ => {
            producer::clear_current();
            return true;
        }
    }
    let next = producer.next.load(Ordering::Relaxed);
    // SAFETY: it is attached.
    let slot = unsafe { producer.slot() };
    if producer::is_inside(next) {
        // In this order: who sees that it was refused sees that it was dropped.
        count(slot.dropped());
        slot.refused().fetch_add(1, Ordering::Release);
        return false;
    }
    let Some(recording) = recording::current().filter(|s| s.id == producer.session.load(Ordering::Relaxed))
    else {
        return change_session();
    };
    overflow::make_room(recording, producer, slot, bytes)
}

/// The session has ended whose slot the thread has: gets one of the session that runs now.
pub(crate) fn change_session() -> bool {
    producer::clear_current();
    attach()
}

/// Gives this thread a slot. No lock, no allocation and no system call but those that name the thread, so a signal
/// handler may come first.
fn attach() -> bool {
    let Some(mut recording) = recording::current().or_else(recording::of_child) else {
        return false;
    };
    if ATTACHING.replace(true) {
        count(recording.unattached());
        return false;
    }
    let mut taken = recording.take_slot();
    // It may have ended while this thread waited for a slot, and the trace go on in another file.
    while taken.is_none()
        && recording.is_followed()
        && let Some(next) = recording::current()
    {
        recording = next;
        taken = recording.take_slot();
    }
    if taken.is_some() {
        // Who got none asks again, and that this may be a handler must not be forgotten: a handler that waits may hold what the writer
        // thread needs, as a fork that it has interrupted does.
        signal::note_usually_blocked();
    }
    if let Some((arena, index)) = taken {
        let slot = arena.slot(index);
        let producer = arena.producer(index);
        let tid = wait::thread_id();
        slot.set_name(wait::thread_name());
        ownership::attach(recording, &slot, producer, tid);
        compiler_fence(Ordering::SeqCst);
        producer::set_current(producer);
        exit::call_at_thread_exit();
    } else {
        count(recording.unattached());
    }
    ATTACHING.set(false);
    taken.is_some()
}

/// Counts a record that never came near a ring.
pub(crate) fn drop_without_slot() {
    if let Some(recording) = recording::current() {
        count(recording.unattached());
    }
}

/// Gives this thread's slot back. Called when the thread exits.
pub(crate) fn detach() {
    let producer = producer::current();
    if producer.kind.load(Ordering::Relaxed) != ATTACHED {
        return;
    }
    producer::clear_current();
    compiler_fence(Ordering::SeqCst);
    // SAFETY: it is attached.
    let slot = unsafe { producer.slot() };
    ownership::detach(&slot);
    if let Some(recording) = recording::current().filter(|s| s.id == producer.session.load(Ordering::Relaxed))
    {
        recording.slot_left();
    }
}

/// Whether this thread is inside a probe: then this is a signal handler.
pub(crate) fn is_inside_probe() -> bool {
    ATTACHING.get() || producer::is_inside(producer::current().next.load(Ordering::Relaxed))
}

/// Counts strings that were longer than a record holds.
#[cold]
pub(crate) fn count_cut(strings: u64) {
    let producer = producer::current();
    if producer.kind.load(Ordering::Relaxed) == ATTACHED {
        // SAFETY: it is attached.
        unsafe { producer.slot() }.cut().fetch_add(strings, Ordering::Relaxed);
    }
}
