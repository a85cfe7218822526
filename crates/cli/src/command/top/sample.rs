//! The state of a program or a trace at one moment.

use super::history::{LastMinute, WholeTrace};
pub use crate::trace_status::{EventState, Ring};

/// The state of a program or a trace at one moment.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    /// The time of the sample on the source's own clock, which never goes back.
    pub time_ns: u64,
    pub program: String,
    pub pid: Option<u32>,
    pub state: TraceState,
    pub backends: Vec<String>,
    pub policy: Option<String>,
    pub file: Option<String>,
    pub file_bytes: u64,
    /// An error of the source, as a sentence without a full stop.
    pub error: Option<String>,
    /// The number of records written, or for a flight recorder, of records in its rings.
    pub recorded: u64,
    /// The number of records replaced by newer ones; only for a flight recorder.
    pub overwritten: Option<u64>,
    pub dropped: u64,
    pub rings: Vec<Ring>,
    /// The events. An incomplete sample omits events that are disabled and never occurred.
    pub events: Vec<EventSample>,
    /// Whether the sample contains all events of the program.
    pub complete: bool,
    /// The time from a trace's first record to its last.
    pub span_ns: Option<u64>,
    /// Changes when another trace or program takes the target's place.
    pub generation: u64,
}

impl Sample {
    /// The number of records since the start. It never decreases.
    pub fn total(&self) -> u64 {
        self.recorded.saturating_add(self.overwritten.unwrap_or(0))
    }

    /// The adjective for the records that [`Sample::recorded`] counts.
    pub fn recorded_word(&self) -> &'static str {
        if self.overwritten.is_some() { "in the rings" } else { "recorded" }
    }
}

/// The state of recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TraceState {
    #[default]
    NotStarted,
    On,
    /// Recording has been off for this many nanoseconds, if known.
    Off(Option<u64>),
    /// The trace has not been read to its end: this many bytes remain.
    Behind(u64),
    Ended,
    /// The trace has no writer, although a process with the writer's id is running.
    Left,
}

#[derive(Debug, Clone, Default)]
pub struct EventSample {
    pub name: String,
    pub group: String,
    /// `None` for a trace, which does not record it.
    pub state: Option<EventState>,
    /// Records since the start; `None` for a flight recorder.
    pub recorded: Option<u64>,
    /// Lost events; `None` for a trace, which does not record them by event.
    pub dropped: Option<u64>,
    /// Counts over time, if the source's counts are more precise than the samples.
    pub histories: Option<Box<(LastMinute, WholeTrace)>>,
}
