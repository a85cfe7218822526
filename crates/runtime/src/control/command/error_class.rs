//! Errors of commands, with the error classes of QMP.

use crate::os::without_error_number;

/// An error of a command. The failed command has no effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::control) struct CommandError {
    pub(in crate::control) class: ErrorClass,
    /// The error message, one line.
    pub(in crate::control) text: String,
    /// Lines of advice. May be empty.
    pub(in crate::control) advice: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::control) enum ErrorClass {
    Generic,
    /// The command does not exist or is not available in the current state.
    CommandNotFound,
}

impl ErrorClass {
    pub(in crate::control) fn name(self) -> &'static str {
        match self {
            ErrorClass::Generic => "GenericError",
            ErrorClass::CommandNotFound => "CommandNotFound",
        }
    }
}

impl CommandError {
    pub(in crate::control) fn new(text: impl std::fmt::Display) -> CommandError {
        CommandError { class: ErrorClass::Generic, text: text.to_string(), advice: String::new() }
    }

    pub(in crate::control) fn advise(self, advice: impl Into<String>) -> CommandError {
        CommandError { advice: advice.into(), ..self }
    }

    /// Converts a session error: removes the system's error number, and uses all lines after the
    /// first as advice.
    pub(in crate::control) fn of(error: &dyn std::fmt::Display) -> CommandError {
        let text = error.to_string();
        let (wrong, advice) = text.split_once('\n').unwrap_or((&text, ""));
        CommandError::new(without_error_number(wrong)).advise(advice)
    }

    pub(in crate::control) fn not_found(text: impl Into<String>) -> CommandError {
        CommandError { class: ErrorClass::CommandNotFound, ..CommandError::new(text.into()) }
    }
}
