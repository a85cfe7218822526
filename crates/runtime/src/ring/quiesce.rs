//! The end of a session, after which no thread writes to its rings unnoticed.
//!
//! A thread that found room before the end writes its record to the trace. Any other thread finds
//! that the session has ended. To ensure this, the writer thread revokes all room and sets
//! [`REVOKED`] in each thread's `next`. If a thread has read `next` before and now marks itself as
//! inside a probe, it detects the change in the same way as a record of a signal handler. So the
//! hot path needs no additional instruction.
//!
//! A thread may be stopped, by a debugger or because it gets no processor. The writer thread does
//! not wait for it forever, but cuts it off ([`revoke_from_stopped`], [`cut_off`]):
//!
//! * A thread that looks for room leaves with a compare-and-exchange of `next`, which then fails.
//!   It has written nothing, and its event belongs to the next session.
//! * A thread that has room may write its record at any later time, where no reader looks. So its
//!   event is counted as dropped now. If the thread has not passed the check for a moved `next`, it
//!   finds [`COUNTED`] and drops the event. Otherwise it overwrites the bit when it leaves the
//!   probe.
//!
//! Finally [`close`] stops the counting of drops: a thread that counts later finds that its event
//! belongs to the next session. So each event is counted once, in whichever session it ends up.

use super::producer::{self, CLOSED, COUNTED, Producer, REVOKED};
use super::slot::Slot;
use crate::os::sync::{self, Ordering, fence};

/// Revokes the current thread's room. The session must already be marked as over.
///
/// No other thread writes `next`, so this needs no barrier. If this was the only thread with room,
/// [`revoke_room`] needs none either.
pub(crate) fn revoke_own_room(session: u64) {
    let producer = producer::current();
    if producer.session.load(Ordering::Relaxed) == session {
        take_away(producer);
    }
}

/// Revokes the room of `producer`, unless its thread is inside a probe. Returns whether the thread
/// had room before.
pub(crate) fn take_away(producer: &Producer) -> bool {
    let next = producer.next.load(Ordering::Relaxed);
    if is_revoked(next) {
        return false;
    }
    producer.limit.store(0, Ordering::Relaxed);
    if !producer::is_inside(next) {
        // If this fails, the thread has advanced or marked `next`, which the check of `revoke_room`
        // detects. Release: a reader that sees this value sees what the thread has published.
        let revoked = next | REVOKED;
        let _ = producer.next.compare_exchange(next, revoked, Ordering::Release, Ordering::Relaxed);
    }
    true
}

/// Revokes all room. The session must already be marked as over.
///
/// Returns `true` if no thread is inside a probe, and every thread that enters one will find that
/// the session is over. If this returns `false`, try again: threads inside a probe may need their
/// rings emptied first.
pub(crate) fn revoke_room<'p>(producers: impl Iterator<Item = &'p Producer> + Clone) -> bool {
    // Pairs with the fences of the slow path: if a thread's room is not visible here, the thread
    // finds on the slow path that the session is over.
    fence(Ordering::SeqCst);
    let had_room = producers.clone().filter(|producer| take_away(producer)).count() > 0;
    // A fence would be the most expensive instruction of the hot path, so the hot path has none.
    // Instead, every processor executes a fence now. Afterwards, a thread that did not see its
    // revoked `next` is visibly inside a probe. If no thread had room, none can be about to use it.
    if had_room {
        sync::fence_everywhere();
    }
    producers.into_iter().all(|producer| {
        let next = producer.next.load(Ordering::Acquire);
        !producer::is_inside(next) && is_revoked(next)
    })
}

/// Revokes the room of threads that do not run, so that [`cut_off`] can follow. Threads that look
/// for room find that the session is over.
pub(crate) fn revoke_from_stopped<'p>(producers: impl Iterator<Item = &'p Producer> + Clone) {
    for producer in producers.clone() {
        set(producer, |next| if producer::has_room(next) { next } else { next | REVOKED });
    }
    // Afterwards, no thread sets a new limit: those that looked for room cannot leave with it, and
    // others see that the session is over.
    sync::fence_everywhere();
    for producer in producers {
        producer.limit.store(0, Ordering::Relaxed);
    }
    // Any thread that entered a probe in the meantime without seeing `REVOKED` is now visibly
    // inside the probe.
    sync::fence_everywhere();
}

/// Cuts off a thread that may be inside a probe. If it has room for a record, its event counts as
/// dropped unless the record is published already. Returns the record's address.
pub(crate) fn cut_off(producer: &Producer) -> Option<u64> {
    loop {
        let bits = |next| if producer::has_room(next) { REVOKED | COUNTED } else { REVOKED };
        let next = set(producer, |next| next | bits(next));
        if producer::has_room(next) {
            return Some(producer::address(next));
        }
        if is_revoked(next) {
            return None;
        }
        // The thread has left its probe in the meantime, and could enter another one with the
        // values that it read earlier.
        sync::fence_everywhere();
    }
}

/// Changes `next`, and returns its previous value.
fn set(producer: &Producer, change: impl Fn(u64) -> u64) -> u64 {
    let mut next = producer.next.load(Ordering::Relaxed);
    loop {
        // Acquire: the caller sees what a thread that is outside a probe has published.
        let changed =
            producer.next.compare_exchange(next, change(next), Ordering::Acquire, Ordering::Relaxed);
        match changed {
            Ok(_) => return next,
            Err(now) => next = now,
        }
    }
}

/// Stops counting dropped records.
pub(crate) fn close(producer: &Producer) {
    // Acquire: the caller sees that a slot with counted records has an owner.
    producer.dropped.fetch_or(CLOSED, Ordering::Acquire);
}

/// Counts as dropped the record for which a thread had room when it was cut off. Unlike other
/// drops, it is counted even after [`close`].
pub(crate) fn count_unwritten(producer: &Producer, slot: &Slot) {
    let dropped = producer.dropped.fetch_add(1, Ordering::Relaxed) + 1;
    slot.dropped().fetch_max(dropped & !CLOSED, Ordering::Relaxed);
}

/// Returns whether `next` is revoked, or is 0 because the slot was never used.
fn is_revoked(next: u64) -> bool {
    next == 0 || next & REVOKED == REVOKED
}
