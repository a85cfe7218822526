//! The slow path of a probe: it takes a slot, wakes the writer thread, and handles a full ring.

#![expect(unsafe_code, reason = "a slot is found by its thread's pointers")]

use std::cell::Cell;
use std::sync::atomic::{Ordering, compiler_fence};

use super::overflow::{self, count};
use super::producer::{self, ATTACHED, DETACHED, Producer};
use super::{ownership, recording};
use crate::os::signal::{self, KeptErrno};
use crate::os::{exit, wait};

thread_local! {
    /// Set while the thread takes a slot, so that a signal handler does not take another one.
    static ATTACHING: Cell<bool> = const { Cell::new(false) };
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

/// Takes a slot for this thread. A signal handler may be the first to call this, so there is no
/// lock, no allocation and no system call except those that name the thread.
fn attach() -> bool {
    let Some(mut recording) = recording::current().or_else(recording::of_child) else {
        return false;
    };
    if ATTACHING.replace(true) {
        count(recording.unattached());
        return false;
    }
    let mut taken = recording.take_slot();
    // While this thread waited, the session may have ended and another may have started.
    while taken.is_none()
        && recording.is_followed()
        && let Some(next) = recording::current()
    {
        recording = next;
        taken = recording.take_slot();
    }
    if taken.is_some() {
        // Do this only with a slot, because a thread without one tries again. If the code is in a
        // signal handler now, that retry must not treat the signals blocked now as usually blocked.
        // A handler that waits may hold a resource that the writer thread needs, as an interrupted
        // fork does.
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

pub(crate) fn drop_without_slot() {
    if let Some(recording) = recording::current() {
        count(recording.unattached());
    }
}

/// Gives this thread's slot back when the thread exits.
pub(crate) fn detach() {
    let producer = producer::current();
    if producer.kind.load(Ordering::Relaxed) != ATTACHED {
        return;
    }
    producer::clear_current();
    compiler_fence(Ordering::SeqCst);
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
