//! Parses format strings and renders them with arbitrary values.
//!
//! An input is a line with a C format string, then a sequence of values. Each value is a type,
//! followed by 8 bytes or by a length and a string.

use ringtrace_events::CType;
use ringtrace_events::format::{Amount, Format, MAX_PADDING, Outline, Value};

use crate::Target;
use crate::choices::Choices;

pub(crate) const TARGET: Target = Target {
    name: "format",
    about: "spans are valid, arguments are counted, and the output is bounded and depends only on the values",
    max_bytes: 1024,
    run,
};

const TYPES: [CType; 14] = [
    CType::Str,
    CType::StrStar,
    CType::Pointer,
    CType::Bool,
    CType::Float,
    CType::Unknown,
    CType::Integer { bytes: 1, signed: true },
    CType::Integer { bytes: 1, signed: false },
    CType::Integer { bytes: 2, signed: true },
    CType::Integer { bytes: 2, signed: false },
    CType::Integer { bytes: 4, signed: true },
    CType::Integer { bytes: 4, signed: false },
    CType::Integer { bytes: 8, signed: true },
    CType::Integer { bytes: 8, signed: false },
];

fn run(data: &[u8]) {
    let mut choices = Choices::new(data);
    let source = String::from_utf8_lossy(choices.until(b'\n'));
    let (types, values) = types_and_values(&mut choices);

    let outline = Outline::parse(&source);
    check_outline(&outline, &source);

    let format = Format::parse(&source);
    let rendered = render(&format, &types, &values);
    let text_bytes = render(&format, &[], &[]).len();
    let str_bytes: usize = values.iter().map(value_bytes).sum();
    // Each value is used by only one conversion.
    let most = text_bytes + str_bytes + outline.conversions.len() * 2 * usize::from(MAX_PADDING);
    assert!(
        rendered.len() <= most,
        "{} bytes were rendered, but at most {most} were expected",
        rendered.len()
    );
    assert!(text_bytes <= source.len(), "unexpected text");
    if format.is_empty() {
        assert_eq!(rendered, b"");
    }
    // Extra values have no effect.
    let taken = outline.arguments.min(values.len());
    assert_eq!(render(&format, &types, &values[..taken]), rendered);

    let prefixed = Format::parse_prefixed("cpu=%p ", &source);
    assert!(render(&prefixed, &types, &values).starts_with(b"cpu="));
    assert_eq!(Outline::parse_prefixed("cpu=%p ", &source).arguments, outline.arguments + 1);
}

fn types_and_values<'a>(choices: &mut Choices<'a>) -> (Vec<CType>, Vec<Value<'a>>) {
    let (mut types, mut values) = (Vec::new(), Vec::new());
    while !choices.is_empty() && values.len() < 64 {
        let tag = choices.byte();
        types.push(TYPES[usize::from(tag & 15) % TYPES.len()]);
        // A value need not match its declared type: v0, for example, records strings as addresses.
        let value = if tag & 16 == 0 {
            Value::Integer(choices.u64())
        } else {
            let length = choices.byte();
            Value::Str(choices.bytes(length.into()))
        };
        values.push(value);
    }
    (types, values)
}

/// Returns the maximum number of bytes that a value needs without padding.
fn value_bytes(value: &Value<'_>) -> usize {
    match value {
        Value::Integer(_) => 32,
        Value::Str(bytes) => bytes.len(),
    }
}

fn check_outline(outline: &Outline, source: &str) {
    let mut arguments = 0;
    let mut end = 0;
    for conversion in &outline.conversions {
        assert!(source.get(conversion.span.clone()).is_some(), "{conversion:?}");
        assert!(conversion.span.start >= end, "{conversion:?} overlaps its predecessor");
        end = conversion.span.end;
        if let Some(span) = &conversion.pri_macro {
            assert!(source.get(span.clone()).is_some(), "{conversion:?}");
        }
        let stars =
            [conversion.width, conversion.precision].into_iter().flatten().filter_map(
                |amount| match amount {
                    Amount::Argument(index) => Some(usize::from(index)),
                    Amount::Fixed(count) => {
                        assert!(count <= MAX_PADDING, "{conversion:?}");
                        None
                    }
                },
            );
        for argument in stars.chain(conversion.argument) {
            assert_eq!(argument, arguments, "{conversion:?}");
            arguments += 1;
        }
    }
    assert_eq!(arguments, outline.arguments);
    assert!(outline.errors.is_sorted_by_key(|fault| fault.span.start));
    for fault in &outline.errors {
        assert!(source.get(fault.span.clone()).is_some(), "{fault:?}");
    }
}

/// Renders `format` after existing text, which must not change.
fn render(format: &Format, types: &[CType], values: &[Value<'_>]) -> Vec<u8> {
    let mut out = b"before ".to_vec();
    format.render(types, values, &mut out);
    out.strip_prefix(b"before ").expect("existing text is unchanged").to_vec()
}
