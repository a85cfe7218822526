//! JSON for Chrome's format.

use crate::shared::arguments::Member;
use crate::shared::json;
use crate::shared::text::utf8_without_zeros;
use crate::shared::value::TypedValue;

/// Appends `"NAME":VALUE,...`, the members of an object.
pub(super) fn push_members<'v>(members: impl IntoIterator<Item = Member<'v>>, out: &mut Vec<u8>) {
    for (index, (name, value)) in members.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        push_quoted(&name, out);
        out.push(b':');
        push_value(value, out);
    }
}

fn push_value(value: TypedValue<'_>, out: &mut Vec<u8>) {
    json::value(value, out, |bytes, out| push_quoted(&utf8_without_zeros(bytes), out));
}

/// Appends `text` as a JSON string. Perfetto's reader ends a string at the first quote that is not
/// preceded by a backslash; it does not recognise an escaped backslash. A backslash before a quote
/// is therefore written as `\u005c`.
pub(super) fn push_quoted(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let escape: &[u8] = match character {
            '"' => b"\\\"",
            '\\' if matches!(characters.peek(), None | Some('"')) => b"\\u005c",
            '\\' => b"\\\\",
            '\n' => b"\\n",
            '\r' => b"\\r",
            '\t' => b"\\t",
            '\0'..' ' => {
                out.extend_from_slice(format!("\\u{:04x}", u32::from(character)).as_bytes());
                continue;
            }
            _ => {
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
        };
        out.extend_from_slice(escape);
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_exact_for_readers() {
        for (value, expected) in [
            (TypedValue::Signed(-1), "-1"),
            (TypedValue::Signed(i64::MIN), "\"-9223372036854775808\""),
            (TypedValue::Unsigned(1 << 53), "9007199254740992"),
            (TypedValue::Unsigned((1 << 53) + 1), "\"9007199254740993\""),
            (TypedValue::Bool(true), "true"),
            (TypedValue::Pointer(0), "\"0x0\""),
            (TypedValue::Text(b"a\"\n\xff"), "\"a\\\"\\n\\\\xff\""),
            (TypedValue::Text(b"C:\\"), "\"C:\\u005c\""),
        ] {
            let mut out = Vec::new();
            push_value(value, &mut out);
            assert_eq!(str::from_utf8(&out).unwrap(), expected, "{value:?}");
        }
    }
    proptest::proptest! {
        #[test]
        fn texts_round_trip(text in "[\\PC\\\\\"\n\r\t\0-\x1f]*") {
            let mut out = Vec::new();
            push_quoted(&text, &mut out);
            let read: String = serde_json::from_slice(&out).unwrap();
            proptest::prop_assert_eq!(read, text);
            let inner = str::from_utf8(&out).unwrap().trim_start_matches('"');
            proptest::prop_assert!(!inner.contains("\\\\\""), "{inner}");
        }
    }
}
