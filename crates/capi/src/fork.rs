//! Locks over a fork: a child must not inherit one from a thread that it does not have.

use std::cell::UnsafeCell;
use std::sync::{MutexGuard, Once};

use crate::groups::{Groups, groups};
use crate::monitor::{Monitors, monitors};
use crate::start::{Asked, asked};

/// What is held while the process forks. The first is given back last.
struct Held {
    _groups: MutexGuard<'static, Groups>,
    _asked: MutexGuard<'static, Asked>,
    _monitors: MutexGuard<'static, Monitors>,
}

struct HeldCell(UnsafeCell<Option<Held>>);

// SAFETY: it is reached only by a thread that holds the locks, which are what it holds.
unsafe impl Sync for HeldCell {}

static HELD: HeldCell = HeldCell(UnsafeCell::new(None));

/// From now on, forks wait for the functions of this library.
///
/// Called once the runtime has said the same of its own locks: what is said last is taken first, and the functions here
/// call the runtime with their locks held.
pub(crate) fn hold_locks() {
    static ONCE: Once = Once::new();
    // SAFETY: the three functions may be called around any fork. Without memory for them, forks are as they were.
    ONCE.call_once(|| unsafe {
        libc::pthread_atfork(Some(before), Some(after), Some(after));
    });
}

extern "C" fn before() {
    let monitors = monitors();
    let asked = asked();
    let held = Held { _monitors: monitors, _asked: asked, _groups: groups() };
    // SAFETY: this thread holds the locks.
    unsafe { *HELD.0.get() = Some(held) };
}

extern "C" fn after() {
    // SAFETY: this thread holds the locks, in a child as a copy, until what is taken is dropped.
    let held = unsafe { (*HELD.0.get()).take() };
    drop(held);
}
