//! Encoding of JSON.

use std::io::{self, Write};

use super::value::TypedValue;

pub fn string(text: &str, out: &mut Vec<u8>) {
    // Writing to memory does not fail.
    let _ = serde_json::to_writer(out, text);
}

pub fn plain(value: impl std::fmt::Display, out: &mut Vec<u8>) {
    let _ = write!(out, "{value}");
}

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

/// The largest integer that is written as a number. Larger ones are written as strings, because
/// readers store numbers as doubles and would round them.
const MAX_EXACT: u64 = 1 << 53;

/// Appends `value`. Strings are appended with `text`.
pub fn value(value: TypedValue<'_>, out: &mut Vec<u8>, text: impl FnOnce(&[u8], &mut Vec<u8>)) {
    match value {
        TypedValue::Signed(number) if number.unsigned_abs() <= MAX_EXACT => plain(number, out),
        TypedValue::Unsigned(number) if number <= MAX_EXACT => plain(number, out),
        TypedValue::Signed(number) => plain(format_args!("\"{number}\""), out),
        TypedValue::Unsigned(number) => plain(format_args!("\"{number}\""), out),
        TypedValue::Bool(is_true) => plain(is_true, out),
        TypedValue::Double(bits) => {
            let number = f64::from_bits(bits);
            // JSON has neither infinity nor NaN.
            let quote = if number.is_finite() { "" } else { "\"" };
            plain(format_args!("{quote}{number:?}{quote}"), out);
        }
        TypedValue::Pointer(bits) => plain(format_args!("\"{bits:#x}\""), out),
        TypedValue::Text(bytes) => text(bytes, out),
    }
}
