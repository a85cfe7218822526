//! The line that an event prints, as C's printf is given it by Rust.

use ringtrace_events::format::{Fault, FaultKind, decode_source};
use ringtrace_events::{Diagnostic, Event, Text};

use super::literal;
use crate::format::refusal::unknown_macro;

/// The text that prints `event`, its name before it and `end` behind it, as a literal.
pub(super) fn line(event: &Event, end: &str) -> String {
    let (mut format, _) = decode(event.format.as_ref());
    // There printf ends; and a line must end all the same.
    format.truncate(format.iter().position(|byte| *byte == 0).unwrap_or(format.len()));
    let line =
        [event.name.as_bytes(), b" ", event.format_prefix.as_bytes(), &format, end.as_bytes()].concat();
    literal::c_string(&line)
}

/// What in the format of `event` only a C compiler could know the meaning of.
pub(crate) fn unprintable(event: &Event) -> Vec<Diagnostic> {
    let Some(format) = event.format.as_ref().filter(|_| !event.disabled) else { return Vec::new() };
    let (_, faults) = decode(Some(format));
    let unknown = faults.iter().filter(|fault| fault.kind == FaultKind::UnknownWord);
    unknown.map(|fault| unknown_macro(event, format, fault, "Rust")).collect()
}

fn decode(format: Option<&Text>) -> (Vec<u8>, Vec<Fault>) {
    format.map_or_else(Default::default, |format| decode_source(format, length))
}

/// The length modifier of a macro for integers of `size` bits. The short ones narrow what is widened for the call.
fn length(size: &str) -> Option<&'static str> {
    Some(match size {
        "8" => "hh",
        "16" => "h",
        "32" => "",
        "64" => "ll",
        "PTR" => "t",
        "MAX" => "j",
        _ => return None,
    })
}
