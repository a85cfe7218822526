//! Conversion of recorded bytes to UTF-8.

use std::borrow::Cow;
use std::fmt::Write;

/// Converts `bytes` to a string from which they can be restored. Valid UTF-8 without `\x` is not
/// changed. In all other input, each backslash is doubled, and each byte that is not valid UTF-8
/// becomes `\xNN`, in lower-case hex digits.
///
/// A converted string is therefore escaped if and only if it contains `\x`.
pub fn utf8(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) if !text.contains("\\x") => Cow::Borrowed(text),
        _ => Cow::Owned(escaped(bytes, true)),
    }
}

/// Converts `bytes` like [`utf8`], but also escapes zero bytes as `\x00`, for programs that read
/// zero-terminated strings.
pub fn utf8_without_zeros(bytes: &[u8]) -> Cow<'_, str> {
    if bytes.contains(&0) { Cow::Owned(escaped(bytes, false)) } else { utf8(bytes) }
}

#[cold]
fn escaped(bytes: &[u8], keeps_zeros: bool) -> String {
    let mut text = String::with_capacity(bytes.len() + 16);
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\\' => text.push_str("\\\\"),
                '\0' if !keeps_zeros => text.push_str("\\x00"),
                _ => text.push(character),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        if !text.contains("\\x") {
            return text.as_bytes().to_vec();
        }
        let mut bytes = Vec::new();
        let mut rest = text.as_bytes();
        loop {
            rest = match rest {
                [] => return bytes,
                [b'\\', b'\\', rest @ ..] => {
                    bytes.push(b'\\');
                    rest
                }
                [b'\\', b'x', high, low, rest @ ..] => {
                    let digits = [*high, *low];
                    bytes.push(u8::from_str_radix(str::from_utf8(&digits).unwrap(), 16).unwrap());
                    rest
                }
                [byte, rest @ ..] => {
                    bytes.push(*byte);
                    rest
                }
            };
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_are_escaped() {
        for (from, expected) in [
            (&b"plain"[..], "plain"),
            (b"C:\\dir\\new", "C:\\dir\\new"),
            ("K\u{f6}ln \u{1f980}\n\0".as_bytes(), "K\u{f6}ln \u{1f980}\n\0"),
            (b"C:\\xen", "C:\\\\xen"),
            (b"\xff", "\\xff"),
            (b"a\\b\xc3", "a\\\\b\\xc3"),
            (b"\xed\xa0\x80", "\\xed\\xa0\\x80"),
            (b"", ""),
        ] {
            assert_eq!(utf8(from), expected);
        }
    }

    proptest! {
        #[test]
        fn bytes_round_trip(parts in proptest::collection::vec(
            prop_oneof![Just(b"\\".to_vec()), Just(b"x".to_vec()), Just(b"\\xff".to_vec()), any::<[u8; 1]>().prop_map(|byte| byte.to_vec())], 0..12)) {
            let from = parts.concat();
            prop_assert_eq!(&bytes(&utf8(&from)), &from);
            let without_zeros = utf8_without_zeros(&from);
            prop_assert!(!without_zeros.contains('\0'));
            prop_assert_eq!(bytes(&without_zeros), from);
        }
    }
}
