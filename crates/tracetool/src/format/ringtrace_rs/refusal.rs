//! What Rust cannot have. The parser lets none of it through in new files; who reads old ones is told.

use ringtrace_events::{Diagnostic, Event};

use super::super::refusal::{bad_names, too_many_arguments, unknown_type};
use super::types::Passing;

/// The most values that the runtime can record of an event.
const MAX_ARGUMENTS: usize = 16;

/// Why there can be no probe of `event`; nothing for most.
pub(super) fn refusals(event: &Event) -> Vec<Diagnostic> {
    let mut refused = bad_names(event, "Rust");
    for argument in &event.arguments {
        if Passing::of(argument).is_none() {
            refused.push(unknown_type(event, argument, "Rust"));
        }
    }
    if event.arguments.len() > MAX_ARGUMENTS {
        refused.push(too_many_arguments(event, MAX_ARGUMENTS));
    }
    refused
}
