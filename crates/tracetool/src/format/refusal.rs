//! What several formats cannot have. The parser lets none of it through in new files; who reads old ones is told.

use ringtrace_events::{Diagnostic, Event, Severity};

/// Says that `event` has more than `most` arguments.
pub(super) fn too_many_arguments(event: &Event, most: usize) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: "E0009",
        message: format!("the event has more than {most} arguments"),
        source: event.source,
        span: event.declaration.range(),
        label: format!("there are {}", event.arguments.len()),
        help: Some("make two events of it".to_owned()),
    }
}
