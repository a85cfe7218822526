//! Model version of the atomics, based on loom's. Each ordering can be weakened.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::panic::Location;
use std::sync::{LazyLock, LockResult, PoisonError};

use loom::sync::atomic as checked;
pub(crate) use loom::sync::atomic::Ordering;
pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    unpoisoned(mutex.lock())
}

pub(crate) fn unpoisoned<G>(result: LockResult<G>) -> G {
    result.unwrap_or_else(PoisonError::into_inner)
}

/// Spin only once, because more spinning would not find more errors.
pub(crate) const SPINS: u32 = 1;

pub(crate) fn spin_loop() {
    loom::hint::spin_loop();
}

pub(crate) fn compiler_fence(_order: Ordering) {}

/// A source line with an ordering: file and line number.
pub(crate) type Site = (String, u32);

/// The environment variable that contains the site to weaken, as `FILE:LINE`.
pub(crate) const WEAKEN: &str = "RINGTRACE_WEAKEN";

static WEAK: LazyLock<Option<Site>> = LazyLock::new(|| {
    let wanted = std::env::var(WEAKEN).ok()?;
    let (file, line) = wanted.split_once(':')?;
    Some((file.to_owned(), line.parse().ok()?))
});

thread_local! {
    static SEEN: RefCell<BTreeSet<Site>> = const { RefCell::new(BTreeSet::new()) };
}

/// The sites that models of this thread have executed.
pub(crate) fn sites() -> BTreeSet<Site> {
    SEEN.take()
}

fn is_weak(order: Ordering, at: &'static Location<'static>) -> bool {
    if order == Ordering::Relaxed || !at.file().contains("/src/") {
        return false;
    }
    let file = at.file().rsplit('/').next().unwrap_or_default();
    SEEN.with_borrow_mut(|seen| seen.insert((file.to_owned(), at.line())));
    WEAK.as_ref().is_some_and(|(weak, line)| weak == file && *line == at.line())
}

fn ordering(order: Ordering, at: &'static Location<'static>) -> Ordering {
    if is_weak(order, at) { Ordering::Relaxed } else { order }
}

#[track_caller]
pub(crate) fn fence(order: Ordering) {
    if !is_weak(order, Location::caller()) {
        checked::fence(order);
    }
}

macro_rules! atomic {
    ($name:ident, $value:ty) => {
        #[derive(Debug)]
        pub(crate) struct $name(checked::$name);

        #[allow(dead_code, reason = "both types have all methods")]
        impl $name {
            pub(crate) fn new(value: $value) -> $name {
                $name(checked::$name::new(value))
            }

            #[track_caller]
            pub(crate) fn load(&self, order: Ordering) -> $value {
                self.0.load(ordering(order, Location::caller()))
            }

            #[track_caller]
            pub(crate) fn store(&self, value: $value, order: Ordering) {
                let order = ordering(order, Location::caller());
                if PROCESSORS.get() == Processors::Plain {
                    self.0.store(value, order);
                } else {
                    // After a fence for all processors, no earlier store is still pending, so a
                    // read-modify-write by another thread sees every earlier store. loom does not
                    // model this for stores, so use an exchange.
                    self.0.swap(value, order);
                }
            }

            #[track_caller]
            pub(crate) fn swap(&self, value: $value, order: Ordering) -> $value {
                self.0.swap(value, ordering(order, Location::caller()))
            }

            #[track_caller]
            pub(crate) fn fetch_add(&self, value: $value, order: Ordering) -> $value {
                self.0.fetch_add(value, ordering(order, Location::caller()))
            }

            #[track_caller]
            pub(crate) fn fetch_sub(&self, value: $value, order: Ordering) -> $value {
                self.0.fetch_sub(value, ordering(order, Location::caller()))
            }

            #[track_caller]
            pub(crate) fn fetch_or(&self, value: $value, order: Ordering) -> $value {
                self.0.fetch_or(value, ordering(order, Location::caller()))
            }

            #[track_caller]
            pub(crate) fn fetch_and(&self, value: $value, order: Ordering) -> $value {
                self.0.fetch_and(value, ordering(order, Location::caller()))
            }

            #[track_caller]
            pub(crate) fn fetch_max(&self, value: $value, order: Ordering) -> $value {
                self.0.fetch_max(value, ordering(order, Location::caller()))
            }

            #[track_caller]
            pub(crate) fn compare_exchange(
                &self,
                current: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                self.0.compare_exchange(current, new, ordering(success, Location::caller()), failure)
            }

            #[track_caller]
            pub(crate) fn compare_exchange_weak(
                &self,
                current: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                self.compare_exchange(current, new, success, failure)
            }
        }
    };
}

atomic!(AtomicU32, u32);
atomic!(AtomicU64, u64);

/// How the threads of a model execute fences for all processors, and the check for a moved `next`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Processors {
    /// Sessions never end in this model, so no such fences are needed.
    Plain,
    InOrder,
    /// The check executes before other threads can see the store of the mark, because processors
    /// have store buffers.
    StoreBuffers,
}

thread_local! {
    /// All threads of a model share this, because loom runs them on one thread.
    static PROCESSORS: Cell<Processors> = const { Cell::new(Processors::Plain) };
}

pub(crate) fn set_processors(processors: Processors) {
    PROCESSORS.set(processors);
}

loom::lazy_static! {
    /// The number of threads with a mark in their store buffers.
    static ref BUFFERED: checked::AtomicU32 = checked::AtomicU32::new(0);
    /// Threads and fences for all processors modify this word only to be ordered: each modification
    /// by a thread comes either before or after every such fence.
    static ref FENCES: checked::AtomicU32 = checked::AtomicU32::new(0);
}

loom::thread_local! {
    static CHECKED: Cell<u64> = Cell::new(0);
}

/// Marks a point in a probe. Every fence for all processors is either before or after this point.
pub(crate) fn probe_starts() {
    if PROCESSORS.get() != Processors::Plain {
        FENCES.fetch_add(0, Ordering::AcqRel);
    }
}

fn has_store_buffers() -> bool {
    PROCESSORS.get() == Processors::StoreBuffers
}

/// Stores the highest byte. Keeps the other bytes, which another thread may change at the same
/// time.
pub(crate) fn set_highest_byte(word: &AtomicU64, byte: u8) {
    let mark = u64::from(byte) << 56;
    if has_store_buffers() {
        // Acquire: after a fence for all processors, the check sees all stores from before the
        // fence.
        BUFFERED.fetch_add(1, Ordering::Acquire);
        let checked = word.0.load(Ordering::Relaxed);
        CHECKED.with(|early| early.set(checked));
        word.0.fetch_or(mark, Ordering::Relaxed);
        BUFFERED.fetch_sub(1, Ordering::Release);
    } else {
        word.0.fetch_or(mark, Ordering::Relaxed);
    }
}

/// Compares the lower half of the word. In models with store buffers, the half was loaded when the
/// highest byte was stored; otherwise, it is loaded now.
pub(crate) fn lower_half_is(word: &AtomicU64, half: u32) -> bool {
    let found = if has_store_buffers() { CHECKED.with(Cell::get) } else { word.0.load(Ordering::Relaxed) };
    found as u32 == half
}

/// Executes a fence for all processors, which empties every store buffer.
pub(crate) fn fence_everywhere() {
    FENCES.fetch_add(1, Ordering::AcqRel);
    checked::fence(Ordering::SeqCst);
    while has_store_buffers() && BUFFERED.fetch_add(0, Ordering::AcqRel) != 0 {
        loom::thread::yield_now();
    }
    checked::fence(Ordering::SeqCst);
}
