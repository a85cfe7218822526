//! What a command answers, before a face renders it.

use std::path::PathBuf;

use crate::event::EventState;
use crate::session::status::{EventCounts, Status};

/// What a command answers.
#[derive(Debug)]
pub(in crate::control) enum Answer {
    /// It is done.
    Nothing,
    /// Events and whether they are on.
    States(Vec<(String, EventState)>),
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
pub(in crate::control) struct Report {
    /// What the program is called.
    pub(in crate::control) program: String,
    /// In all.
    pub(in crate::control) status: Status,
    /// By events.
    pub(in crate::control) events: Vec<EventCounts>,
}
