//! What a program or a trace tells at one moment.

use super::history::{LastMinute, WholeTrace};
pub use crate::trace_status::{EventState, Ring};

/// Everything that is told at one moment.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    /// When it was counted, in nanoseconds of the source's own clock. It never goes back.
    pub time_ns: u64,
    pub program: String,
    pub pid: Option<u32>,
    /// Whether events go to the trace file, or what else is to be said of that.
    pub state: TraceState,
    pub backends: Vec<String>,
    pub policy: Option<String>,
    pub file: Option<String>,
    pub file_bytes: u64,
    /// What is wrong, as a sentence without an end.
    pub trouble: Option<String>,
    /// Records written, of all events; of a flight recorder those that its rings hold.
    pub recorded: u64,
    /// Records that made room for newer ones: of a flight recorder.
    pub overwritten: Option<u64>,
    pub dropped: u64,
    pub rings: Vec<Ring>,
    /// The events. One that is left out of a sample that is not `complete` is disabled, and never happened.
    pub events: Vec<EventSample>,
    /// Whether these are all events of the program, or those that are enabled or have happened.
    pub complete: bool,
    /// Of a trace: from its first record to its last one, in nanoseconds.
    pub span_ns: Option<u64>,
    /// Another number: another thing is told of, whatever it is called.
    pub generation: u64,
}

impl Sample {
    /// Records so far, of all events: a number that never goes down.
    pub fn total(&self) -> u64 {
        self.recorded.saturating_add(self.overwritten.unwrap_or(0))
    }

    /// What the records are called that [`Sample::recorded`] counts.
    pub fn recorded_word(&self) -> &'static str {
        if self.overwritten.is_some() { "in the rings" } else { "recorded" }
    }
}

/// How recording goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TraceState {
    #[default]
    NotStarted,
    On,
    /// They do not, since so many nanoseconds, where that is known.
    Off(Option<u64>),
    /// A trace that is being read: so many bytes are left before its end.
    Behind(u64),
    Ended,
    /// A trace that nobody writes now, though there is a process of that number.
    Left,
}

/// One event.
#[derive(Debug, Clone, Default)]
pub struct EventSample {
    pub name: String,
    pub group: String,
    /// Whether it is switched on; a trace does not tell.
    pub state: Option<EventState>,
    /// Its records so far; not known of a flight recorder.
    pub recorded: Option<u64>,
    /// How many were lost; a trace does not tell which event's they were.
    pub dropped: Option<u64>,
    /// How its rate went, where the source has counted that better than samples tell.
    pub histories: Option<Box<(LastMinute, WholeTrace)>>,
}
