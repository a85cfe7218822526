//! The guard that [`span!`](crate::span) returns.

use core::fmt;

use super::{ToAddress, ToBytes};

/// A span that has begun. Dropping it records the end event, also during unwinding.
///
/// [`span!`](crate::span) creates it. It contains the values for the end event, or nothing if both
/// events were off.
#[must_use = "the span ends at once if its guard is not bound to a variable, such as `_span`"]
pub struct Span<V, F: FnOnce(V)>(Option<(V, F)>);

impl<V, F: FnOnce(V)> Span<V, F> {
    #[doc(hidden)]
    #[inline(always)]
    pub fn new(end: Option<(V, F)>) -> Span<V, F> {
        Span(end)
    }

    /// Changes values that the end event will have, such as results. The fields of `V` are the
    /// event's arguments, with their declared names and types.
    ///
    /// `change` is not called if both events were off when the span began.
    #[inline(always)]
    pub fn set(&mut self, change: impl FnOnce(&mut V)) {
        if let Some((values, _)) = &mut self.0 {
            core::hint::cold_path();
            change(values);
        }
    }

    /// Records the end event. It is a function of its own because a guard is dropped in two places,
    /// at the end of its scope and during unwinding. The compiler would call a large destructor
    /// also while the event is off.
    #[cold]
    #[inline(never)]
    fn end(&mut self) {
        if let Some((values, record)) = self.0.take() {
            record(values);
        }
    }
}

impl<V, F: FnOnce(V)> Drop for Span<V, F> {
    #[inline(always)]
    fn drop(&mut self) {
        if self.0.is_some() {
            self.end();
        }
    }
}

impl<V, F: FnOnce(V)> fmt::Debug for Span<V, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Span").field("is_on", &self.0.is_some()).finish_non_exhaustive()
    }
}

/// Returns both. The compiler infers the closure's parameter from the values.
#[doc(hidden)]
#[inline(always)]
pub fn at_end<V, F: FnOnce(V)>(values: V, record: F) -> (V, F) {
    (values, record)
}

/// The address in a pointer argument of a span's end event. It borrows nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address(u64);

impl Address {
    /// The address of `pointer`: a reference, a raw pointer, or an option of one.
    #[inline(always)]
    pub fn of(pointer: impl ToAddress) -> Address {
        Address(pointer.to_address())
    }
}

impl ToAddress for Address {
    #[inline(always)]
    fn to_address(self) -> u64 {
        self.0
    }
}

/// Returns `string`. Its bound leads errors to the caller's argument.
#[doc(hidden)]
#[inline(always)]
pub fn string<S: ToBytes>(string: S) -> S {
    string
}
