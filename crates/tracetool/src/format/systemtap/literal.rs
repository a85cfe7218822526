//! Writes strings into SystemTap source.

/// Returns `bytes` as a string literal. Invisible characters and invalid UTF-8 are escaped.
pub(in super::super) fn literal(bytes: &[u8]) -> String {
    format!("\"{}\"", inside(bytes))
}

/// Returns `bytes` for use between the quotes of a literal.
pub(super) fn inside(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                ' '..='~' => out.push(c),
                _ if !c.is_ascii() && c.is_alphanumeric() => out.push(c),
                _ => escape(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut out),
            }
        }
        escape(chunk.invalid(), &mut out);
    }
    out
}

/// Appends octal escapes of exactly three digits, so that any character may follow.
fn escape(bytes: &[u8], out: &mut String) {
    bytes.iter().for_each(|byte| out.push_str(&format!("\\{byte:03o}")));
}

#[cfg(test)]
mod tests {
    use super::literal;

    #[test]
    fn literals_are_readable_and_right() {
        for (bytes, source) in [
            (&b"/usr/bin/a b"[..], r#""/usr/bin/a b""#),
            (b"\"\\\t\n", r#""\"\\\t\n""#),
            (b"\x071\x7f\xff", r#""\0071\177\377""#),
            ("gr\u{f6}\u{df}e\u{2192}".as_bytes(), "\"gr\u{f6}\u{df}e\\342\\206\\222\""),
        ] {
            assert_eq!(literal(bytes), source);
        }
    }
}
