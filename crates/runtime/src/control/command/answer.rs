//! What a command answers, before a face renders it.

use std::path::PathBuf;

use crate::State;
use crate::status::{EventCounts, Status};

/// What a command answers.
#[derive(Debug)]
pub(in crate::monitor) enum Answer {
    /// It is done.
    Nothing,
    /// Events and whether they are on.
    States(Vec<(String, State)>),
    /// The trace file, as it was named, and whether events go there.
    TraceFile(PathBuf, bool),
    /// Lines for people.
    Text(String),
    /// A snapshot has so many records.
    Records(u64),
    /// How recording goes, in all and by events.
    Status(Box<Report>),
    /// Which QEMU's protocol is spoken, and by whom.
    Version,
    /// What the program is called.
    Name(Option<String>),
    /// What machines can ask.
    Commands,
    /// The program is going to end.
    Quit,
}

/// How recording goes.
#[derive(Debug)]
pub(in crate::monitor) struct Report {
    /// What the program is called.
    pub(in crate::monitor) program: String,
    /// In all.
    pub(in crate::monitor) status: Status,
    /// By events.
    pub(in crate::monitor) events: Vec<EventCounts>,
}

/// Why a command does nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::monitor) struct Failure {
    /// What a machine sees of the kind of it.
    pub(in crate::monitor) class: Class,
    /// What is wrong: one line.
    pub(in crate::monitor) text: String,
    /// What to do: lines.
    pub(in crate::monitor) advice: String,
}

/// QMP's kinds of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::monitor) enum Class {
    /// Any but the next.
    Generic,
    /// There is no such command, or not yet, or not any more.
    CommandNotFound,
}

impl Class {
    /// Its name.
    pub(in crate::monitor) fn name(self) -> &'static str {
        match self {
            Class::Generic => "GenericError",
            Class::CommandNotFound => "CommandNotFound",
        }
    }
}

impl Failure {
    /// A failure that is no special one.
    pub(in crate::monitor) fn new(text: impl std::fmt::Display) -> Failure {
        Failure { class: Class::Generic, text: text.to_string(), advice: String::new() }
    }

    /// The same failure, with what to do.
    pub(in crate::monitor) fn advise(self, advice: impl Into<String>) -> Failure {
        Failure { advice: advice.into(), ..self }
    }

    /// Tracing does not do what it is to: what is wrong, without the system's number of it, and behind its first line what to do.
    pub(in crate::monitor) fn of(error: &dyn std::fmt::Display) -> Failure {
        let text = error.to_string();
        let (wrong, advice) = text.split_once('\n').unwrap_or((&text, ""));
        let wrong = wrong.split(" (os error").next().unwrap_or_default();
        Failure::new(wrong).advise(advice)
    }

    /// A failure of a command that cannot be called.
    pub(in crate::monitor) fn not_found(text: impl Into<String>) -> Failure {
        Failure { class: Class::CommandNotFound, ..Failure::new(text.into()) }
    }
}
