//! The end of a session, to the record: when it is over, no thread is in the middle of a probe.
//!
//! A thread that found room before the end writes its record, which is in the trace; one that did not finds the end. To be
//! sure of that, room is taken away, and each thread's place of the next record is changed, by one that is no place: a thread that looked at
//! it before, and marks itself as inside now, finds that it is not what it was, as if a signal handler had recorded something.
//! So it costs the hot path nothing.

use std::sync::atomic::{Ordering, fence};
use std::time::Duration;

use rustix::thread::{MembarrierCommand, membarrier};

use super::producer::{self, Producer};

/// Takes all room away. `true`: nobody is inside a probe, and whoever enters one sees that the session is over. `false`: to be
/// tried again; threads inside one may want their rings emptied first.
///
/// The session says that it is over already.
pub(crate) fn revoke_room<'p>(producers: impl Iterator<Item = &'p Producer> + Clone) -> bool {
    for producer in producers.clone() {
        producer.limit.store(0, Ordering::Relaxed);
        let next = producer.next.load(Ordering::Relaxed);
        if !producer::is_inside(next) && !is_spoilt(next) {
            // Fails when the thread has moved it, or has marked it: then it is looked at again.
            let spoilt = next | SPOILT;
            let _ = producer.next.compare_exchange(next, spoilt, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
    // Pairs with no instruction of the hot path, where a fence would cost more than all else: each processor passes one now.
    // Behind it, a thread that did not see that its place is spoilt is seen to be inside.
    if !fence_everywhere() {
        fence(Ordering::SeqCst);
        // What a processor holds back leaves it in less than a microsecond.
        std::thread::sleep(Duration::from_millis(1));
    }
    producers.into_iter().all(|producer| {
        let next = producer.next.load(Ordering::Acquire);
        !producer::is_inside(next) && is_spoilt(next)
    })
}

/// No record begins there.
const SPOILT: u64 = 1;

/// Whether the thread's place is none. That of a slot that no thread has had never was one.
fn is_spoilt(next: u64) -> bool {
    next == 0 || next & SPOILT != 0
}

fn fence_everywhere() -> bool {
    let ready = || membarrier(MembarrierCommand::PrivateExpedited).is_ok();
    ready() || (membarrier(MembarrierCommand::RegisterPrivateExpedited).is_ok() && ready())
}
