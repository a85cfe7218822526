//! A window onto a stream, which can be read only once.

use std::io::{self, Read};

/// The minimum free space in the buffer for a read, in bytes.
const READ_BYTES: usize = 1 << 18;

pub(crate) struct StreamWindow {
    reader: Box<dyn Read + Send>,
    /// Bytes are zeroed once, when the buffer grows, and not before each read.
    buffer: Vec<u8>,
    /// The window is `at..end` of the buffer.
    at: usize,
    end: usize,
    ended: bool,
}

impl StreamWindow {
    pub(crate) fn new(reader: Box<dyn Read + Send>) -> StreamWindow {
        StreamWindow { reader, buffer: Vec::new(), at: 0, end: 0, ended: false }
    }

    pub(crate) fn window(&self) -> &[u8] {
        self.buffer.get(self.at..self.end).unwrap_or_default()
    }

    pub(crate) fn consume(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.end);
    }

    /// Ends the stream after the window.
    pub(crate) fn end(&mut self) {
        self.ended = true;
    }

    /// Extends the window to at least `bytes` bytes. Returns `false` if the stream ends first.
    pub(crate) fn grow(&mut self, bytes: usize) -> io::Result<bool> {
        self.buffer.copy_within(self.at..self.end, 0);
        self.end -= self.at;
        self.at = 0;
        while self.end < bytes && !self.ended {
            if self.buffer.len() - self.end < READ_BYTES {
                self.buffer.resize(self.end + 2 * READ_BYTES, 0);
            }
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(read) => {
                    self.end += read;
                    self.ended = read == 0;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.end >= bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns increasing bytes, three at a time, with an interruption before each read.
    struct Threes {
        next: u8,
        signal: bool,
    }

    impl Read for Threes {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.signal = !self.signal;
            if self.signal {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let count = usize::from(u8::MAX - self.next).min(3);
            for byte in &mut buffer[..count] {
                *byte = self.next;
                self.next += 1;
            }
            Ok(count)
        }
    }

    #[test]
    fn a_window_moves_over_the_stream() {
        let mut stream = StreamWindow::new(Box::new(Threes { next: 0, signal: false }));
        assert_eq!(stream.window(), []);
        assert!(stream.grow(4).unwrap());
        assert_eq!(stream.window(), [0, 1, 2, 3, 4, 5]);
        stream.consume(5);
        assert!(stream.grow(2).unwrap());
        assert_eq!(stream.window(), [5, 6, 7, 8]);
        assert!(!stream.grow(1000).unwrap());
        assert_eq!(stream.window().len(), 250);
        stream.consume(1000);
        assert!(!stream.grow(1).unwrap());
        assert_eq!(stream.window(), []);
    }
}
