//! Conversion of recorded bytes to text.

pub use ringtrace_tracefile::columns::{utf8, utf8_without_zeros};

/// Appends `bytes` for readers of zero-terminated strings. Zero bytes become C0 80, as in Java.
/// These bytes are never part of valid UTF-8.
pub(crate) fn push_without_zeros(bytes: &[u8], out: &mut Vec<u8>) {
    let mut parts = bytes.split(|byte| *byte == 0);
    out.extend_from_slice(parts.next().unwrap_or_default());
    for part in parts {
        out.extend_from_slice(b"\xc0\x80");
        out.extend_from_slice(part);
    }
}
