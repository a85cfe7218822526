//! Writes strings from declarations into Rust source.

/// Returns `text` as a string literal, or as a raw string literal if that is easier to read.
///
/// Invisible characters are escaped, because the compiler rejects some of them.
pub(super) fn string(text: &str) -> String {
    if !text.chars().all(|c| c == ' ' || c.is_ascii_graphic() || is_letter(c)) {
        return escaped(text);
    }
    if !text.contains(['"', '\\']) {
        return format!("\"{text}\"");
    }
    let mut hashes = "#".to_owned();
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    format!("r{hashes}\"{text}\"{hashes}")
}

/// Whether a non-ASCII character does not need an escape.
fn is_letter(c: char) -> bool {
    !c.is_ascii() && c.is_alphanumeric()
}

fn escaped(text: &str) -> String {
    let mut out = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\t' => out.push_str("\\t"),
            ' '..='~' => out.push(c),
            _ if is_letter(c) => out.push(c),
            _ => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::string;

    #[test]
    fn literals_are_readable_and_right() {
        for (text, literal) in [
            ("void *", r#""void *""#),
            (r#""x=%d""#, r###"r#""x=%d""#"###),
            (r##""#""##, r###"r##""#""##"###),
            (r"\", r##"r#"\"#"##),
            ("caf\u{e9}", "\"caf\u{e9}\""),
            ("a\t\"\u{202e}\0\u{7f}", r#""a\t\"\u{202e}\u{0}\u{7f}""#),
        ] {
            assert_eq!(string(text), literal);
        }
    }
}
