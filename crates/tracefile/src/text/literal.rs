//! Renders strings as Python 3 bytes literals.

use super::{Block, Reserved};

/// Appends `bytes` as `b'..'`, or as `b".."` if they contain `'` but no `"`.
pub fn push_bytes_literal(bytes: &[u8], out: &mut Reserved<'_>) {
    let start = out.len();
    out.push(b"b'");
    if push_plain(bytes, out) {
        out.push_byte(b'\'');
    } else {
        out.truncate(start);
        push_escaped(bytes, out);
    }
}

const CHUNK_BYTES: usize = 16;

/// Appends `bytes` unchanged. Returns `false` if some of them must be escaped in a literal quoted
/// with `'`. The appended bytes are then unusable.
#[inline(always)]
pub fn push_plain(bytes: &[u8], out: &mut Reserved<'_>) -> bool {
    // First copy whole chunks, and test each while copying it.
    let (chunks, rest) = bytes.as_chunks::<CHUNK_BYTES>();
    let mut odd = [0; CHUNK_BYTES];
    for chunk in chunks {
        note_odd(chunk, &mut odd);
        out.push_block(&Block::full(*chunk));
    }
    if rest.is_empty() {
        return odd == [0; CHUNK_BYTES];
    }
    if let Some(last) = bytes.last_chunk() {
        // Copy the last bytes as one chunk, which overlaps bytes that were already copied.
        note_odd(last, &mut odd);
        // If `out` is full, it may not contain the bytes to overlap.
        if !out.is_full() {
            out.truncate(out.len() - (CHUNK_BYTES - rest.len()));
            out.push_block(&Block::full(*last));
        }
    } else {
        let mut padded = [b' '; CHUNK_BYTES];
        padded[..rest.len()].copy_from_slice(rest);
        note_odd(&padded, &mut odd);
        out.push_block(&Block::first(padded, rest.len()));
    }
    odd == [0; CHUNK_BYTES]
}

/// Sets each byte of `odd` to nonzero if the byte of `chunk` at the same index needs an escape.
#[inline(always)]
fn note_odd(chunk: &[u8; CHUNK_BYTES], odd: &mut [u8; CHUNK_BYTES]) {
    for (odd, byte) in odd.iter_mut().zip(chunk) {
        *odd |= u8::from(!(b' '..=b'~').contains(byte)) | u8::from(*byte == b'\\') | u8::from(*byte == b'\'');
    }
}

#[cold]
#[inline(never)]
fn push_escaped(bytes: &[u8], out: &mut Reserved<'_>) {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { b'"' } else { b'\'' };
    out.push(&[b'b', quote]);
    for &byte in bytes {
        match byte {
            b'\t' => out.push(b"\\t"),
            b'\n' => out.push(b"\\n"),
            b'\r' => out.push(b"\\r"),
            b'\\' => out.push(b"\\\\"),
            _ if byte == quote => out.push(&[b'\\', byte]),
            b' '..=b'~' => out.push_byte(byte),
            _ => {
                const DIGITS: &[u8; 16] = b"0123456789abcdef";
                let (high, low) = (usize::from(byte >> 4), usize::from(byte & 15));
                out.push(&[b'\\', b'x', DIGITS[high], DIGITS[low]]);
            }
        }
    }
    out.push_byte(quote);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::TextBuffer;

    fn literal(bytes: &[u8]) -> String {
        let mut out = TextBuffer::with_capacity(0);
        let mut space = out.reserve(4 * bytes.len() + 3);
        push_bytes_literal(bytes, &mut space);
        space.keep();
        String::from_utf8(out.as_bytes().to_vec()).unwrap()
    }

    #[test]
    fn literals_match_python() {
        for (bytes, expected) in [
            (&b""[..], "b''"),
            (b"plain", "b'plain'"),
            (b"it's", "b\"it's\""),
            (b"it's \"so\"", "b'it\\'s \"so\"'"),
            (b"a\\b\t\n\r", "b'a\\\\b\\t\\n\\r'"),
            (b"\x00\x1f\x7f\xff~ ", "b'\\x00\\x1f\\x7f\\xff~ '"),
        ] {
            assert_eq!(literal(bytes), expected);
        }
    }

    /// Text that does not fit leaves the text before it unchanged, and the space remains full.
    #[test]
    fn text_without_space_is_dropped() {
        const BYTES: usize = 1 << 10;
        for before in BYTES - 200..BYTES {
            for length in 0..70 {
                let mut out = TextBuffer::with_capacity(BYTES);
                let mut space = out.reserve(0);
                while !space.is_full() && space.len() < before {
                    space.push_byte(b'x');
                }
                let (start, was_full) = (space.len(), space.is_full());
                push_plain(&vec![b'y'; length], &mut space);
                let is_full = space.is_full();
                assert!(is_full || !was_full, "{before} {length}");
                space.keep();
                let mut expected = vec![b'x'; start];
                expected.resize(start + length, b'y');
                assert!(expected.starts_with(out.as_bytes()), "{before} {length}");
                assert!(is_full || out.as_bytes() == expected, "{before} {length}");
                assert!(out.len() >= start, "{before} {length}");
            }
        }
    }

    proptest! {
        #[test]
        fn plain_text_of_any_length_is_copied(text in "[ -&(-\\[\\]-~]{0,70}") {
            prop_assert_eq!(literal(text.as_bytes()), format!("b'{text}'"));
        }

        #[test]
        fn one_odd_byte_is_found_anywhere(
            text in "[ -&(-\\[\\]-~]{0,70}",
            odd in prop_oneof![0_u8..b' ', 127_u8..=255, Just(b'\\'), Just(b'\'')],
            at: prop::sample::Index,
        ) {
            let mut bytes = text.into_bytes();
            bytes.insert(at.index(bytes.len() + 1), odd);
            let mut out = TextBuffer::with_capacity(0);
            let mut space = out.reserve(bytes.len() + CHUNK_BYTES);
            prop_assert!(!push_plain(&bytes, &mut space));
        }
    }
}
