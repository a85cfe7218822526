//! Fork detection, by a word that the kernel zeroes in a forked child.

#![expect(unsafe_code, reason = "a mapped word that forks wipe, and C library calls")]

use std::io;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use rustix::mm::{Advice, MapFlags, ProtFlags};

/// Points to the id of the first session that this process has recorded. A forked child finds 0.
static OWN: AtomicPtr<AtomicU64> = AtomicPtr::new(ptr::null_mut());

fn own() -> Option<&'static AtomicU64> {
    // SAFETY: the pointer is null, or points to a word that is never unmapped.
    unsafe { OWN.load(Ordering::Acquire).as_ref() }
}

/// Allocates the word, and registers the fork handlers, when the first session starts.
pub(crate) fn prepare(
    before: extern "C" fn(),
    in_parent: extern "C" fn(),
    in_child: extern "C" fn(),
) -> io::Result<()> {
    if own().is_some() {
        return Ok(());
    }
    let bytes = ringtrace_wire::arena::PAGE_BYTES;
    // SAFETY: a new mapping at an address that the kernel chooses does not affect other memory.
    let page = unsafe {
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        let page = rustix::mm::mmap_anonymous(ptr::null_mut(), bytes, protection, MapFlags::PRIVATE)?;
        rustix::mm::madvise(page, bytes, Advice::LinuxWipeOnFork)?;
        page
    };
    OWN.store(page.cast(), Ordering::Release);
    // SAFETY: the three functions may be called at any fork.
    match unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

/// Marks session `id`, and later sessions with greater ids, as recorded by this process.
pub(crate) fn set_own(id: u64) {
    if let Some(own) = own() {
        // Keep the first id, so that the process also counts as recording between two sessions.
        let _ = own.compare_exchange(0, id, Ordering::Release, Ordering::Relaxed);
    }
}

/// Returns whether this process, rather than a parent process, has recorded a session.
pub(crate) fn has_own() -> bool {
    own().is_some_and(|own| own.load(Ordering::Acquire) != 0)
}

/// Returns whether this process records session `id`, rather than a parent process.
pub(crate) fn is_own(id: u64) -> bool {
    own().is_some_and(|own| (1..=id).contains(&own.load(Ordering::Acquire)))
}
