//! The values of a record, encoded as in the ring.

#![expect(unsafe_code, reason = "the values are written to and read from uninitialized memory")]

use std::fmt::{self, Write};
use std::mem::MaybeUninit;

use ringtrace_wire::ring::ORDER;

use super::declare::Kind;
use crate::event::{ArgumentKind, Event, Value};
use crate::probe::payload::{self, MAX_STR_BYTES, Payload};

/// The maximum number of arguments of an event that is declared while the program runs.
pub const MAX_ARGUMENTS: usize = 42;

/// The maximum size of the values of a record. The record must fit into a page of a flight
/// recorder, which has at least 8 KiB.
const MAX_BYTES: usize = 7 << 10;

/// The space that strings cannot use, so that integers and the lengths of strings always fit.
const RESERVED_BYTES: usize = 12 * MAX_ARGUMENTS;

const _: () = assert!(MAX_ARGUMENTS <= u64::BITS as usize, "a shape has a bit for each argument");

/// The types of the arguments. Bit n of each word belongs to argument n. These three bits are its
/// [`Kind`], with the lowest bit in the first word. Zero means that the argument is missing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape([u64; 3]);

impl PartialEq for Shape {
    /// Compares word by word. The derived method may load several words at once, and such a load
    /// must wait until recent stores to the words are complete.
    #[inline(always)]
    fn eq(&self, other: &Shape) -> bool {
        (self.0[0] ^ other.0[0]) | (self.0[1] ^ other.0[1]) | (self.0[2] ^ other.0[2]) == 0
    }
}

impl Shape {
    const EMPTY: Shape = Shape([0; 3]);

    pub(super) fn of(kinds: impl Iterator<Item = Kind>) -> Shape {
        let mut shape = Shape::EMPTY;
        for (index, kind) in kinds.enumerate().take(MAX_ARGUMENTS) {
            shape.add(index, kind);
        }
        shape
    }

    #[inline(always)]
    fn add(&mut self, index: usize, kind: Kind) {
        // `kind` is a constant where this is inlined, and most kinds have a single bit.
        for (bit, word) in self.0.iter_mut().enumerate() {
            if kind as usize & 1 << bit != 0 {
                *word |= 1 << index;
            }
        }
    }

    /// Returns the index and the type of each argument that is not missing.
    pub(super) fn kinds(self) -> impl Iterator<Item = (usize, Kind)> {
        (0..MAX_ARGUMENTS).filter_map(move |index| {
            let kind = match self.0.map(|word| word >> index & 1) {
                [1, 0, 0] => Kind::U64,
                [0, 1, 0] => Kind::I64,
                [1, 1, 0] => Kind::Bool,
                [0, 0, 1] => Kind::Text,
                [1, 0, 1] => Kind::F64,
                _ => return None,
            };
            Some((index, kind))
        })
    }
}

/// The values of a record, in the order of the event's arguments. They are not allocated on the
/// heap.
///
/// A record can contain about 6 KiB of text, and a string 512 bytes. Longer strings are truncated
/// and counted. Values beyond [`MAX_ARGUMENTS`] are ignored.
#[repr(C)]
pub struct Values {
    // In this order, the values of a small record are beside these fields, in the same cache lines.
    shape: Shape,
    /// The index of the next argument.
    next: usize,
    /// The number of encoded bytes. Always at most `MAX_BYTES`.
    length: usize,
    cut_strings: u64,
    bytes: Bytes,
}

/// The start is aligned for reads of integers.
#[repr(align(8))]
struct Bytes([MaybeUninit<u8>; MAX_BYTES]);

impl Default for Values {
    fn default() -> Values {
        Values::new()
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Values").field("shape", &self.shape).finish_non_exhaustive()
    }
}

impl Values {
    /// Creates an empty list of values.
    #[inline(always)]
    pub fn new() -> Values {
        Values {
            shape: Shape::EMPTY,
            next: 0,
            length: 0,
            cut_strings: 0,
            bytes: Bytes([MaybeUninit::uninit(); MAX_BYTES]),
        }
    }

    /// Adds an unsigned integer.
    #[inline(always)]
    pub fn u64(&mut self, value: u64) -> &mut Values {
        self.integer(value, Kind::U64)
    }

    /// Adds a signed integer.
    #[inline(always)]
    pub fn i64(&mut self, value: i64) -> &mut Values {
        self.integer(value.cast_unsigned(), Kind::I64)
    }

    /// Adds a boolean.
    #[inline(always)]
    pub fn bool(&mut self, value: bool) -> &mut Values {
        self.integer(value.into(), Kind::Bool)
    }

    /// Adds a floating-point number.
    #[inline(always)]
    pub fn f64(&mut self, value: f64) -> &mut Values {
        self.integer(value.to_bits(), Kind::F64)
    }

    /// Adds text, which should be UTF-8.
    #[inline]
    pub fn text(&mut self, text: impl AsRef<[u8]>) -> &mut Values {
        if let Some(at) = self.begin_text() {
            let is_cut = self.push_text(text.as_ref(), text_limit(at));
            self.end_text(at, is_cut);
        }
        self
    }

    /// Adds formatted text.
    ///
    /// ```
    /// # let path = "/";
    /// ringtrace::dynamic::Values::new().display(format_args!("{path:?}"));
    /// ```
    pub fn display(&mut self, text: fmt::Arguments<'_>) -> &mut Values {
        if let Some(at) = self.begin_text() {
            let mut formatted = Formatted { limit: text_limit(at), is_cut: false, values: self };
            // If formatting fails, the text ends there.
            let _ = formatted.write_fmt(text);
            let is_cut = formatted.is_cut;
            self.end_text(at, is_cut);
        }
        self
    }

    /// Skips the arguments before this index. Returns `false`, and does nothing, if there is a
    /// value with this index already.
    #[inline(always)]
    pub fn skip_to(&mut self, index: usize) -> bool {
        let is_later = index >= self.next;
        if is_later {
            self.next = index;
        }
        is_later
    }

    /// Returns a copy of the first `count` values, which must be numbers.
    #[must_use]
    pub fn integers(&self, count: usize) -> Values {
        let mut first = Values::new();
        for ((_, kind), bytes) in self.shape.kinds().zip(self.encoded().chunks_exact(8)).take(count) {
            let value = bytes.first_chunk().map_or(0, |bytes| ORDER.u64(*bytes));
            first.integer(value, kind);
        }
        first
    }

    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    #[inline(always)]
    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    #[inline(always)]
    fn integer(&mut self, value: u64, kind: Kind) -> &mut Values {
        // The second condition always holds, because of `RESERVED_BYTES`.
        if self.next < MAX_ARGUMENTS && self.length + 8 <= MAX_BYTES {
            self.shape.add(self.next, kind);
            self.next += 1;
            // SAFETY: there is space for eight bytes at `length`, as checked above.
            unsafe { self.bytes.0.as_mut_ptr().add(self.length).cast::<u64>().write_unaligned(value) };
            self.length += 8;
        }
        self
    }

    /// Starts a string, and returns the position of its length. Returns `None` if there are too many
    /// arguments.
    #[inline(always)]
    fn begin_text(&mut self) -> Option<usize> {
        let at = self.length;
        if self.next >= MAX_ARGUMENTS || at + 4 > MAX_BYTES {
            return None;
        }
        self.shape.add(self.next, Kind::Text);
        self.next += 1;
        self.length += 4;
        Some(at)
    }

    /// Appends to a string that must end at `limit`, which is at most `MAX_BYTES`. Returns whether
    /// `text` was truncated.
    #[inline(always)]
    fn push_text(&mut self, text: &[u8], limit: usize) -> bool {
        let length = text.len().min(limit.saturating_sub(self.length));
        // SAFETY: `bytes` has space for `length` more bytes. `text` cannot overlap `bytes`, because
        // `self` is borrowed exclusively.
        unsafe {
            payload::copy(text.as_ptr(), self.bytes.0.as_mut_ptr().add(self.length).cast(), length);
        }
        self.length += length;
        length < text.len()
    }

    #[inline(always)]
    fn end_text(&mut self, at: usize, is_cut: bool) {
        self.cut_strings += u64::from(is_cut);
        let length = (self.length - at - 4) as u32;
        // SAFETY: `begin_text` has made room for these four bytes at `at`.
        unsafe { self.bytes.0.as_mut_ptr().add(at).cast::<u32>().write_unaligned(length) };
    }

    #[inline(always)]
    fn encoded(&self) -> &[u8] {
        // SAFETY: the first `length` bytes have been written.
        unsafe { std::slice::from_raw_parts(self.bytes.0.as_ptr().cast(), self.length) }
    }
}

/// Returns the limit for the end of the string whose length is at `at`.
#[inline(always)]
fn text_limit(at: usize) -> usize {
    (at + 4 + MAX_STR_BYTES).min(MAX_BYTES - RESERVED_BYTES)
}

/// Appends formatted text to a string.
struct Formatted<'v> {
    values: &'v mut Values,
    limit: usize,
    is_cut: bool,
}

impl Write for Formatted<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.is_cut |= self.values.push_text(text.as_bytes(), self.limit);
        // Do not format more than fits.
        if self.is_cut { Err(fmt::Error) } else { Ok(()) }
    }
}

/// An event, and the values of its arguments.
#[derive(Debug, Clone, Copy)]
pub(super) struct Encoded<'v> {
    event: &'static Event,
    values: &'v Values,
}

impl<'v> Encoded<'v> {
    /// The values must have the types of the event's arguments.
    #[inline(always)]
    pub(super) fn new(event: &'static Event, values: &'v Values) -> Encoded<'v> {
        Encoded { event, values }
    }
}

impl Payload for Encoded<'_> {
    #[inline(always)]
    fn bytes(&self) -> usize {
        self.values.length
    }

    #[inline(always)]
    unsafe fn put(self, at: *mut u8) {
        let encoded = self.values.encoded();
        let (from, to) = (encoded.as_ptr(), at);
        // SAFETY: each call copies at most `encoded.len()` bytes, and the caller owns that many at
        // `at`. They are in a ring, so they do not overlap the values. `copy_words` needs
        // addresses that are multiples of eight: records start at such addresses, and so does
        // `Bytes`.
        unsafe {
            match encoded.len() {
                0 => {}
                8 => copy_words::<1>(from, to),
                16 => copy_words::<2>(from, to),
                24 => copy_words::<3>(from, to),
                32 => copy_words::<4>(from, to),
                40 => copy_words::<5>(from, to),
                48 => copy_words::<6>(from, to),
                length => payload::copy(from, to, length),
            }
        }
    }

    #[inline(always)]
    fn cut_strings(&self) -> u64 {
        self.values.cut_strings
    }

    fn with_values<R>(&self, f: impl FnOnce(&[Value<'_>]) -> R) -> R {
        let mut rest = self.values.encoded();
        let mut values = [Value::NoStr; MAX_ARGUMENTS];
        let mut count = 0;
        for argument in self.event.declaration().arguments {
            let value = match argument.kind {
                ArgumentKind::Str => take::<4>(&mut rest).and_then(|length| {
                    let (text, after) = rest.split_at_checked(ORDER.u32(length) as usize)?;
                    rest = after;
                    Some(Value::Str(text))
                }),
                ArgumentKind::Integer | ArgumentKind::Pointer => {
                    take::<8>(&mut rest).map(|value| Value::Integer(ORDER.u64(value)))
                }
            };
            values[count] = value.unwrap_or(Value::NoStr);
            count += 1;
        }
        f(&values[..count])
    }
}

/// Copies integers one by one, with volatile reads, which the compiler does not merge. They were
/// stored one by one, and a load that covers several recent stores must wait for all of them.
///
/// # Safety
/// `from` must be valid for reads, and `to` for writes, of `WORDS` aligned `u64`.
#[inline(always)]
unsafe fn copy_words<const WORDS: usize>(from: *const u8, to: *mut u8) {
    for index in 0..WORDS {
        // SAFETY: required by this function's contract.
        unsafe {
            let word = from.cast::<u64>().add(index).read_volatile();
            to.cast::<u64>().add(index).write(word);
        }
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_at_every_index_has_a_shape_of_its_own() {
        let mut seen = std::collections::HashSet::new();
        for index in 0..MAX_ARGUMENTS {
            for kind in [Kind::U64, Kind::I64, Kind::Bool, Kind::Text, Kind::F64] {
                let mut values = Values::new();
                values.skip_to(index);
                match kind {
                    Kind::U64 => values.u64(1),
                    Kind::I64 => values.i64(-1),
                    Kind::Bool => values.bool(true),
                    Kind::Text => values.text("a"),
                    Kind::F64 => values.f64(0.1),
                };
                assert!(seen.insert(values.shape().0));
                assert_eq!(values.shape().kinds().collect::<Vec<_>>(), [(index, kind)]);
            }
        }
    }

    #[test]
    fn a_value_that_ignores_errors_is_cut_once() {
        struct Careless;
        impl fmt::Display for Careless {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                for text in ["x".repeat(300), "y".repeat(300), String::new(), "z".to_owned()] {
                    let _ = f.write_str(&text);
                }
                Ok(())
            }
        }
        let mut values = Values::new();
        values.u64(1).display(format_args!("{Careless}")).text("after");
        assert_eq!(values.cut_strings, 1);
        let expected = [&[b'x'; 300][..], &[b'y'; 212]].concat();
        assert_eq!(values.encoded()[12..524], expected);
        assert_eq!(values.length, 8 + 516 + 9);
    }

    #[test]
    fn long_values_are_cut_and_counted() {
        let long = "x".repeat(600);
        let mut values = Values::new();
        values.text(&long).display(format_args!("{long}{long}")).display(format_args!("{}", &long[..512]));
        assert_eq!(values.cut_strings, 2);
        assert_eq!(values.length, 3 * 516);
        // All arguments fit, however long the strings are.
        let mut values = Values::new();
        for _ in 0..MAX_ARGUMENTS / 2 {
            values.text(&long).u64(1);
        }
        values.u64(2);
        assert_eq!(values.shape().kinds().count(), MAX_ARGUMENTS);
        assert!(values.length <= MAX_BYTES);
    }
}
