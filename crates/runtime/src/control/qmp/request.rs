//! The members of a QMP message.

use crate::control::command::CommandError;
use crate::control::json::{Value, Writer};

#[derive(Debug)]
pub(super) struct Request<'m> {
    pub(super) execute: &'m str,
    pub(super) arguments: &'m [(std::borrow::Cow<'m, str>, Value<'m>)],
}

/// Returns the message's `id` as JSON, and its other members or the first error among them.
pub(super) fn parse<'m>(value: &'m Value<'m>) -> (Option<String>, Result<Request<'m>, CommandError>) {
    let Value::Object(members) = value else {
        return (None, Err(CommandError::new("QMP input must be a JSON object")));
    };
    let id = members.iter().find(|(name, _)| name == "id").map(|(_, id)| {
        let mut writer = Writer::default();
        writer.value(id);
        writer.into_text()
    });
    (id, request(members))
}

fn request<'m>(members: &'m [(std::borrow::Cow<'m, str>, Value<'m>)]) -> Result<Request<'m>, CommandError> {
    let mut execute = None;
    let mut arguments: &[_] = &[];
    for (name, value) in members {
        match (&**name, value) {
            ("execute", Value::Text(command)) => execute = Some(&**command),
            ("execute", _) => return Err(CommandError::new("QMP input member 'execute' must be a string")),
            ("arguments", Value::Object(members)) => arguments = members,
            ("arguments", _) => {
                return Err(CommandError::new("QMP input member 'arguments' must be an object"));
            }
            ("id", _) => {}
            // This includes `exec-oob`, whose capability is not offered.
            (other, _) => {
                return Err(CommandError::new(format_args!("QMP input member '{other}' is unexpected")));
            }
        }
    }
    let execute = execute.ok_or_else(|| CommandError::new("QMP input lacks member 'execute'"))?;
    Ok(Request { execute, arguments })
}
