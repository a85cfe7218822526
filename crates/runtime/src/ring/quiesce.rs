//! The end of a session: when it is over, no thread is in the middle of a probe.
//!
//! A thread that found room before the end writes its record, which is in the trace. Any other
//! thread finds the end. To ensure this, room is taken away, and each thread's `next` is changed to
//! a value that is not an address of a record. A thread that read `next` before, and marks itself
//! as inside now, sees the change, as if a signal handler had recorded. So this costs the hot path
//! nothing.

use std::sync::atomic::{Ordering, fence};
use std::time::Duration;

use rustix::thread::{MembarrierCommand, membarrier};

use super::producer::{self, Producer};

/// Takes all room away. The session must be marked as over already.
///
/// Returns `true` if no thread is inside a probe, and every thread that enters one will see the
/// end. After `false`, try again: threads inside a probe may need their rings emptied first.
pub(crate) fn revoke_room<'p>(producers: impl Iterator<Item = &'p Producer> + Clone) -> bool {
    for producer in producers.clone() {
        producer.limit.store(0, Ordering::Relaxed);
        let next = producer.next.load(Ordering::Relaxed);
        if !producer::is_inside(next) && !is_spoilt(next) {
            // If this fails, the thread has moved or marked `next`: the check below sees that.
            let spoilt = next | SPOILT;
            let _ = producer.next.compare_exchange(next, spoilt, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
    // On the hot path a fence would cost more than everything else, so this pairs with no
    // instruction there. Instead, each processor executes a fence now. After it, a thread that did
    // not see its spoilt `next` is seen to be inside.
    if !fence_everywhere() {
        fence(Ordering::SeqCst);
        // A store buffer drains in less than a microsecond.
        std::thread::sleep(Duration::from_millis(1));
    }
    producers.into_iter().all(|producer| {
        let next = producer.next.load(Ordering::Acquire);
        !producer::is_inside(next) && is_spoilt(next)
    })
}

/// A bit of `next` that no record's address has.
const SPOILT: u64 = 1;

/// Returns whether `next` is not an address of a record. It is 0 in a slot that was never used.
fn is_spoilt(next: u64) -> bool {
    next == 0 || next & SPOILT != 0
}

fn fence_everywhere() -> bool {
    let ready = || membarrier(MembarrierCommand::PrivateExpedited).is_ok();
    ready() || (membarrier(MembarrierCommand::RegisterPrivateExpedited).is_ok() && ready())
}
