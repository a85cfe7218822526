//! Source files, and strings that are slices of them.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Maximum size of a source file in bytes. All of QEMU's declarations together are half a megabyte.
/// A larger file is probably a mistake, and parsing takes several times its size in memory.
pub const MAX_SOURCE_BYTES: usize = 8 << 20;

/// Maximum length in bytes of a line with a declaration, for the same reason. QEMU's longest line
/// is 400 bytes long.
pub const MAX_LINE_BYTES: usize = 16 << 10;

/// A declarations file: its name for messages, and its text.
#[derive(Debug, Clone)]
pub struct SourceFile {
    name: Arc<str>,
    text: Arc<str>,
    not_utf8: Option<NotUtf8>,
}

/// The first byte of a file that is not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotUtf8 {
    /// Offset of the byte, and of the first U+FFFD in the converted text.
    pub offset: usize,
    /// The byte.
    pub byte: u8,
}

impl SourceFile {
    /// Creates a source file with the name `name`, usually a path, and the contents `text`.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> SourceFile {
        SourceFile { name: name.into(), text: text.into(), not_utf8: None }
    }

    /// Creates a source file from bytes. Invalid UTF-8 becomes U+FFFD, and [`crate::parse::parse`]
    /// reports the first invalid byte.
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

    /// The name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The first invalid byte of the original file, if it was not UTF-8.
    pub fn not_utf8(&self) -> Option<NotUtf8> {
        self.not_utf8
    }

    /// Returns the bytes in `range` as a [`Text`]. It is empty if the range is out of bounds or
    /// splits a character.
    pub fn slice(&self, range: Range<usize>) -> Text {
        let valid = self.text.get(range.clone()).is_some() && u32::try_from(range.end).is_ok();
        let range = if valid { range } else { 0..0 };
        // The casts cannot truncate: `valid` includes a check of the end.
        Text { text: Arc::clone(&self.text), start: range.start as u32, end: range.end as u32 }
    }
}

/// A slice of a source file. It dereferences to `str`, and cloning it does not copy the string.
#[derive(Clone)]
pub struct Text {
    text: Arc<str>,
    start: u32,
    end: u32,
}

impl Text {
    /// The byte range in the source file. `0..len` for a `Text` created from a `String`.
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.text.get(self.range()).unwrap_or_default()
    }
}

impl From<String> for Text {
    /// Creates a `Text` that is not in any source file, for derived names.
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
