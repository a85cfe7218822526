//! USDT probes: places in the program at which tracers from outside can stop by. bpftrace, SystemTap, perf and gdb find
//! them by notes in the executable, `readelf --notes` lists them.
//!
//! A probe is an instruction that does nothing, and a note (`.note.stapsdt`) that says where it is, what it is called and where its
//! values are to be found. [`usdt!`](crate::usdt) writes both. Whoever listens adds one to the probe's [`Semaphore`]
//! for as long as he does, so that nobody computes values for nobody.
//!
//! Nothing of this needs the feature `runtime`.

use core::sync::atomic::{AtomicU16, Ordering};

use super::payload::MAX_STR_BYTES;

/// How many listen to a probe. The kernel or the tracer counts, in the memory of this process, and finds it by the probe's note.
#[derive(Debug)]
#[repr(transparent)]
pub struct Semaphore(AtomicU16);

impl Semaphore {
    /// Nobody listens.
    #[expect(clippy::new_without_default, reason = "there are statics of it only")]
    pub const fn new() -> Semaphore {
        Semaphore(AtomicU16::new(0))
    }

    /// Whether anybody listens. Who begins just now may miss the event; nothing else hangs on it.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        // Where no notes are written, nobody can listen: then not even a load is left of the question.
        cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))
            && self.0.load(Ordering::Relaxed) != 0
    }
}

/// A value as a USDT probe offers it: in a word of 64 bits.
pub trait Operand {
    /// The bytes that tracers read of the word, negative when they must extend the sign.
    const SIZE: i8;

    /// What must live while the probe is passed.
    type Kept;

    /// Makes it ready.
    fn keep(self) -> Self::Kept;

    /// The word.
    fn word(kept: &Self::Kept) -> u64;
}

macro_rules! integers {
    ($($integer:ident: $size:expr),*) => {$(
        impl Operand for $integer {
            const SIZE: i8 = $size;
            type Kept = u64;

            #[allow(clippy::cast_lossless, reason = "for some of the types")]
            fn keep(self) -> u64 {
                // Extended by its sign, for tracers that read more than they should.
                self as i64 as u64
            }

            fn word(kept: &u64) -> u64 {
                *kept
            }
        }
    )*};
}

integers!(i8: -1, i16: -2, i32: -4, i64: -8, isize: -WORD, u8: 1, u16: 2, u32: 4, u64: 8, usize: WORD, bool: 1);

/// Bytes of an address.
const WORD: i8 = size_of::<usize>() as i8;

/// A string is the address of its bytes, a NUL behind them: tracers read up to that.
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

/// A copy of a string, cut as records cut it, with a NUL. Rust's strings have none; and what the program has never looked at
/// itself, a literal in a page that is still on disk, a tracer in the kernel cannot read: copying has looked.
#[derive(Debug)]
pub struct Terminated([u8; MAX_STR_BYTES + 1]);

/// A USDT probe: a module with the static `SEMAPHORE`, and the function `fire`, by which it is passed.
///
/// ```text
/// ::ringtrace::usdt! { provider: "blk", name: "blk_failed", blk_failed(req: u64, what: &[u8], error: i32) }
/// ```
///
/// The values stand in an array on the stack, so that there can be any number, and a register points to it: `rax`, or `x0` of
/// AArch64. Always the same, because then scripts reach what their language has no word for (bpftrace's ends at `arg5`).
#[doc(hidden)]
#[macro_export]
macro_rules! usdt {
    {
        provider: $provider:literal, name: $name:literal,
        $probe:ident($($first:ident: $first_type:ty $(, $rest:ident: $rest_type:ty)* $(,)?)?)
    } => {
        pub mod $probe {
            // In the file, not only in memory: the kernel finds it by its place there.
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

/// Where a value is, in words of the assembler: its size, and its place in the array.
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

/// The instruction and the note: owner `stapsdt`, type 3; the addresses of the instruction, of `.stapsdt.base` (from which tracers
/// learn that the file was moved since), and of the semaphore; provider, name, and where the values are.
///
/// The linker drops a note with the function it is about (`o`), and keeps the base, which no code refers to (`R`). That the probe
/// may be stopped at with a call (no `nostack`) keeps the compiler from using the stack below its pointer.
#[doc(hidden)]
#[macro_export]
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
macro_rules! usdt_note {
    ($provider:literal, $name:literal, $function:ident, $semaphore:ident, $words:ident, [$($where:expr),*], [$($value:tt)*]) => {
        // SAFETY: an instruction that does nothing. Tracers read what the register points to, which lives until then.
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
