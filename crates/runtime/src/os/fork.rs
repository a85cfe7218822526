//! Detecting forks: a word that is zero again in a forked child.

#![expect(unsafe_code, reason = "a mapped word that forks wipe, and C library calls")]

use std::io;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use rustix::mm::{Advice, MapFlags, ProtFlags};

/// The id of the first session that this process has recorded; 0 again in a child.
static OWN: AtomicPtr<AtomicU64> = AtomicPtr::new(ptr::null_mut());

fn own() -> Option<&'static AtomicU64> {
    // SAFETY: null, or a word that is never unmapped.
    unsafe { OWN.load(Ordering::Acquire).as_ref() }
}

/// Allocates the word, and registers the functions around forks, when the first session starts.
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

/// Notes that this process records session `id`, and later ones, whose ids are greater.
pub(crate) fn set_own(id: u64) {
    if let Some(own) = own() {
        // Keep the first id only: then each moment between two sessions belongs to this process.
        let _ = own.compare_exchange(0, id, Ordering::Release, Ordering::Relaxed);
    }
}

/// Returns whether session `id` is recorded by this process, and not by a parent.
pub(crate) fn is_own(id: u64) -> bool {
    own().is_some_and(|own| (1..=id).contains(&own.load(Ordering::Acquire)))
}
