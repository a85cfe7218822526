//! What Rust cannot have. The parser lets none of it through in new files; who reads old ones is told.

use ringtrace_events::{Argument, Diagnostic, Event, Severity, Text};

use super::super::refusal::too_many_arguments;
use super::types::Passing;

/// The most values that the runtime can record of an event.
const MAX_ARGUMENTS: usize = 16;

/// Why there can be no probe of `event`; nothing for most.
pub(super) fn refusals(event: &Event) -> Vec<Diagnostic> {
    let mut refused = Vec::new();
    if !is_word(&event.name) {
        refused.push(bad_name("E0010", event, &event.name));
    }
    for argument in &event.arguments {
        if Passing::of(argument).is_none() {
            refused.push(unknown_type(event, argument));
        }
        if !is_word(&argument.name) {
            refused.push(bad_name("E0008", event, &argument.name));
        }
    }
    if event.arguments.len() > MAX_ARGUMENTS {
        refused.push(too_many_arguments(event, MAX_ARGUMENTS));
    }
    refused
}

/// Whether an identifier can be made of `name`.
fn is_word(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn bad_name(code: &'static str, event: &Event, name: &Text) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code,
        message: format!("`{name}` is no name for Rust"),
        source: event.source,
        span: name.range(),
        label: "letters of ASCII, digits and `_` are expected".to_owned(),
        help: None,
    }
}

fn unknown_type(event: &Event, argument: &Argument) -> Diagnostic {
    let Argument { ctype_text, name, .. } = argument;
    Diagnostic {
        severity: Severity::Error,
        code: "E0005",
        message: format!("argument type `{ctype_text}` is not allowed"),
        source: event.source,
        span: ctype_text.range(),
        label: "Rust has no counterpart of it".to_owned(),
        help: Some(format!("declare it as an integer of its size, `uint64_t {name}`, or as `void *{name}`")),
    }
}
