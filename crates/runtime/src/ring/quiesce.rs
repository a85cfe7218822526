//! The end of a session, after which no thread is inside one of its probes.
//!
//! A thread that found room before the end writes its record, and the trace contains it. Any other
//! thread finds that the session has ended. To ensure this, the writer thread takes all room away
//! and changes each thread's `next` to a value that is not a record's address. If a thread has read
//! `next` before and now marks itself as inside a probe, it detects the change in the same way as a
//! record of a signal handler. So the hot path needs no additional instruction.

use std::os::unix::fs::MetadataExt;
use std::sync::atomic::{Ordering, fence};
use std::time::Duration;

use rustix::thread::{MembarrierCommand, membarrier};

use super::producer::{self, Producer};

/// Takes the room of the current thread away. The session must already be marked as over.
///
/// No other thread writes `next`, so this needs no barrier. If this was the only thread with room,
/// [`revoke_room`] needs none either.
pub(crate) fn revoke_own_room(session: u64) {
    let producer = producer::current();
    if producer.session.load(Ordering::Relaxed) == session {
        take_away(producer);
    }
}

/// Takes the room of `producer` away, unless its thread is inside a probe. Returns whether the
/// thread had room before.
pub(crate) fn take_away(producer: &Producer) -> bool {
    let next = producer.next.load(Ordering::Relaxed);
    if is_spoilt(next) {
        return false;
    }
    producer.limit.store(0, Ordering::Relaxed);
    if !producer::is_inside(next) {
        // If this fails, the thread has advanced or marked `next`, which the check of `revoke_room`
        // detects. Release: who sees this value sees what the thread has published.
        let spoilt = next | SPOILT;
        let _ = producer.next.compare_exchange(next, spoilt, Ordering::Release, Ordering::Relaxed);
    }
    true
}

/// Takes all room away. The session must already be marked as over.
///
/// Returns `true` if no thread is inside a probe, and every thread that enters one will find that
/// the session is over. If this returns `false`, try again: threads inside a probe may need their
/// rings emptied first.
pub(crate) fn revoke_room<'p>(producers: impl Iterator<Item = &'p Producer> + Clone) -> bool {
    // Pairs with the fences of the slow path: a thread whose room is not visible here finds there
    // that the session is over.
    fence(Ordering::SeqCst);
    let had_room = producers.clone().filter(|producer| take_away(producer)).count() > 0;
    // A fence would be the most expensive instruction of the hot path, so the hot path has none.
    // Instead, every processor executes a fence now. Afterwards, a thread that did not see its
    // spoilt `next` is visible as inside.
    // If no thread had room, none can be about to use it.
    if had_room && !fence_everywhere() {
        fence(Ordering::SeqCst);
        // A store buffer drains in less than a microsecond.
        std::thread::sleep(Duration::from_millis(1));
    }
    producers.into_iter().all(|producer| {
        let next = producer.next.load(Ordering::Acquire);
        !producer::is_inside(next) && is_spoilt(next)
    })
}

/// A bit of `next` that is never set in a record's address.
const SPOILT: u64 = 1;

/// Returns whether `next` is not a record's address. It is 0 in a slot that was never used.
fn is_spoilt(next: u64) -> bool {
    next == 0 || next & SPOILT != 0
}

fn fence_everywhere() -> bool {
    let ready = || membarrier(MembarrierCommand::PrivateExpedited).is_ok();
    ready() || (register() && ready())
}

fn register() -> bool {
    membarrier(MembarrierCommand::RegisterPrivateExpedited).is_ok()
}

/// Registers the process for the barrier if it has only one thread. Later, this takes some
/// milliseconds.
pub(crate) fn prepare() {
    let threads = std::fs::metadata("/proc/self/task");
    // A folder has a link for its name, one for itself, and one for each folder in it.
    if threads.is_ok_and(|folder| folder.nlink() == 3) {
        register();
    }
}
