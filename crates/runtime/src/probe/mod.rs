//! The interface for generated code. Programs implement only [`ToInteger`], [`ToBytes`] and
//! [`ToAddress`].

#[cfg(feature = "runtime")]
pub(crate) mod emit;
#[cfg(feature = "runtime")]
mod executable;
#[cfg(feature = "runtime")]
pub(crate) mod host;
mod integer;
mod macros;
pub(crate) mod payload;
mod span;
#[cfg(feature = "std")]
mod strings;
mod usdt;
mod ust;

use core::ffi::CStr;
use core::ptr::NonNull;

use crate::event::Event;
use crate::event::no_string;

/// A pointer argument of a probe: a reference, a raw pointer, or an `Option` of one. The probe
/// records its address.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a pointer that a probe can record",
    label = "the event declares a pointer here: pass a reference, a raw pointer, or an `Option` of one"
)]
pub trait ToAddress {
    /// Returns the address; 0 for `None`.
    fn to_address(self) -> u64;
}

impl<T: ?Sized> ToAddress for *const T {
    #[inline(always)]
    fn to_address(self) -> u64 {
        self.cast::<()>().addr() as u64
    }
}

impl<T: ?Sized> ToAddress for *mut T {
    #[inline(always)]
    fn to_address(self) -> u64 {
        self.cast::<()>().addr() as u64
    }
}

impl<T: ?Sized> ToAddress for &T {
    #[inline(always)]
    fn to_address(self) -> u64 {
        core::ptr::from_ref(self).to_address()
    }
}

impl<T: ?Sized> ToAddress for &mut T {
    #[inline(always)]
    fn to_address(self) -> u64 {
        core::ptr::from_mut(self).to_address()
    }
}

impl<T: ?Sized> ToAddress for NonNull<T> {
    #[inline(always)]
    fn to_address(self) -> u64 {
        self.as_ptr().to_address()
    }
}

impl<P: ToAddress> ToAddress for Option<P> {
    #[inline(always)]
    fn to_address(self) -> u64 {
        self.map_or(0, P::to_address)
    }
}

/// A string argument of a probe: text, a path, bytes or a C string, or an `Option` of one.
///
/// With the feature `std`, this includes owned strings. Programs implement the trait for their own
/// types:
///
/// ```
/// struct Name(&'static str);
///
/// impl ringtrace::probe::ToBytes for Name {
///     fn to_bytes(&self) -> &[u8] {
///         self.0.as_bytes()
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a string that a probe can record",
    label = "the event declares `char *` here: pass text, a path, bytes or a C string, or an `Option` of one"
)]
pub trait ToBytes {
    /// Returns the bytes without a NUL. For `None`, returns a special empty slice.
    fn to_bytes(&self) -> &[u8];
}

impl ToBytes for str {
    #[inline(always)]
    fn to_bytes(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl ToBytes for [u8] {
    #[inline(always)]
    fn to_bytes(&self) -> &[u8] {
        self
    }
}

impl<const N: usize> ToBytes for [u8; N] {
    #[inline(always)]
    fn to_bytes(&self) -> &[u8] {
        self
    }
}

impl ToBytes for CStr {
    #[inline(always)]
    fn to_bytes(&self) -> &[u8] {
        CStr::to_bytes(self)
    }
}

impl<T: ToBytes + ?Sized> ToBytes for &T {
    #[inline(always)]
    fn to_bytes(&self) -> &[u8] {
        (*self).to_bytes()
    }
}

impl<T: ToBytes + ?Sized> ToBytes for &mut T {
    #[inline(always)]
    fn to_bytes(&self) -> &[u8] {
        (**self).to_bytes()
    }
}

impl<T: ToBytes> ToBytes for Option<T> {
    #[inline(always)]
    fn to_bytes(&self) -> &[u8] {
        self.as_ref().map_or(no_string(), T::to_bytes)
    }
}

pub use crate::event::Seen;
pub use crate::event::Value;
#[cfg(feature = "runtime")]
pub use host::{register_group as register, unregister_group as unregister};
pub use integer::{Converted, Given, Integer, ToInteger};
pub use payload::{Field, Payload};
#[cfg(feature = "runtime")]
pub use ringtrace_wire::note::Declared;
pub use span::{Address, Span, at_end, string};
pub use usdt::{Operand, Semaphore, Terminated};
pub use ust::{ForC, Text, TracepointState};

/// Records an event. This is the body of a probe whose event is enabled.
#[inline(always)]
pub fn emit<P: Payload>(event: &'static Event, payload: P) {
    emit_seen(event, event.see(), payload);
}

/// Like [`emit()`], for a caller that has just loaded the event's state.
#[cfg(feature = "runtime")]
#[inline(always)]
pub fn emit_seen<P: Payload>(event: &'static Event, seen: Seen, payload: P) {
    emit::emit(event, seen, payload);
}

/// Does nothing, because the feature `runtime` is off.
#[cfg(not(feature = "runtime"))]
#[inline(always)]
pub fn emit_seen<P: Payload>(_event: &'static Event, _seen: Seen, _payload: P) {}
