//! Holds the library's locks while the process forks, so that a child does not inherit a lock held
//! by another thread.

use std::cell::UnsafeCell;
use std::sync::{MutexGuard, Once};

use crate::groups::{Groups, groups};
use crate::state::{MonitorState, SessionState, monitors, session_state};

/// Locks held during a fork. They are dropped in the reverse order of locking.
struct HeldLocks {
    _groups: MutexGuard<'static, Groups>,
    _session: MutexGuard<'static, SessionState>,
    _monitors: MutexGuard<'static, MonitorState>,
}

struct HeldLocksCell(UnsafeCell<Option<HeldLocks>>);

// SAFETY: only a thread that holds these locks accesses the cell, so accesses never overlap.
unsafe impl Sync for HeldLocksCell {}

static HELD: HeldLocksCell = HeldLocksCell(UnsafeCell::new(None));

/// Makes forks wait for this library's locks.
///
/// Must be called after the runtime has registered the handlers for its own locks. Handlers run in
/// reverse order of registration, and this library calls the runtime with its locks held, so its
/// locks must be taken first.
pub(crate) fn hold_locks() {
    static ONCE: Once = Once::new();
    // SAFETY: the handlers may run around any fork. If registration fails for lack of memory, forks
    // do not take the locks.
    ONCE.call_once(|| unsafe {
        libc::pthread_atfork(Some(before), Some(after), Some(after));
    });
}

extern "C" fn before() {
    let monitors = monitors();
    let session = session_state();
    let held = HeldLocks { _monitors: monitors, _session: session, _groups: groups() };
    // SAFETY: this thread holds the locks, so no other thread accesses the cell.
    unsafe { *HELD.0.get() = Some(held) };
}

extern "C" fn after() {
    // SAFETY: this thread holds the locks, so no other thread accesses the cell. A forked child
    // holds the copies of the locks.
    let held = unsafe { (*HELD.0.get()).take() };
    drop(held);
}
