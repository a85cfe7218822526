//! Where text is put together: short pieces are copied in whole blocks, which is much faster than exactly.

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
        if self.bytes.len() - self.end < bytes {
            self.grow(bytes);
        }
        let start = self.end;
        Room { bytes: self.bytes.get_mut(start..).unwrap_or_default(), at: 0, end: &mut self.end }
    }

    /// Appends `bytes`.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        self.room(bytes.len()).push(bytes);
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
        let target = (self.end + more).max(2 * self.bytes.len()).max(4096);
        self.bytes.resize(target, 0);
    }
}

/// The free end of a [`TextBuffer`], with the place to write at in a register rather than in memory. What was
/// pushed belongs to the buffer when the room is dropped.
#[derive(Debug)]
pub struct Room<'b> {
    bytes: &'b mut [u8],
    at: usize,
    end: &'b mut usize,
}

impl Drop for Room<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        *self.end += self.at;
    }
}

impl Room<'_> {
    /// How much was pushed.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.at
    }

    /// Whether nothing was pushed.
    pub fn is_empty(&self) -> bool {
        self.at == 0
    }

    /// Takes the last bytes back: `len` stay.
    #[inline(always)]
    pub fn truncate(&mut self, len: usize) {
        self.at = self.at.min(len);
    }

    /// Appends the first `count` bytes of `block`, by copying all of it. Nothing happens when the room is
    /// smaller than the block: who asked for it asked for too little.
    #[inline(always)]
    pub fn push_block<const N: usize>(&mut self, block: &[u8; N], count: usize) {
        let room = self.bytes.get_mut(self.at..).and_then(<[u8]>::first_chunk_mut::<N>);
        debug_assert!(count <= N && room.is_some(), "the room was asked for");
        if let Some(room) = room {
            *room = *block;
            self.at += count;
        }
    }

    /// Appends `bytes`. Nothing happens when the room is smaller.
    #[inline(always)]
    pub fn push(&mut self, bytes: &[u8]) {
        let room = self.bytes.get_mut(self.at..).and_then(|room| room.get_mut(..bytes.len()));
        debug_assert!(room.is_some(), "the room was asked for");
        if let Some(room) = room {
            room.copy_from_slice(bytes);
            self.at += bytes.len();
        }
    }

    /// Appends one byte.
    #[inline(always)]
    pub fn push_byte(&mut self, byte: u8) {
        self.push_block(&[byte], 1);
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
