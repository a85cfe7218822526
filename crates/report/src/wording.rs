//! Sentences about losses, pauses and metadata of a trace, for terminals and pages.

use ringtrace_display::quantity::{self, Units, counted};
use ringtrace_display::shell;
use ringtrace_events::message::visible;
use ringtrace_tracefile::metadata::Cause;
use ringtrace_tracefile::{Causes, Dropped, Pause};

/// Returns the verb for lost events, and the count of each cause if there are several.
pub fn describe_causes(causes: Causes) -> (&'static str, String) {
    let all: Vec<(Cause, u64)> = causes.iter().collect();
    match all.as_slice() {
        [] => ("dropped", String::new()),
        [(cause, _)] => (cause.word(), String::new()),
        several => {
            let each = several
                .iter()
                .map(|(cause, events)| format!("{} {}", quantity::count(*events), cause.word()));
            ("lost", format!(": {}", each.collect::<Vec<_>>().join(", ")))
        }
    }
}

/// Describes the events that were lost while recording, without a full stop.
pub fn describe_dropped(dropped: Dropped) -> String {
    let Dropped { records, events, miscounted, causes } = dropped;
    let (lost, causes) = describe_causes(causes);
    let lost_events =
        format!("{} {lost} while recording{causes}", counted(events, "event was", "events were"));
    match miscounted {
        0 => lost_events,
        _ if miscounted == records => {
            let miscounted = counted(miscounted, "dropped record has", "dropped records have");
            format!("events were dropped while recording, but {miscounted} an invalid count")
        }
        _ => {
            let miscounted = counted(miscounted, "more dropped record has", "more dropped records have");
            format!("{lost_events}; {miscounted} an invalid count")
        }
    }
}

/// Describes when recording was off, without a full stop: `twice, for 1.2 s in all, and at the
/// end`. `None` if it was always on.
pub fn describe_pauses(pauses: &[Pause], units: Units) -> Option<String> {
    let ended = pauses.iter().filter(|pause| pause.to_ns.is_some()).count() as u64;
    let all_ns = pauses.iter().map(Pause::duration_ns).fold(0, u64::saturating_add);
    let for_long = units.duration(all_ns);
    let during = match ended {
        0 => None,
        1 => Some(format!("once, for {for_long}")),
        2 => Some(format!("twice, for {for_long} in all")),
        _ => Some(format!("{} times, for {for_long} in all", quantity::count(ended))),
    };
    let at_end = pauses.last().is_some_and(|pause| pause.to_ns.is_none());
    match (during, at_end) {
        (None, false) => None,
        (None, true) => Some("at the end".to_owned()),
        (Some(during), false) => Some(during),
        (Some(during), true) => Some(format!("{during}, and at the end")),
    }
}

/// Decodes untrusted bytes, and makes invisible characters visible.
pub fn visible_text(value: &[u8]) -> String {
    visible::text(&String::from_utf8_lossy(value))
}

/// Formats zero-terminated words as a shell command line.
pub fn command_line(value: &[u8]) -> String {
    if !value.contains(&0) {
        return visible_text(value);
    }
    let words = value.strip_suffix(&[0]).unwrap_or(value).split(|&byte| byte == 0);
    let words: Vec<String> = words.map(visible_text).collect();
    shell::join(words.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_shown_as_it_would_be_typed() {
        for (value, expected) in [
            (&b"engine --fast"[..], "engine --fast"),
            (b"engine\0", "engine"),
            (b"engine\0-o\0a b\0\0it's\0--x=1,2\0", "engine -o 'a b' '' \"it's\" --x=1,2"),
            ("engine\0caf\u{e9}".as_bytes(), "engine caf\u{e9}"),
        ] {
            assert_eq!(command_line(value), expected);
        }
    }
}
