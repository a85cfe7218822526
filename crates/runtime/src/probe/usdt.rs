//! USDT probes: points in the program to which external tracers can attach. bpftrace, SystemTap,
//! perf and gdb find them by notes in the executable; `readelf --notes` lists them.
//!
//! A probe consists of a no-op instruction and a note (`.note.stapsdt`) with its address, its name
//! and the locations of its values. [`usdt!`](crate::usdt) generates both. A tracer increments the
//! probe's [`Semaphore`] while it is attached, so that values are computed only then.
//!
//! This module does not need the feature `runtime`.

use core::sync::atomic::{AtomicU16, Ordering};

use super::payload::MAX_STR_BYTES;

/// The number of tracers that are attached to a probe. The kernel or the tracer increments it in
/// the memory of this process, at the address in the probe's note.
#[derive(Debug)]
#[repr(transparent)]
pub struct Semaphore(AtomicU16);

impl Semaphore {
    /// Creates a semaphore of a probe without tracers.
    #[expect(clippy::new_without_default, reason = "used only for statics")]
    pub const fn new() -> Semaphore {
        Semaphore(AtomicU16::new(0))
    }

    /// Returns whether a tracer is attached. The answer may be stale: a tracer that is just
    /// attaching may miss the event. A wrong answer has no other consequence.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        // On other platforms there are no notes, so no tracer can attach, and the load is omitted.
        cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))
            && self.0.load(Ordering::Relaxed) != 0
    }
}

/// A value of a USDT probe, as a 64-bit word.
pub trait Operand {
    /// The number of bytes that tracers read; negative for sign extension.
    const SIZE: i8;

    /// The data that must live until the probe has been executed.
    type Kept;

    /// Prepares the value.
    fn keep(self) -> Self::Kept;

    /// Returns the word.
    fn word(kept: &Self::Kept) -> u64;
}

macro_rules! integers {
    ($($integer:ident: $size:expr),*) => {$(
        impl Operand for $integer {
            const SIZE: i8 = $size;
            type Kept = u64;

            #[allow(clippy::cast_lossless, reason = "needed for some of the types")]
            fn keep(self) -> u64 {
                // Sign-extend, for tracers that read more bytes than they should.
                self as i64 as u64
            }

            fn word(kept: &u64) -> u64 {
                *kept
            }
        }
    )*};
}

integers!(i8: -1, i16: -2, i32: -4, i64: -8, isize: -WORD, u8: 1, u16: 2, u32: 4, u64: 8, usize: WORD, bool: 1);

const WORD: i8 = size_of::<usize>() as i8;

/// A floating-point value is passed as the bits of a `double`: the languages of most tracers have
/// only integers.
impl Operand for f64 {
    const SIZE: i8 = 8;
    type Kept = u64;

    fn keep(self) -> u64 {
        self.to_bits()
    }

    fn word(kept: &u64) -> u64 {
        *kept
    }
}

impl Operand for f32 {
    const SIZE: i8 = 8;
    type Kept = u64;

    fn keep(self) -> u64 {
        f64::from(self).to_bits()
    }

    fn word(kept: &u64) -> u64 {
        *kept
    }
}

/// A string is passed as the address of a NUL-terminated copy.
impl Operand for &[u8] {
    const SIZE: i8 = WORD;
    type Kept = Terminated;

    fn keep(self) -> Terminated {
        let mut bytes = [0; MAX_STR_BYTES + 1];
        let length = self.len().min(MAX_STR_BYTES);
        bytes[..length].copy_from_slice(&self[..length]);
        Terminated(bytes)
    }

    fn word(kept: &Terminated) -> u64 {
        kept.0.as_ptr().addr() as u64
    }
}

/// A copy of a string with a terminating NUL, truncated at the same length as in records. A copy is
/// needed because Rust's strings have no NUL. Also, a kernel tracer cannot read a literal whose
/// page is still on disk; copying loads the page.
#[derive(Debug)]
pub struct Terminated([u8; MAX_STR_BYTES + 1]);

/// Defines a USDT probe: a module with the static `SEMAPHORE` and the function `fire`, which
/// executes the probe.
///
/// ```text
/// ::ringtrace::usdt! { provider: "blk", name: "blk_failed", blk_failed(req: u64, what: &[u8], error: i32) }
/// ```
///
/// The values are in an array on the stack, so that their number is not limited. A fixed register
/// holds its address: `rax`, or `x0` on AArch64. Scripts can therefore also read values that have
/// no name in their language. In bpftrace, for example, the last name is `arg5`.
#[doc(hidden)]
#[macro_export]
macro_rules! usdt {
    {
        provider: $provider:literal, name: $name:literal,
        $probe:ident($($first:ident: $first_type:ty $(, $rest:ident: $rest_type:ty)* $(,)?)?)
    } => {
        pub mod $probe {
            // The static must be in a section of the file, because the kernel finds it by its file
            // offset.
            #[unsafe(link_section = ".probes")]
            pub static SEMAPHORE: $crate::probe::Semaphore = $crate::probe::Semaphore::new();

            #[cold]
            #[inline(never)]
            pub fn fire($($first: $first_type $(, $rest: $rest_type)*)?) {
                #[repr(C)]
                struct Words {
                    $($first: u64, $($rest: u64,)*)?
                }
                $(
                    let $first = <$first_type as $crate::probe::Operand>::keep($first);
                    $(let $rest = <$rest_type as $crate::probe::Operand>::keep($rest);)*
                )?
                let words = Words {
                    $(
                        $first: <$first_type as $crate::probe::Operand>::word(&$first),
                        $($rest: <$rest_type as $crate::probe::Operand>::word(&$rest),)*
                    )?
                };
                $crate::usdt_note! {
                    $provider, $name, fire, SEMAPHORE, words,
                    [$($crate::usdt_operand!("") $(, $crate::usdt_operand!($rest " "))*)?],
                    [$(
                        const <$first_type as $crate::probe::Operand>::SIZE,
                        const ::core::mem::offset_of!(Words, $first),
                        $(
                            const <$rest_type as $crate::probe::Operand>::SIZE,
                            const ::core::mem::offset_of!(Words, $rest),
                        )*
                    )?]
                }
            }
        }
    };
}

/// The location of a value in assembler syntax: its size, and its offset in the array.
#[doc(hidden)]
#[macro_export]
#[cfg(target_arch = "x86_64")]
macro_rules! usdt_operand {
    ($($argument:ident)? $blank:literal) => {
        ::core::concat!($blank, "{}@{}(%rax)")
    };
}

#[doc(hidden)]
#[macro_export]
#[cfg(not(target_arch = "x86_64"))]
macro_rules! usdt_operand {
    ($($argument:ident)? $blank:literal) => {
        ::core::concat!($blank, "{}@[x0, {}]")
    };
}

/// Emits the instruction and the note, with owner `stapsdt` and type 3. The note contains the
/// addresses of the instruction, of `.stapsdt.base` (by which tracers detect that the file was
/// relocated) and of the semaphore, then the provider, the name and the locations of the values.
///
/// The linker removes a note together with its function (`o`), and keeps the base, to which no code
/// refers (`R`). Without the option `nostack` the compiler does not use memory below the stack
/// pointer, so a tracer may make a call at the probe.
#[doc(hidden)]
#[macro_export]
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
macro_rules! usdt_note {
    ($provider:literal, $name:literal, $function:ident, $semaphore:ident, $words:ident, [$($where:expr),*], [$($value:tt)*]) => {
        // SAFETY: this is a no-op instruction. The words to which the register points live until
        // tracers have read them.
        unsafe {
            $crate::usdt_asm!(
                $words,
                "990: nop",
                ".pushsection .note.stapsdt, \"o\", \"note\", {function}",
                ".balign 4",
                ".4byte 992f-991f, 994f-993f, 3",
                "991: .asciz \"stapsdt\"",
                "992: .balign 4",
                "993: .8byte 990b, _.stapsdt.base, {semaphore}",
                ::core::concat!(".asciz \"", $provider, "\""),
                ::core::concat!(".asciz \"", $name, "\""),
                ::core::concat!(".asciz \"", $($where,)* "\""),
                "994: .balign 4",
                ".popsection",
                ".ifndef _.stapsdt.base",
                ".pushsection .stapsdt.base, \"aGR\", \"progbits\", .stapsdt.base, comdat",
                ".weak _.stapsdt.base",
                ".hidden _.stapsdt.base",
                "_.stapsdt.base: .space 1",
                ".size _.stapsdt.base, 1",
                ".popsection",
                ".endif",
                $($value)*
                function = sym $function,
                semaphore = sym $semaphore
            )
        }
    };
}

#[doc(hidden)]
#[macro_export]
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
macro_rules! usdt_note {
    ($provider:literal, $name:literal, $function:ident, $semaphore:ident, $words:ident, [$($where:expr),*], [$($value:tt)*]) => {
        let _ = $words;
    };
}

#[doc(hidden)]
#[macro_export]
#[cfg(target_arch = "x86_64")]
macro_rules! usdt_asm {
    ($words:ident, $($assembly:tt)*) => {
        ::core::arch::asm!($($assembly)*, in("rax") &$words, options(att_syntax, readonly, preserves_flags))
    };
}

#[doc(hidden)]
#[macro_export]
#[cfg(target_arch = "aarch64")]
macro_rules! usdt_asm {
    ($words:ident, $($assembly:tt)*) => {
        ::core::arch::asm!($($assembly)*, in("x0") &$words, options(readonly, preserves_flags))
    };
}
