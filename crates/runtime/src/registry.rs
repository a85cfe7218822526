//! The events of the process, and which of them are on.

use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::{Event, Group};

/// The backends that events go to, as bits of an event's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backends(pub(crate) u8);

impl Backends {
    /// The binary trace.
    pub const SIMPLE: Backends = Backends(1);
    /// Lines on standard error or in a file.
    pub const LOG: Backends = Backends(2);
    /// The system's log.
    pub const SYSLOG: Backends = Backends(4);
    /// The kernel's trace.
    pub const FTRACE: Backends = Backends(8);
}

/// What changes under the lock.
#[derive(Debug)]
struct State {
    last_id: u32,
}

static STATE: Mutex<State> = Mutex::new(State { last_id: 0 });
static GROUPS: AtomicPtr<Group> = AtomicPtr::new(ptr::null_mut());

/// Adds a group and numbers its events. Called before `main`, and when a library is loaded.
pub fn register(group: &'static Group) {
    let mut state = STATE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    for event in group.events() {
        state.last_id += 1;
        event.set_id(state.last_id);
    }
    group.next().store(GROUPS.load(Ordering::Relaxed), Ordering::Relaxed);
    GROUPS.store(ptr::from_ref(group).cast_mut(), Ordering::Release);
}

/// Takes a group away. Called when a library is unloaded, and when the process ends.
pub fn unregister(group: &'static Group) {
    let _state = STATE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut link = &GROUPS;
    loop {
        let at = link.load(Ordering::Relaxed);
        if at.is_null() {
            return;
        }
        if ptr::eq(at, group) {
            link.store(group.next().load(Ordering::Relaxed), Ordering::Release);
            return;
        }
        // SAFETY: every pointer in the list came from a `&'static Group` that is still registered.
        link = unsafe { &*at }.next();
    }
}

/// Gives every registered event to `f`, the groups that came last first.
pub fn each(mut f: impl FnMut(&'static Event)) {
    let _state = STATE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut at = GROUPS.load(Ordering::Relaxed);
    while !at.is_null() {
        // SAFETY: every pointer in the list came from a `&'static Group` that is still registered.
        let group: &'static Group = unsafe { &*at };
        for &event in group.events() {
            f(event);
        }
        at = group.next().load(Ordering::Relaxed);
    }
}

/// Switches every traceable event on, to `backends`; or off.
pub fn set_all(backends: Option<Backends>) {
    each(|event| {
        let on = backends.map_or(0, |backends| backends.0);
        event.set_dstate(if event.declaration().traceable { on } else { 0 });
    });
}
