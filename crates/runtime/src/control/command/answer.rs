//! Results of commands, independent of the language that renders them.

use std::path::PathBuf;

use crate::event::EventState;
use crate::session::status::{EventCounts, Status};

/// The result of a command.
#[derive(Debug)]
pub(in crate::control) enum Answer {
    /// Success without data.
    Nothing,
    /// Names and states of events.
    States(Vec<(String, EventState)>),
    /// The path of the trace file as it was set, and whether recording is on.
    TraceFile(PathBuf, bool),
    /// Lines for people.
    Text(String),
    /// The number of records in a snapshot.
    Records(u64),
    /// Recording status and counts of events.
    Status(Box<Report>),
    /// Versions of the protocol and of this implementation.
    Version,
    /// The program's name, if it has set one.
    Name(Option<String>),
    /// The list of QMP commands.
    Commands,
    /// The program will end.
    Quit,
}

/// Recording status of a program.
#[derive(Debug)]
pub(in crate::control) struct Report {
    /// Name of the program.
    pub(in crate::control) program: String,
    pub(in crate::control) status: Status,
    pub(in crate::control) events: Vec<EventCounts>,
}
