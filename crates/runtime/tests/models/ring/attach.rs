//! Model version of the slow path's first steps, before it looks at the ring.

use std::cell::Cell;

use crate::ring::producer::{self, Producer};
use crate::ring::recording::Recording;
use crate::ring::slot::Slot;
use crate::ring::{overflow, ownership};

/// A session with a slot for the thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seat {
    pub(crate) session: &'static Recording,
    pub(crate) slot: Slot,
    pub(crate) producer: &'static Producer,
}

loom::thread_local! {
    static SESSION: Cell<Option<&'static Recording>> = Cell::new(None);
    static NEXT: Cell<Option<Seat>> = Cell::new(None);
}

/// Attaches the current thread, which has dropped records before. Returns `false` if the session
/// has ended.
pub(crate) fn enter(seat: Seat, tid: u32, dropped: impl FnOnce() -> u64) -> bool {
    let is_attached = ownership::attach(seat.session, &seat.slot, seat.producer, tid, dropped).is_ok();
    if is_attached {
        producer::set_current(seat.producer);
        SESSION.with(|current| current.set(Some(seat.session)));
    }
    is_attached
}

/// Sets the session in which the thread continues after its session has ended.
pub(crate) fn set_next(seat: Option<Seat>) {
    NEXT.with(|next| next.set(seat));
}

pub(crate) fn make_room(producer: &'static Producer, bytes: usize) -> bool {
    let session = SESSION.with(Cell::get).expect("the thread has a session");
    if session.is_followed() {
        return change_session();
    }
    // SAFETY: the producer is attached to a slot.
    let slot: Slot = unsafe { producer.slot() };
    overflow::make_room(session, producer, slot, bytes)
}

pub(crate) fn change_session() -> bool {
    let next = NEXT.with(Cell::get);
    if let Some(seat) = next {
        assert!(enter(seat, 1, || 0));
    }
    next.is_some()
}

pub(crate) fn drop_without_slot() {
    unreachable!("there are no signal handlers here")
}
