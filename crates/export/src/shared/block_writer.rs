//! A file that is written in blocks.

use std::fs::File;
use std::io::{self, Write};

/// Size of a write. Larger writes are not faster.
const BLOCK_BYTES: usize = 256 << 10;

/// Collects bytes and writes them in blocks. [`BlockWriter::finish`] writes the remaining bytes;
/// dropping the writer discards them.
#[derive(Debug)]
pub struct BlockWriter {
    file: File,
    bytes: Vec<u8>,
}

impl BlockWriter {
    pub fn new(file: File) -> BlockWriter {
        // Leave room for data that exceeds the block.
        BlockWriter { file, bytes: Vec::with_capacity(BLOCK_BYTES + (16 << 10)) }
    }

    /// Returns the unwritten bytes. The caller appends to them, then calls [`BlockWriter::settle`].
    #[inline]
    pub fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    #[inline]
    pub fn settle(&mut self) -> io::Result<()> {
        if self.bytes.len() >= BLOCK_BYTES { self.flush() } else { Ok(()) }
    }

    /// Appends `block`. A large block is written immediately.
    pub fn write_block(&mut self, block: &[u8]) -> io::Result<()> {
        if block.len() < BLOCK_BYTES / 4 {
            self.bytes.extend_from_slice(block);
            return self.settle();
        }
        self.flush()?;
        self.file.write_all(block)
    }

    #[cold]
    pub fn flush(&mut self) -> io::Result<()> {
        let written = self.file.write_all(&self.bytes);
        self.bytes.clear();
        written
    }

    /// Writes the remaining bytes, and returns the file.
    pub fn finish(mut self) -> io::Result<File> {
        self.flush()?;
        Ok(self.file)
    }
}

impl Write for BlockWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        self.settle()?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        BlockWriter::flush(self)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn bytes_are_written_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let mut writer = BlockWriter::new(File::create(&path).unwrap());
        let mut expected = Vec::new();
        for number in 0..100_000_u32 {
            let line = format!("line {number}\n");
            writer.bytes().extend_from_slice(line.as_bytes());
            writer.settle().unwrap();
            expected.extend_from_slice(line.as_bytes());
        }
        assert!(fs::read(&path).unwrap().len() > BLOCK_BYTES);
        writer.write_all(b"end").unwrap();
        expected.extend_from_slice(b"end");
        writer.finish().unwrap();
        assert!(fs::read(&path).unwrap() == expected);
    }

    #[test]
    fn a_full_disk_is_reported_once() {
        let Ok(full) = File::options().write(true).open("/dev/full") else {
            return eprintln!("SKIPPED: no /dev/full");
        };
        let mut writer = BlockWriter::new(full);
        writer.bytes().push(1);
        assert_eq!(writer.flush().unwrap_err().kind(), io::ErrorKind::StorageFull);
        writer.finish().unwrap();
    }
}
