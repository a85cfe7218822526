//! Commands that list, enable and disable events.

use super::{Answer, Arguments, CommandError};
use crate::control::command::Program;
use crate::event::registry;
use crate::options::{Pattern, Switch};

/// Returns the states of all events that `name` matches, or of all events if `name` is absent.
pub(super) fn states(values: &Arguments, _: &Program) -> Result<Answer, CommandError> {
    let pattern = Pattern::of_monitor(values.text("name").unwrap_or("*"));
    let states = registry::states_of(&pattern);
    if states.is_empty() && !pattern.is_glob() {
        return Err(unknown(&pattern));
    }
    Ok(Answer::States(states))
}

/// Enables or disables all events that `name` matches, or none if one of them cannot be changed.
pub(super) fn switch_all_or_nothing(values: &Arguments, _: &Program) -> Result<Answer, CommandError> {
    switch(values, values.flag("ignore-unavailable").unwrap_or(false))
}

/// Enables or disables the events that `name` matches, except those that cannot be changed.
pub(super) fn switch_available(values: &Arguments, _: &Program) -> Result<Answer, CommandError> {
    switch(values, true)
}

fn switch(values: &Arguments, ignores_unavailable: bool) -> Result<Answer, CommandError> {
    let pattern = Pattern::of_monitor(values.text("name").unwrap_or_default());
    let switch = Switch { pattern, enable: values.flag("enable").unwrap_or(false) };
    let done = if ignores_unavailable {
        registry::switch(&switch)
    } else {
        registry::switch_all_or_nothing(&switch)
            .map_err(|refused| CommandError::new(format_args!("event \"{}\" is disabled", refused.name)))?
    };
    if done.is_unknown() && !switch.pattern.is_glob() {
        return Err(unknown(&switch.pattern));
    }
    Ok(Answer::Nothing)
}

fn unknown(pattern: &Pattern) -> CommandError {
    CommandError::new(format_args!("unknown event \"{pattern}\""))
}
