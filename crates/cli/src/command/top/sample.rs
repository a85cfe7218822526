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
    /// An error of the source, without a full stop.
    pub error: Option<String>,
    /// The total number of records of all events. For a flight recorder, the number of records in
    /// its rings.
    pub recorded: u64,
    /// For a flight recorder, the number of records that newer ones replaced.
    pub overwritten: Option<u64>,
    pub dropped: u64,
    pub rings: Vec<Ring>,
    /// The events. An incomplete sample omits events that are disabled and never occurred.
    pub events: Vec<EventSample>,
    /// Whether the sample contains all events of the program.
    pub complete: bool,
    /// The time from a trace's first record to its last.
    pub span_ns: Option<u64>,
    /// A number that changes when another trace or program replaces the target.
    pub generation: u64,
}

impl Sample {
    /// Returns the number of records of all events since the start. It never decreases.
    pub fn total(&self) -> u64 {
        self.recorded.saturating_add(self.overwritten.unwrap_or(0))
    }

    /// Returns the adjective for the records that [`Sample::recorded`] counts.
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
    /// Recording is off, for this many nanoseconds if known.
    Off(Option<u64>),
    /// The reader is behind: this many bytes at the end of the trace are not read yet.
    Behind(u64),
    Ended,
    /// Nobody writes the trace, although there is a running process with the writer's id.
    Left,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Ring {
    #[serde(rename = "thread")]
    pub tid: u32,
    #[serde(default)]
    pub name: String,
    pub used_bytes: u64,
    pub size_bytes: u64,
}

impl Ring {
    /// The thread's name, or else its id.
    pub fn label(&self) -> String {
        if self.name.is_empty() { self.tid.to_string() } else { self.name.clone() }
    }

    /// Returns the used share of the ring, from 0 to 1.
    pub fn share(&self) -> f64 {
        if self.size_bytes == 0 { 0.0 } else { (self.used_bytes as f64 / self.size_bytes as f64).min(1.0) }
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
pub struct EventSample {
    pub name: String,
    pub group: String,
    /// `None` for a trace, because traces do not record the state.
    pub state: Option<EventState>,
    /// Records since the start; `None` for a flight recorder.
    pub recorded: Option<u64>,
    /// Lost events; `None` for a trace, because traces do not record losses by event.
    pub dropped: Option<u64>,
    /// Counts over time, if the source has them at a finer resolution than the samples.
    #[serde(skip)]
    pub histories: Option<Box<(LastMinute, WholeTrace)>>,
}
