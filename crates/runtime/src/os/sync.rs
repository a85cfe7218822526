//! Atomics for the rings, the doorbell and the free slots, and locks for the monitor's calls.
//! `tests/models` replaces this module with loom's versions.

#![expect(unsafe_code, reason = "parts of a word that belongs to one thread")]

pub(crate) use std::hint::spin_loop;
use std::os::unix::fs::MetadataExt;
use std::sync::atomic::AtomicU8;
#[cfg(not(ringtrace_delays))]
pub(crate) use std::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, compiler_fence, fence,
};
#[cfg(ringtrace_delays)]
pub(crate) use std::sync::atomic::{Ordering, compiler_fence};
#[cfg(feature = "monitor")]
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

#[cfg(ringtrace_delays)]
pub(crate) use super::delays::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, fence, plain};
use rustix::thread::{MembarrierCommand, membarrier};

/// How many times to check whether the other side is done before going to sleep.
pub(crate) const SPINS: u32 = 200;

const HIGHEST_BYTE: usize = if cfg!(target_endian = "little") { 7 } else { 0 };

/// Returns the word as the standard library's type, for futex calls.
#[cfg(not(ringtrace_delays))]
pub(crate) fn plain(word: &AtomicU32) -> &AtomicU32 {
    word
}

/// Sets the highest byte. Keeps the other bytes, which another thread may change at the same time.
#[inline(always)]
pub(crate) fn set_highest_byte(word: &AtomicU64, byte: u8) {
    // SAFETY: this is a byte of the word. The store is atomic, so a signal handler on this thread
    // sees either the old or the new value.
    let highest = unsafe { AtomicU8::from_ptr(word.as_ptr().cast::<u8>().add(HIGHEST_BYTE)) };
    highest.store(byte, Ordering::Relaxed);
}

/// Returns whether the lower half of `word` equals `half`.
#[inline(always)]
pub(crate) fn lower_half_is(word: &AtomicU64, half: u32) -> bool {
    const LOWER_HALF: usize = if cfg!(target_endian = "little") { 0 } else { 1 };
    // SAFETY: this is the lower half of the word, and is aligned.
    let found = unsafe { AtomicU32::from_ptr(word.as_ptr().cast::<u32>().add(LOWER_HALF)) };
    found.load(Ordering::Relaxed) == half
}

/// Makes every processor that runs a thread of this process execute a full fence.
pub(crate) fn fence_everywhere() {
    let ready = || membarrier(MembarrierCommand::PrivateExpedited).is_ok();
    let is_done = ready() || (register() && ready());
    if !is_done {
        fence(Ordering::SeqCst);
        // Without `membarrier`, wait for the store buffers of all processors to drain, which takes
        // less than a microsecond.
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn register() -> bool {
    membarrier(MembarrierCommand::RegisterPrivateExpedited).is_ok()
}

/// Registers the process for [`fence_everywhere`] if it has only one thread. With more threads,
/// registration would take several milliseconds.
pub(crate) fn prepare_fences() {
    let threads = std::fs::metadata("/proc/self/task");
    // A folder has a link for its name, one for its `.` entry, and one for each subfolder, so three
    // links mean one thread.
    if threads.is_ok_and(|folder| folder.nlink() == 3) {
        register();
    }
}
