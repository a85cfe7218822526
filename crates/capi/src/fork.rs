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

// SAFETY: only a thread that holds these locks accesses the cell.
unsafe impl Sync for HeldLocksCell {}

static HELD: HeldLocksCell = HeldLocksCell(UnsafeCell::new(None));

/// Makes forks wait for this library's locks.
///
/// Called after the runtime has done the same for its locks. Handlers run in reverse order of
/// registration, and this library calls the runtime with its locks held, so its locks must be taken
/// first.
pub(crate) fn hold_locks() {
    static ONCE: Once = Once::new();
    // SAFETY: the functions may run around any fork. If registration fails for lack of memory,
    // forks take no locks.
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
    // SAFETY: this thread holds the locks. In a child it holds the copies.
    let held = unsafe { (*HELD.0.get()).take() };
    drop(held);
}
