//! The definitions of a block that is being encoded.

use super::item::{FEW, Index, Text, put_words, put_words_and_text};

/// A definition in the current block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Definition {
    pub(super) id: u64,
    pub(super) index: Index,
    /// The number of integers if there are only a few, added to [`WITH_TEXT`] if there is also a
    /// string; otherwise [`OTHER`].
    pub(super) shape: u8,
    /// The previous integers, if there are only a few.
    pub(super) previous: [u64; FEW],
    pub(super) text: Text,
    /// The index of the first field, and the number of fields, if the shape is [`OTHER`].
    pub(super) first: usize,
    pub(super) fields: usize,
    /// Whether all fields are integers.
    pub(super) is_integers: bool,
}

/// The shape of definitions that consist of a string.
pub(super) const WITH_TEXT: u8 = FEW as u8 + 1;

/// The shape of definitions with other fields, and of dropped records.
pub(super) const OTHER: u8 = u8::MAX;

impl Definition {
    /// Returns whether the fields are only a few integers, of which there are `count`.
    #[inline(always)]
    pub(super) fn has_integers(&self, count: usize) -> bool {
        count <= FEW && usize::from(self.shape) == count
    }

    /// Puts a record and returns its size. Returns `None` if `payload` does not consist of `N`
    /// integers.
    #[inline(always)]
    pub(super) fn put_words<const N: usize>(
        &mut self,
        time: u64,
        payload: &[u8],
        out: &mut [u8],
    ) -> Option<usize> {
        if payload.len() != 8 * N {
            return None;
        }
        let (words, previous) = (payload.as_chunks().0.first_chunk::<N>()?, self.previous.first_chunk_mut()?);
        Some(put_words(self.index, time, words, previous, out.first_chunk_mut()?))
    }

    /// Puts a record and returns its size. Returns `None` if `payload` does not consist of a string
    /// and `N` integers.
    #[inline(always)]
    pub(super) fn put_words_and_text<const N: usize>(
        &mut self,
        time: u64,
        payload: &[u8],
        before: &[u8],
        out: &mut [u8],
    ) -> Option<usize> {
        let previous = (self.previous.first_chunk_mut::<N>()?, &mut self.text);
        put_words_and_text(self.index, time, payload, previous, before, out)
    }
}
