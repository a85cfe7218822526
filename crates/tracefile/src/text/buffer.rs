//! Where text is put together: short pieces are copied in whole blocks, which is much faster than exactly.
//!
//! Blocks are written through a cursor, with one test of the room that is left: the `unsafe` here is worth a
//! quarter of the whole tool's speed on large traces.

#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ops::Range;
use std::ptr;

/// Text that grows at its end. The bytes behind the end are room to copy blocks into.
#[derive(Debug, Clone)]
pub struct TextBuffer {
    bytes: Vec<u8>,
    end: usize,
}

impl Default for TextBuffer {
    fn default() -> TextBuffer {
        TextBuffer::with_capacity(1 << 16)
    }
}

impl TextBuffer {
    /// An empty one with room for `bytes`.
    pub fn with_capacity(bytes: usize) -> TextBuffer {
        TextBuffer { bytes: vec![0; bytes], end: 0 }
    }

    /// The text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.end]
    }

    /// Its length in bytes.
    pub fn len(&self) -> usize {
        self.end
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.end == 0
    }

    /// Forgets all text; the room stays.
    pub fn clear(&mut self) {
        self.end = 0;
    }

    /// Forgets the text from byte `end` on.
    pub fn truncate(&mut self, end: usize) {
        self.end = self.end.min(end);
    }

    /// Room for `bytes` at the end, to be filled by a [`Room`].
    #[inline(always)]
    pub fn room(&mut self, bytes: usize) -> Room<'_> {
        if self.bytes.len() - self.end < bytes + MAX_BLOCK_BYTES {
            self.grow(bytes);
        }
        Room::new(&mut self.bytes, &mut self.end)
    }

    /// Appends `bytes`.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        let mut room = self.room(bytes.len());
        room.push(bytes);
        room.keep();
    }

    /// Appends one byte.
    #[inline(always)]
    pub fn push_byte(&mut self, byte: u8) {
        self.push(&[byte]);
    }

    /// Appends what `write` appends to a vector: for text that is not worth more.
    pub fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.bytes.truncate(self.end);
        write(&mut self.bytes);
        self.end = self.bytes.len();
        let room = self.bytes.capacity();
        self.bytes.resize(room, 0);
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, more: usize) {
        let target = (self.end + more + MAX_BLOCK_BYTES).max(2 * self.bytes.len()).max(4096);
        self.bytes.resize(target, 0);
    }
}

/// Up to N bytes, in a block that is copied whole.
#[derive(Debug, Clone, Copy)]
pub struct Block<const N: usize> {
    bytes: [u8; N],
    /// At most N: [`Room::push_block`] relies on it.
    count: usize,
}

impl<const N: usize> Block<N> {
    /// All of `bytes`.
    #[inline(always)]
    pub const fn full(bytes: [u8; N]) -> Block<N> {
        Block { bytes, count: N }
    }

    /// The first `count` of `bytes`.
    #[inline(always)]
    pub fn first(bytes: [u8; N], count: usize) -> Block<N> {
        Block { bytes, count: count.min(N) }
    }

    /// `text`, if it fits.
    pub fn new(text: &[u8]) -> Option<Block<N>> {
        let mut bytes = [0; N];
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        Some(Block { bytes, count: text.len() })
    }
}

/// No block is larger; room is always asked for with as much to spare.
pub const MAX_BLOCK_BYTES: usize = 32;

/// The free end of a [`TextBuffer`], with the place to write at in a register rather than in memory. What is
/// pushed belongs to the buffer after [`Room::keep`]; without it nothing was pushed. (That is no `Drop`: it would
/// take the room's address, and with it the place to write at out of its register.)
#[derive(Debug)]
#[must_use = "what is pushed is kept by `keep`"]
pub struct Room<'b> {
    /// Where the next byte goes, from `start` to `limit`.
    cursor: *mut u8,
    start: *mut u8,
    /// The end of the buffer's memory.
    limit: *mut u8,
    /// `MAX_BLOCK_BYTES` before `limit`: a block that begins here or
    /// before fits.
    last_block: *mut u8,
    end: &'b mut usize,
    bytes: PhantomData<&'b mut [u8]>,
}

impl<'b> Room<'b> {
    /// The room behind byte `end` of `bytes`.
    #[inline(always)]
    fn new(bytes: &'b mut [u8], end: &'b mut usize) -> Room<'b> {
        let Range { start: first, end: limit } = bytes.as_mut_ptr_range();
        let used = (*end).min(bytes.len());
        // SAFETY: `used` is at most the length of the slice that `first` starts.
        let start = unsafe { first.add(used) };
        // Below `first` only by wrapping arithmetic, which is no access: no cursor is at or before it then.
        let last_block = limit.wrapping_sub(MAX_BLOCK_BYTES);
        Room { cursor: start, start, limit, last_block, end, bytes: PhantomData }
    }

    /// Makes what was pushed part of the buffer.
    #[inline(always)]
    pub fn keep(self) {
        *self.end += self.len();
    }

    /// How much was pushed.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.cursor.addr() - self.start.addr()
    }

    /// Whether nothing was pushed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes the last bytes back: `len` stay.
    #[inline(always)]
    pub fn truncate(&mut self, len: usize) {
        if len < self.len() {
            // SAFETY: `start..cursor` is within one allocation, and `start + len` within it.
            self.cursor = unsafe { self.start.add(len) };
        }
    }

    /// Appends a block, by copying all of it. Nothing happens when the room does not have [`MAX_BLOCK_BYTES`]
    /// left: who asked for it asked for too little.
    #[inline(always)]
    pub fn push_block<const N: usize>(&mut self, block: &Block<N>) {
        const { assert!(N <= MAX_BLOCK_BYTES) };
        let fits = self.cursor <= self.last_block;
        debug_assert!(fits, "the room was asked for");
        if fits {
            // SAFETY: `cursor..limit` is exclusively borrowed memory of the buffer (`bytes`). By the test above at
            // least MAX_BLOCK_BYTES of it are left (in a buffer smaller than that `last_block` lies before every
            // cursor: an allocation does not start within the first MAX_BLOCK_BYTES of the address space), N is
            // no more by the assertion, and `count` no more than N by its invariant. So the copy and the moved
            // cursor stay within it. `block` cannot overlap it, being borrowed at the same time.
            unsafe {
                ptr::copy_nonoverlapping(block.bytes.as_ptr(), self.cursor, N);
                self.cursor = self.cursor.add(block.count);
            }
        }
    }

    /// Appends `bytes`. Nothing happens when the room is smaller.
    #[inline(always)]
    pub fn push(&mut self, bytes: &[u8]) {
        let fits = self.limit.addr() - self.cursor.addr() >= bytes.len();
        debug_assert!(fits, "the room was asked for");
        if fits {
            // SAFETY: as in `push_block`, with the length of `bytes`, of which the room has more left.
            unsafe {
                ptr::copy_nonoverlapping(bytes.as_ptr(), self.cursor, bytes.len());
                self.cursor = self.cursor.add(bytes.len());
            }
        }
    }

    /// Appends one byte.
    #[inline(always)]
    pub fn push_byte(&mut self, byte: u8) {
        self.push_block(&Block::full([byte]));
    }
}

impl std::fmt::Write for Room<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.push(text.as_bytes());
        Ok(())
    }
}

impl std::fmt::Write for TextBuffer {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.push(text.as_bytes());
        Ok(())
    }
}
