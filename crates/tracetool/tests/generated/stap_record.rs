//! Checks that scripts of `simpletrace-stap` print the same bytes that `ringtrace-wire` encodes.

use std::path::Path;

use ringtrace_events::ctype::StringRule;
use ringtrace_events::{Argument, Event};
use ringtrace_tracetool::StapMode;
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{self, Encoder};

use crate::sources::{Declared, folder};
use crate::stap_script::{PID, Script, TIME_NS, Value};

/// Returns values for the arguments of `event`, which vary between rounds. `rule` determines which
/// values are strings.
fn values(event: &Event, rule: StringRule, round: usize) -> Vec<Value> {
    let value = |(index, argument): (usize, &Argument)| match (index + round) % 4 {
        kind if !argument.ctype.is_string(rule) => {
            Value::Integer([0, u64::MAX, 0x8123_4567_89ab_cdef, 7][kind])
        }
        0 => Value::Null,
        1 => Value::Text(b"".to_vec()),
        2 => Value::Text(vec![b'\xfe'; 511]),
        _ => Value::Text(format!("text {index} % \\").into()),
    };
    event.arguments.iter().enumerate().map(value).collect()
}

/// Writes the expected record.
fn record(encoder: Encoder, id: usize, values: &[Value], out: &mut Vec<u8>) {
    let values: Vec<encode::Value<'_>> = values
        .iter()
        .map(|value| match value {
            Value::Integer(value) => encode::Value::Integer(*value),
            Value::Text(text) => encode::Value::Str(text),
            Value::Null => encode::Value::Str(b"<null>"),
        })
        .collect();
    encoder.record(id as u64, TIME_NS, PID, &values, out).unwrap();
}

#[test]
fn records_are_those_of_wire() {
    for file in ["types", "counts", "keywords", "disabled", "legacy", "values"] {
        let declared = Declared::read(&folder().join(file).with_extension("events"));
        let program = Path::new("program");
        let names = declared.script("stap", program, StapMode::Static);
        for mode in [StapMode::Static, StapMode::Version3, StapMode::Dynamic] {
            let version = if mode == StapMode::Version3 { Version::V3 } else { Version::V4 };
            let rule = if version == Version::V3 { StringRule::AnyStars } else { StringRule::OneStar };
            let encoder = Encoder { version, order: ByteOrder::Little };
            let text = declared.script("simpletrace-stap", program, mode);
            let mut script = Script::begin(&text, &names);
            let mut expected = Vec::new();
            if mode == StapMode::Dynamic {
                encoder.header(0, 0, &mut expected);
            }
            let active = || declared.events().iter().enumerate().filter(|(_, event)| !event.disabled);
            for round in 0..4 {
                for (seen, (position, event)) in active().enumerate() {
                    let values = values(event, rule, round);
                    script.fire(&event.name, &values);
                    let id = if mode == StapMode::Dynamic { seen } else { position };
                    if mode == StapMode::Dynamic && round == 0 {
                        encoder.mapping(id as u64, event.name.as_bytes(), &mut expected);
                    }
                    record(encoder, id, &values, &mut expected);
                }
            }
            assert!(script.printed == expected, "{file}, {mode:?}\n{text}");
        }
    }
}
