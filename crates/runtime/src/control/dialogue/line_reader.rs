//! Splits HMP input into lines.

use crate::control::hmp::MAX_LINE_BYTES;

/// Splits a stream into lines that end in LF, CR, or both.
#[derive(Debug, Default)]
pub(super) struct LineReader {
    line: Vec<u8>,
    is_too_long: bool,
    /// Whether the last byte was a CR. An LF after it belongs to the same line end.
    after_return: bool,
}

impl LineReader {
    /// Takes bytes up to the end of a line. Returns how many it took, and whether the line is
    /// complete.
    pub(super) fn take(&mut self, input: &[u8]) -> (usize, bool) {
        // A fast path, because a client may send a gigabyte without a line end.
        if self.is_too_long && !input.contains(&b'\n') && !input.contains(&b'\r') {
            self.after_return = false;
            return (input.len(), false);
        }
        for (at, &byte) in input.iter().enumerate() {
            let after_return = std::mem::replace(&mut self.after_return, byte == b'\r');
            match byte {
                b'\n' if after_return => {}
                b'\n' | b'\r' => return (at + 1, true),
                _ if self.line.len() < MAX_LINE_BYTES => self.line.push(byte),
                _ => self.is_too_long = true,
            }
        }
        (input.len(), false)
    }

    /// The line without its end, or `None` if it is too long.
    pub(super) fn line(&self) -> Option<&[u8]> {
        (!self.is_too_long).then_some(&self.line)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.line.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.line.clear();
        self.is_too_long = false;
    }
}
