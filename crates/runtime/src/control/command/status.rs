//! Commands that show the recording status.

use super::answer::Report;
use super::{Answer, Arguments, CommandError};
use crate::control::command::Program;
use crate::event::EventState;
use crate::options::Pattern;
use crate::os::program;
use crate::session::status::{EventCounts, event_counts, status};

pub(super) fn report(values: &Arguments, program: &Program) -> Result<Answer, CommandError> {
    of(values, values.flag("seen").unwrap_or(false), program)
}

/// Runs `info trace-status`. Without a name, it lists only events that are enabled or have counts.
pub(super) fn overview(values: &Arguments, program: &Program) -> Result<Answer, CommandError> {
    of(values, values.text("name").is_none(), program)
}

/// The number of records that `info trace` shows. A client that needs all of them takes a snapshot.
const SHOWN_RECORDS: usize = 1000;

pub(super) fn buffered(_: &Arguments, _: &Program) -> Result<Answer, CommandError> {
    let buffered =
        crate::session::status::buffered(SHOWN_RECORDS).map_err(|error| CommandError::of(&error))?;
    let more = match buffered.more {
        0 => None,
        1 => Some("(1 older record)".to_owned()),
        more => Some(format!("({more} older records)")),
    };
    Ok(Answer::Text(more.into_iter().chain(buffered.lines).map(|line| line + "\n").collect()))
}

fn of(values: &Arguments, only_seen: bool, program: &Program) -> Result<Answer, CommandError> {
    let pattern = Pattern::of_monitor(values.text("name").unwrap_or("*"));
    let mut events = event_counts(&pattern);
    if events.is_empty() && !pattern.is_glob() {
        return Err(CommandError::new(format_args!("unknown event \"{pattern}\"")));
    }
    events.retain(|counts| !only_seen || has_counts(counts));
    let called = || String::from_utf8_lossy(program::name()).into_owned();
    let program = program.name.clone().unwrap_or_else(called);
    Ok(Answer::Status(Box::new(Report { program, status: status(), events })))
}

/// Whether an event is enabled or has counts.
fn has_counts(counts: &EventCounts) -> bool {
    let has_records = counts.recorded.is_some_and(|recorded| recorded > 0);
    counts.state == EventState::Enabled || has_records || counts.dropped > 0
}
