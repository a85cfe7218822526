//! Finds events by id, without a lock, because probes may run in signal handlers.

use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use ringtrace::Event;

type Bucket = OnceLock<Box<[AtomicPtr<Event>]>>;

/// Bucket n contains the ids from 2^n to 2^(n+1) - 1, so that events never move.
static BUCKETS: [Bucket; 32] = [const { OnceLock::new() }; 32];

/// Returns the bucket for an id, and the index in this bucket. Returns `None` for id 0, which no
/// registered event has.
fn place(id: u32) -> Option<(usize, usize)> {
    let bucket = id.checked_ilog2()?;
    Some((bucket as usize, (id - (1 << bucket)) as usize))
}

pub(crate) fn insert(event: &'static Event) {
    let Some((bucket, at)) = place(event.id()) else { return };
    let new = || (0..1_usize << bucket).map(|_| AtomicPtr::new(ptr::null_mut())).collect();
    BUCKETS[bucket].get_or_init(new)[at].store(ptr::from_ref(event).cast_mut(), Ordering::Release);
}

pub(crate) fn remove(event: &'static Event) {
    let Some((bucket, at)) = place(event.id()) else { return };
    if let Some(bucket) = BUCKETS[bucket].get() {
        bucket[at].store(ptr::null_mut(), Ordering::Release);
    }
}

pub(crate) fn find(id: u32) -> Option<&'static Event> {
    let (bucket, at) = place(id)?;
    let found = BUCKETS[bucket].get()?.get(at)?.load(Ordering::Acquire);
    // SAFETY: the pointer is NULL or points to an event, which is never freed.
    unsafe { found.as_ref() }
}
