//! Source texts, and words that stay attached to them.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Sources longer than this many bytes are not parsed. All of QEMU declares its events in half a megabyte; what is
/// fifteen times longer is another file, and must not cost a large multiple of its size before somebody notices.
pub const MAX_SOURCE_BYTES: usize = 8 << 20;

/// Lines longer than this many bytes are no declarations, for the same reason. The longest of QEMU has 400.
pub const MAX_LINE_BYTES: usize = 16 << 10;

/// One text that holds declarations, and the name it is known by in messages.
#[derive(Debug, Clone)]
pub struct SourceFile {
    name: Arc<str>,
    text: Arc<str>,
    not_utf8: Option<NotUtf8>,
}

/// Where a file stopped being UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotUtf8 {
    /// Bytes before the first one that does not belong: also the place of the first U+FFFD put in.
    pub offset: usize,
    /// That byte.
    pub byte: u8,
}

impl SourceFile {
    /// A source called `name` (a path, usually) with the contents `text`.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> SourceFile {
        SourceFile { name: name.into(), text: text.into(), not_utf8: None }
    }

    /// A source from a file's bytes. What is not UTF-8 in them becomes U+FFFD, and [`crate::parse::parse`] reports the
    /// first such byte; everything else is read as usual.
    pub fn from_bytes(name: impl Into<Arc<str>>, bytes: &[u8]) -> SourceFile {
        match std::str::from_utf8(bytes) {
            Ok(text) => SourceFile::new(name, text),
            Err(error) => {
                let offset = error.valid_up_to();
                let byte = bytes.get(offset).copied().unwrap_or_default();
                let text = String::from_utf8_lossy(bytes);
                SourceFile { not_utf8: Some(NotUtf8 { offset, byte }), ..SourceFile::new(name, text) }
            }
        }
    }

    /// What messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its whole contents.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the file it was made from stopped being UTF-8; `None` when it is all UTF-8.
    pub fn not_utf8(&self) -> Option<NotUtf8> {
        self.not_utf8
    }

    /// The piece `range` (in bytes) of it, as a [`Text`]. An out-of-range or split-character range gives the
    /// empty text.
    pub fn slice(&self, range: Range<usize>) -> Text {
        let valid = self.text.get(range.clone()).is_some() && u32::try_from(range.end).is_ok();
        let range = if valid { range } else { 0..0 };
        // Cannot cut: checked on the line above.
        Text { text: Arc::clone(&self.text), start: range.start as u32, end: range.end as u32 }
    }
}

/// A word of a source: a cheap handle that reads as a `str`. Cloning it copies no text.
#[derive(Clone)]
pub struct Text {
    text: Arc<str>,
    start: u32,
    end: u32,
}

impl Text {
    /// Where it stands in its source, in bytes. `0..len` for a text made from a `String`.
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        self.text.get(self.range()).unwrap_or_default()
    }
}

impl From<String> for Text {
    /// A text of its own, for names that are derived and stand in no source.
    fn from(text: String) -> Text {
        let end = u32::try_from(text.len()).unwrap_or(0);
        Text { text: text.into(), start: 0, end }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::from(text.to_owned())
    }
}

impl Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}
