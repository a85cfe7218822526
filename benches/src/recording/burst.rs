//! A burst: a loop that emits events, one after the other. All measured code runs in the same loop.

#![expect(unsafe_code, reason = "empty assembly prevents optimisations")]

/// Defines a function that emits the given number of events, and is never inlined.
///
/// ```
/// ringtrace_benches::burst! {
///     /// Adds up numbers.
///     fn sum(|number, total: &std::cell::Cell<u64>| total.set(total.get() + number));
/// }
/// let total = std::cell::Cell::new(0);
/// sum(4, &total);
/// assert_eq!(total.get(), 6);
/// ```
///
/// State that changes is a `mut` parameter, which stays in a register. If it were behind a reference, each
/// probe would write it to memory, and the next iteration would wait until it is loaded again.
#[macro_export]
macro_rules! burst {
    ($($(#[$attribute:meta])* $visibility:vis fn $name:ident(
        |$number:ident $(, $($parameter:ident)+: $kind:ty)*| $body:expr
    );)*) => {$(
        $(#[$attribute])*
        #[inline(never)]
        $visibility fn $name(events: u64 $(, $($parameter)+: $kind)*) {
            for $number in 0..events {
                $body;
                $crate::recording::burst::step($number);
            }
        }
    )*};
}

/// Ends a loop iteration, so that the compiler cannot merge it with the next one.
#[inline(always)]
pub fn step(number: u64) {
    // SAFETY: the assembly contains no instruction.
    unsafe { std::arch::asm!("/* {0} */", in(reg) number, options(nostack, preserves_flags)) };
}

/// Hides `value` from the optimiser, in a register.
#[inline(always)]
pub fn opaque(mut value: u64) -> u64 {
    // SAFETY: the assembly contains no instruction.
    unsafe { std::arch::asm!("/* {0} */", inout(reg) value, options(nomem, nostack, preserves_flags)) };
    value
}
