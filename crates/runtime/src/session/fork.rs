//! Behaviour of a trace when the process forks.
//!
//! A child has a copy of the parent's memory, but only one of its threads. It must never write to
//! the parent's rings or file. Its records go into a file of its own.
//!
//! * Rings are not mapped in the child (`MADV_DONTFORK`), and the thread's pointers to its ring are
//!   zero there (`MADV_WIPEONFORK`). The fast path therefore finds no space, as with a full ring,
//!   and the slow path handles the rest.
//! * `OWN` in `os::fork` points to such memory, too: a session is valid only while that memory
//!   contains the session's number. This also covers children created by `clone`, which runs no
//!   fork handlers.
//! * The first record of a child starts a session with the parent's settings: rings, a writer
//!   thread, and a file next to the parent's file. A child that records nothing, such as one that
//!   calls `exec`, only pays for two uncontended locks.
//! * Children created by `vfork` or `posix_spawn` share the parent's memory. They record into the
//!   ring of the thread that waits for them.
//!
//! Locks are held during a fork, so the child does not inherit a lock from a thread that it lacks.
//! This needs `pthread_atfork` and thus works only for `fork`. A child may wait forever if it was
//! created by a bare system call while another thread was starting tracing or enabling or disabling
//! events.

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
use crate::ring::arena::Arena;
use crate::ring::attach;
use crate::ring::producer::{self, Producer};
use crate::ring::recording::{self, Recording};
use crate::{backend, clock};

/// Installs the handlers for forks, thread exits and process exit. Has an effect only when the
/// first session starts.
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

/// Locks held and values saved during a fork.
struct Held {
    state: MutexGuard<'static, SessionState>,
    _info: MutexGuard<'static, SessionInfo>,
    _registry: registry::LockedRegistry,
    #[cfg(feature = "monitor")]
    services: MutexGuard<'static, crate::os::services::Services>,
    /// The forking thread's producer and a copy of it, if the fork is in a signal handler that
    /// interrupted a probe.
    inside: Option<(&'static Producer, MaybeUninit<Producer>)>,
}

struct HeldCell(UnsafeCell<Option<Held>>);

// SAFETY: the value is accessed only by a thread that holds the lock of the session's state. While
// the value is set, it contains the guard of that lock.
unsafe impl Sync for HeldCell {}

static HELD: HeldCell = HeldCell(UnsafeCell::new(None));

extern "C" fn before() {
    let inside = (attach::is_inside_probe() || signal::in_handler()).then(|| {
        let producer = producer::current();
        // SAFETY: this copies plain memory to which only this thread writes.
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
    // SAFETY: this thread holds the lock of the session's state, so no other thread accesses the
    // value.
    unsafe { *HELD.0.get() = Some(held) };
}

extern "C" fn in_parent() {
    // SAFETY: this thread holds the lock of the session's state until `held` is dropped.
    let held = unsafe { (*HELD.0.get()).take() };
    drop(held);
}

extern "C" fn in_child() {
    backend::forked();
    // SAFETY: this thread holds the lock of the session's state, as in `in_parent`.
    let Some(mut held) = (unsafe { (*HELD.0.get()).take() }) else { return };
    // The writer thread does not exist here, so it can be neither joined nor detached.
    held.state.forget_writer();
    #[cfg(feature = "monitor")]
    held.services.close_inherited();
    producer::clear_current();
    signal::note_usually_blocked();
    clock::reset_after_fork();
    let arenas = || recording::inherited().into_iter().flat_map(Recording::arenas);
    arenas().for_each(Arena::close_in_child);
    if let Some((producer, copy)) = held.inside {
        // The interrupted probe continues when the handler returns. Its writes then go to memory of
        // this process that is mapped in place of the rings, and have no effect.
        for arena in arenas() {
            arena.disconnect();
        }
        // SAFETY: only this thread uses the value, and it is the only thread here.
        unsafe { ptr::from_ref(producer).cast_mut().cast::<MaybeUninit<Producer>>().write(copy) };
        producer.revoke_inherited();
    }
}
