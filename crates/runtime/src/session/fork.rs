//! What becomes of a trace when the process forks.
//!
//! A child has a copy of the parent's memory and none of its threads but one. It must never write to the parent's rings or
//! file, and whatever it records goes into a file of its own.
//!
//! * Rings are not mapped in the child at all (`MADV_DONTFORK`), and what its thread knows of its ring is zero there
//!   (`MADV_WIPEONFORK`): the hot path finds no room, as it does when a ring is full, and everything else is out of line.
//! * `OWN` in `os/fork.rs` is such a word, too: a session counts only while the word has its number. That holds for children by `clone`
//!   as well, of which nobody is told.
//! * The first record of a child starts a session with the parent's settings: rings, a writer thread, a file beside the parent's. A
//!   child that records nothing, as one that calls `exec`, pays for two locks that nobody holds.
//! * Children that share the parent's memory, by `vfork` or `posix_spawn`, are no children here: they record into the ring of the
//!   thread that waits for them.
//!
//! Locks are held during a fork, so that the child does not inherit one from a thread that it does not have. That much only
//! `fork` does, by `pthread_atfork`; a child that was made by a bare system call while another thread starts or
//! switches events may wait for ever.

#![expect(unsafe_code, reason = "a value that only the forking thread uses")]

use std::cell::UnsafeCell;
use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::MutexGuard;

use super::info::{self, SessionInfo};
use super::state::{self, SessionState, start_in_child, stop_at_exit};
use crate::event::registry;
use crate::os::{exit, fork, signal};
use crate::ring::attach;
use crate::ring::producer::{self, Producer};
use crate::ring::recording::{self, Recording};
use crate::{backend, clock};

/// Prepares for forks, and for the end of threads and of the process. Once, when the first session starts.
pub(super) fn prepare() -> io::Result<()> {
    extern "C" fn thread_exits(_: *mut libc::c_void) {
        attach::detach();
    }
    extern "C" fn process_exits() {
        #[cfg(feature = "monitor")]
        crate::os::services::end_all();
        stop_at_exit();
        exit::forget_threads();
    }
    recording::set_start_in_child(start_in_child);
    fork::prepare(before, in_parent, in_child)?;
    exit::prepare(thread_exits, process_exits)
}

/// What is held while the process forks.
struct Held {
    state: MutexGuard<'static, SessionState>,
    _info: MutexGuard<'static, SessionInfo>,
    _registry: registry::LockedRegistry,
    /// What monitors have open.
    #[cfg(feature = "monitor")]
    services: MutexGuard<'static, crate::os::services::Services>,
    /// The thread that forks may be inside a probe, because a signal handler forks.
    inside: Option<(&'static Producer, MaybeUninit<Producer>)>,
}

struct HeldCell(UnsafeCell<Option<Held>>);

// SAFETY: it is reached only by a thread that holds the lock of the session's state, which is among what it holds.
unsafe impl Sync for HeldCell {}

static HELD: HeldCell = HeldCell(UnsafeCell::new(None));

extern "C" fn before() {
    let inside = (attach::is_inside_probe() || signal::in_handler()).then(|| {
        let producer = producer::current();
        // SAFETY: a copy of plain memory, that nobody but this thread writes.
        (producer, unsafe { ptr::from_ref(producer).cast::<MaybeUninit<Producer>>().read() })
    });
    let held = Held {
        state: state::state(),
        _info: info::lock_info(),
        _registry: registry::lock_for_fork(),
        #[cfg(feature = "monitor")]
        services: crate::os::services::lock_services(),
        inside,
    };
    // SAFETY: this thread holds the lock.
    unsafe { *HELD.0.get() = Some(held) };
}

extern "C" fn in_parent() {
    // SAFETY: this thread holds the lock, which `held` has until it is dropped.
    let held = unsafe { (*HELD.0.get()).take() };
    drop(held);
}

extern "C" fn in_child() {
    backend::forked();
    // SAFETY: as above.
    let Some(mut held) = (unsafe { (*HELD.0.get()).take() }) else { return };
    // The thread does not exist here: there is nothing to join or detach.
    held.state.forget_writer();
    #[cfg(feature = "monitor")]
    held.services.close_inherited();
    producer::clear_current();
    signal::note_usually_blocked();
    clock::reset_after_fork();
    if let Some((producer, copy)) = held.inside {
        // The interrupted probe goes on when the handler returns. It finds memory of this process where the rings were, and
        // what it does there nobody sees.
        for arena in recording::inherited().into_iter().flat_map(Recording::arenas) {
            arena.disconnect();
        }
        // SAFETY: only this thread uses it, which is the only one here.
        unsafe { ptr::from_ref(producer).cast_mut().cast::<MaybeUninit<Producer>>().write(copy) };
    }
}
