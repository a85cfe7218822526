//! A file that is written in blocks.

use std::fs::File;
use std::io::{self, Write};

/// How much is written at once. More does not make it faster.
const BLOCK_BYTES: usize = 256 << 10;

/// Collects what is appended, and writes it in blocks. What is left is written by [`BlockWriter::finish`]: dropping it writes nothing.
#[derive(Debug)]
pub struct BlockWriter {
    file: File,
    bytes: Vec<u8>,
}

impl BlockWriter {
    pub fn new(file: File) -> BlockWriter {
        // With room behind the block for what goes beyond it.
        BlockWriter { file, bytes: Vec::with_capacity(BLOCK_BYTES + (16 << 10)) }
    }

    /// What waits to be written: append here, then call [`BlockWriter::settle`].
    #[inline]
    pub fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Whether a block is full: time for [`BlockWriter::flush`].
    #[inline]
    pub fn is_full(&self) -> bool {
        self.bytes.len() >= BLOCK_BYTES
    }

    #[inline]
    pub fn settle(&mut self) -> io::Result<()> {
        if self.is_full() { self.flush() } else { Ok(()) }
    }

    /// Appends `block`, which is written at once if it is large.
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

    /// Writes what remains, and gives the file back.
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
    fn all_is_written_in_its_order() {
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
    fn a_disk_that_is_full_is_told_once() {
        let Ok(full) = File::options().write(true).open("/dev/full") else {
            return eprintln!("SKIPPED: no /dev/full");
        };
        let mut writer = BlockWriter::new(full);
        writer.bytes().push(1);
        assert_eq!(writer.flush().unwrap_err().kind(), io::ErrorKind::StorageFull);
        writer.finish().unwrap();
    }
}
