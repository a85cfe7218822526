//! The line that a Rust probe prints for an event by calling C's printf.

use ringtrace_events::format::{FormatError, FormatErrorKind, decode_source};
use ringtrace_events::{Diagnostic, Event, Text};

use super::unsupported::unknown_macro;

/// Returns, as a literal, the format that prints `event`: the event's name, its format, and `end`.
pub(super) fn line(event: &Event, end: &str) -> String {
    let (mut format, _) = decode(event.format.as_ref());
    // printf stops at a NUL, but the line must still be terminated.
    format.truncate(format.iter().position(|byte| *byte == 0).unwrap_or(format.len()));
    let line =
        [event.name.as_bytes(), b" ", event.format_prefix.as_bytes(), &format, end.as_bytes()].concat();
    c_string(&line)
}

/// Reports macros in the format of `event` that only a C compiler knows.
pub(crate) fn unprintable(event: &Event) -> Vec<Diagnostic> {
    let Some(format) = event.format.as_ref().filter(|_| !event.disabled) else { return Vec::new() };
    let (_, errors) = decode(Some(format));
    let unknown = errors.iter().filter(|error| error.kind == FormatErrorKind::UnknownWord);
    unknown.map(|error| unknown_macro(event, format, error, "Rust")).collect()
}

fn decode(format: Option<&Text>) -> (Vec<u8>, Vec<FormatError>) {
    format.map_or_else(Default::default, |format| decode_source(format, length))
}

/// Returns the length modifier of a macro for `size` bits. Short integers are widened for the call,
/// and the modifier narrows them again.
fn length(size: &str) -> Option<&'static str> {
    Some(match size {
        "8" => "hh",
        "16" => "h",
        "32" => "",
        "64" => "ll",
        "PTR" => "t",
        "MAX" => "j",
        _ => return None,
    })
}

/// Returns `bytes`, which contain no NUL, as a C string literal: `c"caf\u{e9}"`.
///
/// Invisible characters and invalid UTF-8 are escaped.
fn c_string(bytes: &[u8]) -> String {
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
