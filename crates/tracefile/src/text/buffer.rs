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

    /// Appends the first `count` bytes of `block`, by copying all of it.
    #[inline(always)]
    pub fn push_block<const N: usize>(&mut self, block: &[u8; N], count: usize) {
        debug_assert!(count <= N, "a block holds what is pushed of it");
        if self.bytes.len() - self.end < N {
            self.grow(N);
        }
        if let Some(room) = self.bytes.get_mut(self.end..).and_then(<[u8]>::first_chunk_mut::<N>) {
            *room = *block;
            self.end += count.min(N);
        }
    }

    /// Appends `bytes`.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        if self.bytes.len() - self.end < bytes.len() {
            self.grow(bytes.len());
        }
        if let Some(room) = self.bytes.get_mut(self.end..self.end + bytes.len()) {
            room.copy_from_slice(bytes);
            self.end += bytes.len();
        }
    }

    /// Appends one byte.
    #[inline(always)]
    pub fn push_byte(&mut self, byte: u8) {
        self.push_block(&[byte], 1);
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

impl std::fmt::Write for TextBuffer {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.push(text.as_bytes());
        Ok(())
    }
}
