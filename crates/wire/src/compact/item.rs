//! Encoding of records.

use super::{Field, FieldKind, LONG_INDEX, SAME, zigzag};
use crate::order::u32_at;
use crate::ring::Words;
use crate::simpletrace::Layout;
use crate::simpletrace::v4::V4;
use crate::{ByteOrder, Little};

/// Records of at most this number of integers have their own encoding function.
pub(super) const FEW: usize = 8;

/// Records of a string and at most this number of integers have their own encoding function.
pub(super) const FEW_WITH_TEXT: usize = 4;

/// More than the size of these records, without the string, and with scratch space behind it.
pub(super) const FEW_BYTES: usize = 96;

/// Returns the number of bytes that a value takes.
#[inline(always)]
fn data_bytes(value: u64) -> usize {
    8 - value.leading_zeros() as usize / 8
}

/// The index of a definition, as encoded at the start of a record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Index {
    /// The bytes, in little-endian order.
    bits: u64,
    is_long: bool,
}

impl Index {
    pub(super) fn new(index: u16) -> Index {
        match index.checked_sub(u16::from(LONG_INDEX)) {
            None => Index { bits: u64::from(index), is_long: false },
            Some(long) => {
                let first = u64::from(LONG_INDEX) + u64::from(long >> 8);
                Index { bits: first | u64::from(long & 0xff) << 8, is_long: true }
            }
        }
    }

    #[inline(always)]
    fn size(self) -> usize {
        if self.is_long { 2 } else { 1 }
    }
}

/// The time and the integers of a record, as they are stored.
struct Values<const N: usize> {
    time: u64,
    integers: [u64; N],
    codes: u64,
}

impl<const N: usize> Values<N> {
    /// Computes the values. `previous` contains the previous integers, and is updated.
    #[inline(always)]
    fn new(time: u64, words: &Words<N>, previous: &mut [u64; N]) -> Values<N> {
        const { assert!(N <= FEW) };
        let mut values = Values { time, integers: [0; N], codes: data_bytes(time) as u64 };
        for at in 0..N {
            let value = u64::from_le_bytes(words[at]);
            let integer = zigzag(value.wrapping_sub(previous[at]));
            previous[at] = value;
            values.integers[at] = integer;
            values.codes |= (data_bytes(integer) as u64) << (4 * (at + 1));
        }
        values
    }

    /// Puts a record with `fields` fields, and returns its size.
    #[inline(always)]
    fn put(&self, index: Index, fields: usize, out: &mut [u8; FEW_BYTES]) -> usize {
        let mut at = self.put_start(index, fields, out);
        for value in self.integers {
            at = put(value, at, out);
        }
        at
    }

    /// Puts the index, the codes and the time, and returns the offset of the other data.
    #[inline(always)]
    fn put_start(&self, index: Index, fields: usize, out: &mut [u8; FEW_BYTES]) -> usize {
        // Each store is wider than its value. The next one overwrites the rest.
        out[..8].copy_from_slice(&(index.bits | self.codes << (8 * index.size())).to_le_bytes());
        put(self.time, index.size() + (fields + 2) / 2, out)
    }
}

/// Puts a value at the offset `at`, and returns the offset of its end.
#[inline(always)]
fn put(value: u64, at: usize, out: &mut [u8]) -> usize {
    out[at..at + 8].copy_from_slice(&value.to_le_bytes());
    at + data_bytes(value)
}

/// Puts a record of `N` integers, which are at most [`FEW`], and returns its size. `previous` contains
/// the previous integers, and is updated.
#[inline(always)]
pub(super) fn put_words<const N: usize>(
    index: Index,
    time: u64,
    words: &Words<N>,
    previous: &mut [u64; N],
    out: &mut [u8; FEW_BYTES],
) -> usize {
    Values::new(time, words, previous).put(index, N, out)
}

/// The string among the fields of a record, and the previous string.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Text {
    /// The number of integers before the string.
    pub(super) field: usize,
    /// The offset of the previous string in the block, or 0 if there was none.
    at: usize,
    length: usize,
}

/// Puts a record of a string and `N` integers, which are at most [`FEW_WITH_TEXT`], and returns its
/// size. `before` is the block before the record. Returns `None` and changes nothing if `payload` does
/// not consist of these fields, or `out` is smaller than [`FEW_BYTES`] and the string.
#[inline(always)]
pub(super) fn put_words_and_text<const N: usize>(
    index: Index,
    time: u64,
    payload: &[u8],
    (previous, text): (&mut [u64; N], &mut Text),
    before: &[u8],
    out: &mut [u8],
) -> Option<usize> {
    const { assert!(N <= FEW_WITH_TEXT) };
    let length = u32_at(payload, 8 * text.field, ByteOrder::Little)? as usize;
    if payload.len() != 4 + length + 8 * N || out.len() < FEW_BYTES + length {
        return None;
    }
    let string = payload.get(8 * text.field + 4..)?.get(..length)?;
    // The integers before the string are at the start of the payload, and the others at the end.
    let front: &Words<N> = payload.as_chunks().0.first_chunk()?;
    let back: &Words<N> = payload.get(4 + length..)?.as_chunks().0.first_chunk()?;
    let words = std::array::from_fn(|at| if at < text.field { front[at] } else { back[at] });
    let mut values = Values::new(time, &words, previous);
    // Insert the code of the string.
    let bits = 4 * (text.field + 1);
    let after = values.codes >> bits << bits;
    let is_same =
        text.length == length && text.at > 0 && before.get(text.at..text.at + length) == Some(string);
    let code = if is_same { u64::from(SAME) } else { data_bytes(length as u64) as u64 };
    values.codes = (values.codes ^ after) | code << bits | after << 4;
    let start = out.first_chunk_mut()?;
    if is_same {
        return Some(values.put(index, N + 1, start));
    }
    let mut at = values.put_start(index, N + 1, start);
    for number in 0..=N {
        if number == text.field {
            at = put(length as u64, at, out);
            (text.at, text.length) = (before.len() + at, length);
            out[at..at + length].copy_from_slice(string);
            at += length;
        }
        if let Some(value) = values.integers.get(number) {
            at = put(*value, at, out);
        }
    }
    Some(at)
}

/// A record that is being encoded.
pub(super) struct Item<'o> {
    out: &'o mut [u8],
    /// The offset of the codes.
    codes: usize,
    pub(super) at: usize,
}

impl<'o> Item<'o> {
    #[inline(always)]
    pub(super) fn new(index: Index, fields: usize, out: &'o mut [u8]) -> Item<'o> {
        out[..2].copy_from_slice(&(index.bits as u16).to_le_bytes());
        let codes = index.size();
        Item { out, codes, at: codes + (fields + 2) / 2 }
    }

    /// Puts a code. Call this in the order of the codes.
    #[inline(always)]
    fn put_code(&mut self, index: usize, code: u8) {
        // Clearing all codes first would call `memset`, from whose wide stores the processor cannot
        // forward single bytes.
        let byte = &mut self.out[self.codes + index / 2];
        *byte = if index & 1 == 0 { code } else { *byte | code << 4 };
    }

    /// Appends the value of the field with this index. Index 0 is the time.
    #[inline(always)]
    pub(super) fn put(&mut self, index: usize, value: u64) {
        let bytes = data_bytes(value);
        self.put_code(index, bytes as u8);
        self.out[self.at..self.at + 8].copy_from_slice(&value.to_le_bytes());
        self.at += bytes;
    }

    /// Appends the integers of which `payload` consists. Returns `false` if their number differs.
    pub(super) fn put_integers(&mut self, fields: &mut [Field], payload: &[u8]) -> bool {
        let (words, rest) = payload.as_chunks();
        if words.len() != fields.len() || !rest.is_empty() {
            return false;
        }
        for (index, (field, word)) in fields.iter_mut().zip(words).enumerate() {
            let value = u64::from_le_bytes(*word);
            self.put(index + 1, zigzag(value.wrapping_sub(field.previous)));
            field.previous = value;
        }
        true
    }

    /// Appends the values in `payload`. `before` is the block before this record. Returns `false` if `payload` does not consist of these fields.
    pub(super) fn put_fields(&mut self, fields: &mut [Field], before: &[u8], payload: &[u8]) -> bool {
        let mut rest = payload;
        // Check all fields first: appending a field changes the previous value, to which the next
        // record refers.
        for field in &*fields {
            let bytes = match field.kind {
                FieldKind::Integer => 8,
                FieldKind::Str => {
                    u32_at(rest, 0, ByteOrder::Little).map_or(usize::MAX, |length| 4 + length as usize)
                }
                FieldKind::Rest => rest.len(),
            };
            let Some(after) = rest.get(bytes..) else { return false };
            rest = after;
        }
        if !rest.is_empty() {
            return false;
        }
        rest = payload;
        for (index, field) in fields.iter_mut().enumerate() {
            let text = match field.kind {
                FieldKind::Integer => {
                    let Some((word, after)) = rest.split_first_chunk() else { return false };
                    rest = after;
                    let value = u64::from_le_bytes(*word);
                    self.put(index + 1, zigzag(value.wrapping_sub(field.previous)));
                    field.previous = value;
                    continue;
                }
                FieldKind::Str => {
                    let Some(string) = V4::<Little>::string(&mut rest) else { return false };
                    string.bytes
                }
                FieldKind::Rest => std::mem::take(&mut rest),
            };
            let start = field.previous as usize;
            if field.length == text.len() && before.get(start..start + text.len()) == Some(text) {
                self.put_code(index + 1, SAME);
                continue;
            }
            self.put(index + 1, text.len() as u64);
            field.previous = (before.len() + self.at) as u64;
            field.length = text.len();
            self.out[self.at..self.at + text.len()].copy_from_slice(text);
            self.at += text.len();
        }
        true
    }
}
