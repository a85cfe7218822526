//! The payload of a record, as the probe passes it: a tuple of integers and strings.

#![expect(unsafe_code, reason = "values are written where the record was reserved")]

use crate::event::{Value, is_no_string};

/// The longest recorded string, in bytes. Longer ones are truncated and counted. This is QEMU's
/// limit, and it ensures that no record is longer than a page of a flight recorder.
pub const MAX_STR_BYTES: usize = 512;

/// The longest string that a probe copies inline, in bytes.
const INLINE_STR_BYTES: usize = 64;

/// One value of a record.
pub trait Field: Copy {
    /// Whether the value is a string.
    const IS_STRING: bool;

    /// Returns the number of bytes that the value needs in a record.
    fn bytes(self) -> usize;

    /// Writes the value, and returns the address of the next one.
    ///
    /// # Safety
    /// The caller must own [`Field::bytes`] writable bytes at `at`.
    unsafe fn put(self, at: *mut u8) -> *mut u8;

    /// Returns the value for backends that render text.
    fn value<'a>(self) -> Value<'a>
    where
        Self: 'a;

    /// Returns whether the value is too long for a record, and is therefore truncated.
    fn is_cut(self) -> bool;

    /// Returns whether a probe copies the value inline.
    fn is_inline(self) -> bool;
}

impl Field for u64 {
    const IS_STRING: bool = false;

    #[inline(always)]
    fn bytes(self) -> usize {
        8
    }

    #[inline(always)]
    unsafe fn put(self, at: *mut u8) -> *mut u8 {
        // SAFETY: the caller owns eight bytes at `at`. They are not aligned if they follow a
        // string.
        unsafe {
            at.cast::<u64>().write_unaligned(self);
            at.add(8)
        }
    }

    fn value<'a>(self) -> Value<'a>
    where
        Self: 'a,
    {
        Value::Integer(self)
    }

    #[inline(always)]
    fn is_cut(self) -> bool {
        false
    }

    #[inline(always)]
    fn is_inline(self) -> bool {
        true
    }
}

impl Field for &[u8] {
    const IS_STRING: bool = true;

    #[inline(always)]
    fn bytes(self) -> usize {
        4 + self.len().min(MAX_STR_BYTES)
    }

    #[inline(always)]
    unsafe fn put(self, at: *mut u8) -> *mut u8 {
        let length = self.len().min(MAX_STR_BYTES);
        // SAFETY: the caller owns `4 + length` bytes at `at`, which do not overlap `self`.
        unsafe {
            at.cast::<u32>().write_unaligned(length as u32);
            let at = at.add(4);
            copy(self.as_ptr(), at, length);
            at.add(length)
        }
    }

    fn value<'a>(self) -> Value<'a>
    where
        Self: 'a,
    {
        if is_no_string(self) { Value::NoStr } else { Value::Str(self) }
    }

    #[inline(always)]
    fn is_cut(self) -> bool {
        self.len() > MAX_STR_BYTES
    }

    #[inline(always)]
    fn is_inline(self) -> bool {
        self.len() <= INLINE_STR_BYTES
    }
}

/// Copies `length` bytes. Most strings are short, and calling `memcpy` for each would cost more
/// than the copy. So up to 64 bytes are copied as two blocks that may overlap.
///
/// # Safety
/// The requirements are those of [`core::ptr::copy_nonoverlapping`].
#[inline(always)]
pub(crate) unsafe fn copy(from: *const u8, to: *mut u8, length: usize) {
    /// Copies the first and the last `size_of::<T>()` bytes.
    ///
    /// # Safety
    /// The requirements are those of `copy`. Also, `length` must be at least the size of `T`.
    #[inline(always)]
    unsafe fn ends<T: Copy>(from: *const u8, to: *mut u8, length: usize) {
        let last = length - size_of::<T>();
        // SAFETY: both blocks are within the `length` bytes of both buffers, which do not overlap.
        unsafe {
            let (start, end) =
                (from.cast::<T>().read_unaligned(), from.add(last).cast::<T>().read_unaligned());
            to.cast::<T>().write_unaligned(start);
            to.add(last).cast::<T>().write_unaligned(end);
        }
    }
    // SAFETY: the caller ensures that both buffers are valid. No block is longer than `length`.
    unsafe {
        // Comparisons in this order let the compiler drop the first one for strings that are known to
        // be short.
        if length > INLINE_STR_BYTES {
            core::ptr::copy_nonoverlapping(from, to, length);
        } else if length > 32 {
            ends::<[u64; 4]>(from, to, length);
        } else if length >= 16 {
            ends::<[u64; 2]>(from, to, length);
        } else if length >= 8 {
            ends::<u64>(from, to, length);
        } else if length >= 4 {
            ends::<u32>(from, to, length);
        } else if length >= 2 {
            ends::<u16>(from, to, length);
        } else if length == 1 {
            to.write(from.read());
        }
    }
}

/// The values of a record: tuples of up to sixteen [`Field`]s.
pub trait Payload: Copy {
    /// Returns the number of bytes that the values need in a record, without padding.
    fn bytes(&self) -> usize;

    /// Writes the values one after another.
    ///
    /// # Safety
    /// The caller must own [`Payload::bytes`] writable bytes at `at`.
    unsafe fn put(self, at: *mut u8);

    /// Returns the number of strings that are too long for a record.
    fn cut_strings(&self) -> u64;

    /// Returns whether a probe copies all values inline.
    #[inline(always)]
    fn is_inline(&self) -> bool {
        true
    }

    /// Runs `rest` outside the probe's code.
    ///
    /// Tuples with strings pass their values as separate arguments, so in registers. If a probe passed
    /// the address of the tuple, it would have to store the tuple on the stack even when it calls
    /// nothing. The code for integers is inlined where they are emitted, and there the compiler saves
    /// registers before the check if they are needed for arguments.
    #[inline(always)]
    fn run(self, rest: impl Rest) {
        run_whole(rest, self);
    }

    /// Calls `f` with the values, for backends that render text.
    fn with_values<R>(&self, f: impl FnOnce(&[Value<'_>]) -> R) -> R;
}

/// Runs `rest` with a payload that is passed in memory.
#[cold]
#[inline(never)]
fn run_whole<P: Payload>(rest: impl Rest, payload: P) {
    rest.run(payload);
}

/// The part of a probe that is not inlined.
pub trait Rest {
    /// Emits the event.
    fn run<P: Payload>(self, payload: P);
}

macro_rules! payload {
    ($($name:ident)*) => {
        impl<$($name: Field),*> Payload for ($($name,)*) {
            #[inline(always)]
            #[allow(non_snake_case)]
            fn bytes(&self) -> usize {
                let ($($name,)*) = *self;
                0 $(+ $name.bytes())*
            }

            #[inline(always)]
            #[allow(non_snake_case, unused_mut, unused_variables, unused_assignments)]
            unsafe fn put(self, at: *mut u8) {
                let ($($name,)*) = self;
                let mut next = at;
                // SAFETY: the caller ensures room for all values, which are written one after
                // another.
                $(next = unsafe { $name.put(next) };)*
            }

            #[inline(always)]
            #[allow(non_snake_case)]
            fn cut_strings(&self) -> u64 {
                let ($($name,)*) = *self;
                0 $(+ u64::from($name.is_cut()))*
            }

            #[inline(always)]
            #[allow(non_snake_case)]
            fn is_inline(&self) -> bool {
                let ($($name,)*) = *self;
                true $(&& $name.is_inline())*
            }

            #[inline(always)]
            #[allow(non_snake_case)]
            fn run(self, rest: impl Rest) {
                #[cold]
                #[inline(never)]
                #[allow(clippy::too_many_arguments)]
                fn run<$($name: Field),*>(rest: impl Rest, $($name: $name),*) {
                    rest.run(($($name,)*));
                }
                if false $(|| $name::IS_STRING)* {
                    let ($($name,)*) = self;
                    run(rest, $($name),*);
                } else {
                    run_whole(rest, self);
                }
            }

            #[allow(non_snake_case)]
            fn with_values<R>(&self, f: impl FnOnce(&[Value<'_>]) -> R) -> R {
                let ($($name,)*) = *self;
                f(&[$($name.value()),*])
            }
        }
    };
}

payload!();
payload!(A);
payload!(A B);
payload!(A B C);
payload!(A B C D);
payload!(A B C D E);
payload!(A B C D E F);
payload!(A B C D E F G);
payload!(A B C D E F G H);
payload!(A B C D E F G H I);
payload!(A B C D E F G H I J);
payload!(A B C D E F G H I J K);
payload!(A B C D E F G H I J K L);
payload!(A B C D E F G H I J K L M);
payload!(A B C D E F G H I J K L M N);
payload!(A B C D E F G H I J K L M N O);
payload!(A B C D E F G H I J K L M N O P);

#[cfg(test)]
mod tests {
    use super::copy;

    #[test]
    fn strings_of_every_length_are_copied_whole_and_nothing_else() {
        let from: Vec<u8> = (0..=255).cycle().take(600).collect();
        for length in 0..=from.len() {
            let mut to = vec![0xee; length + 8];
            // SAFETY: both buffers have `length` bytes.
            unsafe { copy(from.as_ptr(), to.as_mut_ptr(), length) };
            assert_eq!(to[..length], from[..length]);
            assert_eq!(to[length..], [0xee; 8]);
        }
    }
}
