//! A line about an event, in memory of a fixed size.

use std::fmt;

use ringtrace_events::format::{Escapes, Escaping, Output, Value};

use crate::event;
use crate::event::format::ParsedFormat;

/// The longest line, its end included. So much is written to a pipe in one piece, even if other processes write to it.
pub(crate) const LINE_BYTES: usize = 4096;

/// Room for what a backend puts before the name.
pub(crate) const PREFIX_BYTES: usize = 96;

/// Where the text must end so that a line end fits behind it.
const TEXT_END: usize = LINE_BYTES - 1;

/// What a cut text ends with.
const CUT: &[u8] = b"...";

/// What printf makes of a string that is NULL.
const NO_STRING: &[u8] = b"(null)";

/// The most values that a probe has.
const VALUES: usize = 16;

/// `NAME FORMATTED`, with room before it for what each backend begins its lines with.
///
/// Lives on the stack of the probe: nothing is allocated.
#[derive(Debug)]
pub(crate) struct TextLine {
    bytes: [u8; LINE_BYTES],
    /// Where the text ends; it begins behind the prefix.
    end: usize,
    is_cut: bool,
}

impl TextLine {
    /// An empty one. Rendered into where it stands: signal handlers may have little stack, and two of them would not fit.
    #[inline(always)]
    pub(crate) fn empty() -> TextLine {
        TextLine { bytes: [0; LINE_BYTES], end: PREFIX_BYTES, is_cut: false }
    }

    /// Renders an event into an empty line. Control characters are escaped, so that a line is one line, and commands no terminal.
    pub(crate) fn render(&mut self, name: &str, format: &ParsedFormat, values: &[event::Value<'_>]) {
        let mut shown = [Value::Integer(0); VALUES];
        for (shown, value) in shown.iter_mut().zip(values) {
            *shown = match *value {
                event::Value::Integer(bits) => Value::Integer(bits),
                // Whole, though a record holds its beginning: as probes in C print it.
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

    /// Takes over a text that somebody else has formatted, into an empty line, with the same escapes. `is_cut`: it ends early.
    pub(crate) fn quote(&mut self, text: &[u8], is_cut: bool) {
        let mut out = Escaping { out: &mut *self, escapes: Escapes::Controls };
        out.push_bytes(text);
        self.show_cut();
        self.is_cut |= is_cut;
    }

    /// Ends a text that had no room so that one sees it.
    fn show_cut(&mut self) {
        if self.is_cut {
            self.bytes[TEXT_END - CUT.len()..TEXT_END].copy_from_slice(CUT);
        }
    }

    /// Keeps `bytes` bytes of the text at most.
    pub(crate) fn shorten(&mut self, bytes: usize) {
        let end = PREFIX_BYTES + bytes;
        self.is_cut |= self.end > end;
        self.end = self.end.min(end);
    }

    /// Whether the text was longer than there is room for.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The text with `prefix` before it, and without a line end.
    pub(crate) fn behind(&mut self, prefix: &Prefix) -> &[u8] {
        let start = PREFIX_BYTES - prefix.length;
        self.bytes[start..PREFIX_BYTES].copy_from_slice(prefix.as_bytes());
        &self.bytes[start..self.end]
    }

    /// The text with `prefix` before it and a line end behind it.
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

/// What a line begins with.
pub(crate) type Prefix = ShortText<PREFIX_BYTES>;

/// A short text of at most `N` bytes. What does not fit is left out.
#[derive(Debug)]
pub(crate) struct ShortText<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> ShortText<N> {
    /// Nothing.
    pub(crate) const fn new() -> ShortText<N> {
        ShortText { bytes: [0; N], length: 0 }
    }

    /// Appends `bytes`.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let length = bytes.len().min(N - self.length);
        self.bytes[self.length..self.length + length].copy_from_slice(&bytes[..length]);
        self.length += length;
    }

    /// What it is so far.
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
