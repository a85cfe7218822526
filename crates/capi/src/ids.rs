//! From an event's number to the event, without a lock: a probe may stand in a signal handler.

use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use ringtrace::Event;

type Bucket = OnceLock<Box<[AtomicPtr<Event>]>>;

/// Bucket n has the numbers from 2^n up to 2^(n+1): nothing moves when there are more.
static BUCKETS: [Bucket; 32] = [const { OnceLock::new() }; 32];

/// Bucket and place of a number; none for 0, which no registered event has.
fn place(id: u32) -> Option<(usize, usize)> {
    let bucket = id.checked_ilog2()?;
    Some((bucket as usize, (id - (1 << bucket)) as usize))
}

/// Makes an event that is registered known.
pub(crate) fn insert(event: &'static Event) {
    let Some((bucket, at)) = place(event.id()) else { return };
    let new = || (0..1_usize << bucket).map(|_| AtomicPtr::new(ptr::null_mut())).collect();
    BUCKETS[bucket].get_or_init(new)[at].store(ptr::from_ref(event).cast_mut(), Ordering::Release);
}

/// Forgets it.
pub(crate) fn remove(event: &'static Event) {
    let Some((bucket, at)) = place(event.id()) else { return };
    if let Some(bucket) = BUCKETS[bucket].get() {
        bucket[at].store(ptr::null_mut(), Ordering::Release);
    }
}

/// The event of a number.
pub(crate) fn find(id: u32) -> Option<&'static Event> {
    let (bucket, at) = place(id)?;
    let found = BUCKETS[bucket].get()?.get(at)?.load(Ordering::Acquire);
    // SAFETY: null, or an event that is never freed.
    unsafe { found.as_ref() }
}
