//! Results of commands, independent of the language that renders them.

use std::path::PathBuf;

use crate::event::EventState;
use crate::session::status::{EventCounts, Status};

#[derive(Debug)]
pub(in crate::control) enum Answer {
    /// Success without data.
    Nothing,
    States(Vec<(String, EventState)>),
    /// The path of the trace file as it was set, and whether recording is on.
    TraceFile(PathBuf, bool),
    /// Lines for people.
    Text(String),
    /// The number of records in a snapshot.
    Records(u64),
    Status(Box<Report>),
    Version,
    Name(Option<String>),
    Commands,
    Quit,
}

#[derive(Debug)]
pub(in crate::control) struct Report {
    pub(in crate::control) program: String,
    pub(in crate::control) status: Status,
    pub(in crate::control) events: Vec<EventCounts>,
}
