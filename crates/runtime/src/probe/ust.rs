//! Tracepoints of LTTng-UST, whose other side is in C: a build script that asks for the backend `ust` writes and compiles it.
//!
//! That side has a tracepoint's own state, an integer that LTTng sets while a session wants the event, and a function that
//! takes the values. [`ust!`](crate::ust) declares both.
//!
//! Nothing of this needs the feature `runtime`.

use core::ffi::c_int;
use core::sync::atomic::{AtomicI32, Ordering};

use crate::event::is_no_string;

const _: () = assert!(size_of::<c_int>() == size_of::<AtomicI32>());

/// Whether a tracepoint is wanted: an integer that LTTng writes.
#[derive(Debug)]
#[repr(transparent)]
pub struct TracepointState(AtomicI32);

impl TracepointState {
    /// Whether a session wants the event. Who begins just now may miss it; nothing else hangs on it.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }
}

/// A value as a function in C takes it.
pub trait ForC {
    /// What the function takes.
    type C;

    /// Makes it that.
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

themselves!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize bool);

/// Text whose length is known. C's other side makes one with a NUL of it, as long as it is needed.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Text {
    /// Where it begins; null: there is none. It is borrowed, for the time of the call.
    bytes: *const u8,
    /// How many bytes it has.
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

/// Links the other side of a provider, and LTTng.
///
/// These are macros because crates that forbid unsafe code may call macros of others that have some.
#[doc(hidden)]
#[macro_export]
macro_rules! ust_library {
    ($name:literal) => {
        #[link(name = $name, kind = "static")]
        #[link(name = "lttng-ust")]
        unsafe extern "C" {}
    };
}

/// A tracepoint: a module with the functions `is_on`, and `fire`, which brings LTTng the values.
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
                // SAFETY: in C it is another name of the tracepoint's state, an `int`. LTTng writes it as one.
                unsafe { &STATE }.is_on()
            }

            #[cold]
            #[inline(never)]
            pub fn fire($($argument: $type),*) {
                unsafe extern "C" {
                    #[link_name = $fire]
                    fn fire($($argument: <$type as $crate::probe::ForC>::C),*);
                }
                // SAFETY: C defines it with these parameters. It looks at text while it runs.
                unsafe { fire($($crate::probe::ForC::for_c($argument)),*) }
            }
        }
    };
}
