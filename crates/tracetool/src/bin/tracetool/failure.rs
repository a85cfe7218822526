//! Why something was not generated.

use std::collections::HashSet;
use std::fmt::Write;
use std::io;

use ringtrace_events::message::{MessageFormat, render};
use ringtrace_events::{Diagnostic, SourceFile};

/// What is wrong.
#[derive(Debug, Clone)]
pub enum Failure {
    /// A line each.
    Messages(Vec<String>),
    /// What is wrong with declarations.
    Declarations {
        /// One or more errors.
        errors: Vec<Diagnostic>,
        /// How many problems were only counted.
        omitted: usize,
        /// What [`Diagnostic::source`] points into.
        sources: Vec<SourceFile>,
    },
}

impl Failure {
    /// What one line says.
    pub fn message(message: impl Into<String>) -> Failure {
        Failure::Messages(vec![message.into()])
    }
}

/// What is said of failures.
#[derive(Debug)]
pub struct Report {
    format: MessageFormat,
    text: String,
    /// Name of the source, place and code of what is told already: calls of a batch share declarations.
    told: HashSet<(String, usize, &'static str)>,
    told_messages: HashSet<String>,
    errors: usize,
}

impl Report {
    /// Nothing yet.
    pub fn new(colour: bool) -> Report {
        Report {
            format: MessageFormat::Human { colour },
            text: String::new(),
            told: HashSet::new(),
            told_messages: HashSet::new(),
            errors: 0,
        }
    }

    /// Tells of `failure`, but for what is told already.
    pub fn add(&mut self, failure: Failure) {
        match failure {
            Failure::Messages(messages) => {
                for message in messages {
                    if self.told_messages.insert(message.clone()) {
                        let _ = writeln!(self.text, "error: {message}");
                    }
                }
            }
            Failure::Declarations { mut errors, omitted, sources } => {
                errors.retain(|error| {
                    let name = sources.get(error.source).map(|source| source.name().to_owned());
                    self.told.insert((name.unwrap_or_default(), error.span.start, error.code))
                });
                self.errors += errors.len();
                self.text.push_str(&render(&errors, &sources, self.format));
                if omitted > 0 {
                    let _ = writeln!(self.text, "{omitted} more problems are not shown\n");
                }
            }
        }
    }

    /// All that is to be said, with the number of errors in declarations.
    pub fn finish(mut self) -> String {
        if self.errors > 0 {
            let plural = if self.errors == 1 { "" } else { "s" };
            let _ = writeln!(self.text, "{} error{plural} in declarations", self.errors);
        }
        self.text
    }
}

/// What the system has against something, without its number.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}
