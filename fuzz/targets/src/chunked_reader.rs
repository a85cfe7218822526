//! Simulates a pipe: bytes arrive in chunks, and signals may interrupt reads.

use std::io::{self, Read};

use crate::choices::Chunks;

/// A reader that returns its bytes in chunks.
pub(crate) struct ChunkedReader<B> {
    bytes: B,
    at: usize,
    chunks: Chunks,
    /// Whether a signal interrupts the next read.
    signal: bool,
}

impl<B: AsRef<[u8]>> ChunkedReader<B> {
    /// Returns `bytes` in chunks of these lengths.
    pub(crate) fn new(bytes: B, chunks: Chunks) -> ChunkedReader<B> {
        ChunkedReader { bytes, at: 0, chunks, signal: false }
    }
}

impl<B: AsRef<[u8]>> Read for ChunkedReader<B> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let length = self.chunks.next_bytes();
        self.signal = length == 5 && !self.signal;
        if self.signal {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let rest = &self.bytes.as_ref()[self.at..];
        let count = length.min(rest.len()).min(room.len());
        room[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        Ok(count)
    }
}
