//! Model version of the slow path's first steps, before it looks at the ring.

use std::cell::Cell;

use crate::ring::overflow;
use crate::ring::producer::Producer;
use crate::ring::recording::Recording;
use crate::ring::slot::Slot;

loom::thread_local! {
    static SESSION: Cell<Option<&'static Recording>> = Cell::new(None);
}

/// Sets the session of this thread's slot.
pub(crate) fn set_session(session: &'static Recording) {
    SESSION.with(|current| current.set(Some(session)));
}

pub(crate) fn make_room(producer: &'static Producer, bytes: usize) -> bool {
    let session = SESSION.with(Cell::get).expect("the thread has a session");
    // SAFETY: the producer is attached to a slot.
    let slot: Slot = unsafe { producer.slot() };
    overflow::make_room(session, producer, slot, bytes)
}

pub(crate) fn change_session() -> bool {
    unreachable!("sessions do not end here")
}
