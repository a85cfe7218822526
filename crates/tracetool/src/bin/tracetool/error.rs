//! Errors, and their report on standard error.

use std::collections::HashSet;
use std::fmt::Write;

use ringtrace_events::message::{MessageFormat, render, visible};
use ringtrace_events::{Diagnostic, SourceFile};

/// The reason why nothing was generated.
#[derive(Debug, Clone)]
pub enum Error {
    /// One-line messages.
    Messages(Vec<String>),
    Declarations {
        errors: Vec<Diagnostic>,
        omitted: usize,
        /// The source files for [`Diagnostic::source`].
        sources: Vec<SourceFile>,
    },
}

impl Error {
    pub fn message(message: impl Into<String>) -> Error {
        Error::Messages(vec![message.into()])
    }
}

/// Returns a message about diagnostics that were dropped.
fn not_shown(omitted: usize) -> String {
    match omitted {
        1 => "1 further problem is not shown".to_owned(),
        _ => format!("{omitted} further problems are not shown"),
    }
}

/// Collects all errors in one report.
#[derive(Debug)]
pub struct ErrorReport {
    format: MessageFormat,
    text: String,
    /// Source, offset and code of errors reported so far. Calls of a batch share declarations, so
    /// the same error can occur again.
    reported: HashSet<(String, usize, &'static str)>,
    reported_messages: HashSet<String>,
    errors: usize,
}

impl ErrorReport {
    pub fn new(colour: bool) -> ErrorReport {
        ErrorReport {
            format: MessageFormat::Human { colour },
            text: String::new(),
            reported: HashSet::new(),
            reported_messages: HashSet::new(),
            errors: 0,
        }
    }

    /// Adds an error, unless it has been reported.
    pub fn add(&mut self, error: Error) {
        match error {
            Error::Messages(messages) => {
                for message in messages {
                    if self.reported_messages.insert(message.clone()) {
                        let _ = writeln!(self.text, "error: {}", visible::text(&message));
                    }
                }
            }
            Error::Declarations { mut errors, omitted, sources } => {
                errors.retain(|error| {
                    let name = sources.get(error.source).map(|source| source.name().to_owned());
                    self.reported.insert((name.unwrap_or_default(), error.span.start, error.code))
                });
                self.errors += errors.len();
                self.text.push_str(&render(&errors, &sources, self.format));
                if omitted > 0 {
                    let _ = writeln!(self.text, "{}\n", not_shown(omitted));
                }
            }
        }
    }

    /// Returns the report, with the number of errors in declarations.
    pub fn finish(mut self) -> String {
        if self.errors > 0 {
            let plural = if self.errors == 1 { "" } else { "s" };
            let _ = writeln!(self.text, "{} error{plural} in declarations", self.errors);
        }
        self.text
    }
}
