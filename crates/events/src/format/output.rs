//! Destinations of rendered text.

/// A buffer for rendered text. [`Format::render`](super::Format::render) needs only these
/// functions, so it can run where allocation is not allowed.
pub trait Output {
    /// Appends one byte.
    fn push_byte(&mut self, byte: u8);

    /// Appends `bytes`.
    fn push_bytes(&mut self, bytes: &[u8]);

    /// Appends `byte`, `count` times.
    fn push_repeated(&mut self, byte: u8, count: usize);

    /// Appends the first `length` bytes of the short array `bytes`.
    #[inline]
    fn push_start(&mut self, bytes: &[u8], length: usize) {
        self.push_bytes(&bytes[..length]);
    }
}

impl Output for Vec<u8> {
    #[inline]
    fn push_byte(&mut self, byte: u8) {
        self.push(byte);
    }

    #[inline]
    fn push_bytes(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    #[inline]
    fn push_repeated(&mut self, byte: u8, count: usize) {
        self.resize(self.len() + count, byte);
    }

    /// Copies all bytes and truncates the result. This is faster than a call that copies fewer
    /// bytes.
    #[inline]
    fn push_start(&mut self, bytes: &[u8], length: usize) {
        let end = self.len() + length;
        self.extend_from_slice(bytes);
        self.truncate(end);
    }
}

/// The set of bytes that are printed as C escapes (`\n`, `\x1b`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escapes {
    /// Line feed and carriage return, which would break a line in two.
    LineBreaks,
    /// Every ASCII control character, which could control a terminal.
    Controls,
}

impl Escapes {
    /// Whether `byte` is escaped.
    #[inline]
    pub fn contains(self, byte: u8) -> bool {
        match self {
            Escapes::LineBreaks => matches!(byte, b'\n' | b'\r'),
            Escapes::Controls => byte.is_ascii_control(),
        }
    }
}

/// An output that escapes the bytes appended to it.
#[derive(Debug)]
pub struct Escaping<'a, O> {
    /// The output for escaped bytes.
    pub out: &'a mut O,
    /// The bytes to escape.
    pub escapes: Escapes,
}

impl<O: Output> Output for Escaping<'_, O> {
    fn push_byte(&mut self, byte: u8) {
        if !self.escapes.contains(byte) {
            return self.out.push_byte(byte);
        }
        const HEX: &[u8; 16] = b"0123456789abcdef";
        match byte {
            b'\n' => self.out.push_bytes(b"\\n"),
            b'\r' => self.out.push_bytes(b"\\r"),
            b'\t' => self.out.push_bytes(b"\\t"),
            _ => {
                let (high, low) = (HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]);
                self.out.push_bytes(&[b'\\', b'x', high, low]);
            }
        }
    }

    fn push_bytes(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(at) = rest.iter().position(|&byte| self.escapes.contains(byte)) {
            self.out.push_bytes(&rest[..at]);
            self.push_byte(rest[at]);
            rest = &rest[at + 1..];
        }
        self.out.push_bytes(rest);
    }

    /// Repeated bytes are always padding, which needs no escapes.
    fn push_repeated(&mut self, byte: u8, count: usize) {
        self.out.push_repeated(byte, count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(bytes: &[u8], escapes: Escapes) -> Vec<u8> {
        let mut out = Vec::new();
        Escaping { out: &mut out, escapes }.push_bytes(bytes);
        out
    }

    #[test]
    fn only_selected_bytes_are_escaped() {
        let text = b"a\x1b[2J\n\tb\x7f\xff\r";
        assert_eq!(escaped(text, Escapes::Controls), b"a\\x1b[2J\\n\\tb\\x7f\xff\\r");
        assert_eq!(escaped(text, Escapes::LineBreaks), b"a\x1b[2J\\n\tb\x7f\xff\\r");
        assert_eq!(escaped(b"", Escapes::Controls), b"");
    }
}
