//! Why a command fails, and the error class that QMP shows for it.

use crate::os::without_error_number;

/// Why a command does nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::control) struct CommandError {
    /// What a machine sees of the kind of it.
    pub(in crate::control) class: ErrorClass,
    /// What is wrong: one line.
    pub(in crate::control) text: String,
    /// What to do: lines.
    pub(in crate::control) advice: String,
}

/// QMP's kinds of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::control) enum ErrorClass {
    /// Any but the next.
    Generic,
    /// There is no such command, or not yet, or not any more.
    CommandNotFound,
}

impl ErrorClass {
    /// Its name.
    pub(in crate::control) fn name(self) -> &'static str {
        match self {
            ErrorClass::Generic => "GenericError",
            ErrorClass::CommandNotFound => "CommandNotFound",
        }
    }
}

impl CommandError {
    /// A error that is no special one.
    pub(in crate::control) fn new(text: impl std::fmt::Display) -> CommandError {
        CommandError { class: ErrorClass::Generic, text: text.to_string(), advice: String::new() }
    }

    /// The same error, with what to do.
    pub(in crate::control) fn advise(self, advice: impl Into<String>) -> CommandError {
        CommandError { advice: advice.into(), ..self }
    }

    /// Tracing does not do what it is to: what is wrong, without the system's number of it, and behind its first line what to do.
    pub(in crate::control) fn of(error: &dyn std::fmt::Display) -> CommandError {
        let text = error.to_string();
        let (wrong, advice) = text.split_once('\n').unwrap_or((&text, ""));
        CommandError::new(without_error_number(wrong)).advise(advice)
    }

    /// A error of a command that cannot be called.
    pub(in crate::control) fn not_found(text: impl Into<String>) -> CommandError {
        CommandError { class: ErrorClass::CommandNotFound, ..CommandError::new(text.into()) }
    }
}
