//! A file that is written in blocks.

use std::fs::File;
use std::io::{self, Write};

/// How much is written at once. More does not make it faster.
const BLOCK_BYTES: usize = 256 << 10;

/// Collects what is appended, and writes it in blocks. What is left is written by [`Sink::finish`]: dropping it writes nothing.
#[derive(Debug)]
pub struct Sink {
    file: File,
    bytes: Vec<u8>,
    written_bytes: u64,
}

impl Sink {
    /// Writes to `file`, from where it stands.
    pub fn new(file: File) -> Sink {
        // With room behind the block for what goes beyond it.
        Sink { file, bytes: Vec::with_capacity(BLOCK_BYTES + (16 << 10)), written_bytes: 0 }
    }

    /// What waits to be written: append here, then call [`Sink::settle`].
    #[inline]
    pub fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Whether a block is full: time for [`Sink::flush`].
    #[inline]
    pub fn is_full(&self) -> bool {
        self.bytes.len() >= BLOCK_BYTES
    }

    /// Writes if there is a block.
    ///
    /// # Errors
    /// When the system refuses.
    #[inline]
    pub fn settle(&mut self) -> io::Result<()> {
        if self.is_full() { self.flush() } else { Ok(()) }
    }

    /// Appends `block`, which is written at once if it is large.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn write_block(&mut self, block: &[u8]) -> io::Result<()> {
        if block.len() < BLOCK_BYTES / 4 {
            self.bytes.extend_from_slice(block);
            return self.settle();
        }
        self.flush()?;
        self.written_bytes += block.len() as u64;
        self.file.write_all(block)
    }

    /// How many bytes were appended so far: where the next one will stand.
    pub fn position_bytes(&self) -> u64 {
        self.written_bytes + self.bytes.len() as u64
    }

    /// Writes what is there.
    ///
    /// # Errors
    /// When the system refuses.
    #[cold]
    pub fn flush(&mut self) -> io::Result<()> {
        let written = self.file.write_all(&self.bytes);
        self.written_bytes += self.bytes.len() as u64;
        self.bytes.clear();
        written
    }

    /// Writes what remains, and gives the file back.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn finish(mut self) -> io::Result<File> {
        self.flush()?;
        Ok(self.file)
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        self.settle()?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Sink::flush(self)
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
        let mut sink = Sink::new(File::create(&path).unwrap());
        let mut expected = Vec::new();
        for number in 0..100_000_u32 {
            let line = format!("line {number}\n");
            assert_eq!(sink.position_bytes(), expected.len() as u64);
            sink.bytes().extend_from_slice(line.as_bytes());
            sink.settle().unwrap();
            expected.extend_from_slice(line.as_bytes());
        }
        assert!(fs::read(&path).unwrap().len() > BLOCK_BYTES);
        sink.write_all(b"end").unwrap();
        expected.extend_from_slice(b"end");
        sink.finish().unwrap();
        assert!(fs::read(&path).unwrap() == expected);
    }

    #[test]
    fn a_disk_that_is_full_is_told_once() {
        let Ok(full) = File::options().write(true).open("/dev/full") else {
            return eprintln!("SKIPPED: no /dev/full");
        };
        let mut sink = Sink::new(full);
        sink.bytes().push(1);
        assert_eq!(sink.flush().unwrap_err().kind(), io::ErrorKind::StorageFull);
        sink.finish().unwrap();
    }
}
