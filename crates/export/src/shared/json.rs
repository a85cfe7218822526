//! Pieces of JSON.

use std::io::{self, Write};

pub fn string(text: &str, out: &mut Vec<u8>) {
    // It fails by writing alone, and memory takes it.
    let _ = serde_json::to_writer(out, text);
}

pub fn plain(value: impl std::fmt::Display, out: &mut Vec<u8>) {
    let _ = write!(out, "{value}");
}

/// Writes a JSON array. Each call of `each` appends one element.
pub fn array<T>(
    elements: impl IntoIterator<Item = T>,
    out: &mut impl Write,
    mut each: impl FnMut(T, &mut Vec<u8>),
) -> io::Result<()> {
    let mut text = vec![b'['];
    for (index, element) in elements.into_iter().enumerate() {
        if index > 0 {
            text.push(b',');
        }
        each(element, &mut text);
        out.write_all(&text)?;
        text.clear();
    }
    text.push(b']');
    out.write_all(&text)
}
