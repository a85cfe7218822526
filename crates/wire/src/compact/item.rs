//! Encoding of a record with any fields.

use super::{Field, FieldKind, LONG_INDEX, SAME, zigzag};
use crate::order::u32_at;
use crate::simpletrace::Layout;
use crate::simpletrace::v4::V4;
use crate::{ByteOrder, Little};

/// Returns the number of bytes that a value takes.
#[inline(always)]
pub(super) fn data_bytes(value: u64) -> usize {
    8 - value.leading_zeros() as usize / 8
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
    pub(super) fn new(event: u16, fields: usize, out: &'o mut [u8]) -> Item<'o> {
        let codes = match event.checked_sub(u16::from(LONG_INDEX)) {
            None => {
                out[0] = event as u8;
                1
            }
            Some(long) => {
                out[0] = LONG_INDEX + (long >> 8) as u8;
                out[1] = long as u8;
                2
            }
        };
        let at = codes + (fields + 2) / 2;
        Item { out, codes, at }
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

    /// Appends the values in `payload`, some of which are strings. `before` is the body before this
    /// record. Returns `false` if `payload` does not consist of these fields.
    pub(super) fn put_mixed(&mut self, fields: &mut [Field], before: &[u8], payload: &[u8]) -> bool {
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
