//! The text line of an event, in memory of a fixed size.

use std::fmt;

use ringtrace_events::format::{Escapes, Escaping, Output, Value};

use crate::event;
use crate::event::format::ParsedFormat;

/// The maximum length of a line, including its end. A pipe accepts this many bytes in one piece,
/// even if other processes write to the pipe.
pub(crate) const LINE_BYTES: usize = 4096;

/// Space for the prefix that a backend writes before the name.
pub(crate) const PREFIX_BYTES: usize = 96;

/// The maximum end offset of the text, which leaves space for a line end.
const TEXT_END: usize = LINE_BYTES - 1;

const CUT: &[u8] = b"...";

/// The output of printf for a NULL string.
const NO_STRING: &[u8] = b"(null)";

const VALUES: usize = 16;

/// A line of the form `NAME FORMATTED`, with space before it for each backend's prefix.
///
/// It is on the stack of the probe, so nothing is allocated.
#[derive(Debug)]
pub(crate) struct TextLine {
    bytes: [u8; LINE_BYTES],
    /// The end offset of the text. The text starts after the space for the prefix.
    end: usize,
    is_cut: bool,
}

impl TextLine {
    /// Creates an empty line. The caller renders into it in place, because the stack of a signal
    /// handler may be too small for two lines.
    #[inline(always)]
    pub(crate) fn empty() -> TextLine {
        TextLine { bytes: [0; LINE_BYTES], end: PREFIX_BYTES, is_cut: false }
    }

    /// Renders an event into an empty line. Control characters are escaped, because they could
    /// break the line or control a terminal.
    pub(crate) fn render(&mut self, name: &str, format: &ParsedFormat, values: &[event::Value<'_>]) {
        let mut shown = [Value::Integer(0); VALUES];
        for (shown, value) in shown.iter_mut().zip(values) {
            *shown = match *value {
                event::Value::Integer(bits) => Value::Integer(bits),
                // Show the whole string, although a record would contain only its start. Probes in
                // C do the same.
                event::Value::Str(bytes) => Value::Str(bytes),
                event::Value::NoStr => Value::Str(NO_STRING),
            };
        }
        let shown = &shown[..values.len().min(VALUES)];
        let mut out = Escaping { out: &mut *self, escapes: Escapes::Controls };
        out.push_bytes(name.as_bytes());
        out.push_byte(b' ');
        format.format.render(&format.types, shown, &mut out);
        self.show_cut();
    }

    /// Copies a formatted string into an empty line, with the same escapes. `is_cut` means that the
    /// string is truncated.
    pub(crate) fn quote(&mut self, text: &[u8], is_cut: bool) {
        let mut out = Escaping { out: &mut *self, escapes: Escapes::Controls };
        out.push_bytes(text);
        self.show_cut();
        self.is_cut |= is_cut;
    }

    /// Marks the end of a line that was too long.
    fn show_cut(&mut self) {
        if self.is_cut {
            self.bytes[TEXT_END - CUT.len()..TEXT_END].copy_from_slice(CUT);
        }
    }

    pub(crate) fn shorten(&mut self, bytes: usize) {
        let end = PREFIX_BYTES + bytes;
        self.is_cut |= self.end > end;
        self.end = self.end.min(end);
    }

    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Returns `prefix` and the text, without a line end.
    pub(crate) fn behind(&mut self, prefix: &Prefix) -> &[u8] {
        let start = PREFIX_BYTES - prefix.length;
        self.bytes[start..PREFIX_BYTES].copy_from_slice(prefix.as_bytes());
        &self.bytes[start..self.end]
    }

    /// Returns `prefix` and the text, with a line end.
    pub(crate) fn whole(&mut self, prefix: &Prefix) -> &[u8] {
        self.bytes[self.end] = b'\n';
        let length = self.behind(prefix).len() + 1;
        &self.bytes[self.end + 1 - length..=self.end]
    }
}

impl Output for TextLine {
    fn push_byte(&mut self, byte: u8) {
        self.push_bytes(&[byte]);
    }

    fn push_bytes(&mut self, bytes: &[u8]) {
        let length = bytes.len().min(TEXT_END - self.end);
        self.bytes[self.end..self.end + length].copy_from_slice(&bytes[..length]);
        self.end += length;
        self.is_cut |= length < bytes.len();
    }

    fn push_repeated(&mut self, byte: u8, count: usize) {
        let length = count.min(TEXT_END - self.end);
        self.bytes[self.end..self.end + length].fill(byte);
        self.end += length;
        self.is_cut |= length < count;
    }
}

pub(crate) type Prefix = ShortText<PREFIX_BYTES>;

/// A string of at most `N` bytes. Excess bytes are discarded.
#[derive(Debug)]
pub(crate) struct ShortText<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> ShortText<N> {
    pub(crate) const fn new() -> ShortText<N> {
        ShortText { bytes: [0; N], length: 0 }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let length = bytes.len().min(N - self.length);
        self.bytes[self.length..self.length + length].copy_from_slice(&bytes[..length]);
        self.length += length;
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl<const N: usize> fmt::Write for ShortText<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text.as_bytes());
        Ok(())
    }
}
