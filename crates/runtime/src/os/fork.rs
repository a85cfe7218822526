//! Which process this is: a word that is zero again in the child of a fork.

#![expect(unsafe_code, reason = "a mapped word that forks wipe, and C library calls")]

use std::io;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use rustix::mm::{Advice, MapFlags, ProtFlags};

/// A word that is 0 again in a child: the number of the first session that this very process has recorded.
static OWN: AtomicPtr<AtomicU64> = AtomicPtr::new(ptr::null_mut());

fn own() -> Option<&'static AtomicU64> {
    // SAFETY: null, or a word that is never unmapped.
    unsafe { OWN.load(Ordering::Acquire).as_ref() }
}

/// Makes the word. Once, when the first session starts.
pub(crate) fn prepare(
    before: extern "C" fn(),
    in_parent: extern "C" fn(),
    in_child: extern "C" fn(),
) -> io::Result<()> {
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
