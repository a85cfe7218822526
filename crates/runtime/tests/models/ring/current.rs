//! Model version of a thread's current producer, for loom's threads.

use std::cell::Cell;

use crate::os::sync;
use crate::ring::producer::Producer;

loom::thread_local! {
    static CURRENT: Cell<Option<&'static Producer>> = Cell::new(None);
}

pub(crate) fn current() -> &'static Producer {
    sync::probe_starts();
    CURRENT.with(Cell::get).expect("the thread has a slot")
}

pub(crate) fn set_current(producer: &'static Producer) {
    CURRENT.with(|current| current.set(Some(producer)));
}

pub(crate) fn clear_current() {
    CURRENT.with(|current| current.set(None));
}
