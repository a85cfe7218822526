//! Errors of opening traces and of queries.

use std::fmt;

use datafusion::common::DataFusionError;
use ringtrace_tracefile::pair::PairError;
use ringtrace_tracefile::{Error as TraceError, ErrorKind as TraceErrorKind};

/// The part that an error concerns. It determines the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The query or an option is wrong.
    Usage,
    /// A trace is damaged, or is not a trace.
    Input,
    /// A file cannot be read or written.
    System,
}

/// An error: the message that the tool `ringtrace` prints, and advice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The part that the error concerns.
    pub kind: ErrorKind,
    /// The failed operation, its object, and the reason. It can have several lines.
    pub message: String,
    /// Advice.
    pub help: Option<String>,
}

impl Error {
    /// Creates an error without advice.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into(), help: None }
    }

    /// Creates the error of a query or an option.
    pub fn usage(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Usage, message)
    }

    /// Creates the error of an operation on the file `name`.
    pub fn system(name: impl fmt::Display, error: &std::io::Error) -> Error {
        Error::new(ErrorKind::System, format!("{name}: {}", ringtrace_tracefile::error::reason(error)))
    }

    /// Adds advice.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Error {
        Error { help: Some(help.into()), ..self }
    }

    /// Adds advice, if there is any.
    #[must_use]
    pub fn maybe_help(self, help: Option<String>) -> Error {
        Error { help: help.or(self.help), ..self }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<TraceError> for Error {
    fn from(error: TraceError) -> Error {
        Error::from(&error)
    }
}

impl From<&TraceError> for Error {
    fn from(error: &TraceError) -> Error {
        let is_system = error.kind() == TraceErrorKind::System;
        let kind = if is_system { ErrorKind::System } else { ErrorKind::Input };
        Error { kind, message: error.to_string(), help: error.help.clone() }
    }
}

impl From<PairError> for Error {
    fn from(error: PairError) -> Error {
        let help = Some(error.help).filter(|help| !help.is_empty());
        Error { kind: ErrorKind::Usage, message: error.message, help }
    }
}

impl From<Error> for DataFusionError {
    fn from(error: Error) -> DataFusionError {
        DataFusionError::External(Box::new(error))
    }
}
