//! Checks of a command's arguments against the table.

use std::borrow::Cow;

use crate::control::command::{ArgumentValue, Arguments, CommandError, Parameter, ParameterKind};
use crate::control::json::Value;

/// Checks arguments in QEMU's order: first checks the known ones in the table's order, then rejects
/// unknown ones.
pub(super) fn check(
    known: &[Parameter],
    given: &[(Cow<'_, str>, Value<'_>)],
) -> Result<Arguments, CommandError> {
    let mut values = Arguments::default();
    for argument in known {
        match given.iter().find(|(name, _)| name == argument.name) {
            Some((_, value)) => values.add(argument.name, datum(argument, value)?),
            None if argument.is_optional => {}
            None => return Err(CommandError::new(format_args!("Parameter '{}' is missing", argument.name))),
        }
    }
    match given.iter().find(|(name, _)| !known.iter().any(|argument| argument.name == name)) {
        Some((name, _)) => Err(CommandError::new(format_args!("Parameter '{name}' is unexpected"))),
        None => Ok(values),
    }
}

fn datum(argument: &Parameter, value: &Value<'_>) -> Result<ArgumentValue, CommandError> {
    let wrong = |place: &str, expected: &str| {
        CommandError::new(format_args!(
            "Invalid parameter type for '{}{place}', expected: {expected}",
            argument.name
        ))
    };
    match (argument.kind, value) {
        (ParameterKind::Text | ParameterKind::File | ParameterKind::Rest, Value::Text(text)) => {
            Ok(ArgumentValue::Text(text.clone().into_owned()))
        }
        (ParameterKind::Text | ParameterKind::File | ParameterKind::Rest, _) => Err(wrong("", "string")),
        (ParameterKind::Flag, Value::Flag(flag)) => Ok(ArgumentValue::Flag(*flag)),
        (ParameterKind::Flag, _) => Err(wrong("", "boolean")),
        (ParameterKind::Integer, Value::Number(number)) if number.parse::<i64>().is_ok() => {
            Ok(ArgumentValue::Integer)
        }
        (ParameterKind::Integer, _) => Err(wrong("", "integer")),
        (ParameterKind::Texts, Value::List(values)) => {
            let text = |(at, value): (usize, &Value<'_>)| match value {
                Value::Text(text) => Ok(text.clone().into_owned()),
                _ => Err(wrong(&format!("[{at}]"), "string")),
            };
            values.iter().enumerate().map(text).collect::<Result<_, _>>().map(ArgumentValue::Texts)
        }
        (ParameterKind::Texts, _) => Err(wrong("", "array")),
    }
}
