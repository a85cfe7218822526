//! Where text is put together: short pieces are copied in whole blocks, which is much faster than exactly.
//!
//! Blocks are written through a cursor, with one test of the room that is left: the `unsafe` here is worth a
//! quarter of the whole tool's speed on large traces.

#![expect(unsafe_code, reason = "writes to reserved space without a check for each byte")]

use std::marker::PhantomData;
use std::ops::Range;
use std::ptr;

/// Text that grows at its end. The bytes behind the end are room to copy blocks into.
#[derive(Debug, Clone)]
pub struct TextBuffer {
    /// [`MAX_BLOCK_BYTES`] or more: [`Reserved`] relies on it.
    bytes: Vec<u8>,
    /// At most the length of `bytes`: [`Reserved`] relies on it.
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
        TextBuffer { bytes: vec![0; bytes.max(MAX_BLOCK_BYTES)], end: 0 }
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

    /// Whether there is room for `bytes` without more memory.
    #[inline(always)]
    pub fn has_room(&self, bytes: usize) -> bool {
        self.bytes.len() - self.end >= bytes + MAX_BLOCK_BYTES
    }

    /// Reserved for `bytes` at the end, to be filled by a [`Reserved`].
    #[inline(always)]
    pub fn reserve(&mut self, bytes: usize) -> Reserved<'_> {
        if self.bytes.len() - self.end < bytes + MAX_BLOCK_BYTES {
            self.grow(bytes);
        }
        let Range { start: first, end: limit } = self.bytes.as_mut_ptr_range();
        // SAFETY: the text ends within the memory, and there are at least MAX_BLOCK_BYTES of that.
        let (start, last_block) = unsafe { (first.add(self.end), limit.sub(MAX_BLOCK_BYTES)) };
        Reserved { cursor: start, start, last_block, limit, end: &mut self.end, bytes: PhantomData }
    }

    /// Appends `bytes`.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        let mut room = self.reserve(bytes.len());
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
        let room = self.bytes.capacity().max(MAX_BLOCK_BYTES);
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
    /// At most N: [`Reserved::push_block`] relies on it.
    count: usize,
}

impl<const N: usize> Block<N> {
    /// The bytes that count.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.count]
    }

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
pub const MAX_BLOCK_BYTES: usize = 64;

/// The free end of a [`TextBuffer`], with the place to write at in a register rather than in memory. What is
/// pushed belongs to the buffer after [`Reserved::keep`]; without it nothing was pushed. (That is no `Drop`: it would
/// take the room's address, and with it the place to write at out of its register.)
#[derive(Debug)]
#[must_use = "what is pushed is kept by `keep`"]
pub struct Reserved<'b> {
    /// Where the next byte goes, from `start` to `limit`.
    cursor: *mut u8,
    /// Where the room began: at `end`.
    start: *mut u8,
    /// A block that begins here or before is within the buffer's memory.
    last_block: *mut u8,
    /// The end of the buffer's memory.
    limit: *mut u8,
    /// The end of the buffer's text.
    end: &'b mut usize,
    bytes: PhantomData<&'b mut [u8]>,
}

impl Reserved<'_> {
    /// Makes what was pushed part of the buffer.
    #[inline(always)]
    pub fn keep(self) {
        *self.end += self.len();
    }

    /// Whether a block may not have been pushed because the room was smaller.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.cursor > self.last_block
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
            // SAFETY: it is between `start` and `cursor`.
            self.cursor = unsafe { self.start.add(len) };
        }
    }

    /// Appends a block, by copying all of it. Nothing happens when the room does not have [`MAX_BLOCK_BYTES`]
    /// left: who did not ask for enough finds [`Reserved::is_full`] then.
    #[inline(always)]
    pub fn push_block<const N: usize>(&mut self, block: &Block<N>) {
        const { assert!(N <= MAX_BLOCK_BYTES) };
        if !self.is_full() {
            // SAFETY: `cursor..limit` is exclusively borrowed memory of the buffer (`bytes`). By the test above at
            // least MAX_BLOCK_BYTES of it are left, N is no more by the assertion, and `count` no more than N by
            // its invariant. So the copy and the moved cursor stay within it. `block` cannot overlap it, being
            // borrowed at the same time.
            unsafe {
                ptr::copy_nonoverlapping(block.bytes.as_ptr(), self.cursor, N);
                self.cursor = self.cursor.add(block.count);
            }
        }
    }

    /// Appends two blocks, with one test for both. Nothing happens when the room does not have [`MAX_BLOCK_BYTES`]
    /// left.
    #[inline(always)]
    pub fn push_both<const M: usize, const N: usize>(&mut self, first: &Block<M>, second: &Block<N>) {
        const { assert!(M + N <= MAX_BLOCK_BYTES) };
        if !self.is_full() {
            // SAFETY: as in `push_block`. The second block begins at most M bytes behind the cursor, because that
            // is the most that the first one's `count` can be, and ends at most M + N behind it.
            unsafe {
                ptr::copy_nonoverlapping(first.bytes.as_ptr(), self.cursor, M);
                self.cursor = self.cursor.add(first.count);
                ptr::copy_nonoverlapping(second.bytes.as_ptr(), self.cursor, N);
                self.cursor = self.cursor.add(second.count);
            }
        }
    }

    /// Appends `bytes`. Nothing happens when the room is smaller.
    #[inline(always)]
    pub fn push(&mut self, bytes: &[u8]) {
        let fits = self.limit.addr() - self.cursor.addr() >= bytes.len();
        debug_assert!(fits, "the room was asked for");
        if fits {
            // SAFETY: as in `push_block`, with the length of `bytes`, of which the room has no less left.
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

impl std::fmt::Write for Reserved<'_> {
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
