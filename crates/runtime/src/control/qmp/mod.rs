//! QMP, the language for machines: clients send and receive JSON objects.

mod arguments;
mod render;
mod request;
mod status;

pub(super) use render::{error, event, greeting, returned, text};

use super::command::{Call, Command, CommandError, Effect};
use super::hmp;
use super::json;

#[derive(Debug)]
pub(super) struct ParsedMessage {
    /// The message's `id`, as JSON. The answer repeats it.
    pub(super) id: Option<String>,
    pub(super) request: Result<Request, CommandError>,
}

#[derive(Debug)]
pub(super) enum Request {
    Call(Call),
    Line(hmp::ParsedLine),
    Negotiated,
}

/// Parses a message. Until the client has completed the negotiation (`is_negotiated`), it may send
/// only the command that completes it.
pub(super) fn parse(message: &[u8], is_negotiated: bool) -> ParsedMessage {
    let value = match json::parse(message) {
        Ok(value) => value,
        Err(wrong) => return ParsedMessage { id: None, request: Err(CommandError::new(wrong)) },
    };
    let (id, request) = request::parse(&value);
    ParsedMessage { id, request: request.and_then(|request| understand(&request, is_negotiated)) }
}

fn understand(request: &request::Request<'_>, is_negotiated: bool) -> Result<Request, CommandError> {
    let found = Command::of_qmp(request.execute);
    let negotiates = found.is_some_and(|(command, _)| matches!(command.effect, Effect::Negotiate));
    let (command, qmp) = match found {
        _ if !is_negotiated && !negotiates => {
            return Err(CommandError::not_found(
                "Expecting capabilities negotiation with 'qmp_capabilities'",
            ));
        }
        _ if is_negotiated && negotiates => {
            return Err(CommandError::not_found(
                "Capabilities negotiation is already complete, command ignored",
            ));
        }
        Some(found) => found,
        None => {
            return Err(CommandError::not_found(format!(
                "The command {} has not been found",
                request.execute
            )));
        }
    };
    let values = arguments::check(qmp.arguments, request.arguments)?;
    match command.effect {
        Effect::Run(run) => Ok(Request::Call(Call::new(command, run, values))),
        Effect::Line => {
            Ok(Request::Line(hmp::parse(values.text("command-line").unwrap_or_default().as_bytes())))
        }
        Effect::Negotiate => match values.texts("enable").first() {
            None => Ok(Request::Negotiated),
            Some(name) => Err(CommandError::new(format_args!("Capability '{name}' is not available"))),
        },
    }
}
