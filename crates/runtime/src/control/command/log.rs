//! Commands for the backend `log`.

use super::file::{ClientFile, resolve};
use super::{Answer, Arguments, CommandError};
use crate::control::command::Program;
use crate::event::registry::{self, Switched};
use crate::options::{Backends, Switch};
use crate::session;
use crate::session::StartError;

const ITEMS: &[(&str, &str)] = &[
    ("none", "remove all logs"),
    ("trace:PATTERN", "enable trace events and show them in the log (-PATTERN: disable)"),
    ("trace:help", "list the trace events"),
    ("help", "show this list"),
];

/// Formats the list of items as QEMU does.
pub(in crate::control) fn items() -> String {
    let item = |(name, about): &(&str, &str)| format!("{name:<15} {about}\n");
    ITEMS.iter().fold("Log items (comma separated):\n".to_owned(), |list, one| list + &item(one))
}

pub(super) fn set_file(values: &Arguments, program: &Program) -> Result<Answer, CommandError> {
    let name = values.text("file").unwrap_or_default();
    let mut signs = name.match_indices('%');
    if signs.any(|(at, _)| !name[at..].starts_with("%d")) || name.matches('%').count() > 1 {
        return Err(CommandError::new(format_args!("Bad logfile template: {name}")));
    }
    let ClientFile { path, within } = match program.directory {
        // Check the name after `%d` has been replaced by the process id.
        Some(_) => resolve(&name.replace("%d", &std::process::id().to_string()), program)?,
        None => resolve(name, program)?,
    };
    if session::is_of_trace(&path) {
        return Err(CommandError::new(format_args!("log file {name}: already in use as the trace file")));
    }
    session::set_log_file_within(Some(&path), within.as_deref()).map_err(|error| CommandError::of(&error))?;
    Ok(Answer::Nothing)
}

enum Item<'w> {
    None,
    Trace(&'w str),
    TraceHelp,
}

/// Runs `log ITEM[,ITEM]`: applies the items in order, or prints the list if one of them is
/// unknown.
pub(super) fn log(values: &Arguments, _: &Program) -> Result<Answer, CommandError> {
    let words = values.text("items").unwrap_or_default();
    let items: Option<Vec<Item<'_>>> = words.split(',').map(parse).collect();
    let Some(items) = items else { return Ok(Answer::Text(self::items())) };
    let mut text = String::new();
    let mut is_listed = false;
    for item in items {
        match item {
            Item::None => set_backends(|backends| backends.without(Backends::LOG))?,
            Item::Trace(pattern) => {
                let switch = Switch::parse(pattern);
                let done = registry::switch(&switch);
                // A misspelt event name has no effect, so do not switch the log on.
                if switch.enable && done.matched > 0 {
                    set_backends(|backends| backends | Backends::LOG)?;
                }
                text += &warning(&switch, done);
            }
            // List the events only once: a line can contain hundreds of these items, and a program
            // can have thousands of events.
            Item::TraceHelp if is_listed => {}
            Item::TraceHelp => {
                is_listed = true;
                registry::each(|event| text += &format!("{}\n", event.name()));
            }
        }
    }
    Ok(Answer::Text(text))
}

fn parse(word: &str) -> Option<Item<'_>> {
    match word {
        "none" => Some(Item::None),
        "trace:help" | "trace:?" => Some(Item::TraceHelp),
        _ => word.strip_prefix("trace:").filter(|pattern| !matches!(*pattern, "" | "-")).map(Item::Trace),
    }
}

fn set_backends(change: fn(Backends) -> Backends) -> Result<(), CommandError> {
    match session::switch_backends_by(change) {
        // If tracing has not started, there is no log that `none` could switch off.
        Err(StartError::NotRunning) if change(Backends::NONE).is_empty() => Ok(()),
        switched => switched.map(drop).map_err(|error| CommandError::of(&error)),
    }
}

/// Returns a warning if the pattern names a single event that does not exist or cannot be enabled.
/// Option parsing prints the same warning.
fn warning(switch: &Switch, done: Switched) -> String {
    let pattern = &switch.pattern;
    match () {
        () if done.is_unknown() => format!("warning: trace event '{pattern}' does not exist\n"),
        () if !pattern.is_glob() && done.matched == 0 => {
            format!("warning: trace event '{pattern}' is not traceable\n")
        }
        () => String::new(),
    }
}
