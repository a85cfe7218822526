//! Locks over a fork: a child must not inherit one from a thread that it does not have.

use std::cell::UnsafeCell;
use std::sync::{MutexGuard, Once};

use crate::groups::{Groups, groups};
use crate::state::{MonitorState, SessionState, monitors, session_state};

/// What is held while the process forks. The first is given back last.
struct HeldLocks {
    _groups: MutexGuard<'static, Groups>,
    _session: MutexGuard<'static, SessionState>,
    _monitors: MutexGuard<'static, MonitorState>,
}

struct HeldLocksCell(UnsafeCell<Option<HeldLocks>>);

// SAFETY: it is reached only by a thread that holds the locks, which are what it holds.
unsafe impl Sync for HeldLocksCell {}

static HELD: HeldLocksCell = HeldLocksCell(UnsafeCell::new(None));

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
    let session = session_state();
    let held = HeldLocks { _monitors: monitors, _session: session, _groups: groups() };
    // SAFETY: this thread holds the locks.
    unsafe { *HELD.0.get() = Some(held) };
}

extern "C" fn after() {
    // SAFETY: this thread holds the locks, in a child as a copy, until what is taken is dropped.
    let held = unsafe { (*HELD.0.get()).take() };
    drop(held);
}
