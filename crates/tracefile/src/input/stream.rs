//! Bytes that come one after the other and once only.

use std::io::{self, Read};

/// How much room there is for a read, at least.
const READ_BYTES: usize = 1 << 18;

/// A stream, as a window that moves over it.
pub(crate) struct StreamWindow {
    reader: Box<dyn Read + Send>,
    /// Room for bytes. It is zeroed once, when it is made, however small the pieces are that come.
    room: Vec<u8>,
    /// The part of it that was read and is still looked at.
    at: usize,
    end: usize,
    ended: bool,
}

impl StreamWindow {
    pub(crate) fn new(reader: Box<dyn Read + Send>) -> StreamWindow {
        StreamWindow { reader, room: Vec::new(), at: 0, end: 0, ended: false }
    }

    pub(crate) fn window(&self) -> &[u8] {
        self.room.get(self.at..self.end).unwrap_or_default()
    }

    /// Moves the window's start `bytes` forward.
    pub(crate) fn consume(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.end);
    }

    /// Makes the window hold `bytes` or more; `false` when the stream ends before.
    ///
    /// # Errors
    /// When reading fails.
    pub(crate) fn grow(&mut self, bytes: usize) -> io::Result<bool> {
        self.room.copy_within(self.at..self.end, 0);
        self.end -= self.at;
        self.at = 0;
        while self.end < bytes && !self.ended {
            if self.room.len() - self.end < READ_BYTES {
                self.room.resize(self.end + 2 * READ_BYTES, 0);
            }
            match self.reader.read(&mut self.room[self.end..]) {
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

    /// Bytes that count up, three at a time, with signals in between.
    struct Threes {
        next: u8,
        signal: bool,
    }

    impl Read for Threes {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            self.signal = !self.signal;
            if self.signal {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let count = usize::from(u8::MAX - self.next).min(3);
            for byte in &mut room[..count] {
                *byte = self.next;
                self.next += 1;
            }
            Ok(count)
        }
    }

    #[test]
    fn a_window_moves_over_what_comes() {
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
