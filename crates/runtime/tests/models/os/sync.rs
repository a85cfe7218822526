//! Model version of the atomics, based on loom's. Each ordering can be weakened.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::Location;
use std::sync::LazyLock;

use loom::sync::atomic as checked;
pub(crate) use loom::sync::atomic::Ordering;

/// Spin only once: more spinning finds no more errors than sleeping does.
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
                self.0.store(value, ordering(order, Location::caller()));
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

/// Used only for words that a single thread accesses.
pub(crate) fn set_highest_byte(word: &AtomicU64, byte: u8) {
    let rest = word.0.load(Ordering::Relaxed) & (u64::MAX >> 8);
    word.0.store(rest | u64::from(byte) << 56, Ordering::Relaxed);
}

/// Used only for words that a single thread accesses.
pub(crate) fn lower_half_is(word: &AtomicU64, half: u32) -> bool {
    word.0.load(Ordering::Relaxed) as u32 == half
}
