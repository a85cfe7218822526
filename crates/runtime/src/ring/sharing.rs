//! Shares rings with libraries that contain their own copy of the runtime.
//!
//! Such a library has a thread-local cell. The host stores the thread's producer in it, and resets
//! the cell when the thread leaves its ring. Cells of unloaded libraries are not touched.

#![expect(unsafe_code, reason = "cells in a library's thread-local memory")]

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use super::current::{self, ProducerCell};
use super::producer::Producer;

/// The maximum number of libraries whose probes write into rings directly. Probes of further
/// libraries always call the host.
const MAX_LIBRARIES: usize = 16;

pub(crate) const NO_LIBRARY: u64 = u64::MAX;

/// An entry for each library. The upper half counts how often the entry was used. The lower half
/// holds [`LOADED`] and the number of threads that are writing to one of the library's cells.
static LIBRARIES: [AtomicU64; MAX_LIBRARIES] = [const { AtomicU64::new(0) }; MAX_LIBRARIES];

const LOADED: u64 = 1 << 31;

/// Returns a library's number: its entry's index, and how often that entry was used.
fn number(index: usize, word: u64) -> u64 {
    (word >> 32) << 8 | index as u64
}

pub(crate) extern "C" fn load() -> u64 {
    for (index, library) in LIBRARIES.iter().enumerate() {
        let take = |word: u64| (word & LOADED == 0).then_some(((word >> 32) + 1) << 32 | LOADED);
        if let Ok(before) = library.fetch_update(Ordering::AcqRel, Ordering::Relaxed, take) {
            return number(index, ((before >> 32) + 1) << 32);
        }
    }
    NO_LIBRARY
}

pub(crate) extern "C" fn unload(library: u64) {
    let Some(word) = LIBRARIES.get((library & 0xff) as usize) else { return };
    let mut now = word.fetch_and(!LOADED, Ordering::AcqRel);
    // Wait for these threads, because the library's memory is unmapped when this returns.
    while now & (LOADED - 1) != 0 {
        std::hint::spin_loop();
        now = word.load(Ordering::Acquire);
    }
}

/// If the library is loaded, calls `write` and keeps the library loaded during the call.
fn while_loaded(library: u64, write: impl FnOnce()) -> bool {
    let index = (library & 0xff) as usize;
    let Some(word) = LIBRARIES.get(index) else { return false };
    let enter = |now: u64| (now & LOADED != 0 && number(index, now) == library).then_some(now + 1);
    if word.fetch_update(Ordering::AcqRel, Ordering::Relaxed, enter).is_err() {
        return false;
    }
    write();
    word.fetch_sub(1, Ordering::AcqRel);
    true
}

/// A library's cell that holds this thread's producer.
#[derive(Clone, Copy)]
struct SharedCell {
    library: u64,
    cell: *const ProducerCell,
}

const NOTHING: SharedCell = SharedCell { library: NO_LIBRARY, cell: ptr::null() };

thread_local! {
    static SHARED: [Cell<SharedCell>; MAX_LIBRARIES] = const { [const { Cell::new(NOTHING) }; MAX_LIBRARIES] };
    /// Set while `SHARED` changes, so that a signal handler does not change it at the same time.
    static SHARING: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn share(library: u64, cell: *const ProducerCell, producer: &'static Producer) {
    let index = (library & 0xff) as usize;
    if index >= MAX_LIBRARIES || SHARING.replace(true) {
        return;
    }
    SHARED.with(|shared| shared[index].set(SharedCell { library, cell }));
    // SAFETY: this is the library's cell for this thread. The library is loaded, because it is the
    // caller.
    unsafe { (*cell).set(producer) };
    SHARING.set(false);
}

/// Removes this thread's producer from libraries, because the thread no longer owns it.
pub(crate) fn take_back() {
    SHARED.with(|shared| {
        for cell in shared {
            let SharedCell { library, cell } = cell.replace(NOTHING);
            // SAFETY: the library is loaded, so this is still its cell for this thread.
            while_loaded(library, || unsafe { (*cell).set(current::nobody()) });
        }
    });
}
