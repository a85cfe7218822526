//! The arguments of a command, held against the table.

use std::borrow::Cow;

use crate::monitor::command::{Argument, Datum, Failure, Kind, Values};
use crate::monitor::json::Value;

/// Checks what was given, as QEMU does: in the order of the table, and last whether there is more.
pub(super) fn check(known: &[Argument], given: &[(Cow<'_, str>, Value<'_>)]) -> Result<Values, Failure> {
    let mut values = Values::default();
    for argument in known {
        match given.iter().find(|(name, _)| name == argument.name) {
            Some((_, value)) => values.add(argument.name, datum(argument, value)?),
            None if argument.is_optional => {}
            None => return Err(Failure::new(format_args!("Parameter '{}' is missing", argument.name))),
        }
    }
    match given.iter().find(|(name, _)| !known.iter().any(|argument| argument.name == name)) {
        Some((name, _)) => Err(Failure::new(format_args!("Parameter '{name}' is unexpected"))),
        None => Ok(values),
    }
}

fn datum(argument: &Argument, value: &Value<'_>) -> Result<Datum, Failure> {
    let wrong = |place: &str, expected: &str| {
        Failure::new(format_args!(
            "Invalid parameter type for '{}{place}', expected: {expected}",
            argument.name
        ))
    };
    match (argument.kind, value) {
        (Kind::Text | Kind::File | Kind::Rest, Value::Text(text)) => {
            Ok(Datum::Text(text.clone().into_owned()))
        }
        (Kind::Text | Kind::File | Kind::Rest, _) => Err(wrong("", "string")),
        (Kind::Flag, Value::Flag(flag)) => Ok(Datum::Flag(*flag)),
        (Kind::Flag, _) => Err(wrong("", "boolean")),
        (Kind::Integer, Value::Number(number)) if number.parse::<i64>().is_ok() => Ok(Datum::Integer),
        (Kind::Integer, _) => Err(wrong("", "integer")),
        (Kind::Texts, Value::List(values)) => {
            let text = |(at, value): (usize, &Value<'_>)| match value {
                Value::Text(text) => Ok(text.clone().into_owned()),
                _ => Err(wrong(&format!("[{at}]"), "string")),
            };
            values.iter().enumerate().map(text).collect::<Result<_, _>>().map(Datum::Texts)
        }
        (Kind::Texts, _) => Err(wrong("", "array")),
    }
}
