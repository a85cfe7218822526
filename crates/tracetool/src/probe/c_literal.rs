//! Writes strings from declarations into C source, escaped to preserve their meaning.

use std::borrow::Cow;

use ringtrace_events::message::visible;

/// Returns `text` as a string literal.
pub(crate) fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    out.push('"');
    let is_itself = |byte: u8| is_plain(byte) && !matches!(byte, b'"' | b'\\' | b'?');
    let mut rest = text;
    loop {
        // Nearly all characters need no escape.
        let (plain, others) = rest.split_at(rest.bytes().take_while(|byte| is_itself(*byte)).count());
        out.push_str(plain);
        let mut others = others.chars();
        match others.next() {
            None => break,
            Some(c @ ('"' | '\\')) => out.extend(['\\', c]),
            Some(c) => push(c, &mut out),
        }
        rest = others.as_str();
    }
    out.push('"');
    out
}

/// Returns the literals and macros of a format, with invisible characters escaped. Such characters
/// mislead readers, and compilers may warn about them. A blank is inserted between a literal and a
/// macro, because C++11 reads `"%"PRIx64` as a literal with a suffix.
pub(super) fn format_source(text: &str) -> Cow<'_, str> {
    let is_plain = text.bytes().all(|byte| is_plain(byte) || byte == b'\t') && !text.contains("??");
    let starts_word = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    let is_spaced = !text.as_bytes().windows(2).any(|pair| pair[0] == b'"' && starts_word(&pair[1]));
    if is_plain && is_spaced {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut within = Within::Source;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let mut after = &rest[c.len_utf8()..];
        match (within, c) {
            (Within::Literal, '\\') => {
                let escaped = after.chars().next().map_or(0, char::len_utf8);
                out.push(c);
                out.push_str(&after[..escaped]);
                after = &after[escaped..];
            }
            (Within::Literal, '"') => {
                within = Within::Source;
                out.push(c);
                if after.as_bytes().first().is_some_and(starts_word) {
                    out.push(' ');
                }
            }
            (Within::Source, '/') if after.starts_with('*') => {
                within = Within::Comment;
                out.push_str("/*");
                after = &after[1..];
            }
            (Within::Comment, '*') if after.starts_with('/') => {
                within = Within::Source;
                out.push_str("*/");
                after = &after[1..];
            }
            _ => {
                if matches!(within, Within::Source) && c == '"' {
                    within = Within::Literal;
                }
                push(c, &mut out);
            }
        }
        rest = after;
    }
    Cow::Owned(out)
}

/// The part of a format that contains a character.
#[derive(Clone, Copy)]
enum Within {
    /// Macros and blanks.
    Source,
    Literal,
    Comment,
}

/// Appends a character of a literal, escaped if necessary. Octal escapes have three digits, so that
/// a following digit is not read as part of the escape.
fn push(c: char, out: &mut String) {
    match c {
        // Two question marks could start a trigraph.
        '?' if out.ends_with('?') => out.push_str("\\?"),
        '\t' => out.push_str("\\t"),
        ' '..='~' => out.push(c),
        _ if !c.is_ascii() && c.is_alphanumeric() => out.push(c),
        _ => {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                out.push_str(&format!("\\{byte:03o}"));
            }
        }
    }
}

fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// Returns `text` for a comment `/* ... */`, without character sequences that start or end a
/// comment.
pub(crate) fn comment(text: &str) -> String {
    if text.bytes().all(is_plain) && !text.contains("*/") && !text.contains("/*") {
        return text.to_owned();
    }
    visible::text(text).replace("*/", "* /").replace("/*", "/ *")
}

#[cfg(test)]
mod tests {
    use super::{comment, format_source, string};

    #[test]
    fn strings_keep_their_text() {
        for (text, literal) in [
            ("x=%d", r#""x=%d""#),
            (r#"f(int x) "a\n""#, r#""f(int x) \"a\\n\"""#),
            ("what??!", r#""what?\?!""#),
            ("a\t\u{7}1", r#""a\t\0071""#),
            ("gr\u{f6}\u{df}e \u{2192}0", r#""größe \342\206\2220""#),
        ] {
            assert_eq!(string(text), literal);
        }
    }

    #[test]
    fn formats_stay_as_they_are() {
        for (text, expected) in [
            (r#""x=%d" "\"??\\" PRIx64"#, r#""x=%d" "\"?\?\\" PRIx64"#),
            (r#""a\??!" "b\?""#, r#""a\?\?!" "b\?""#),
            ("\"\u{202e}\" /* \u{e9} */", "\"\\342\\200\\256\" /* \u{e9} */"),
            ("\"\\\u{2192}\"", "\"\\\u{2192}\""),
            (r#""0x%"PRIx64" of "A"b""#, r#""0x%" PRIx64" of " A"b""#),
            (r#""%d" /*/ 9" */ "a\"b" "%"X"#, r#""%d" /*/ 9" */ "a\"b" "%" X"#),
        ] {
            assert_eq!(format_source(text), expected);
        }
    }

    #[test]
    fn comments_contain_no_delimiters() {
        for (text, expected) in
            [("a */ b", "a * / b"), ("*/*/", "* /* /"), ("/*/", "/ * /"), ("x/**/", "x/ ** /")]
        {
            let made = comment(text);
            assert!(!made.contains("*/") && !made.contains("/*"), "{made}");
            assert_eq!(made, expected.replace("/*", "/ *"));
        }
    }
}
