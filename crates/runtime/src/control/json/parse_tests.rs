//! Tests of the parser and the writer.

use proptest::prelude::*;

use super::super::{Value, Writer};
use super::parse;

/// Parses a JSON value and writes it again. Returns the error if the input is invalid.
fn again(text: &[u8]) -> String {
    let value = match parse(text) {
        Ok(value) => value,
        Err(error) => return error,
    };
    let mut writer = Writer::default();
    writer.value(&value);
    writer.into_text()
}

#[test]
fn values_are_written_as_qemu_does() {
    for (text, expected) in [
        (r#"{"a":[1,2.5,null,true],"b":{}}"#, r#"{"a": [1, 2.5, null, true], "b": {}}"#),
        ("[ ]", "[]"),
        ("-0.5e+3", "-0.5e+3"),
        ("18446744073709551616", "18446744073709551616"),
        ("\"caf\u{e9} \u{4f60} \u{1f600}\"", r#""caf\u00E9 \u4F60 \uD83D\uDE00""#),
        (r#""\u00e9\ud83d\ude00\/\b\f\n\r\t\u0001\u007f""#, r#""\u00E9\uD83D\uDE00/\b\f\n\r\t\u0001\u007F""#),
        (r#"{'single': 'it is "so", isn\'t it'}"#, r#"{"single": "it is \"so\", isn't it"}"#),
        (r#""isn't \'""#, r#""isn't '""#),
    ] {
        assert_eq!(again(text.as_bytes()), expected, "{text}");
    }
}

#[test]
fn errors_are_reported_in_the_words_of_qemu() {
    for (text, expected) in [
        (&b"}"[..], "expecting value"),
        (b"{\"a\": }", "expecting value"),
        (b"[1, ]", "expecting value"),
        (b"nonsense", "invalid keyword 'nonsense'"),
        (b"True", "invalid keyword 'True'"),
        (b"{a: 1}", "key is not a string in object"),
        (b"{\"a\": 1, }", "key is not a string in object"),
        (b"{\"a\" 1}", "missing : in object pair"),
        (b"{\"a\": 1 \"b\": 2}", "expected separator in dict"),
        (b"{\"a\": 1]", "expected separator in dict"),
        (b"[1 2]", "expected separator in list"),
        (b"{\"a\": 1, 'a': 2}", "duplicate key"),
        (b"01", "invalid number '01'"),
        (b"1.", "invalid number '1.'"),
        (b"0x10", "invalid number '0x10'"),
        (b"@", "stray '@'"),
        (b"\"\\x\"", "invalid escape sequence '\\x' in string"),
        (b"\"\\u12\"", "\\u is not followed by four hex digits in string"),
        (b"\"\\ud800\"", "\\uD800 is half of a character in string"),
        (b"\"\\ud800\\u0041\"", "\\uD800 is half of a character in string"),
        (b"\"\xc3\"", "invalid UTF-8 sequence in string"),
        (b"\"abc", "unterminated string"),
        (b"\"a\x1bc\"", "control character 0x1b in string"),
        (b"{} {}", "expected end of input"),
    ] {
        assert_eq!(again(text), format!("JSON parse error, {expected}"), "{}", text.escape_ascii());
    }
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert_eq!(again(nested(100).as_bytes()), nested(100));
    assert_eq!(again(nested(101).as_bytes()), "JSON parse error, nested deeper than 100");
    assert_eq!(
        again(format!("[{}0]", "0,".repeat(1 << 16)).as_bytes()),
        "JSON parse error, more than 65536 values"
    );
}

fn values() -> impl Strategy<Value = Value<'static>> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Flag),
        any::<i64>().prop_map(|number| Value::Number(number.to_string().leak())),
        any::<String>().prop_map(|text| Value::Text(text.into())),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let members = proptest::collection::btree_map(any::<String>(), inner.clone(), 0..6);
        prop_oneof![
            proptest::collection::vec(inner, 0..6).prop_map(Value::List),
            members.prop_map(|members| {
                Value::Object(members.into_iter().map(|(name, value)| (name.into(), value)).collect())
            }),
        ]
    })
}

proptest! {
    /// Both this parser and other parsers can read the writer's output.
    #[test]
    fn written_values_are_read_back(value in values()) {
        let mut writer = Writer::default();
        writer.value(&value);
        let text = writer.into_text();
        prop_assert!(text.is_ascii());
        prop_assert_eq!(parse(text.as_bytes()), Ok(value));
        prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
    }

    /// The parser returns a value or an error for any input. It accepts whatever other parsers
    /// accept, except for duplicate names.
    #[test]
    fn anything_is_a_value_or_an_error(text in "[\\[\\]{}:,\"'\\\\a-f0-9. eEtruN+-]{0,40}|\\PC{0,20}") {
        let ours = parse(text.as_bytes());
        if serde_json::from_str::<serde_json::Value>(&text).is_ok() {
            let twice = Err("JSON parse error, duplicate key".to_owned());
            prop_assert!(ours.is_ok() || ours == twice, "{:?}", ours);
        }
    }
}
