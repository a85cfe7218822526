//! A text buffer that copies short pieces in whole blocks, which is much faster than copying the
//! exact number of bytes.
//!
//! Blocks are written through a cursor, with a single test of the remaining space. Without the
//! `unsafe` code here, the whole tool would be a quarter slower on large traces.

#![expect(unsafe_code, reason = "writes to reserved space without a check for each byte")]

use std::marker::PhantomData;
use std::ops::Range;
use std::ptr;

/// A growable byte string. The memory after its end is space for blocks.
#[derive(Debug, Clone)]
pub struct TextBuffer {
    /// The length is at least [`MAX_BLOCK_BYTES`]. [`Reserved`] relies on that.
    bytes: Vec<u8>,
    /// The value is at most the length of `bytes`. [`Reserved`] relies on that.
    end: usize,
}

impl Default for TextBuffer {
    fn default() -> TextBuffer {
        TextBuffer::with_capacity(1 << 16)
    }
}

impl TextBuffer {
    /// Creates an empty buffer with space for `bytes`.
    pub fn with_capacity(bytes: usize) -> TextBuffer {
        TextBuffer { bytes: vec![0; bytes.max(MAX_BLOCK_BYTES)], end: 0 }
    }

    /// Returns the text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.end]
    }

    /// Returns the length of the text in bytes.
    pub fn len(&self) -> usize {
        self.end
    }

    /// Returns true if the text is empty.
    pub fn is_empty(&self) -> bool {
        self.end == 0
    }

    /// Removes the text but retains the memory.
    pub fn clear(&mut self) {
        self.end = 0;
    }

    /// Shortens the text to `end` bytes.
    pub fn truncate(&mut self, end: usize) {
        self.end = self.end.min(end);
    }

    /// Returns true if `bytes` more bytes fit without allocating memory.
    #[inline(always)]
    pub fn has_room(&self, bytes: usize) -> bool {
        self.bytes.len() - self.end >= bytes + MAX_BLOCK_BYTES
    }

    /// Reserves space for `bytes` at the end.
    #[inline(always)]
    pub fn reserve(&mut self, bytes: usize) -> Reserved<'_> {
        if self.bytes.len() - self.end < bytes + MAX_BLOCK_BYTES {
            self.grow(bytes);
        }
        let Range { start: first, end: limit } = self.bytes.as_mut_ptr_range();
        // SAFETY: `end` is at most the length of the memory, which is at least MAX_BLOCK_BYTES, so
        // both pointers are within the memory.
        let (start, last_block) = unsafe { (first.add(self.end), limit.sub(MAX_BLOCK_BYTES)) };
        Reserved { cursor: start, start, last_block, limit, end: &mut self.end, bytes: PhantomData }
    }

    /// Appends `bytes`.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        let mut space = self.reserve(bytes.len());
        space.push(bytes);
        space.keep();
    }

    /// Appends one byte.
    #[inline(always)]
    pub fn push_byte(&mut self, byte: u8) {
        self.push(&[byte]);
    }

    /// Appends the bytes that `write` appends to a vector. This is slower, and is not for use on
    /// the fast path.
    pub fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = Vec::new();
        write(&mut bytes);
        self.push(&bytes);
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, more: usize) {
        let target = (self.end + more + MAX_BLOCK_BYTES).max(2 * self.bytes.len()).max(4096);
        self.bytes.resize(target, 0);
    }
}

/// Up to N bytes, which are copied as one block.
#[derive(Debug, Clone, Copy)]
pub struct Block<const N: usize> {
    bytes: [u8; N],
    /// The value is at most N. [`Reserved::push_block`] relies on that.
    count: usize,
}

impl<const N: usize> Block<N> {
    /// Returns the bytes of the text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.count]
    }

    /// Creates a block that contains all of `bytes`.
    #[inline(always)]
    pub const fn full(bytes: [u8; N]) -> Block<N> {
        Block { bytes, count: N }
    }

    /// Creates a block that contains the first `count` bytes of `bytes`.
    #[inline(always)]
    pub const fn first(bytes: [u8; N], count: usize) -> Block<N> {
        Block { bytes, count: if count < N { count } else { N } }
    }

    /// Creates a block that contains `text`, or returns `None` if `text` is too long.
    pub fn new(text: &[u8]) -> Option<Block<N>> {
        let mut bytes = [0; N];
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        Some(Block { bytes, count: text.len() })
    }
}

/// The maximum size of a block. Every reservation has this many spare bytes.
pub const MAX_BLOCK_BYTES: usize = 64;

/// The free space at the end of a [`TextBuffer`]. The write position is in a register rather than
/// in memory. [`Reserved::keep`] adds the pushed bytes to the buffer; otherwise they are dropped.
/// There is no `Drop`, because it would take the address of the value, and thus force the write
/// position into memory.
#[derive(Debug)]
#[must_use = "only `keep` adds the pushed bytes to the buffer"]
pub struct Reserved<'b> {
    /// The position of the next byte, between `start` and `limit`.
    cursor: *mut u8,
    /// The start of the reserved space, which is the position `end` in the buffer.
    start: *mut u8,
    /// The last position at which a block of [`MAX_BLOCK_BYTES`] fits into the buffer's memory.
    last_block: *mut u8,
    /// The end of the buffer's memory.
    limit: *mut u8,
    /// The end of the buffer's text.
    end: &'b mut usize,
    bytes: PhantomData<&'b mut [u8]>,
}

impl Reserved<'_> {
    /// Adds the pushed bytes to the buffer.
    #[inline(always)]
    pub fn keep(self) {
        *self.end += self.len();
    }

    /// Returns true if blocks may have been dropped because the space was too small.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.cursor > self.last_block
    }

    /// Returns the number of pushed bytes.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.cursor.addr() - self.start.addr()
    }

    /// Returns true if no bytes were pushed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes pushed bytes after the first `len`.
    #[inline(always)]
    pub fn truncate(&mut self, len: usize) {
        if len < self.len() {
            // SAFETY: The new position is between `start` and `cursor`, so it is within the memory.
            self.cursor = unsafe { self.start.add(len) };
        }
    }

    /// Appends a block by copying all N bytes. If less than [`MAX_BLOCK_BYTES`] of space is left,
    /// the block is dropped. A caller that reserved too little detects this with
    /// [`Reserved::is_full`].
    #[inline(always)]
    pub fn push_block<const N: usize>(&mut self, block: &Block<N>) {
        const { assert!(N <= MAX_BLOCK_BYTES) };
        if !self.is_full() {
            // SAFETY: `cursor..limit` is memory of the buffer (`bytes`), and is borrowed
            // exclusively. The test above ensures that at least MAX_BLOCK_BYTES of it are left. N
            // is at most MAX_BLOCK_BYTES by the assertion, and `count` is at most N by its
            // invariant. The copy and the new cursor therefore stay within the memory. `block`
            // cannot overlap the memory, because `block` is borrowed at the same time.
            unsafe {
                ptr::copy_nonoverlapping(block.bytes.as_ptr(), self.cursor, N);
                self.cursor = self.cursor.add(block.count);
            }
        }
    }

    /// Appends two blocks with one test. If less than [`MAX_BLOCK_BYTES`] of space is left, both
    /// are dropped.
    #[inline(always)]
    pub fn push_both<const M: usize, const N: usize>(&mut self, first: &Block<M>, second: &Block<N>) {
        const { assert!(M + N <= MAX_BLOCK_BYTES) };
        if !self.is_full() {
            // SAFETY: The argument is the same as in `push_block`. The second block starts at most
            // M bytes after the cursor, because the first block's `count` is at most M. It ends at
            // most M + N bytes after the cursor.
            unsafe {
                ptr::copy_nonoverlapping(first.bytes.as_ptr(), self.cursor, M);
                self.cursor = self.cursor.add(first.count);
                ptr::copy_nonoverlapping(second.bytes.as_ptr(), self.cursor, N);
                self.cursor = self.cursor.add(second.count);
            }
        }
    }

    /// Appends `bytes`. If the space is too small, they are dropped.
    #[inline(always)]
    pub fn push(&mut self, bytes: &[u8]) {
        let fits = self.limit.addr() - self.cursor.addr() >= bytes.len();
        debug_assert!(fits, "the caller reserved enough space");
        if fits {
            // SAFETY: The argument is the same as in `push_block`, with the length of `bytes` as
            // the size. That length is at most the remaining space.
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

/// A destination of blocks. If it has too little space, [`Reserved`] drops a block, and [`BlockSpace`] panics.
pub trait PushBlocks {
    /// Appends a block by copying all N bytes.
    fn push_block<const N: usize>(&mut self, block: &Block<N>);

    /// Appends two blocks.
    #[inline(always)]
    fn push_both<const M: usize, const N: usize>(&mut self, first: &Block<M>, second: &Block<N>) {
        self.push_block(first);
        self.push_block(second);
    }
}

/// Space in a [`Reserved`] for blocks whose largest total size is known in advance. A single test determines
/// whether they fit, and the write position is in a register even if the [`Reserved`] is in memory.
#[derive(Debug)]
#[must_use = "only `keep` adds the pushed bytes"]
pub struct BlockSpace<'r> {
    /// The position of the next byte.
    cursor: *mut u8,
    /// The size of the space from `cursor` on, in bytes. All of it is within the buffer's memory.
    /// [`BlockSpace::push_block`] relies on that. Usually the compiler knows the value.
    left: usize,
    /// The write position of the [`Reserved`].
    reserved_cursor: &'r mut *mut u8,
}

impl Reserved<'_> {
    /// Returns space for blocks with a total size of at most `bytes`, or `None` if there is less. It may include
    /// the last [`MAX_BLOCK_BYTES`], so [`Reserved::is_full`] can be true afterwards although nothing was dropped.
    #[inline(always)]
    pub fn blocks(&mut self, bytes: usize) -> Option<BlockSpace<'_>> {
        let fits = self.limit.addr() - self.cursor.addr() >= bytes;
        fits.then_some(BlockSpace { cursor: self.cursor, left: bytes, reserved_cursor: &mut self.cursor })
    }
}

impl BlockSpace<'_> {
    /// Adds the pushed bytes to the [`Reserved`].
    #[inline(always)]
    pub fn keep(self) {
        *self.reserved_cursor = self.cursor;
    }
}

impl PushBlocks for BlockSpace<'_> {
    /// # Panics
    /// Panics if the blocks are larger than the space that was requested.
    #[inline(always)]
    fn push_block<const N: usize>(&mut self, block: &Block<N>) {
        assert!(N <= self.left, "the caller requested enough space");
        self.left -= N;
        // SAFETY: `left` bytes after `cursor` are memory of the buffer, which is borrowed exclusively. N is at most
        // `left` by the assertion, and `count` at most N by its invariant. `block` cannot overlap the memory,
        // because it is borrowed at the same time.
        unsafe {
            ptr::copy_nonoverlapping(block.bytes.as_ptr(), self.cursor, N);
            self.cursor = self.cursor.add(block.count);
        }
    }
}

impl PushBlocks for Reserved<'_> {
    #[inline(always)]
    fn push_block<const N: usize>(&mut self, block: &Block<N>) {
        Reserved::push_block(self, block);
    }

    #[inline(always)]
    fn push_both<const M: usize, const N: usize>(&mut self, first: &Block<M>, second: &Block<N>) {
        Reserved::push_both(self, first, second);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_for_blocks_ends_with_the_memory() {
        let mut buffer = TextBuffer::with_capacity(64);
        let mut reserved = buffer.reserve(0);
        assert!(reserved.blocks(65).is_none());
        let mut discarded = reserved.blocks(64).unwrap();
        discarded.push_block(&Block::full([b'-'; 64]));
        assert!(reserved.is_empty());
        let mut blocks = reserved.blocks(64).unwrap();
        blocks.push_both(&Block::first([b'a'; 32], 31), &Block::full([b'b'; 32]));
        blocks.keep();
        assert_eq!(reserved.len(), 63);
        assert!(reserved.blocks(2).is_none());
        let mut blocks = reserved.blocks(1).unwrap();
        blocks.push_block(&Block::full([b'c']));
        blocks.keep();
        assert!(reserved.blocks(1).is_none() && reserved.blocks(0).is_some());
        reserved.keep();
        assert_eq!(buffer.as_bytes(), [[b'a'; 31].as_slice(), &[b'b'; 32], b"c"].concat());
    }

    #[test]
    #[should_panic(expected = "enough space")]
    fn more_blocks_than_requested_are_refused() {
        let mut buffer = TextBuffer::with_capacity(64);
        let mut reserved = buffer.reserve(0);
        reserved.blocks(32).unwrap().push_block(&Block::full([0; 33]));
    }
}
