//! Integer arguments of the macros: conversion to the declared type without loss.

use core::marker::PhantomData;
use core::ops::Deref;
use core::time::Duration;

/// A value that a probe's macro accepts for an integer argument of type `I`.
///
/// Every integer type is accepted by the wider ones, a `bool` by all of them, and a [`Duration`] by
/// `u64` and `i64`, as nanoseconds. With the feature `runtime`, so is a `std::time::Instant`, as
/// nanoseconds of CLOCK_MONOTONIC, the clock of traces. Programs implement this trait for their own
/// types:
///
/// ```
/// struct RequestId(u64);
///
/// impl ringtrace::probe::ToInteger<u64> for RequestId {
///     fn to_integer(&self) -> u64 {
///         self.0
///     }
/// }
/// ```
///
/// The functions accept only the declared type. If they were generic, the compiler could not infer
/// the types of literals, `x.into()` and the like.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be recorded as `{I}`",
    label = "the event declares `{I}` here",
    note = "narrower integers are converted; convert other values yourself, for example with `try_from`",
    note = "a `Duration` or an `Instant` needs an argument of 64 bits"
)]
pub trait ToInteger<I> {
    /// Returns the value to record.
    fn to_integer(&self) -> I;
}

macro_rules! integers {
    ($($wide:ident: $($narrow:ident)*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl ToInteger<$wide> for $narrow {
            #[inline(always)]
            #[allow(clippy::cast_lossless, reason = "there is no `From` for `usize` and `isize`")]
            fn to_integer(&self) -> $wide {
                *self as $wide
            }
        }
    )*)*};
}

integers! {
    u8: bool u8;
    u16: bool u8 u16;
    u32: bool u8 u16 u32;
    u64: bool u8 u16 u32 u64 usize;
    usize: bool u8 u16 u32 usize;
    i8: bool i8;
    i16: bool u8 i8 i16;
    i32: bool u8 u16 i8 i16 i32;
    i64: bool u8 u16 u32 i8 i16 i32 i64 isize;
    isize: bool u8 u16 i8 i16 i32 isize;
}

#[diagnostic::do_not_recommend]
impl<I, T: ToInteger<I>> ToInteger<I> for &T {
    #[inline(always)]
    fn to_integer(&self) -> I {
        (**self).to_integer()
    }
}

/// Returns nanoseconds, up to some 584 years.
#[diagnostic::do_not_recommend]
impl ToInteger<u64> for Duration {
    #[inline]
    fn to_integer(&self) -> u64 {
        self.as_secs().saturating_mul(1_000_000_000).saturating_add(self.subsec_nanos().into())
    }
}

/// Returns nanoseconds, up to some 292 years.
#[diagnostic::do_not_recommend]
impl ToInteger<i64> for Duration {
    #[inline]
    fn to_integer(&self) -> i64 {
        let ns: u64 = self.to_integer();
        i64::try_from(ns).unwrap_or(i64::MAX)
    }
}

/// Returns nanoseconds of CLOCK_MONOTONIC.
#[cfg(feature = "runtime")]
#[diagnostic::do_not_recommend]
impl ToInteger<u64> for std::time::Instant {
    #[inline]
    fn to_integer(&self) -> u64 {
        crate::clock::instant::ns(*self)
    }
}

/// Returns nanoseconds of CLOCK_MONOTONIC.
#[cfg(feature = "runtime")]
#[diagnostic::do_not_recommend]
impl ToInteger<i64> for std::time::Instant {
    #[inline]
    fn to_integer(&self) -> i64 {
        i64::try_from(crate::clock::instant::ns(*self)).unwrap_or(i64::MAX)
    }
}

/// The declared type of an argument. Generated code converts with
/// `Integer::<u64>::of(argument).value()`.
#[doc(hidden)]
#[derive(Debug)]
pub struct Integer<I>(PhantomData<I>);

impl<I> Integer<I> {
    #[doc(hidden)]
    #[inline(always)]
    pub fn of<T: ToInteger<I>>(argument: T) -> Given<I, T> {
        Given(Converted(argument.to_integer()), PhantomData)
    }
}

/// A converted argument. `T` is the type before the conversion.
///
/// `value` is defined twice, for inference. If the compiler does not know yet what `T` is, as for
/// `1` or `x.into()`, it chooses the first definition, and `T` is the declared type. For other
/// types it looks further and finds the second definition through `Deref`.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Given<I, T>(Converted<I>, PhantomData<T>);

#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Converted<I>(I);

impl<I: Copy> Given<I, I> {
    #[doc(hidden)]
    #[inline(always)]
    pub fn value(&self) -> I {
        self.0.0
    }
}

impl<I, T> Deref for Given<I, T> {
    type Target = Converted<I>;

    #[inline(always)]
    fn deref(&self) -> &Converted<I> {
        &self.0
    }
}

impl<I: Copy> Converted<I> {
    #[doc(hidden)]
    #[inline(always)]
    pub fn value(&self) -> I {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_nanoseconds_and_saturate() {
        for (duration, unsigned, signed) in [
            (Duration::new(2, 3), 2_000_000_003, 2_000_000_003),
            (Duration::from_nanos(u64::MAX), u64::MAX, i64::MAX),
            (Duration::MAX, u64::MAX, i64::MAX),
        ] {
            assert_eq!(Integer::<u64>::of(duration).value(), unsigned);
            assert_eq!(Integer::<i64>::of(duration).value(), signed);
        }
    }
}
