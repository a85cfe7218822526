//! Strings for C within Rust source.

/// `bytes` without a byte 0 as a literal that ends in one: `c"caf\u{e9}"`.
///
/// What cannot be seen, and what is not UTF-8, is escaped.
pub(super) fn c_string(bytes: &[u8]) -> String {
    let mut out = "c\"".to_owned();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                ' '..='~' => out.push(c),
                _ if c.is_ascii() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
                _ if c.is_alphanumeric() => out.push(c),
                _ => out.push_str(&c.escape_unicode().to_string()),
            }
        }
        for byte in chunk.invalid() {
            out.push_str(&format!("\\x{byte:02x}"));
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::c_string;

    #[test]
    fn literals_are_readable_and_right() {
        for (bytes, literal) in [
            (&b"x=%d\n"[..], r#"c"x=%d\n""#),
            (b"\"\\\t\r", r#"c"\"\\\t\r""#),
            (b"\x07\x1b\x7f\xff", r#"c"\x07\x1b\x7f\xff""#),
            ("gr\u{f6}\u{df}e \u{202e}\u{2192}".as_bytes(), "c\"gr\u{f6}\u{df}e \\u{202e}\\u{2192}\""),
        ] {
            assert_eq!(c_string(bytes), literal);
        }
    }
}
