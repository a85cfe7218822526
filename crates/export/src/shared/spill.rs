//! Append-only byte streams that share one temporary file and are read back one at a time.
//!
//! Some formats keep related data together, so their output cannot be written in the order of the
//! records. Each part of the output is collected in a stream instead. A stream is a chain of
//! blocks; its last block is in memory.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;

const BLOCK_BYTES: usize = 64 << 10;

/// Maximum memory of all streams together. When it is exceeded, all blocks are written, even short
/// ones.
const HELD_BYTES: usize = 32 << 20;

/// Block header: offset of the next block, and length of this one.
const HEADER_BYTES: usize = 16;

#[derive(Debug)]
pub struct SpillStreams {
    file: File,
    end: u64,
    streams: Vec<SpillStream>,
    held_bytes: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpillStreamId(usize);

#[derive(Debug, Default)]
struct SpillStream {
    written: Option<(u64, u64)>,
    held: Vec<u8>,
}

impl SpillStreams {
    pub fn new() -> io::Result<SpillStreams> {
        Ok(SpillStreams { file: tempfile::tempfile()?, end: 0, streams: Vec::new(), held_bytes: 0 })
    }

    pub fn add(&mut self) -> SpillStreamId {
        self.streams.push(SpillStream::default());
        SpillStreamId(self.streams.len() - 1)
    }

    pub fn append(&mut self, id: SpillStreamId, bytes: &[u8]) -> io::Result<()> {
        let held = &mut self.streams[id.0].held;
        held.extend_from_slice(bytes);
        self.held_bytes += bytes.len();
        if held.len() >= BLOCK_BYTES {
            self.write(id.0)?;
        } else if self.held_bytes >= HELD_BYTES {
            for index in 0..self.streams.len() {
                self.write(index)?;
                // Free the memory, because many of the streams may never grow again.
                self.streams[index].held = Vec::new();
            }
        }
        Ok(())
    }

    /// Moves the contents of one stream to the end of another.
    pub fn splice(&mut self, from: SpillStreamId, onto: SpillStreamId) -> io::Result<()> {
        let SpillStream { written, held } = std::mem::take(&mut self.streams[from.0]);
        let Some((first, last)) = written else {
            self.held_bytes -= held.len();
            self.append(onto, &held)?;
            self.streams[from.0].held = held;
            self.streams[from.0].held.clear();
            return Ok(());
        };
        self.write(onto.0)?;
        let onto = &mut self.streams[onto.0];
        if let Some((_, before)) = onto.written {
            self.file.write_all_at(&first.to_le_bytes(), before)?;
        }
        onto.written = Some((onto.written.map_or(first, |(first, _)| first), last));
        onto.held = held;
        Ok(())
    }

    fn write(&mut self, index: usize) -> io::Result<()> {
        let SpillStream { written, held } = &mut self.streams[index];
        if held.is_empty() {
            return Ok(());
        }
        let at = self.end;
        let mut header = [0; HEADER_BYTES];
        header[8..].copy_from_slice(&(held.len() as u64).to_le_bytes());
        self.file.write_all_at(&header, at)?;
        self.file.write_all_at(held, at + HEADER_BYTES as u64)?;
        if let Some((_, last)) = written {
            self.file.write_all_at(&at.to_le_bytes(), *last)?;
        }
        *written = Some((written.map_or(at, |(first, _)| first), at));
        self.end = at + HEADER_BYTES as u64 + held.len() as u64;
        self.held_bytes -= held.len();
        held.clear();
        Ok(())
    }

    pub fn copy(&self, id: SpillStreamId, out: &mut impl Write) -> io::Result<()> {
        let SpillStream { written, held } = &self.streams[id.0];
        let mut block = Vec::new();
        if let &Some((first, last)) = written {
            let mut at = first;
            loop {
                let mut header = [0; HEADER_BYTES];
                self.file.read_exact_at(&mut header, at)?;
                #[expect(clippy::disallowed_methods, reason = "headers of blocks in a temporary file")]
                let [next, bytes] =
                    [0, 8].map(|field| u64::from_le_bytes(std::array::from_fn(|byte| header[field + byte])));
                block.resize(bytes as usize, 0);
                self.file.read_exact_at(&mut block, at + HEADER_BYTES as u64)?;
                out.write_all(&block)?;
                if at == last {
                    break;
                }
                at = next;
            }
        }
        out.write_all(held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(spill: &SpillStreams, id: SpillStreamId) -> Vec<u8> {
        let mut text = Vec::new();
        spill.copy(id, &mut text).unwrap();
        text
    }

    #[test]
    fn streams_return_what_was_appended() {
        let mut spill = SpillStreams::new().unwrap();
        let mut expected = vec![Vec::new(); 7];
        let ids: Vec<SpillStreamId> = expected.iter().map(|_| spill.add()).collect();
        for number in 0..300_000_usize {
            // The first stream grows fast, and the last one never grows.
            let index = if number % 3 == 0 { 0 } else { number % 6 };
            let line = format!("{number}\n");
            spill.append(ids[index], line.as_bytes()).unwrap();
            expected[index].extend_from_slice(line.as_bytes());
        }
        for (id, expected) in ids.iter().zip(&expected) {
            assert!(text(&spill, *id) == *expected);
        }
        assert!(spill.streams[0].written.is_some() && spill.streams[6].written.is_none());
    }

    #[test]
    fn a_stream_is_appended_to_another() {
        let mut spill = SpillStreams::new().unwrap();
        let (onto, from) = (spill.add(), spill.add());
        let mut expected = Vec::new();
        for bytes in [10, 2 * BLOCK_BYTES, 0, 5, BLOCK_BYTES + 1, BLOCK_BYTES] {
            for (id, byte) in [(onto, b'o'), (from, b'f'), (from, b'g')] {
                let text = vec![byte; if id == from { bytes } else { 7 * bytes % BLOCK_BYTES }];
                spill.append(id, &text).unwrap();
                expected.extend_from_slice(&text);
            }
            spill.splice(from, onto).unwrap();
            assert!(text(&spill, from).is_empty() && text(&spill, onto) == expected, "{bytes}");
            let held: usize = spill.streams.iter().map(|stream| stream.held.len()).sum();
            assert_eq!(held, spill.held_bytes);
        }
    }

    #[test]
    fn many_streams_use_little_memory() {
        let mut spill = SpillStreams::new().unwrap();
        let ids: Vec<SpillStreamId> = (0..1000).map(|_| spill.add()).collect();
        let line = [b'x'; 10_000];
        for round in 0..5 {
            for id in &ids {
                spill.append(*id, &line).unwrap();
                assert!(spill.held_bytes < HELD_BYTES, "round {round}");
            }
        }
        let capacity: usize = spill.streams.iter().map(|stream| stream.held.capacity()).sum();
        assert!(capacity < 2 * HELD_BYTES, "{capacity}");
        for id in ids {
            assert!(text(&spill, id) == [b'x'; 50_000]);
        }
    }
}
