//! What becomes of a trace when the process forks.
//!
//! A child has a copy of the parent's memory and none of its threads but one. It must never write to the parent's rings or
//! file, and whatever it records goes into a file of its own.
//!
//! * Rings are not mapped in the child at all (`MADV_DONTFORK`), and what its thread knows of its ring is zero there
//!   (`MADV_WIPEONFORK`): the hot path finds no room, as it does when a ring is full, and everything else is out of line.
//! * [`OWN`] is such a word, too: a session counts only while the word has its number. That holds for children by `clone`
//!   as well, of which nobody is told.
//! * The first record of a child starts a session with the parent's settings: rings, a writer thread, a file beside the parent's. A
//!   child that records nothing, as one that calls `exec`, pays for two locks that nobody holds.
//! * Children that share the parent's memory, by `vfork` or `posix_spawn`, are no children here: they record into the ring of the
//!   thread that waits for them.
//!
//! Locks are held during a fork, so that the child does not inherit one from a thread that it does not have. That much only
//! `fork` does, by `pthread_atfork`; a child that was made by a bare system call while another thread starts or
//! switches events may wait for ever.

use std::cell::{Cell, UnsafeCell};
use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use rustix::mm::{Advice, MapFlags, ProtFlags};

use crate::producer::{self, Producer};
use crate::session::{self, Facts, Session, State};
use crate::signal::{self, BlockedSignals};
use crate::{backend, clock, registry, slow};

/// A word that is 0 again in a child: the number of the first session that this very process has recorded.
static OWN: AtomicPtr<AtomicU64> = AtomicPtr::new(ptr::null_mut());

fn own() -> Option<&'static AtomicU64> {
    // SAFETY: null, or a word that is never unmapped.
    unsafe { OWN.load(Ordering::Acquire).as_ref() }
}

/// Makes the word. Once, when the first session starts.
pub(crate) fn prepare() -> io::Result<()> {
    if own().is_some() {
        return Ok(());
    }
    let bytes = ringtrace_wire::arena::PAGE_BYTES;
    // SAFETY: a new mapping at an address of the kernel's choice.
    let page = unsafe {
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        let page = rustix::mm::mmap_anonymous(ptr::null_mut(), bytes, protection, MapFlags::PRIVATE)?;
        rustix::mm::madvise(page, bytes, Advice::LinuxWipeOnFork)?;
        page
    };
    OWN.store(page.cast(), Ordering::Release);
    // SAFETY: the three functions may be called around any fork.
    match unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

/// This process records session `id`, and those that follow it: their numbers grow.
pub(crate) fn set_own(id: u64) {
    if let Some(own) = own() {
        // Only the first is kept: one session follows another without a moment in which neither is this process's.
        let _ = own.compare_exchange(0, id, Ordering::Release, Ordering::Relaxed);
    }
}

/// Whether session `id` is recorded by this process, and not by one that it was forked from.
pub(crate) fn is_own(id: u64) -> bool {
    own().is_some_and(|own| (1..=id).contains(&own.load(Ordering::Acquire)))
}

/// What is held while the process forks.
struct Held {
    state: MutexGuard<'static, State>,
    _facts: MutexGuard<'static, Facts>,
    _registry: registry::Held,
    /// What monitors have open.
    #[cfg(feature = "monitor")]
    monitors: MutexGuard<'static, crate::monitor::Descriptors>,
    /// The thread that forks may be inside a probe, because a signal handler forks.
    inside: Option<(&'static Producer, MaybeUninit<Producer>)>,
}

struct HeldCell(UnsafeCell<Option<Held>>);

// SAFETY: it is reached only by a thread that holds the lock of the session's state, which is among what it holds.
unsafe impl Sync for HeldCell {}

static HELD: HeldCell = HeldCell(UnsafeCell::new(None));

extern "C" fn before() {
    let inside = (slow::is_inside_probe() || signal::in_handler()).then(|| {
        let producer = producer::current();
        // SAFETY: a copy of plain memory, that nobody but this thread writes.
        (producer, unsafe { ptr::from_ref(producer).cast::<MaybeUninit<Producer>>().read() })
    });
    let held = Held {
        state: session::state(),
        _facts: session::lock_for_fork(),
        _registry: registry::lock_for_fork(),
        #[cfg(feature = "monitor")]
        monitors: crate::monitor::descriptors(),
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
    held.monitors.close_inherited();
    producer::clear_current();
    signal::note_usually_blocked();
    clock::reset_after_fork();
    if let Some((producer, copy)) = held.inside {
        // The interrupted probe goes on when the handler returns. It finds memory of this process where the rings were, and
        // what it does there nobody sees.
        for arena in session::inherited().into_iter().flat_map(Session::arenas) {
            arena.disconnect();
        }
        // SAFETY: only this thread uses it, which is the only one here.
        unsafe { ptr::from_ref(producer).cast_mut().cast::<MaybeUninit<Producer>>().write(copy) };
    }
}

thread_local! {
    /// Set while the thread starts a session, so that nothing that it calls starts another one.
    static STARTING: Cell<bool> = const { Cell::new(false) };
}

/// In a child of a process that records: a session of its own, which is started if there is none.
///
/// `None`: nothing was recorded when the process forked, it cannot be started, or not here, because this is a signal handler.
pub(crate) fn session_of_child() -> Option<&'static Session> {
    session::inherited()?;
    if STARTING.replace(true) {
        return None;
    }
    let session = if signal::in_handler() {
        // Memory is needed, and its lock may be held by what was interrupted.
        None
    } else {
        let _blocked = BlockedSignals::all();
        session::start_in_child()
    };
    STARTING.set(false);
    session
}
