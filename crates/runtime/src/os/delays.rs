//! Atomics that sometimes wait before an operation, to find races between threads or processes.
//!
//! [`sync`](super::sync) uses them with `--cfg ringtrace_delays`. On two processors, most orders of
//! execution are rare, because a thread does some steps in a few nanoseconds. Here every step can
//! take longer than everything that other threads do. The waits are shorter than 100 ms, which is
//! how long the end of a session waits for a thread that is inside a probe.

#![expect(unsafe_code, reason = "atomics of mapped memory")]

use std::cell::Cell;
use std::sync::atomic as plain;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rustix::thread::nanosleep;
use rustix::time::{ClockId, Timespec, clock_gettime};

thread_local! {
    static RANDOM: Cell<u64> = const { Cell::new(0) };
}

/// Waits rarely, and seldom for long. On average, a call takes a few nanoseconds.
///
/// A signal handler may call this: it neither allocates nor locks, and preserves `errno`.
fn delay() {
    let mut random = RANDOM.get();
    if random == 0 {
        // The address differs between threads, and the time between runs.
        let address = RANDOM.with(|cell| cell.as_ptr().addr() as u64);
        random = address ^ clock_gettime(ClockId::Monotonic).tv_nsec.cast_unsigned().rotate_left(32) | 1;
    }
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    RANDOM.set(random);
    let length = random >> 32;
    match random & 0x3f_ffff {
        0 => sleep(Duration::from_micros(length % 50_000)),
        1..0x40 => sleep(Duration::from_micros(length % 500)),
        0x40..0x800 => (0..length % 2000).for_each(|_| std::hint::spin_loop()),
        _ => {}
    }
}

#[cold]
fn sleep(time: Duration) {
    // A signal may end the wait early.
    let _ = nanosleep(&Timespec { tv_sec: 0, tv_nsec: time.subsec_nanos().into() });
}

pub(crate) fn fence(order: Ordering) {
    delay();
    plain::fence(order);
    delay();
}

/// Returns the standard library's type, for a futex.
pub(crate) fn plain(word: &AtomicU32) -> &plain::AtomicU32 {
    &word.0
}

macro_rules! compare_exchange {
    ($value:ty, $($method:ident)*) => {
        $(pub(crate) fn $method(
            &self,
            current: $value,
            new: $value,
            success: Ordering,
            failure: Ordering,
        ) -> Result<$value, $value> {
            delay();
            self.0.$method(current, new, success, failure)
        })*
    };
}

macro_rules! atomic {
    ($name:ident, $value:ty $(, $of:ident)?) => {
        #[derive(Debug, Default)]
        #[repr(transparent)]
        pub(crate) struct $name$(<$of>)?(plain::$name$(<$of>)?);

        #[allow(dead_code, reason = "all types have the same methods")]
        impl$(<$of>)? $name$(<$of>)? {
            pub(crate) const fn new(value: $value) -> Self {
                Self(plain::$name::new(value))
            }

            /// # Safety
            /// See the standard library's method.
            pub(crate) unsafe fn from_ptr<'a>(pointer: *mut $value) -> &'a Self {
                // SAFETY: the type has the representation of the standard library's type, and the
                // caller promises the rest.
                unsafe { &*pointer.cast::<Self>() }
            }

            pub(crate) fn as_ptr(&self) -> *mut $value {
                self.0.as_ptr()
            }

            pub(crate) fn load(&self, order: Ordering) -> $value {
                delay();
                self.0.load(order)
            }

            pub(crate) fn store(&self, value: $value, order: Ordering) {
                delay();
                self.0.store(value, order);
            }

            pub(crate) fn swap(&self, value: $value, order: Ordering) -> $value {
                delay();
                self.0.swap(value, order)
            }

            compare_exchange!($value, compare_exchange compare_exchange_weak);
        }
    };
}

macro_rules! integer {
    ($name:ident, $value:ty, $($method:ident)*) => {
        atomic!($name, $value);

        #[allow(dead_code, reason = "all types have the same methods")]
        impl $name {
            $(
                pub(crate) fn $method(&self, value: $value, order: Ordering) -> $value {
                    delay();
                    self.0.$method(value, order)
                }
            )*
        }
    };
}

integer!(AtomicU32, u32, fetch_add fetch_sub fetch_or fetch_and fetch_max);
integer!(AtomicU64, u64, fetch_add fetch_sub fetch_or fetch_and fetch_max);
integer!(AtomicUsize, usize, fetch_add fetch_sub);
integer!(AtomicBool, bool, fetch_or fetch_and);
atomic!(AtomicPtr, *mut T, T);
