//! LTTng-UST tracepoints. A build script with the backend `ust` generates their C side.
//!
//! The C side contains the tracepoint's state, an integer that LTTng sets while a session records
//! the event, and a function that accepts the values. [`ust!`](crate::ust) declares both. This
//! module does not need the feature `runtime`.

use core::ffi::c_int;
use core::sync::atomic::{AtomicI32, Ordering};

use crate::event::is_no_string;

const _: () = assert!(size_of::<c_int>() == size_of::<AtomicI32>());

/// The state of a tracepoint: an integer that LTTng writes.
#[derive(Debug)]
#[repr(transparent)]
pub struct TracepointState(AtomicI32);

impl TracepointState {
    /// Returns whether a session records the event. The answer may be stale: a session that is just
    /// starting may miss the event. A wrong answer has no other consequence.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }
}

/// A value that can be passed to a C function.
pub trait ForC {
    /// The type of the C parameter.
    type C;

    /// Converts the value.
    fn for_c(self) -> Self::C;
}

macro_rules! themselves {
    ($($integer:ident)*) => {$(
        impl ForC for $integer {
            type C = $integer;

            #[inline(always)]
            fn for_c(self) -> $integer {
                self
            }
        }
    )*};
}

themselves!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize bool f32 f64);

/// A string with its length. The C side makes a NUL-terminated copy if it needs one, for the
/// duration of the call.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Text {
    /// The string's bytes, borrowed for the duration of the call; null if there is no string.
    bytes: *const u8,
    length: usize,
}

impl ForC for &[u8] {
    type C = Text;

    #[inline(always)]
    fn for_c(self) -> Text {
        let bytes = if is_no_string(self) { core::ptr::null() } else { self.as_ptr() };
        Text { bytes, length: self.len() }
    }
}

/// Links the C side of a provider, and LTTng's library.
///
/// These are macros because crates that forbid unsafe code may still call other crates' macros that
/// contain unsafe code.
#[doc(hidden)]
#[macro_export]
macro_rules! ust_library {
    ($name:literal) => {
        #[link(name = $name, kind = "static")]
        #[link(name = "lttng-ust")]
        unsafe extern "C" {}
    };
}

/// Defines a tracepoint: a module with the functions `is_on` and `fire`, which passes the values to
/// LTTng.
///
/// ```text
/// ::ringtrace::ust! {
///     state: "ringtrace_ust_state_blk___blk_failed",
///     fire: "ringtrace_ust_fire_blk___blk_failed",
///     blk_failed(req: u64, what: &[u8], error: i32)
/// }
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! ust {
    {
        state: $state:literal, fire: $fire:literal,
        $probe:ident($($argument:ident: $type:ty),* $(,)?)
    } => {
        pub mod $probe {
            #[inline(always)]
            pub fn is_on() -> bool {
                unsafe extern "C" {
                    #[link_name = $state]
                    static STATE: $crate::probe::TracepointState;
                }
                // SAFETY: this is the C name of the tracepoint's state, which C declares, and LTTng
                // writes, as an `int`.
                unsafe { &STATE }.is_on()
            }

            #[cold]
            #[inline(never)]
            pub fn fire($($argument: $type),*) {
                unsafe extern "C" {
                    #[link_name = $fire]
                    fn fire($($argument: <$type as $crate::probe::ForC>::C),*);
                }
                // SAFETY: the C function has these parameters. It reads strings only during the
                // call.
                unsafe { fire($($crate::probe::ForC::for_c($argument)),*) }
            }
        }
    };
}
