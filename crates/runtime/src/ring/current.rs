//! A thread's producer.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};

use super::producer::{DETACHED, Producer};
use super::sharing;

/// The producer of threads that have no slot: it never has room, and nobody writes to it.
static NO_SLOT: Producer = Producer {
    next: AtomicU64::new(0),
    limit: AtomicU64::new(0),
    page: AtomicPtr::new(ptr::null_mut()),
    kind: AtomicU32::new(DETACHED),
    ring_bytes: AtomicU32::new(0),
    ring: AtomicPtr::new(ptr::null_mut()),
    session: AtomicU64::new(0),
    pending: AtomicU64::new(0),
    page_number: AtomicU64::new(0),
};

/// Where a copy of the runtime keeps a thread's producer.
pub(crate) type ProducerCell = Cell<&'static Producer>;

// The language's own: in a program two instructions. (In a library, the compiler may ask for its address at the beginning of a function
// with a loop, also while events are off. Assembly with the initial-exec model would stay where it is, but keeps functions from
// saving registers only when they must, and that costs every probe that is off.)
thread_local! {
    static CURRENT: ProducerCell = const { Cell::new(&NO_SLOT) };
}

/// This thread's producer.
#[inline(always)]
pub(crate) fn current() -> &'static Producer {
    CURRENT.get()
}

/// Makes `producer` this thread's.
pub(crate) fn set_current(producer: &'static Producer) {
    CURRENT.set(producer);
}

/// Takes this thread's producer away.
pub(crate) fn clear_current() {
    CURRENT.set(&NO_SLOT);
    sharing::take_back();
}

/// The producer of threads that have no slot.
pub(crate) fn nobody() -> &'static Producer {
    &NO_SLOT
}

/// Where this thread's producer is kept, for as long as the thread lives.
pub(crate) fn cell() -> *const ProducerCell {
    CURRENT.with(ptr::from_ref)
}
