//! The end of a session, to the record: when it is over, no thread is in the middle of a probe.
//!
//! A thread that found room before the end writes its record, which is in the trace; one that did not finds the end. To be
//! sure of that, all room is taken away, every processor is made to see it, and then it is looked who is inside a probe.

use std::sync::atomic::{Ordering, fence};
use std::time::Duration;

use rustix::thread::{MembarrierCommand, membarrier};

use crate::producer::{self, Producer};

/// Takes all room away. `true`: nobody is inside a probe, and whoever enters one sees that the session is over. `false`: to be
/// tried again; threads inside one may want their rings emptied first.
///
/// The session says that it is over already.
pub(crate) fn take_room_away<'p>(producers: impl Iterator<Item = &'p Producer> + Clone) -> bool {
    for producer in producers.clone() {
        producer.limit.store(0, Ordering::Relaxed);
    }
    // Pairs with no instruction of the hot path, where a fence would cost more than all else: each processor passes one now.
    if !fence_everywhere() {
        fence(Ordering::SeqCst);
        // What a processor holds back leaves it in less than a microsecond.
        std::thread::sleep(Duration::from_millis(1));
    }
    producers.into_iter().all(|producer| !producer::is_inside(producer.next.load(Ordering::Acquire)))
}

fn fence_everywhere() -> bool {
    let ready = || membarrier(MembarrierCommand::PrivateExpedited).is_ok();
    ready() || (membarrier(MembarrierCommand::RegisterPrivateExpedited).is_ok() && ready())
}
