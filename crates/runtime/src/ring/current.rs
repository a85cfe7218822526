//! A thread's current producer.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::AtomicPtr;

use super::producer::{DETACHED, Producer};
use super::sharing;
use crate::os::sync::{AtomicU32, AtomicU64};

/// The producer of threads without a slot. It has no room, and nothing writes to it.
static NO_SLOT: Producer = Producer {
    next: AtomicU64::new(0),
    limit: AtomicU64::new(0),
    page: AtomicPtr::new(ptr::null_mut()),
    kind: AtomicU32::new(DETACHED),
    ring_bytes: AtomicU32::new(0),
    is_unnamed: AtomicU32::new(0),
    ring: AtomicPtr::new(ptr::null_mut()),
    session: AtomicU64::new(0),
    pending: AtomicU64::new(0),
    page_number: AtomicU64::new(0),
    dropped: AtomicU64::new(0),
    allocated: AtomicU64::new(0),
};

/// The cell in which a copy of the runtime keeps a thread's producer.
pub(crate) type ProducerCell = Cell<&'static Producer>;

// Accessing a `thread_local!` takes two instructions in a program. In a library, the compiler may
// hoist the load of the variable's address to the start of a function with a loop, even while
// events are off. Assembly with the initial-exec model would prevent that. But it makes functions
// save registers early, so every disabled probe would cost more.
thread_local! {
    static CURRENT: ProducerCell = const { Cell::new(&NO_SLOT) };
}

#[inline(always)]
pub(crate) fn current() -> &'static Producer {
    CURRENT.get()
}

pub(crate) fn set_current(producer: &'static Producer) {
    CURRENT.set(producer);
}

/// Detaches this thread from its producer, here and in libraries that share it.
pub(crate) fn clear_current() {
    CURRENT.set(&NO_SLOT);
    sharing::take_back();
}

pub(crate) fn nobody() -> &'static Producer {
    &NO_SLOT
}

/// Returns the cell of this thread's producer. It is valid as long as the thread lives.
pub(crate) fn cell() -> *const ProducerCell {
    CURRENT.with(ptr::from_ref)
}
